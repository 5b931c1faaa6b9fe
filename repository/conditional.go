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

// DeleteIfMatch removes the document of doc's key if it has not changed since doc
// was read or stored: one write with doc's ETag as If-Match, about 5 request
// units for 1 KB. It returns ErrPreconditionFailed if the document has changed,
// and ErrNotFound if there is no document.
//
// Without a request, it returns ErrKeyChanged if a synthetic field remembers
// another key than doc's fields give, a *partition.KeyError if doc's key is
// invalid, and an error if the type has no etag field or doc's field is empty.
// Delete removes a document without a condition.
//
// If the outcome is unclear, the write is sent again, and succeeds if the
// document is gone.
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
	if d.types.places != nil {
		return d.deleteUnchangedAt(ctx, doc, unchanged)
	}
	_, err = write.Send(ctx, d.writer, op, p, write.DeleteRequest(d.writer, p, unchanged))
	return err
}

// unchangedAt returns where doc is stored and the ETag that the stored document
// must have, or an error if either is unknown.
func (d *documents) unchangedAt(op string, doc any) (wire.Place, azcore.ETag, error) {
	if isNil(doc) {
		return wire.Place{}, "", &wire.OperationError{Op: op, Type: d.store.Type, Err: errors.New("the document is nil")}
	}
	p, err := d.types.place(doc)
	if err != nil {
		return wire.Place{}, "", err
	}
	if err := d.checkKeyUnchanged(op, doc, p); err != nil {
		return p, "", err
	}
	unchanged, err := d.ifMatchOf(op, p, doc)
	if err == nil && unchanged == "" {
		reason := "the document has no ETag: read it first, or use Delete"
		if d.types.etag(doc) == nil {
			reason = "the type has no field for the ETag, or a nil pointer leads to it: tag a string field etag, or use Delete"
		}
		err = d.store.Failure(op, p, errors.New(reason))
	}
	return p, unchanged, err
}

// ifMatchOf returns the ETag of doc, whose place is p, for If-Match: empty if the
// stored document may have any.
func (d *documents) ifMatchOf(op string, p wire.Place, doc any) (azcore.ETag, error) {
	tag, err := d.checkedETag(op, p, doc)
	if tag == azcore.ETagAny {
		tag = ""
	}
	return tag, err
}

const opUpdate = "update"

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
// key: use Move for that. It returns a *partition.KeyError, without a request, if
// the key is invalid.
//
// After an unclear failure the write is sent again on the same condition, so that
// it takes effect once. If the document has changed by then, by the first attempt
// or by somebody else, the error matches ErrUnclear. Update does not call change
// again, since that might apply it twice. A stored document equal to the one that
// was sent proves nothing, since another Update may have made the same change.
func (d *Documents[T, K]) Update(ctx context.Context, key K, change func(*T) error) error {
	_, err := updateAs(ctx, d, key, change, nil)
	return exported(err)
}

// UpdateAndGet is Update, and returns the stored document with the values that
// the service has set, such as its ETag and the time of _ts. The answer to the
// write holds the document, so this costs no other request and no more request
// units, but the transfer of the document.
//
// An answer without the document is an unclear outcome, as a lost answer is.
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

// updateAs is Update. The stored document goes to c.
func updateAs[T any, K generated.Key](ctx context.Context, d *Documents[T, K], key K, change func(*T) error, c *wire.Content) (wire.Place, error) {
	p, err := placeOf(d.model, key)
	if err != nil {
		return p, err
	}
	u := update{
		documents: d.untyped, place: p, content: c, matches: keyMatcher(d.model, key),
		stays: func(doc any) bool { return sameKey(d.model, d.model.Key(doc.(*T)), key) },
	}
	if d.model.Others != nil {
		if u.places, err = placesOf(d.untyped.writer, d.model, key); err != nil {
			return p, err
		}
	}
	if change != nil {
		u.change = func(doc any) error { return change(doc.(*T)) }
	}
	err = u.run(ctx)
	return u.place, err
}

// update is a call of Documents.Update.
type update struct {
	*documents
	place   wire.Place    // where the document is
	places  write.Places  // where it may be, if that is more than one place
	found   write.Found   // of those, where it is
	content *wire.Content // receives the stored document, unless it is nil
	matches func(doc any) bool
	stays   func(doc any) bool // reports whether the changed document still has the key
	change  func(doc any) error
}

// run reads, changes and replaces the document until nobody writes in between.
func (u *update) run(ctx context.Context) error {
	if u.change == nil {
		return u.failure(errors.New("the function is nil"))
	}
	for attempt := 1; ; attempt++ {
		doc, response, err := u.read(ctx)
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

// read reads the document, and finds out where it is.
func (u *update) read(ctx context.Context) (doc any, response azcosmos.ItemResponse, err error) {
	if len(u.places.All) > 1 {
		u.found, err = u.places.Read(ctx, opUpdate)
		u.place, response.ETag = u.found.Place, u.found.ETag
		return u.found.Doc, response, err
	}
	doc, response, err = u.store.Read(ctx, opUpdate, u.place)
	if err == nil && !u.matches(doc) {
		err = u.store.ForeignError(opUpdate, u.place, ErrNotFound)
	}
	return doc, response, err
}

// replaceIfMatch stores the changed document if the stored one has the ETag unchanged.
func (u *update) replaceIfMatch(ctx context.Context, doc any, unchanged azcore.ETag) error {
	if !u.stays(doc) {
		failure := u.failure(errors.New("the change makes it the document of another key: use Move"))
		failure.Kind = ErrKeyChanged
		return failure
	}
	w, err := u.prepareExisting(opUpdate, doc)
	writer := u.writer
	if err == nil && len(u.places.All) > 1 {
		writer = u.found.Writer
		w, err = u.places.At(opUpdate, w, u.found)
	}
	if err != nil {
		return err
	}
	var answer azcosmos.ItemResponse
	tag, err := write.Send(ctx, writer, opUpdate, w.Place, write.Request{
		Send: func(ctx context.Context) (_ azcosmos.ItemResponse, err error) {
			answer, err = u.content.Keep(writer.Client.ReplaceItem(ctx, w.Key, w.ID, w.Body, u.content.Options(wire.IfMatch(ctx, unchanged))))
			return answer, err
		},
	})
	if err == nil {
		err = u.found.Settle(ctx, opUpdate, answer)
	}
	if err == nil {
		u.setStoredFields(doc, w, tag)
	}
	return err
}

func (u *update) failure(err error) *wire.OperationError {
	return u.store.Failure(opUpdate, u.place, err)
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
