package harness

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// PerCall returns the options of a client with policies before its retries.
func PerCall(policies ...policy.Policy) *azcosmos.ClientOptions {
	return &azcosmos.ClientOptions{ClientOptions: policy.ClientOptions{PerCallPolicies: policies}}
}

// PerRetry returns the options of a client with policies after its retries: they see each attempt.
func PerRetry(policies ...policy.Policy) *azcosmos.ClientOptions {
	return &azcosmos.ClientOptions{ClientOptions: policy.ClientOptions{PerRetryPolicies: policies}}
}

// Impatient returns the options of a client that retries without waiting.
func Impatient(perCall ...policy.Policy) *azcosmos.ClientOptions {
	o := PerCall(perCall...)
	o.Retry = policy.RetryOptions{RetryDelay: time.Microsecond, MaxRetryDelay: time.Millisecond}
	return o
}

// Once returns the options of a client that sends each request once.
func Once(perCall ...policy.Policy) *azcosmos.ClientOptions {
	o := Impatient(perCall...)
	o.Retry.MaxRetries = -1
	return o
}

// Policy is a function that implements policy.Policy.
type Policy func(*policy.Request) (*http.Response, error)

// Do implements policy.Policy.
func (p Policy) Do(r *policy.Request) (*http.Response, error) { return p(r) }

type interceptKey struct{}

// Intercept returns a context whose requests pass to a policy, if their client has the policy
// Intercepted. It replaces the policy of ctx.
func Intercept(ctx context.Context, each Policy) context.Context {
	return context.WithValue(ctx, interceptKey{}, each)
}

// Intercepted passes requests to the policies of their contexts.
var Intercepted Policy = func(r *policy.Request) (*http.Response, error) {
	if each, has := r.Raw().Context().Value(interceptKey{}).(Policy); has {
		return each(r)
	}
	return r.Next()
}

// Before returns a policy that calls act before requests with one of these methods, except queries.
func Before(act func(), methods ...string) Policy {
	return func(r *policy.Request) (*http.Response, error) {
		if slices.Contains(methods, r.Raw().Method) && !IsQuery(r.Raw()) {
			act()
		}
		return r.Next()
	}
}

// IsOfDocuments reports whether a request is for documents. azcosmos also reads containers and the
// account.
func IsOfDocuments(r *http.Request) bool { return strings.Contains(r.URL.Path, "/docs") }

// IsQuery reports whether a request is a query.
func IsQuery(r *http.Request) bool { return r.Header.Get("X-Ms-Documentdb-Query") != "" }
