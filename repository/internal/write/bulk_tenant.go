package write

import (
	"context"
	"errors"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// mostOfTenant is how many items of a tenant that may move a batch has. While it moves,
// the batch has an operation more, and one more for each deletion.
const mostOfTenant = (wire.MaxBatchOperations - 1) / 2

// aloneAround sends one item by itself, of a tenant that may move.
func (r *bulkRun) aloneAround(ctx context.Context, item *BulkItem, unclear bool) error {
	return r.Around(ctx, func(ctx context.Context) (err error) {
		item.ETag, err = item.Send(ctx, unclear)
		return err
	})
}

// batchAround sends a batch of a tenant that may move.
func (r *bulkRun) batchAround(ctx context.Context, a *answer, first *BulkItem, operations []wire.Operation, full bool) {
	a.err = r.Around(ctx, func(ctx context.Context) (err error) {
		a.results, a.committed, err = r.WriterOf(first).SendBatch(ctx, r.Op, first.Place, operations, full)
		return err
	})
	if a.err != nil {
		a.results, a.committed = nil, false
		a.unclear = a.unclear || errors.Is(a.err, wire.ErrUnclear)
	}
}
