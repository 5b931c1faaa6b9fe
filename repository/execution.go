package repository

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/partition"
)

// execution is what the jobs of one run of a query have in common. An R is what
// one item of a response becomes.
type execution[R any] struct {
	store      *store
	head, tail string // SQL before and behind the conditions
	conditions []string
	parameters []azcosmos.QueryParameter
	pageSize   int32
	decode     func([]byte) (R, error) // called by several goroutines
}

// text returns the SQL of a job and its parameters.
func (e *execution[R]) text(j job) (string, []azcosmos.QueryParameter) {
	conditions, parameters := e.conditions, e.parameters
	if listed, more := e.store.condition(j); listed != "" {
		conditions = append(conditions[:len(conditions):len(conditions)], listed)
		parameters = append(parameters[:len(parameters):len(parameters)], more...)
	}
	text := e.head
	if len(conditions) > 0 {
		text += " WHERE (" + strings.Join(conditions, ") AND (") + ")"
	}
	return text + e.tail, parameters
}

// errStopped says that the consumer wants no more.
var errStopped = errors.New("stopped")

// maxRestarts bounds how often one job is divided anew while the container's
// physical partitions change.
const maxRestarts = 10

// read sends the requests of a job and emits its pages. It returns errStopped
// if emit returns false.
//
// If the job's physical partition is gone, split or merged or of a container
// that was made again, what the job answers for is divided among its successors,
// which begin again and leave out what was delivered before.
func (e *execution[R]) read(ctx context.Context, j job, emit func([]R) bool) error {
	text, parameters := e.text(j)
	requests := ctx
	if j.scoped {
		requests = inRange(ctx, j.rid, j.in.ID)
	}
	pager := e.store.container.NewQueryItemsPager(text, j.key, &azcosmos.QueryOptions{
		QueryParameters: parameters,
		PageSizeHint:    e.pageSize,
	})
	for pager.More() { // a page may be empty and not the last
		callCtx, done := measure(requests)
		page, err := pager.NextPage(callCtx)
		done(page.RequestCharge, err)
		if err != nil {
			if j.scoped && gone(err) {
				return e.restart(ctx, j, err, emit)
			}
			return e.failure(j, err)
		}
		items, err := e.page(&j, page.Items, pager.More())
		if err != nil {
			return e.failure(j, err)
		}
		if !emit(items) {
			return errStopped
		}
	}
	return nil
}

// page decodes the items of a page. It notes what it delivers if there are more
// pages, and leaves out what was delivered before a restart.
func (e *execution[R]) page(j *job, raw [][]byte, more bool) ([]R, error) {
	items := make([]R, 0, len(raw))
	for _, document := range raw {
		if j.scoped && (more || j.restarts > 0) {
			again, err := e.store.delivered(j, document, more)
			if err != nil {
				return nil, err
			}
			if again {
				continue
			}
		}
		item, err := e.decode(document)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}

// delivered reports whether a document is to be left out: it was delivered
// before j was restarted, or is not one that j answers for. It notes the others
// if j may be restarted once more.
func (s *store) delivered(j *job, document []byte, note bool) (bool, error) {
	var system struct {
		RID string `json:"_rid"`
	}
	if err := json.Unmarshal(document, &system); err != nil {
		return false, err
	}
	if j.seen[system.RID] {
		return true, nil
	}
	if j.restarts > 0 && !contains(j.low, j.high, j.in) {
		epk, err := s.epk(document)
		if err != nil {
			return false, err
		}
		if partition.CompareEPK(epk, j.low) < 0 || partition.CompareEPK(epk, j.high) >= 0 {
			return true, nil
		}
	}
	if note {
		if j.seen == nil {
			j.seen = map[string]bool{}
		}
		j.seen[system.RID] = true
	}
	return false, nil
}

// contains reports whether all of r is from low to below high.
func contains(low, high string, r keyRange) bool {
	return partition.CompareEPK(low, r.Min) <= 0 && partition.CompareEPK(r.Max, high) <= 0
}

// epk computes the effective partition key of a document.
func (s *store) epk(document []byte) (string, error) {
	values := make([]any, len(s.paths))
	for i, path := range s.paths {
		raw := valueAt(document, names(path))
		if raw == nil {
			values[i] = partition.Undefined{}
			continue
		}
		if err := json.Unmarshal(raw, &values[i]); err != nil {
			return "", err
		}
	}
	return partition.EPK(values...)
}

// restart reads what j answers for from where it is now.
func (e *execution[R]) restart(ctx context.Context, j job, cause error, emit func([]R) bool) error {
	if j.restarts == maxRestarts {
		return e.failure(j, cause)
	}
	m, version, err := e.store.refresh(ctx, j.version)
	if err != nil {
		return e.failure(j, errors.Join(cause, err))
	}
	if m.rid != j.rid && len(j.seen) > 0 {
		failure := e.failure(j, cause)
		failure.note = "the container was deleted and made again while it was read: run the query again"
		return failure
	}
	j.restarts++
	for _, part := range j.split(m, version) {
		if err := e.read(ctx, part, emit); err != nil {
			return err
		}
	}
	return nil
}

// gone reports whether a response says that the physical partition, or the
// container that it was of, is no more: 410, and 400 with substatus 1024
// ("collection RID mismatch").
func gone(err error) bool {
	var response *azcore.ResponseError
	if !errors.As(err, &response) {
		return false
	}
	return response.StatusCode == http.StatusGone ||
		response.StatusCode == http.StatusBadRequest && substatus(response) == 1024
}

// refusedByGateway reports whether a response says that the gateway does not
// run this query over several physical partitions: 400 with substatus 1004
// ("cross partition query not servable").
func refusedByGateway(err error) bool {
	var own *Error
	return errors.As(err, &own) && own.Status == http.StatusBadRequest && own.Substatus == 1004
}

func (e *execution[R]) failure(j job, err error) *Error {
	failure := requestError("query", e.store.typ, "", j.name, err)
	failure.Range = j.in.ID
	return failure
}
