package gremlin

import (
	"context"
	"fmt"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// FindInBuckets returns the document of an id under one of keys: one request for each 1,000
// of them. Generated code calls it for keys with a random suffix. Errors: ErrNotFound;
// ErrAmbiguous if several documents have the id.
func FindInBuckets[T any, K generated.Key](ctx context.Context, d *Documents[T, K], id string, keys generated.Keys) (*T, error) {
	q := NewQuery(d, keys)
	if d.driver.vertices != nil {
		q.inner = q.inner.Where(&condition.Comparison{Property: d.driver.id, Op: condition.Eq, Values: []any{id}})
	}
	docs, err := q.Collect(ctx)
	switch {
	case err != nil:
		return nil, err
	case len(docs) == 0:
		return nil, &Error{Op: "find", Type: d.inner.Model.Type, ID: id, Kind: failure.ErrNotFound, Err: failure.ErrNotFound}
	case len(docs) > 1:
		return nil, &Error{
			Op: "find", Type: d.inner.Model.Type, ID: id, Kind: failure.ErrAmbiguous, Err: failure.ErrAmbiguous,
			Note: fmt.Sprintf("in %d logical partitions: Get one of them", len(docs)),
		}
	}
	return docs[0], nil
}
