package query

import (
	"context"
	"errors"

	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Resident is a tenant that may move to another container.
type Resident interface {
	// Begin begins a run of a query: it returns a context under which each page is checked,
	// the documents where the tenant lives, and what explains errors. The error of a run
	// matches wire.ErrMoved if the tenant has moved too long ago.
	Begin(ctx context.Context) (context.Context, *store.Store, func(error) error, error)
}

// Residing returns q as a query of a tenant that may move.
func (q Selection) Residing(r Resident) Selection {
	q.resident = r
	return q
}

// maxMoves bounds how often a query begins anew because its tenant has moved before it
// gave anything.
const maxMoves = 3

// there calls run with q where its tenant lives, and again after the tenant has moved. Run
// returns whether it has given something to the consumer.
func (q Selection) there(ctx context.Context, run func(context.Context, Selection) (given bool, err error)) error {
	for attempt := 1; ; attempt++ {
		thereCtx, st, explained, err := q.resident.Begin(ctx)
		if err != nil {
			return err
		}
		in := q
		in.Store, in.resident = st, nil
		given, err := run(thereCtx, in)
		if given || attempt == maxMoves || !errors.Is(err, wire.ErrMoved) {
			return explained(err)
		}
	}
}

// runThere is Run for a tenant that may move.
func (q Selection) runThere(ctx context.Context, s Statement, decode func([]byte) (any, error), limit int, yield func(any, error) bool) {
	err := q.there(ctx, func(ctx context.Context, q Selection) (given bool, failure error) {
		q.Run(ctx, s, decode, limit, func(item any, err error) bool {
			if err != nil {
				failure = err
				return false
			}
			given = true
			return yield(item, nil)
		})
		return given, failure
	})
	if err != nil {
		yield(nil, err)
	}
}

// pageThere is Page for a tenant that may move. A cursor is of one container.
func (q Selection) pageThere(ctx context.Context, cursor string, size int) (docs []any, next string, err error) {
	err = q.there(ctx, func(ctx context.Context, q Selection) (_ bool, err error) {
		docs, next, err = q.Page(ctx, cursor, size)
		return false, err
	})
	return docs, next, err
}

// aggregateThere is Aggregate for a tenant that may move.
func (q Selection) aggregateThere(ctx context.Context, name string, columns []string) (sum Aggregates, err error) {
	err = q.there(ctx, func(ctx context.Context, q Selection) (_ bool, err error) {
		sum, err = Aggregate(ctx, q, name, columns...)
		return false, err
	})
	return sum, err
}

// planThere is Plan for a tenant that may move.
func (q Selection) planThere(ctx context.Context) (p Plan, err error) {
	err = q.there(ctx, func(ctx context.Context, q Selection) (_ bool, err error) {
		p, err = q.Plan(ctx)
		p.Containers = []string{q.Store.Client.ID()}
		return false, err
	})
	return p, err
}
