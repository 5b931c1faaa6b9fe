package wire

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	azruntime "github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
)

// notExecuted are the substatuses of a 410 that says that a write has had no effect: the
// name means another container now, the physical partition was split, or a split or a
// migration completes.
var notExecuted = []string{"1000", "1002", "1007", "1008"}

// gone is the policy that repeats requests for documents that were answered with 410. Those
// to one physical partition it leaves alone: they need another partition, which package
// query and azcosmos find. It comes last before the retries, so that all attempts are one
// call for the other policies.
type gone struct{}

// Do implements policy.Policy.
func (gone) Do(r *policy.Request) (*http.Response, error) {
	raw := r.Raw()
	_, rest := route.SplitLink(raw.URL.EscapedPath())
	if rest != "/docs" && !strings.HasPrefix(rest, "/docs/") || raw.Header.Get(route.HeaderRange) != "" {
		return r.Next()
	}
	for attempt := 1; ; attempt++ {
		response, err := r.Next()
		if err != nil || response.StatusCode != http.StatusGone || attempt == backoff.MaxAttempts {
			return response, err
		}
		if writes(raw) && !slices.Contains(notExecuted, response.Header.Get("x-ms-substatus")) {
			return response, nil
		}
		answer := azruntime.NewResponseError(response) // reads the body, and closes it
		if err := backoff.Settle(raw.Context(), attempt); err != nil {
			return nil, errors.Join(answer, err)
		}
		if err := r.RewindBody(); err != nil {
			return nil, err
		}
	}
}

// writes reports whether a request for documents may change them.
func writes(r *http.Request) bool {
	return r.Method != http.MethodGet && r.Header.Get("x-ms-documentdb-query") == ""
}
