package repository

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// DeleteIfMatch deletes the document with doc's key, or marks it as deleted, if it has not
// changed since doc was read or stored: one write with doc's ETag as If-Match, about 5 request
// units for 1 KB. It returns ErrPreconditionFailed if the document has changed, and ErrNotFound
// if there is no document.
//
// Without a request, it returns ErrKeyChanged if a synthetic field remembers a key other than
// the one doc's fields give, a *partition.KeyError if doc's key is invalid, and an error if the
// type has no etag field or doc's is empty. Delete needs no ETag.
//
// If the outcome is unclear, the write is sent again, and succeeds if the document is gone or
// marked as deleted.
func (d *scope[T, K]) DeleteIfMatch(ctx context.Context, doc *T) error {
	return d.write(ctx, wire.OpDelete, d.allowsDocument(wire.OpDelete, doc), func(ctx context.Context) error {
		return d.untyped.DeleteIfMatch(ctx, doc)
	})
}

// Update reads a document, calls change with it, and stores it if it has not changed meanwhile:
// a point read and a write, about 6 request units for 1 KB. If it has changed, Update starts
// over, at most ten times with growing pauses; then the error matches ErrPreconditionFailed.
// The type needs no etag field.
//
// Update may call change several times, each time with a newly read document, so change must be
// safe to repeat. If change returns an error, Update returns it and writes nothing. After
// success, the synthetic and etag fields of the last document passed to change hold the stored
// values.
//
// Update returns ErrNotFound if the document does not exist or is marked as deleted. It returns
// ErrKeyChanged, without a write, if change gives the document another key: use Move for that,
// or Delete and then Create if the type has unique properties. It returns a
// *partition.KeyError, without a request, if the key is invalid.
//
// After an unclear failure the write is sent again on the same condition, so it takes effect at
// most once. If the document has changed by then, by the first attempt or by another program,
// the error matches ErrUnclear. Update does not call change again, which might apply it twice.
// An equal stored document proves nothing, since another Update may have made the same change;
// only a field tagged updated identifies the write. So without such a field, Update calls
// change again after its own request has arrived twice, see [Documents].
func (d *scope[T, K]) Update(ctx context.Context, key K, change func(*T) error) error {
	return d.writing(ctx, untyped.OpUpdate, d.allows(untyped.OpUpdate, key), func(ctx context.Context) error {
		_, err := d.update(ctx, key, change, nil)
		return err
	})
}

// UpdateAndGet is Update, and returns the stored document with the values that the service
// sets, such as its ETag and the time of _ts. The response to the write contains the document,
// so UpdateAndGet needs no further request and no more request units, only bandwidth.
//
// A response without the document is an unclear outcome, like a lost response.
func (d *scope[T, K]) UpdateAndGet(ctx context.Context, key K, change func(*T) error) (*T, error) {
	var doc *T
	err := d.writing(ctx, untyped.OpUpdate, d.allows(untyped.OpUpdate, key), func(ctx context.Context) error {
		var c wire.Content
		p, err := d.update(ctx, key, change, &c)
		if err == nil {
			doc, err = d.content(ctx, untyped.OpUpdate, key, p, &c)
		}
		return err
	})
	return d.own(untyped.OpUpdate, doc, err)
}

// update is Update in the container of key. It puts the stored document into c.
func (d *scope[T, K]) update(ctx context.Context, key K, change func(*T) error, c *wire.Content) (wire.Place, error) {
	in, at, err := d.target(key)
	if err != nil {
		return at.Place, err
	}
	u := untyped.Update{
		Documents: in, At: at, Content: c, Matches: keyMatcher(d.model, key),
		Stays: func(doc any) bool { return sameKey(d.model, d.model.Key(doc.(*T)), key) },
	}
	if change != nil {
		u.Change = func(doc any) error {
			if err := d.allowsDocument(untyped.OpUpdate, doc.(*T)); err != nil {
				return err
			}
			return change(doc.(*T))
		}
	}
	ctx, end := d.untyped.Store.StartSpan(ctx, untyped.OpUpdate)
	err = u.Run(ctx)
	end(u.Spoken(err))
	return u.At.Place, err
}

// content returns the document in the response to a write of key at p.
func (d *scope[T, K]) content(ctx context.Context, op string, key K, p wire.Place, c *wire.Content) (*T, error) {
	in, err := d.at(key)
	if err != nil {
		return nil, err
	}
	doc, err := in.Store.Content(ctx, op, p, c)
	own, _ := doc.(*T) // nil with an error
	return own, err
}

// sameKey reports whether two keys identify the same document.
func sameKey[T any, K generated.Key](m *generated.Model[T, K], a, b K) bool {
	one, err := placeOf(m, a)
	if err != nil {
		return false
	}
	other, err := placeOf(m, b)
	return err == nil && write.SamePlace(one, other) && sameContainer(m, a, b) && (m.Same == nil || m.Same(a, b))
}
