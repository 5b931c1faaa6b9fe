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

// MoveState is the state of a move, with which [Documents.ResumeMove] starts or completes it in
// any process. It marshals to JSON and back if the types of the key's components do.
type MoveState[K generated.Key] struct {
	// From is the old key of the document, and To its new key.
	From, To K

	// ETag and RID are those of the document under From. The RID is its system property _rid,
	// which stays when the document changes. A document that is deleted and stored again gets a
	// new one.
	ETag, RID string

	// Document is the JSON to store under To.
	Document json.RawMessage
}

// Move stores doc under another key: doc was read under the key from, and changed so that its
// fields give a new key. To Cosmos DB that is another document, unless both keys share a
// logical partition and the id. Move takes a point read and two writes, about 11 request units
// for 1 KB. It reads the document under from, creates a copy, and deletes the document under
// from on condition that it has doc's ETag or, if doc has none, that it has not changed since
// Move read it.
//
// Between the two writes readers see both documents. A crash there leaves both, until the move
// is resumed: by Move with the same arguments or, if those may be lost, by
// [Documents.ResumeMove] with a state of [Documents.PrepareMove]. Readers always find a
// document, except for a moment if another program makes the same move and the document under
// from changes meanwhile. A program that deletes the document under from between the two writes
// does not delete the copy. Two concurrent moves to different keys can leave a copy under each.
//
// If another program changes the document under from, before or between the writes, Move
// removes the copy again and returns ErrPreconditionFailed. If the removal fails, too, the
// error names the place of the copy.
//
// Move returns ErrNotFound if there is no document under from. It returns ErrAlreadyExists, and
// deletes nothing, if another document has the new key. It returns a *partition.KeyError,
// without a request, if either key is invalid. An unchanged key is an error: use Replace. If
// both keys are one item to Cosmos DB, such as those of two hashed values in one bucket, Move
// sends a single write that replaces the document, on the same condition.
//
// If the type has a random suffix and the text before it has changed, Move chooses a new suffix
// and sets it in doc before it sends anything, as Create does. After success, doc's synthetic
// and etag fields hold the stored values.
func (d *scope[T, K]) Move(ctx context.Context, from K, doc *T) error {
	return d.writing(ctx, write.OpMove, d.allowsMove(from, doc), func(ctx context.Context) error {
		m, err := d.newMove(from, doc)
		if err != nil {
			return err
		}
		moving, err := d.moveOf(m)
		if err != nil {
			return err
		}
		ctx, end := d.untyped.Store.StartSpan(ctx, write.OpMove)
		tag, err := moving.Run(ctx)
		end(err)
		if err != nil {
			return err
		}
		d.untyped.SetStoredFields(doc, moving.Copy, tag)
		return nil
	})
}

// PrepareMove returns the state with which ResumeMove moves doc from the key from to the key
// that its fields now give. It writes nothing: a point read, 1 request unit for 1 KB. Store the
// state where it survives a crash, and then call ResumeMove.
//
// The errors are those of Move. Only the random suffix of doc changes.
func (d *scope[T, K]) PrepareMove(ctx context.Context, from K, doc *T) (MoveState[K], error) {
	var state MoveState[K]
	err := d.writing(ctx, write.OpMove, d.allowsMove(from, doc), func(ctx context.Context) (err error) {
		state, err = d.prepareMove(ctx, from, doc)
		return err
	})
	return state, err
}

func (d *scope[T, K]) prepareMove(ctx context.Context, from K, doc *T) (MoveState[K], error) {
	m, err := d.newMove(from, doc)
	if err != nil {
		return MoveState[K]{}, err
	}
	moving, err := d.moveOf(m)
	if err != nil {
		return MoveState[K]{}, err
	}
	tag, err := moving.ReadOrigin(ctx)
	if err == nil && tag != moving.ETag {
		err = moving.ChangedError(moving.From)
	}
	if err != nil {
		return MoveState[K]{}, err
	}
	m.ETag, m.RID = string(moving.ETag), moving.RID
	return m, nil
}

// ResumeMove starts or completes the move of state. Any number of processes may call it any
// number of times, also concurrently. It returns nil if the move is complete. It costs the same
// as Move, or one or two point reads if the move was already complete.
//
// If the document under the old key has changed since PrepareMove read it, ResumeMove returns
// ErrPreconditionFailed, and removes the copy of an earlier call, so that one document remains.
// If the document is gone, and the copy is missing or has changed, it returns ErrNotFound. The
// other errors are those of Move. After any error, ResumeMove can be called again.
func (d *scope[T, K]) ResumeMove(ctx context.Context, state MoveState[K]) error {
	return d.writing(ctx, write.OpMove, d.allows(write.OpMove, state.From, state.To), func(ctx context.Context) error {
		if err := d.checkMove(state); err != nil {
			return err
		}
		moving, err := d.moveOf(state)
		if err == nil {
			_, err = moving.Run(ctx)
		}
		return err
	})
}

// newMove returns the state of a move without the values that come from a request.
func (d *scope[T, K]) newMove(from K, doc *T) (MoveState[K], error) {
	m := MoveState[K]{From: from}
	if err := d.untyped.RefuseMove(); err != nil {
		return m, err
	}
	if err := from.Validate(); err != nil {
		return m, err
	}
	w, tag, err := d.untyped.CopyToMove(doc)
	if err != nil {
		return m, err
	}
	m.To, m.ETag, m.Document = d.model.Key(doc), string(tag), w.Body
	if sameKey(d.model, m.From, m.To) {
		return m, d.untyped.Store.Failure(write.OpMove, w.Place, errors.New("the key has not changed: use Replace"))
	}
	return m, nil
}

// moveOf returns the move that a state describes.
func (d *scope[T, K]) moveOf(m MoveState[K]) (*write.Move, error) {
	from, _ := placeOf(d.model, m.From) // both keys are valid
	to, _ := placeOf(d.model, m.To)
	origin, err := d.at(m.From)
	if err != nil {
		return nil, err
	}
	target := origin
	if !sameContainer(d.model, m.From, m.To) {
		if target, err = d.at(m.To); err != nil {
			return nil, err
		}
	}
	return &write.Move{
		Writer: origin.Writer,
		To:     target.Writer,
		From:   from,
		Copy:   write.Document{Place: to, Body: m.Document},
		ETag:   azcore.ETag(m.ETag),
		RID:    m.RID,
		Means:  keyMatcher(d.model, m.From), MeansCopy: ambiguousKeyMatcher(d.model, m.To),
	}, nil
}

// checkMove returns an error for a state that PrepareMove cannot have made.
func (d *scope[T, K]) checkMove(m MoveState[K]) error {
	if err := d.untyped.RefuseMove(); err != nil {
		return err
	}
	if err := m.From.Validate(); err != nil {
		return err
	}
	to, err := placeOf(d.model, m.To)
	if err != nil {
		return err
	}
	doc, err := d.untyped.Store.Decode(m.Document)
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
	return d.untyped.Store.Failure(write.OpMove, to, err)
}

// allowsMove returns an error unless d allows doc and its old key.
func (d *scope[T, K]) allowsMove(from K, doc *T) error {
	if err := d.allows(write.OpMove, from); err != nil {
		return err
	}
	return d.allowsDocument(write.OpMove, doc)
}
