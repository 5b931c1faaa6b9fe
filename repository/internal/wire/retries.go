package wire

import (
	"context"
	"net/http"
	"slices"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
)

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
	return policy.WithRetryOptions(ctx, refusedOnly)
}

// Retried reports whether the pipeline repeats requests that are answered with this
// status, by default.
func Retried(status int) bool { return slices.Contains(retryStatuses, status) }
