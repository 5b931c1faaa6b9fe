package wire

import (
	"errors"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
)

const (
	headerSessionToken = "x-ms-session-token" //nolint:gosec // no credential
	headerContainerRID = "x-ms-content-path"  // of responses: the RID of what holds the document
)

// sessions is the policy that sends the tokens of sessions and keeps those of
// responses. It comes after the policy that scopes queries, and before the
// retries, which all send the same token.
type sessions struct{}

// Do implements policy.Policy.
func (sessions) Do(r *policy.Request) (*http.Response, error) {
	raw := r.Raw()
	own := sessionOf(raw.Context())
	link, rest := route.SplitLink(raw.URL.EscapedPath())
	if own == nil || !route.OfDocuments(rest) {
		return r.Next()
	}
	container := raw.URL.Host + link
	cache := route.CacheOf(container)
	m, version := cache.Known()
	if reads(raw) && raw.Header.Get(headerSessionToken) == "" {
		if token := own.token(container, m, cache.Served(m, raw.Header)); token != "" {
			raw.Header.Set(headerSessionToken, token)
		}
	}
	response, err := r.Next()
	switch {
	case isSessionNotAvailable(err):
		// The name may have got another container, whose writes count anew.
		cache.Forget(version)
	case err == nil && tellsProgress(response):
		tokens := parseSessionTokens(response.Header.Get(headerSessionToken))
		if len(tokens) > 0 && own.note(container, response.Header.Get(headerContainerRID), m, tokens) {
			cache.Forget(version)
		}
	}
	return response, err
}

// reads reports whether a request may read: not only those that change nothing,
// but also batches (GatewayStoreModel in azure-cosmos-dotnet-v3 sends tokens with
// these too).
func reads(r *http.Request) bool {
	return r.Method == http.MethodGet ||
		r.Method == http.MethodPost && (r.Header.Get("x-ms-documentdb-query") != "" || r.Header.Get("x-ms-cosmos-is-batch-request") != "")
}

// tellsProgress reports whether the token of a response says what this client has
// seen: that of a success, and of a failure that depends on what is stored, as the
// other SDKs take it (CaptureSessionToken in azure-cosmos-dotnet-v3).
func tellsProgress(response *http.Response) bool {
	switch response.StatusCode {
	case http.StatusNotFound, http.StatusConflict, http.StatusPreconditionFailed:
		return true
	}
	return response.StatusCode < http.StatusBadRequest
}

// isSessionNotAvailable reports whether no replica was as far as the token, also
// after the SDK's retries, which make an error of the response.
func isSessionNotAvailable(err error) bool {
	var response *azcore.ResponseError
	return errors.As(err, &response) && response.StatusCode == http.StatusNotFound &&
		Substatus(response) == substatusReadSessionNotAvailable
}
