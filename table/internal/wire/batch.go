package wire

import (
	"context"
	"fmt"

	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/cosmos-pkgen/pkgen/internal/api"
)

// maxBatch is the maximum size of a batch's operations: 2 MB, the limit of Cosmos DB
// ("Frequently asked questions about Azure Cosmos DB for Table"), minus the size of the
// envelope. Azure Storage accepts 4 MiB.
const maxBatch = 2_000_000 - 1_000

var _ api.Batcher[struct{}] = Driver[struct{}]{}

// Most implements api.Batcher.
func (d Driver[T]) Most() (entries, bytes int) { return maxOperations, maxBatch }

// Entry implements api.Batcher.
func (d Driver[T]) Entry(op string, at api.Place, doc *T) (api.Entry, error) {
	o := Operation{Name: op, At: at}
	switch op {
	case "create":
		o.Action = aztables.TransactionTypeAdd
	case "upsert":
		o.Action = aztables.TransactionTypeInsertReplace
	case "delete":
		o.Action = aztables.TransactionTypeDelete
	default:
		return api.Entry{}, fmt.Errorf("no batch has the operation %q", op)
	}
	if doc != nil {
		var err error
		if o.Entity, err = d.Encode(at, doc); err != nil {
			return api.Entry{}, err
		}
	}
	// In an address, a byte of a key takes three bytes.
	size := len(o.Entity) + 3*(len(at.Partition)+len(at.ID)) + overhead
	return api.Entry{At: at, Size: size, Write: o}, nil
}

// Batch implements api.Batcher with an entity group transaction.
func (d Driver[T]) Batch(ctx context.Context, entries []api.Entry) (versions []string, failed int, err error) {
	var tx Transaction
	for _, e := range entries {
		if err := tx.Add(d.Table, e.Write.(Operation)); err != nil {
			return nil, -1, err
		}
	}
	actions, mended, err := tx.actions(ctx)
	if err != nil {
		return nil, -1, err
	}
	parts, failed, err := tx.once(ctx, actions, mended)
	if err != nil {
		return nil, failed, err
	}
	versions = make([]string, len(parts))
	for i, p := range parts {
		versions[i] = p.etag
	}
	return versions, -1, nil
}
