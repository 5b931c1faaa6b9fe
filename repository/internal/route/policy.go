package route

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	azruntime "github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
)

// Policy scopes queries and change feeds, keeps what the SDK reads of physical
// partitions for itself, and answers the queries of a refresh. It is a policy per
// call, before the retries, so that its own answers are not retried.
type Policy struct{}

// Do implements policy.Policy.
func (Policy) Do(r *policy.Request) (*http.Response, error) {
	raw := r.Raw()
	container, rest := SplitLink(raw.URL.EscapedPath())
	if container == "" {
		return r.Next()
	}
	switch {
	case rest == "/docs" && raw.Method == http.MethodPost:
		if f, ok := raw.Context().Value(refreshKey{}).(*refresh); ok {
			if err := f.begin(raw.Context(), CacheOf(raw.URL.Host+container)); err != nil {
				return nil, err
			}
			return f.answer(raw), nil
		}
		if s, ok := raw.Context().Value(scopeKey{}).(scope); ok {
			raw.Header.Set(HeaderRange, s.rangeID)
			raw.Header.Set(headerIntendedRID, s.rid)
		}
	case rest == "/docs" && raw.Method == http.MethodGet:
		pinFeed(raw)
	case rest == "" && raw.Method == http.MethodGet:
		if asked, ok := raw.Context().Value(askedKey{}).(*url.URL); ok {
			*asked = *raw.URL
		}
		return listen(r, func(response *http.Response, body []byte) error {
			if response.StatusCode == http.StatusOK {
				CacheOf(raw.URL.Host + container).container(body)
			}
			return nil
		})
	case rest == "/pkranges":
		since := raw.Header.Get("If-None-Match")
		return listen(r, func(response *http.Response, body []byte) error {
			cache := CacheOf(raw.URL.Host + container)
			switch response.StatusCode {
			case http.StatusOK:
				cache.page(since, response.Header.Get("etag"), body)
			case http.StatusNotModified:
				return cache.end(since)
			}
			return nil
		})
	}
	return r.Next()
}

type askedKey struct{}

// Asking returns the context of a read of a container, and the address that the client
// then asks: that of the account, before the SDK chooses a region. It stays empty
// without the policy.
func Asking(ctx context.Context) (context.Context, *url.URL) {
	asked := &url.URL{}
	return context.WithValue(ctx, askedKey{}, asked), asked
}

// SplitLink cuts the path of a request within a container into the container's link
// and the rest. Both are empty for other requests.
func SplitLink(path string) (container, rest string) {
	segments := strings.SplitN(strings.TrimPrefix(path, "/"), "/", 5)
	if len(segments) < 4 || segments[0] != "dbs" || segments[2] != "colls" {
		return "", ""
	}
	container = "/" + strings.Join(segments[:4], "/")
	return container, path[len(container):]
}

// OfDocuments reports whether the rest of a path, as [SplitLink] returns it, is that of
// documents: of one, or of all.
func OfDocuments(rest string) bool { return rest == "/docs" || strings.HasPrefix(rest, "/docs/") }

// listen sends r and calls note with the answer.
func listen(r *policy.Request, note func(*http.Response, []byte) error) (*http.Response, error) {
	response, err := r.Next()
	if err != nil {
		return response, err
	}
	body, err := azruntime.Payload(response) // leaves the body to be read again
	if err != nil {
		return response, err
	}
	return response, note(response, body)
}
