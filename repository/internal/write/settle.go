package write

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// A proxy may send a request twice and return the second answer. The first request then
// takes effect, and the second is refused: a creation by 409, a write on an ETag by 412. So
// each refusal that a write can have caused itself is settled by one read of the document.
// A time or a token that this write alone has put into the document proves that the write
// stored it. An equal document without one proves nothing: two programs that read the same
// version and count the same event make equal documents.

// verdict is what the stored document tells of a refused write.
type verdict int

const (
	notStored verdict = iota // the write had no effect
	stored                   // the write took effect
	untold                   // it may have
)

// refusal is a refused write.
type refusal struct {
	*wire.OperationError
	unclear bool      // an earlier attempt may have taken effect
	began   time.Time // before the first attempt
}

// recent reports whether the document in an answer may have been written since the write
// was first sent.
func (r refusal) recent(answer azcosmos.ItemResponse) bool {
	at, err := strconv.ParseInt(string(text.ValueAt(answer.Value, timePath)), 10, 64)
	if err != nil {
		return true
	}
	now, err := wire.DateOf(answer.RawResponse)
	if err != nil {
		return true
	}
	return !time.Unix(at, 0).Before(now.Add(-time.Since(r.began) - store.Margin))
}

// judge returns what the document in an answer tells of a write that stores w, as a new
// document or in place of a version.
func (r refusal) judge(s *Writer, w Document, answer azcosmos.ItemResponse, isNew bool) verdict {
	if !sameDocument(answer.Value, w.Body, s.Stamps.names()...) {
		return notStored
	}
	if w.Token && sameDocument(answer.Value, w.Body) {
		return stored
	}
	if isNew && r.unclear {
		if w.Stamp != nil {
			var err error
			if *w.Stamp, err = s.Stamps.of(answer.Value); err != nil {
				return untold
			}
		}
		return stored
	}
	exact := s.Stamps == nil || sameDocument(answer.Value, w.Body)
	switch {
	case exact && (s.Stamps.proves(isNew) || r.unclear && s.Stamps.tells()):
		return stored
	case exact && r.recent(answer):
		return untold
	}
	return notStored
}

// ifStored settles the refusal of a write that creates a document. If a document that is
// marked as deleted is in the way, the failure says so; an equal one may have been marked
// since this write stored it.
func ifStored(s *Writer, op string, w Document) func(context.Context, refusal) (azcore.ETag, verdict) {
	return func(ctx context.Context, r refusal) (azcore.ETag, verdict) {
		if !errors.Is(r, wire.ErrAlreadyExists) {
			return "", notStored
		}
		answer, err := s.ReadStored(ctx, op, w.Place)
		if err != nil {
			return "", unread(err)
		}
		if v := s.Judge(answer.Value); v.State == store.Deleted {
			*r.OperationError = *s.Refusal(op, w.Place, v, wire.ErrAlreadyExists)
			if r.recent(answer) && s.storedThenMarked(answer.Value, w) {
				return "", untold
			}
			return "", notStored
		}
		return answer.ETag, r.judge(s, w, answer, true)
	}
}

// storedThenMarked reports whether a stored document is w, but for stamps, and marked as deleted.
func (s *Writer) storedThenMarked(raw []byte, w Document) bool {
	return s.Deleted != nil && s.Judge(raw).State == store.Deleted &&
		sameDocument(raw, w.Body, append(s.Stamps.names(), s.Deleted.Property, TTLProperty)...)
}

// ifReplaced settles the refusal of a write that stores a document in place of a version.
// New says that the version was no document yet, but the draft of this one.
func ifReplaced(s *Writer, op string, w Document, isNew bool) func(context.Context, refusal) (azcore.ETag, verdict) {
	return func(ctx context.Context, r refusal) (azcore.ETag, verdict) {
		if !errors.Is(r, wire.ErrPreconditionFailed) {
			return "", notStored
		}
		answer, err := s.ReadStored(ctx, op, w.Place)
		if err != nil {
			return "", unread(err)
		}
		if r.recent(answer) && s.storedThenMarked(answer.Value, w) {
			return "", untold
		}
		return answer.ETag, r.judge(s, w, answer, isNew)
	}
}

// MayHaveStored reports whether a write that was refused may have taken effect before, if
// the read that follows fails by err.
func MayHaveStored(err error) bool { return unread(err) == untold }

// unread is the verdict where the document was not read: the read failed, or found none, or
// one that the program cannot use.
func unread(err error) verdict {
	if wire.MayPass(err) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return untold
	}
	return notStored
}

// ifGone settles the refusal of a write by which a document is removed. That there is none
// does not tell who has removed it.
func ifGone(_ context.Context, r refusal) (azcore.ETag, verdict) {
	if r.unclear && errors.Is(r, wire.ErrNotFound) {
		return "", stored
	}
	return "", notStored
}

// ReplaceRequest is the request that stores w by send, which has the condition that the
// document is unchanged. Last says that the caller does not begin anew if the document has
// changed.
func ReplaceRequest(s *Writer, op string, w Document, last bool, send func(context.Context) (azcosmos.ItemResponse, error)) Request {
	r := Request{Send: send}
	if last || s.Stamps.proves(false) {
		r.settle = ifReplaced(s, op, w, false)
	}
	return r
}
