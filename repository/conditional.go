package repository

import (
	"context"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
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
	return exported(d.untyped.deleteIfMatch(ctx, doc))
}

// deleteIfMatch is Documents.DeleteIfMatch.
func (d *documents) deleteIfMatch(ctx context.Context, doc any) error {
	const op = wire.OpDelete
	p, unchanged, err := d.unchangedAt(op, doc)
	if err != nil {
		return err
	}
	if err := d.store.JoinSession(ctx, op); err != nil {
		return err
	}
	_, err = write.Send(ctx, d.writer, op, p, write.DeleteRequest(d.writer, p, unchanged))
	return err
}

// unchangedAt returns where doc is stored and the ETag that the document there has
// to have, or an error if either is not known.
func (d *documents) unchangedAt(op string, doc any) (wire.Place, azcore.ETag, error) {
	if isNil(doc) {
		return wire.Place{}, "", &wire.OperationError{Op: op, Type: d.store.Type, Err: errors.New("the document is nil")}
	}
	p, err := d.types.place(doc)
	if err != nil {
		return wire.Place{}, "", err
	}
	if err := write.CheckKeyUnchanged(d.writer, op, p, d.types.remembered(doc)); err != nil {
		return p, "", err
	}
	unchanged, err := d.conditionOf(op, p, doc)
	if err == nil && unchanged == "" {
		reason := "the document has no ETag: read it first, or use Delete"
		if d.types.etag(doc) == nil {
			reason = "the type has no field for the ETag, or a nil pointer stands before it: tag a string field etag, or use Delete"
		}
		err = &wire.OperationError{Op: op, Type: d.store.Type, ID: p.ID, PartitionKey: p.Name, Err: errors.New(reason)}
	}
	return p, unchanged, err
}

// conditionOf returns the ETag that the stored document must have for the sake of
// doc, whose place is p: empty if any will do.
func (d *documents) conditionOf(op string, p wire.Place, doc any) (azcore.ETag, error) {
	tag, err := d.checkedETag(op, p, doc)
	if tag == azcore.ETagAny {
		tag = ""
	}
	return tag, err
}

const opUpdate = "update"

// Update reads the document that key identifies, calls change with it, and
// stores it on condition that it is still what was read: a point read and a
// write, about 6 request units for 1 KB. If somebody else has stored it in
// between, all of this is done anew, ten times at most with growing pauses; then
// the error matches ErrPreconditionFailed and says so. The type needs no etag
// field.
//
// Change is therefore called once or several times, each time with a document
// that was just read, and does nothing that cannot be repeated. Its error ends
// the update and is returned as it is; nothing was written then. After success, the
// synthetic and etag fields of the document that change has got last hold the stored
// values.
//
// Update returns ErrNotFound if there is no document, or none any more,
// ErrKeyChanged, without a write, if change makes the document that of another
// key, for which there is Move, and a *partition.KeyError, without a request, if
// there cannot be a document of the key.
//
// After an unclear failure the write is sent again on the same condition, so
// that it takes effect once. If the document has changed then, by the first
// attempt or by somebody else, change is not called again, since it may add to
// what is there: the error matches ErrUnclear. A document equal to the one that
// was sent is no proof, since another Update may have made the same change.
func (d *Documents[T, K]) Update(ctx context.Context, key K, change func(*T) error) error {
	_, err := updateAs(ctx, d, key, change, nil)
	return exported(err)
}

// UpdateAndGet is Update that returns the document as it is stored then, with what
// the service has set in it, such as its ETag and the time of _ts. That is in the
// answer to the write, so that it costs no other request and no more request units,
// but the transfer of the document.
//
// An answer that has lost the document is an unclear outcome, as one that does not
// come.
func (d *Documents[T, K]) UpdateAndGet(ctx context.Context, key K, change func(*T) error) (*T, error) {
	var c wire.Content
	p, err := updateAs(ctx, d, key, change, &c)
	if err != nil {
		return nil, exported(err)
	}
	doc, err := d.untyped.content(ctx, opUpdate, p, &c)
	own, _ := doc.(*T) // nil with an error
	return own, exported(err)
}

// updateAs is Update. What is stored then goes to c.
func updateAs[T any, K generated.Key](ctx context.Context, d *Documents[T, K], key K, change func(*T) error, c *wire.Content) (wire.Place, error) {
	p, err := placeOf(d.model, key)
	if err != nil {
		return p, err
	}
	u := update{
		documents: d.untyped, place: p, content: c, meant: means(d.model, key),
		stays: func(doc any) bool { return sameKey(d.model, d.model.Key(doc.(*T)), key) },
	}
	if change != nil {
		u.change = func(doc any) error { return change(doc.(*T)) }
	}
	return p, u.run(ctx)
}

// update is a call of Documents.Update.
type update struct {
	*documents
	place   wire.Place
	content *wire.Content // gets what is stored; nil does not
	meant   func(doc any) bool
	stays   func(doc any) bool // reports whether a changed document has the same key
	change  func(doc any) error
}

// run reads, changes and replaces the document until nobody writes in between.
func (u *update) run(ctx context.Context) error {
	if u.change == nil {
		return u.failure(errors.New("the function is nil"))
	}
	for attempt := 1; ; attempt++ {
		doc, response, err := u.store.Read(ctx, opUpdate, u.place)
		if err == nil && !u.meant(doc) {
			err = u.store.ForeignError(opUpdate, u.place, ErrNotFound)
		}
		if err != nil {
			return err
		}
		if err := u.change(doc); err != nil {
			return err
		}
		err = u.replaceIfMatch(ctx, doc, response.ETag)
		if !errors.Is(err, ErrPreconditionFailed) || errors.Is(err, ErrUnclear) {
			return err
		}
		if attempt == backoff.MaxAttempts {
			return wire.Noted(err, write.Contended, nil)
		}
		if backoff.Pause(ctx, attempt) != nil {
			return wire.Noted(err, "", ctx.Err())
		}
	}
}

// replaceIfMatch stores the changed document if the stored one has the ETag unchanged.
func (u *update) replaceIfMatch(ctx context.Context, doc any, unchanged azcore.ETag) error {
	if !u.stays(doc) {
		failure := u.failure(errors.New("the change makes it the document of another key: use Move"))
		failure.Kind = ErrKeyChanged
		return failure
	}
	w, err := u.prepareExisting(opUpdate, doc)
	if err != nil {
		return err
	}
	tag, err := write.Send(ctx, u.writer, opUpdate, w.Place, write.Request{
		Send: func(ctx context.Context) (azcosmos.ItemResponse, error) {
			return u.content.Keep(u.store.Client.ReplaceItem(ctx, w.Key, w.ID, w.Body, u.content.Options(wire.IfMatch(ctx, unchanged))))
		},
	})
	if err == nil {
		u.noteStored(doc, w, tag)
	}
	return err
}

func (u *update) failure(err error) *wire.OperationError {
	return &wire.OperationError{Op: opUpdate, Type: u.store.Type, ID: u.place.ID, PartitionKey: u.place.Name, Err: err}
}

// sameKey reports whether two keys are of one document.
func sameKey[T any, K generated.Key](m *generated.Model[T, K], a, b K) bool {
	one, err := placeOf(m, a)
	if err != nil {
		return false
	}
	other, err := placeOf(m, b)
	return err == nil && write.SamePlace(one, other) && (m.Same == nil || m.Same(a, b))
}
