package repository

import (
	"context"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// DeleteIfMatch removes the document of doc's key on condition that it is still
// the one that doc was read from, or stored as: one write with doc's ETag as
// If-Match, about 5 request units for 1 KB. It returns ErrPreconditionFailed if
// the document has changed since, ErrNotFound if there is none, ErrKeyChanged
// where a synthetic field remembers another key than doc's fields give, and a
// *partition.KeyError if doc's key cannot be one. Of a type without an etag field,
// and of a document whose field is empty, it returns an error; Delete has no
// condition. The last three send nothing.
//
// Repeated after an unclear failure, it has succeeded if the document is gone.
func (d *Documents[T, K]) DeleteIfMatch(ctx context.Context, doc *T) error {
	const op = wire.OpDelete
	p, unchanged, err := unchangedAt(d, op, doc)
	if err != nil {
		return exported(err)
	}
	if err := d.store.joinSession(ctx, op); err != nil {
		return exported(err)
	}
	_, err = sendWrite(ctx, d.store, op, p, deletion(d.store, p, unchanged))
	return exported(err)
}

// unchangedAt returns where doc is stored and the ETag that the document there has
// to have, or an error if either is not known.
func unchangedAt[T any, K generated.Key](d *Documents[T, K], op string, doc *T) (wire.Place, azcore.ETag, error) {
	if doc == nil {
		return wire.Place{}, "", &wire.OperationError{Op: op, Type: d.store.Type, Err: errors.New("the document is nil")}
	}
	key := d.model.Key(doc)
	if err := key.Validate(); err != nil {
		return wire.Place{}, "", err
	}
	p := place(d, key)
	if err := unmoved(d.store, op, p, remembered(d, doc)); err != nil {
		return p, "", err
	}
	unchanged, err := conditionOf(d, op, p, doc)
	if err == nil && unchanged == "" {
		reason := "the document has no ETag: read it first, or use Delete"
		if etag(d, doc) == nil {
			reason = "the type has no field for the ETag, or a nil pointer stands before it: tag a string field etag, or use Delete"
		}
		err = &wire.OperationError{Op: op, Type: d.store.Type, ID: p.ID, PartitionKey: p.Name, Err: errors.New(reason)}
	}
	return p, unchanged, err
}

// conditionOf returns the ETag that the stored document must have for the sake of
// doc, whose place is p: empty if any will do.
func conditionOf[T any, K generated.Key](d *Documents[T, K], op string, p wire.Place, doc *T) (azcore.ETag, error) {
	tag, err := checkedETag(d, op, p, doc)
	if tag == azcore.ETagAny {
		tag = ""
	}
	return tag, err
}
