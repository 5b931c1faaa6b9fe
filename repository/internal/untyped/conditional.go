package untyped

import (
	"context"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// DeleteIfMatch is Documents.DeleteIfMatch.
func (d *Documents) DeleteIfMatch(ctx context.Context, doc any) error {
	const op = wire.OpDelete
	d, err := d.of(op, doc)
	if err != nil {
		return err
	}
	p, unchanged, err := d.unchangedAt(op, doc)
	if err != nil {
		return err
	}
	if err := d.Store.JoinSession(ctx, op); err != nil {
		return err
	}
	at, err := d.targetOf(op, doc, p)
	if err != nil {
		return err
	}
	return d.strategy.removeUnchanged(ctx, at, unchanged, false)
}

// unchangedAt returns where doc is stored and the ETag that the stored document
// must have, or an error if either is unknown.
func (d *Documents) unchangedAt(op string, doc any) (wire.Place, azcore.ETag, error) {
	if isNil(doc) {
		return wire.Place{}, "", &wire.OperationError{Op: op, Type: d.Store.Type, Err: errors.New("the document is nil")}
	}
	p, err := d.Types.Place(doc)
	if err != nil {
		return wire.Place{}, "", err
	}
	if err := d.checkKeyUnchanged(op, doc, p); err != nil {
		return p, "", err
	}
	unchanged, err := d.IfMatchOf(op, p, doc)
	if err == nil && unchanged == "" {
		reason := "the document has no ETag: read it first, or use Delete"
		if d.Types.ETag(doc) == nil {
			reason = "the type has no field for the ETag, or a nil pointer leads to it: tag a string field etag, or use Delete"
		}
		err = d.Store.Failure(op, p, errors.New(reason))
	}
	return p, unchanged, err
}

// IfMatchOf returns the ETag of doc, whose place is p, for If-Match: empty if the
// stored document may have any.
func (d *Documents) IfMatchOf(op string, p wire.Place, doc any) (azcore.ETag, error) {
	tag, err := d.CheckedETag(op, p, doc)
	if tag == azcore.ETagAny {
		tag = ""
	}
	return tag, err
}
