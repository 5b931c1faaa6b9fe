package repository

import (
	"context"
	"errors"
	"net/http"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// maxRestarts bounds how often one job is divided anew while the container's
// physical partitions change.
const maxRestarts = 10

// successors divides what a job answers for among the physical partitions that
// there are now. The cause is why it cannot go on.
func (e *execution) successors(ctx context.Context, j job, cause error) ([]job, error) {
	if j.restarts == maxRestarts {
		return nil, cause
	}
	m, version, err := e.store.Refresh(ctx, j.version)
	if err != nil {
		return nil, e.failure(j, errors.Join(cause, err))
	}
	if origin := e.origin.Load(); m.RID != j.rid && origin != nil && *origin == j.rid {
		return nil, e.madeAgain(j, cause)
	}
	j.restarts++
	return j.split(m, version), nil
}

// madeAgain is the error of a query that has delivered documents of a container
// which is no more.
func (e *execution) madeAgain(j job, cause error) error {
	failure := e.failure(j, cause)
	failure.Note = "the container was deleted and made again while it was read: run the query again"
	return failure
}

// refusedByGateway reports whether a response says that the gateway does not
// run this query over several physical partitions: 400 with substatus 1004
// ("cross partition query not servable").
func refusedByGateway(err error) bool {
	var own *wire.OperationError
	return errors.As(err, &own) && own.Status == http.StatusBadRequest && own.Substatus == 1004
}
