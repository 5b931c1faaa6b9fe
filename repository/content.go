package repository

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// tookEffect is what there is to say of an error after a write that has succeeded.
const tookEffect = "after the write took effect"

// contentOf returns the document at p that c has. If the answer was told to leave it
// out, by a policy of the client's own, the document is read, one request more. An
// answer that has lost it is none: see checkWritten.
func contentOf[T any, K generated.Key](ctx context.Context, d *Documents[T, K], op string, p wire.Place, c *wire.Content) (*T, error) {
	if len(c.Document()) == 0 {
		doc, _, err := readAs(ctx, d, op, p)
		return doc, noted(err, tookEffect, nil)
	}
	doc, err := decodeAs[T](d.store, c.Document())
	if err != nil {
		return nil, &wire.OperationError{Op: op, Type: d.store.Type, ID: p.ID, PartitionKey: p.Name, Err: err, Note: tookEffect}
	}
	return doc, nil
}
