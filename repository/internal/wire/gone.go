package wire

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	azruntime "github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
)

// notExecuted are the substatuses of a 410 that says that a write has had no effect: the
// name means another container now, the physical partition was split, or a split or a
// migration completes.
var notExecuted = []string{"1000", "1002", "1007", "1008"}

// gone is the policy that repeats requests for documents that were answered with 410, and
// batches that were rolled back because one of their operations was. Those to one physical
// partition it leaves alone: they need another partition, which package query and azcosmos
// find. It comes last before the retries, so that all attempts are one call for the other
// policies.
type gone struct{}

// Do implements policy.Policy.
func (gone) Do(r *policy.Request) (*http.Response, error) {
	raw := r.Raw()
	_, rest := route.SplitLink(raw.URL.EscapedPath())
	if !route.OfDocuments(rest) || raw.Header.Get(route.HeaderRange) != "" {
		return r.Next()
	}
	for attempt := 1; ; attempt++ {
		response, err := r.Next()
		if err != nil {
			return response, err
		}
		back := goneBack(raw, response)
		if response.StatusCode != http.StatusGone || attempt == backoff.MaxAttempts {
			return response, nil
		}
		if !back && writes(raw) && !slices.Contains(notExecuted, response.Header.Get(headerSubstatus)) {
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

// goneBack reports whether a transactional batch was rolled back because of an operation
// with status 410. If so the answer is from then on that of a request with this status, and
// no operation is blamed: all are for one physical partition.
func goneBack(request *http.Request, response *http.Response) bool {
	if response.StatusCode != http.StatusMultiStatus || request.Header.Get("x-ms-cosmos-batch-atomic") != "True" {
		return false
	}
	body, err := azruntime.Payload(response) // which the pipeline has read
	var results []azcosmos.TransactionalBatchResult
	if err != nil || json.Unmarshal(body, &results) != nil {
		return false // azcosmos returns an error for such a body
	}
	bad := Culprit(results)
	if bad == NoOperation || results[bad].StatusCode != http.StatusGone {
		return false
	}
	var reasons []struct {
		Substatus int `json:"subStatusCode"`
	}
	if json.Unmarshal(body, &reasons) == nil && reasons[bad].Substatus != 0 {
		response.Header.Set(headerSubstatus, strconv.Itoa(reasons[bad].Substatus))
	}
	response.StatusCode, response.Status = http.StatusGone, "410 Gone"
	return true
}
