package repository

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// MoveState is a move that is to be made, or was begun: what [Documents.ResumeMove]
// needs, in any process. It marshals to JSON and back, given that the types of
// the key's components do.
type MoveState[K generated.Key] struct {
	// From and To are the key that the document has and the one that it gets.
	From, To K

	// ETag and RID are those of the document under From. The RID, its system
	// property _rid, stays when it is changed, and is another if it is deleted and
	// one of the same key is stored.
	ETag, RID string

	// Document is what is stored under To.
	Document json.RawMessage
}

// Move stores doc under another key than before: doc was read under the key from
// and changed so that its fields give a new one, which for Cosmos DB is another
// document, unless both share a logical partition and the id. It is a point read
// and two writes, about 11 request units for 1 KB: the document under from is
// read, a copy is created, and the document under from is deleted on condition
// that it has doc's ETag, or where doc has none, that it is what was read.
//
// Between the two writes readers see both documents. A crash there leaves both,
// until the move is resumed: by Move with the same arguments, or if those may be
// lost, by [Documents.ResumeMove] with a state that [Documents.PrepareMove] made
// before. At no time is there none, but for a moment where somebody else makes the
// same move and the document under from is changed meanwhile. Someone who deletes
// the document under from between the two writes does not delete the copy, and two
// moves at once to different keys can leave a copy under each.
//
// If the document under from was changed by somebody else, before or between the
// writes, the copy is removed again and Move returns ErrPreconditionFailed. If
// that fails too, the error says where the copy remains.
//
// Move returns ErrNotFound if there is no document under from, ErrAlreadyExists
// if another one has the new key, with nothing deleted, and a
// *partition.KeyError, without a request, if either key cannot be one. A key
// that has not changed is an error: use Replace. Where both keys are one item to
// Cosmos DB, such as those of two hashed values of one bucket, Move sends a single
// write that replaces the document, on the same condition.
//
// Of a type with a random suffix, Move chooses a new one where the text before it
// has changed, and keeps it in doc before it sends anything, as Create does.
// After success, doc's synthetic and etag fields hold the stored values.
func (d *Documents[T, K]) Move(ctx context.Context, from K, doc *T) error {
	m, err := newMove(d, from, doc)
	if err != nil {
		return exported(err)
	}
	moving := movingOf(d, m)
	tag, err := moving.Run(ctx)
	if err != nil {
		return exported(err)
	}
	d.untyped.noteStored(doc, moving.Copy, tag)
	return nil
}

// PrepareMove returns the state with which ResumeMove moves doc from the key from
// to the one that its fields give now. It writes nothing: a point read, 1 request
// unit for 1 KB. Keep the state where a crash does not reach it, and then call
// ResumeMove.
//
// The errors are those of Move. In doc, the random suffix alone changes.
func (d *Documents[T, K]) PrepareMove(ctx context.Context, from K, doc *T) (MoveState[K], error) {
	m, err := newMove(d, from, doc)
	if err != nil {
		return MoveState[K]{}, exported(err)
	}
	moving := movingOf(d, m)
	tag, err := moving.ReadOrigin(ctx)
	if err == nil && tag != moving.ETag {
		err = moving.ChangedError(moving.From)
	}
	if err != nil {
		return MoveState[K]{}, exported(err)
	}
	m.ETag, m.RID = string(moving.ETag), moving.RID
	return m, nil
}

// ResumeMove makes the move that the state describes, or what is left of it. It
// may be called any number of times, in any process, also in several at once, and
// returns nil if the move is complete. The costs are those of Move, or of one or
// two point reads if there is nothing left to do.
//
// If the document under the old key was changed since PrepareMove read it,
// ResumeMove returns ErrPreconditionFailed, and removes the copy that an earlier
// call may have made, so that one document remains. If the document is gone and
// the copy is not there, or was changed since, it returns ErrNotFound. Other
// errors are those of Move; after all of them ResumeMove can be called again.
func (d *Documents[T, K]) ResumeMove(ctx context.Context, state MoveState[K]) error {
	if err := checkMove(d, state); err != nil {
		return exported(err)
	}
	_, err := movingOf(d, state).Run(ctx)
	return exported(err)
}

// newMove returns the state of a move, as far as it is known before a request.
func newMove[T any, K generated.Key](d *Documents[T, K], from K, doc *T) (MoveState[K], error) {
	m := MoveState[K]{From: from}
	if err := from.Validate(); err != nil {
		return m, err
	}
	w, tag, err := d.untyped.copyToMove(doc)
	if err != nil {
		return m, err
	}
	m.To, m.ETag, m.Document = d.model.Key(doc), string(tag), w.Body
	if sameKey(d.model, m.From, m.To) {
		return m, write.NewMoveError(d.untyped.writer, w.Place, errors.New("the key has not changed: use Replace"))
	}
	return m, nil
}

// copyToMove returns doc as it is to be stored at its new place, and the ETag that
// the document at the old one has to have.
func (d *documents) copyToMove(doc any) (write.Document, azcore.ETag, error) {
	if err := d.renewSuffix(write.OpMove, doc, d.isOutdated); err != nil {
		return write.Document{}, "", err
	}
	w, err := d.prepare(write.OpMove, doc)
	if err != nil {
		return w, "", err
	}
	tag, err := d.conditionOf(write.OpMove, w.Place, doc)
	return w, tag, err
}

// movingOf returns the move that a state describes.
func movingOf[T any, K generated.Key](d *Documents[T, K], m MoveState[K]) *write.Move {
	from, _ := placeOf(d.model, m.From) // both keys are known to be sound
	to, _ := placeOf(d.model, m.To)
	return &write.Move{
		Writer: d.untyped.writer,
		From:   from,
		Copy:   write.Document{Place: to, Body: m.Document},
		ETag:   azcore.ETag(m.ETag),
		RID:    m.RID,
		Means:  means(d.model, m.From), MeansCopy: meant(d.model, m.To),
	}
}

// checkMove returns an error if a state is not one that PrepareMove has made.
func checkMove[T any, K generated.Key](d *Documents[T, K], m MoveState[K]) error {
	if err := m.From.Validate(); err != nil {
		return err
	}
	to, err := placeOf(d.model, m.To)
	if err != nil {
		return err
	}
	doc, err := d.untyped.store.Decode(m.Document)
	switch {
	case err != nil:
		err = fmt.Errorf("the document of the state cannot be read: %w", err)
	case !sameKey(d.model, d.model.Key(doc.(*T)), m.To):
		err = errors.New("the document of the state does not have the key of the state: use what PrepareMove returns")
	case sameKey(d.model, m.From, m.To) || m.ETag == "":
		err = errors.New("the state is incomplete: use what PrepareMove returns")
	default:
		if err = wire.CheckETag(azcore.ETag(m.ETag)); err == nil {
			return nil
		}
	}
	return write.NewMoveError(d.untyped.writer, to, err)
}
