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

// WithDeleted returns d with the documents that are marked as deleted, in a type with a field
// tagged deleted. Its reads, queries, pages and transactions include them, and their field is
// the time of deletion. Generated WithDeleted methods call it. It sends nothing, and its
// operations cost the same as d's. Its writes are those of d: they do not change a marked
// document or delete it again. Its cursors are not valid for d, nor those of d for it.
func WithDeleted[T any, K generated.Key](d *Documents[T, K]) *Documents[T, K] {
	return newDocuments(d.untyped.ShowingDeleted(), d.model)
}

// Restore removes the mark that Delete set, in a type with a field tagged deleted, and the time
// to live that came with the mark. It returns the restored document with its new ETag.
// Generated Restore methods call it. It costs a point read and a conditional patch, about 6
// request units for 1 KB, and sets the stamps. A document of an earlier form stays in that
// form, and reads upgrade it. In a type with a ttl field, the document keeps its ttl, even one
// that an earlier release set with purge=: purge or restore such documents before releasing the
// field.
//
// It returns ErrNotFound if there is no document, for example because the service has removed
// it. It returns ErrPreconditionFailed if the document is not marked, and a
// *partition.KeyError, without a request, if the key is invalid. It returns ErrNewerDocument if
// the document has a later form, since only a newer release can undo the mark. If the document
// changes in between, Restore starts over, at most ten times. It also does so after an unclear
// failure, and succeeds if the document is no longer marked.
//
// [IfMatch] restores only the version with that ETag. After an unclear failure, in a type with
// a field tagged updated, Restore then succeeds if the document has the time of this write;
// otherwise the error matches ErrUnclear.
func Restore[T any, K generated.Key](ctx context.Context, d scoped[T, K], key K, options ...DeletedOption) (*T, error) {
	return d.whole().restore(ctx, key, options)
}

// Purge permanently deletes a document that Delete has marked, in a type with a field tagged
// deleted. Generated Purge methods call it. It costs a point read and a conditional deletion,
// about 6 request units for 1 KB.
//
// It returns ErrPreconditionFailed if the document is not marked: call Delete first. It returns
// ErrNotFound if there is no document, and a *partition.KeyError, without a request, if the key
// is invalid. If the document changes in between, Purge starts over, at most ten times. It also
// does so after an unclear failure, and succeeds if the document is gone. [IfMatch] purges only
// the version with that ETag.
func Purge[T any, K generated.Key](ctx context.Context, d scoped[T, K], key K, options ...DeletedOption) error {
	return d.whole().purge(ctx, key, options)
}

// DeletedOption is an option of [Restore] and [Purge], and of the generated methods with these
// names.
type DeletedOption func(*deletedOptions)

// deletedOptions are the options of one call.
type deletedOptions struct {
	conditional bool
	unchanged   azcore.ETag
}

// IfMatch lets [Restore] or [Purge] take effect only if the marked document has this ETag, such
// as one returned by a read of WithDeleted. It adds no cost. If the document has another ETag,
// the error matches ErrPreconditionFailed. An empty ETag is refused.
func IfMatch(etag string) DeletedOption {
	return func(o *deletedOptions) { o.conditional, o.unchanged = true, azcore.ETag(etag) }
}

// unchangedOf returns the ETag of IfMatch, or "" without IfMatch.
func (d *scope[T, K]) unchangedOf(op string, key K, options []DeletedOption) (azcore.ETag, error) {
	return conditionOf(op, d.model.ID(key), d.model.Type, options)
}

// conditionOf is unchangedOf for a document with an id and a type.
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
