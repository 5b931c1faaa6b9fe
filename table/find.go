package table

import (
	"context"
	"fmt"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/table/internal/odata"
)

// FindInBuckets returns the document of a row key under one of keys: one request for each
// of them, up to 32 at once. Generated code calls it for keys with a random suffix.
// Errors: ErrNotFound; ErrAmbiguous if several documents have the row key.
func FindInBuckets[T any, K generated.Key](ctx context.Context, d *Documents[T, K], row string, keys generated.Keys) (*T, error) {
	q := NewQuery(d, keys)
	q.inner = q.inner.Where(&condition.Comparison{Property: odata.Row, Op: condition.Eq, Values: []any{row}})
	docs, err := q.Collect(ctx)
	switch {
	case err != nil:
		return nil, err
	case len(docs) == 0:
		return nil, &Error{Op: "find", Type: d.inner.Model.Type, ID: row, Kind: failure.ErrNotFound, Err: failure.ErrNotFound}
	case len(docs) > 1:
		return nil, &Error{
			Op: "find", Type: d.inner.Model.Type, ID: row, Kind: failure.ErrAmbiguous, Err: failure.ErrAmbiguous,
			Note: fmt.Sprintf("in %d logical partitions: Get one of them", len(docs)),
		}
	}
	return docs[0], nil
}
