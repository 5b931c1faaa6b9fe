package route

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	azruntime "github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"

	"github.com/cosmos-pkgen/pkgen/partition"
)

// Policy scopes queries and change feeds, stores the physical partitions that the SDK
// reads, and answers the queries of a refresh. It runs once per call, before the retries,
// so that its own answers are not retried.
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

// Asking returns a context for a read of a container, and a URL that receives the address
// of the request: the account's, before the SDK chooses a region. Without the policy it
// stays empty.
func Asking(ctx context.Context) (context.Context, *url.URL) {
	asked := &url.URL{}
	return context.WithValue(ctx, askedKey{}, asked), asked
}

// SplitLink splits the path of a request within a container into the container's link and
// the rest. Both are empty for other requests.
func SplitLink(path string) (container, rest string) {
	segments := strings.SplitN(strings.TrimPrefix(path, "/"), "/", 5)
	if len(segments) < 4 || segments[0] != "dbs" || segments[2] != "colls" {
		return "", ""
	}
	container = "/" + strings.Join(segments[:4], "/")
	return container, path[len(container):]
}

// OfDocuments reports whether the rest of a path, from [SplitLink], is of one document or
// of all.
func OfDocuments(rest string) bool { return rest == "/docs" || strings.HasPrefix(rest, "/docs/") }

func listen(r *policy.Request, note func(*http.Response, []byte) error) (*http.Response, error) {
	response, err := r.Next()
	if err != nil {
		return response, err
	}
	body, err := azruntime.Payload(response) // leaves the body readable
	if err != nil {
		return response, err
	}
	return response, note(response, body)
}

// headerPartitionKey has the partition key of a request, as a JSON array.
const headerPartitionKey = "x-ms-documentdb-partitionkey"

// Served returns the physical partition of m to which a request with these headers goes, or
// nil if it is unknown or there are several.
func (c *Cache) Served(m *Map, header http.Header) []Range {
	if m == nil {
		return nil
	}
	if id := header.Get(HeaderRange); id != "" {
		for _, in := range m.Ranges {
			if in.ID == id {
				return []Range{in}
			}
		}
		return nil
	}
	var levels []any
	if json.Unmarshal([]byte(header.Get(headerPartitionKey)), &levels) != nil || !c.complete(len(levels)) {
		return nil
	}
	for i, level := range levels {
		if _, ok := level.(map[string]any); ok { // {} is how the SDK writes an absent property
			levels[i] = partition.Undefined{}
		}
	}
	epk, err := partition.EPK(levels...)
	if err != nil {
		return nil
	}
	return []Range{m.Find(epk)}
}

// complete reports whether a partition key of so many levels is complete, and its effective
// partition key can be computed.
func (c *Cache) complete(levels int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.definition != nil && c.definition.Version == 2 && len(c.definition.Paths) == levels
}

// Gone reports whether err says that the physical partition or its container does not exist
// any more: 410, or 400 with substatus 1024 ("collection RID mismatch").
func Gone(err error) bool {
	var response *azcore.ResponseError
	if !errors.As(err, &response) {
		return false
	}
	return response.StatusCode == http.StatusGone ||
		response.StatusCode == http.StatusBadRequest && response.RawResponse != nil && response.RawResponse.Header.Get("x-ms-substatus") == "1024"
}
