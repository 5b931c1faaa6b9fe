package repository

import (
	"context"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// WithDeleted returns d with the documents that are marked as deleted, in a type with a
// field tagged deleted: reads, queries, pages and transactions of it have them, and their
// field is the time of the deletion. Generated methods of that name call it. It sends
// nothing, and costs nothing more than d does. All its writes are those of d: they do not
// change a marked document, nor does d delete one again. Cursors of its pages are not
// those of d.
func WithDeleted[T any, K generated.Key](d *Documents[T, K]) *Documents[T, K] {
	return newDocuments(d.untyped.ShowingDeleted(), d.model)
}

// Restore takes the mark from a document that Delete has marked, in a type with a field
// tagged deleted, and the time to live that the mark has set. It returns the restored
// document, with its new ETag. Generated methods of that name call it. It is a point read and
// a patch on condition, about 6 request units for 1 KB, and carries the stamps. A document of
// an earlier form stays in that form, and reads bring it to the present one. In a type with a
// field for ttl, the document keeps its ttl, also one that the mark of an earlier release with
// purge= has set: purge such documents, or restore them, before the field is released.
//
// It returns ErrNotFound if there is no document, such as after the service has removed
// it, ErrPreconditionFailed if the document is not marked, ErrNewerDocument if it is of a
// later form, of which only a newer release knows what the mark has changed, and a
// *partition.KeyError, without a request, if the key is invalid. If the document changes
// in between, Restore begins anew, ten times at most. After an unclear failure it does so,
// too, and succeeds if the document is not marked any more.
//
// [IfMatch] restores the version of an ETag alone. After an unclear failure it succeeds if the
// document has the time of this write, in a type with a field tagged updated; otherwise the
// error matches ErrUnclear.
func Restore[T any, K generated.Key](ctx context.Context, d scoped[T, K], key K, options ...DeletedOption) (*T, error) {
	return d.whole().restore(ctx, key, options)
}

// Purge removes a document that Delete has marked, in a type with a field tagged deleted:
// nothing brings it back. Generated methods of that name call it. It is a point read and a
// deletion on condition, about 6 request units for 1 KB.
//
// It returns ErrPreconditionFailed, and removes nothing, if the document is not marked:
// call Delete first. It returns ErrNotFound if there is no document, and a
// *partition.KeyError, without a request, if the key is invalid. If the document changes
// in between, Purge begins anew, ten times at most. After an unclear failure it does so,
// too, and succeeds if the document is gone. [IfMatch] removes the version of an ETag alone.
func Purge[T any, K generated.Key](ctx context.Context, d scoped[T, K], key K, options ...DeletedOption) error {
	return d.whole().purge(ctx, key, options)
}

// DeletedOption is an option of [Restore] and [Purge], and of the methods of those names.
type DeletedOption func(*deletedOptions)

// deletedOptions are those of one call.
type deletedOptions struct {
	conditional bool
	unchanged   azcore.ETag
}

// IfMatch lets [Restore] or [Purge] take effect only if the marked document has this ETag,
// such as one that a read of WithDeleted has returned: it costs nothing more. If the document
// has another ETag, the error matches ErrPreconditionFailed. An empty ETag is refused.
func IfMatch(etag string) DeletedOption {
	return func(o *deletedOptions) { o.conditional, o.unchanged = true, azcore.ETag(etag) }
}

// unchangedOf returns the ETag that the options name, empty if they name none.
func (d *scope[T, K]) unchangedOf(op string, key K, options []DeletedOption) (azcore.ETag, error) {
	return conditionOf(op, d.model.ID(key), d.model.Type, options)
}

// conditionOf is unchangedOf for a document of an id and a type.
func conditionOf(op, id, typ string, options []DeletedOption) (azcore.ETag, error) {
	var o deletedOptions
	wrong := api.Apply(&o, options, "a DeletedOption")
	if o.conditional && o.unchanged == "" {
		wrong = errors.New("the ETag of IfMatch is empty: read the document first, or leave IfMatch out")
	}
	if wrong != nil {
		return "", &Error{Op: op, Type: typ, ID: id, Err: wrong}
	}
	return o.unchanged, nil
}

// restore is Restore.
func (d *scope[T, K]) restore(ctx context.Context, key K, options []DeletedOption) (*T, error) {
	const op = write.OpRestore
	unchanged, err := d.unchangedOf(op, key, options)
	if err != nil {
		return nil, err
	}
	var doc *T
	err = d.writing(ctx, op, d.allows(op, key), func(ctx context.Context) error {
		in, at, err := d.target(key)
		if err != nil {
			return err
		}
		var c wire.Content
		within, end := d.untyped.Store.StartSpan(ctx, op)
		err = in.Restore(within, at, unchanged, &c)
		end(err)
		if err == nil {
			doc, err = d.content(ctx, op, key, at.Place, &c)
		}
		return err
	})
	return d.own(op, doc, err)
}

// purge is Purge.
func (d *scope[T, K]) purge(ctx context.Context, key K, options []DeletedOption) error {
	const op = write.OpPurge
	unchanged, err := d.unchangedOf(op, key, options)
	if err != nil {
		return err
	}
	return d.write(ctx, op, d.allows(op, key), func(ctx context.Context) error {
		in, at, err := d.target(key)
		if err != nil {
			return err
		}
		return in.Purge(ctx, at, unchanged)
	})
}
