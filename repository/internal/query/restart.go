package query

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// delivered reports whether a document is to be left out: it was delivered, or is not one
// that j answers for. It notes the others if more pages may come.
func delivered(s *store.Store, j *job, document []byte, note bool) (bool, error) {
	name, err := named(s, document)
	if err != nil || j.seen[name] {
		return err == nil, err
	}
	if foreign, err := foreignTo(s, j, document); err != nil || foreign {
		return foreign, err
	}
	if note {
		if j.seen == nil {
			j.seen = map[docName]bool{}
		}
		j.seen[name] = true
	}
	return false, nil
}

// named returns the name of a document in its container.
func named(s *store.Store, document []byte) (docName, error) {
	id := text.ValueAt(document, wire.IDPath)
	if id == nil {
		id = text.ValueAt(document, []string{idName})
	}
	if id == nil {
		return docName{}, errors.New("the service sent a document without an id")
	}
	return nameOf("", id, s.Paths, document), nil
}

func ridOf(document []byte) (string, error) {
	raw := text.ValueAt(document, wire.RIDPath)
	if raw == nil {
		return "", errors.New("the service sent a document without _rid")
	}
	var rid string
	err := json.Unmarshal(raw, &rid)
	return rid, err
}

// foreignTo reports whether a document is not one that j answers for, as there
// are where j was restarted and physical partitions have been merged.
func foreignTo(s *store.Store, j *job, document []byte) (bool, error) {
	if j.restarts == 0 || route.Contains(j.low, j.high, j.in) {
		return false, nil
	}
	epk, err := s.EPK(document)
	if err != nil {
		return false, err
	}
	return partition.CompareEPK(epk, j.low) < 0 || partition.CompareEPK(epk, j.high) >= 0, nil
}

// maxRestarts bounds how often one job is divided anew while the container's
// physical partitions change.
const maxRestarts = 10

// successors divides what a job answers for among the physical partitions that
// there are now. The cause is why it cannot go on.
func (e *execution) successors(ctx context.Context, j job, cause error) ([]job, error) {
	if j.restarts == maxRestarts {
		return nil, cause
	}
	if j.restarts > 0 { // the physical partitions keep changing
		if err := backoff.Settle(ctx, j.restarts); err != nil {
			return nil, e.failure(j, errors.Join(cause, err))
		}
	}
	m, version, err := e.store.Refresh(ctx, j.version)
	if err != nil {
		failure := e.failure(j, errors.Join(cause, err))
		failure.Note = "and the physical partitions that there are now cannot be read: " + wire.DiscreetText(err)
		return nil, failure
	}
	if origin := e.origin.Load(); m.RID != j.rid && origin != nil && *origin == j.rid {
		return nil, e.madeAgain(j, cause)
	}
	j.restarts++
	return j.split(m, version), nil
}

// refusedByGateway reports whether a response says that the gateway does not
// run this query over several physical partitions: 400 with substatus 1004
// ("cross partition query not servable").
func refusedByGateway(err error) bool {
	var own *wire.OperationError
	return errors.As(err, &own) && own.Status == http.StatusBadRequest && own.Substatus == 1004
}
