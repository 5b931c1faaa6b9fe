package repository

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// DeleteIfMatch removes the document of doc's key, or marks it as deleted, if it has not
// changed since doc was read or stored: one write with doc's ETag as If-Match, about 5 request
// units for 1 KB. It returns ErrPreconditionFailed if the document has changed,
// and ErrNotFound if there is no document.
//
// Without a request, it returns ErrKeyChanged if a synthetic field remembers
// another key than doc's fields give, a *partition.KeyError if doc's key is
// invalid, and an error if the type has no etag field or doc's field is empty.
// Delete removes a document without a condition.
//
// If the outcome is unclear, the write is sent again, and succeeds if the
// document is gone, or marked as deleted.
func (d *scope[T, K]) DeleteIfMatch(ctx context.Context, doc *T) error {
	return d.write(ctx, wire.OpDelete, d.allowsDocument(wire.OpDelete, doc), func(ctx context.Context) error {
		return d.untyped.DeleteIfMatch(ctx, doc)
	})
}

// Update reads the document that key identifies, calls change with it, and stores
// it on condition that nobody has changed it meanwhile: a point read and a write,
// about 6 request units for 1 KB. If somebody has changed it, Update begins anew,
// ten times at most with growing pauses; then the error matches
// ErrPreconditionFailed. The type needs no etag field.
//
// Update may therefore call change several times, each time with a document that
// was just read, so change must be safe to repeat. An error of change ends the
// update, which returns that error and writes nothing. After success, the
// synthetic and etag fields of the document of the last call hold the stored
// values.
//
// Update returns ErrNotFound if the document does not exist or has been deleted.
// It returns ErrKeyChanged, without a write, if change gives the document another
// key: use Move for that, or Delete and then Create if the type has unique
// properties. It returns a *partition.KeyError, without a request, if
// the key is invalid.
//
// After an unclear failure the write is sent again on the same condition, so that
// it takes effect once. If the document has changed by then, by the first attempt
// or by somebody else, the error matches ErrUnclear. Update does not call change
// again, since that might apply it twice. A stored document equal to the one that
// was sent proves nothing, since another Update may have made the same change. Only a field
// tagged updated does: without one, Update calls change again after its own request has
// arrived twice, see [Documents].
func (d *scope[T, K]) Update(ctx context.Context, key K, change func(*T) error) error {
	return d.writing(ctx, untyped.OpUpdate, d.allows(untyped.OpUpdate, key), func(ctx context.Context) error {
		_, err := d.update(ctx, key, change, nil)
		return err
	})
}

// UpdateAndGet is Update, and returns the stored document with the values that
// the service has set, such as its ETag and the time of _ts. The answer to the
// write holds the document, so this costs no other request and no more request
// units, but the transfer of the document.
//
// An answer without the document is an unclear outcome, as a lost answer is.
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

// update is Update where the documents are. The stored document goes to c.
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

// content returns the document that the answer to a write holds, of key at p.
func (d *scope[T, K]) content(ctx context.Context, op string, key K, p wire.Place, c *wire.Content) (*T, error) {
	in, err := d.at(key)
	if err != nil {
		return nil, err
	}
	doc, err := in.Store.Content(ctx, op, p, c)
	own, _ := doc.(*T) // nil with an error
	return own, err
}

// sameKey reports whether two keys are of one document.
func sameKey[T any, K generated.Key](m *generated.Model[T, K], a, b K) bool {
	one, err := placeOf(m, a)
	if err != nil {
		return false
	}
	other, err := placeOf(m, b)
	return err == nil && write.SamePlace(one, other) && sameContainer(m, a, b) && (m.Same == nil || m.Same(a, b))
}
