package wire

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
)

// MaxReads is how often patiently reads a job: the client has sent each request
// up to ten times by then.
const MaxReads = 3

// MayPass reports whether a request that failed so may succeed later.
func MayPass(err error) bool {
	if isUntrusted(err) {
		return false
	}
	var own *OperationError
	if errors.As(err, &own) && Retried(own.Status) {
		return true
	}
	var connection net.Error
	return errors.As(err, &connection)
}

// refusedOnly are the retries of a request that must not take effect twice. The
// statuses alone would not do: a pipeline repeats whatever fails with an error
// that it does not know (retryPolicy.Do in azcore).
var refusedOnly = policy.RetryOptions{
	MaxRetries:    maxRetries,
	MaxRetryDelay: maxRetryDelay,
	ShouldRetry: func(response *http.Response, err error) bool {
		return err == nil && (response.StatusCode == http.StatusTooManyRequests || response.StatusCode == StatusRetryWith)
	},
}

// RetryRefused returns a context under which the pipeline repeats a request only
// where an answer says that it took no effect.
func RetryRefused(ctx context.Context) context.Context {
	return context.WithValue(policy.WithRetryOptions(ctx, refusedOnly), refusedOnlyKey{}, true)
}

type refusedOnlyKey struct{}

// metadataRetries is the policy that repeats requests about the account and its containers
// by the client's own retries. azcosmos sends them under the context of a request for
// documents, which may be one that [RetryRefused] restricts, and keeps the error of a failed
// read of the account for five minutes (globalEndpointManager.Update).
type metadataRetries struct{ own *policy.RetryOptions }

// Do implements policy.Policy.
func (m metadataRetries) Do(r *policy.Request) (*http.Response, error) {
	raw := r.Raw()
	restricted := raw.Context().Value(refusedOnlyKey{}) != nil
	if _, rest := route.SplitLink(raw.URL.EscapedPath()); !restricted || raw.Method != http.MethodGet || route.OfDocuments(rest) {
		return r.Next()
	}
	return r.WithContext(policy.WithRetryOptions(raw.Context(), *m.own)).Next()
}

// Retried reports whether the pipeline repeats requests that are answered with this
// status, by default.
func Retried(status int) bool { return slices.Contains(retryStatuses, status) }
