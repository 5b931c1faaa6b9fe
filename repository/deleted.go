package repository

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
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
// tagged deleted, and the time to live that the mark has set. Generated methods of that
// name call it. It is a point read and a patch on condition, about 6 request units for
// 1 KB, and carries the stamps. A document of an earlier form stays in that form, and
// reads bring it to the present one. In a type with a field for ttl, the document keeps
// its ttl, also one that the mark of an earlier release with purge= has set: purge such
// documents, or restore them, before the field is released.
//
// It returns ErrNotFound if there is no document, such as after the service has removed
// it, ErrPreconditionFailed if the document is not marked, ErrNewerDocument if it is of a
// later form, of which only a newer release knows what the mark has changed, and a
// *partition.KeyError, without a request, if the key is invalid. If the document changes
// in between, Restore begins anew, ten times at most. After an unclear failure it does so,
// too, and succeeds if the document is not marked any more.
func Restore[T any, K generated.Key](ctx context.Context, d scoped[T, K], key K) error {
	return d.whole().overDeleted(ctx, write.OpRestore, key, (*untyped.Documents).Restore)
}

// Purge removes a document that Delete has marked, in a type with a field tagged deleted:
// nothing brings it back. Generated methods of that name call it. It is a point read and a
// deletion on condition, about 6 request units for 1 KB.
//
// It returns ErrPreconditionFailed, and removes nothing, if the document is not marked:
// call Delete first. It returns ErrNotFound if there is no document, and a
// *partition.KeyError, without a request, if the key is invalid. If the document changes
// in between, Purge begins anew, ten times at most. After an unclear failure it does so,
// too, and succeeds if the document is gone.
func Purge[T any, K generated.Key](ctx context.Context, d scoped[T, K], key K) error {
	return d.whole().overDeleted(ctx, write.OpPurge, key, (*untyped.Documents).Purge)
}

// overDeleted is an operation on a document that is marked as deleted.
func (d *scope[T, K]) overDeleted(ctx context.Context, op string, key K, run func(*untyped.Documents, context.Context, untyped.Target) error) error {
	return d.write(ctx, op, d.allows(op, key), func(ctx context.Context) error {
		in, at, err := d.target(key)
		if err != nil {
			return err
		}
		return run(in, ctx, at)
	})
}
