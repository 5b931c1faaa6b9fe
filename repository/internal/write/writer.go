package write

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/system"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Writer is a store, and what writing takes.
type Writer struct {
	*store.Store
	Integers *Integers // nil if documents have none that Cosmos DB would round
	Unknown  *Unknown  // nil if the type keeps no properties that it does not know
	Stamps   *Stamps   // nil if the type has none
	Vectors  Vectors   // nil if the type has none
	Indexed  Indexed   // nil if the run time writes no properties for indexes
	Computed Computed  // nil if the service computes none of its properties
	Deleted  *Deleted  // nil if documents of the type are not marked as deleted

	// What the model says of keys:
	Ambiguous bool     // they can collide
	Looks     bool     // another's document, or a hidden one, may have the id: Upsert, Replace and Delete look first
	Random    bool     // they have a random suffix
	Synthetic bool     // they are stored in a property of their own
	Made      []int    // levels that are stored in properties of their own
	Written   []string // paths of the id and of properties of the key whose types write JSON of their own

	// ReadIDs reads what is stored under ids in the logical partition of p, by one
	// query: whole documents, or of each these columns.
	ReadIDs func(ctx context.Context, s *store.Store, op string, p wire.Place, ids []string, columns []string) ([][]byte, error)
}

// Knows reports whether a write that stores a document in place of another must look at
// that one first: it may be another's or hidden, its stamps are carried, or it may be of a
// later form of the type.
func (s *Writer) Knows() bool { return s.Blind() || s.Stamps.Carries() }

// Blind reports whether such a write must look unless it has an ETag: whoever read the
// document knows that it is his, and of no later form.
func (s *Writer) Blind() bool { return s.Looks || s.Schema != nil }

// A Document is a document on its way to the service.
type Document struct {
	wire.Place
	Body  []byte
	Stamp *Stamp // what its stamps are, or were found to be; nil for a type without
	Token bool   // the body has a token that no other write has
}

// Create stores w as a new document, which repeated says may have been sent
// before. It returns the ETag of what is stored.
func Create(ctx context.Context, s *Writer, w Document, repeated bool) (azcore.ETag, error) {
	return Send(ctx, s, wire.OpCreate, w.Place, Request{
		Send: func(ctx context.Context) (wire.Answer, error) {
			return s.CreateItem(ctx, w.Key, w.Body, wire.WriteOptions(ctx))
		},
		settle:   ifStored(s, wire.OpCreate, w),
		Repeated: repeated || s.Random,
		Creates:  true,
	})
}

// Upsert stores w, whether there is a document of its key already or not. It
// returns the ETag of what is stored. Here and below, means is that of verify.
func Upsert(ctx context.Context, s *Writer, w Document, means func(doc any) bool) (azcore.ETag, error) {
	if s.Knows() {
		return upsertVerified(ctx, s, wire.OpUpsert, w, means)
	}
	return Send(ctx, s, wire.OpUpsert, w.Place, Request{
		Send: func(ctx context.Context) (wire.Answer, error) {
			return s.UpsertItem(ctx, w.Key, w.Body, wire.WriteOptions(ctx))
		},
		Creates: true,
	})
}

// Replace stores w in place of the document of its key, if that has the ETag
// unchanged or this is empty. It returns the ETag of what is stored.
func Replace(ctx context.Context, s *Writer, op string, w Document, means func(doc any) bool, unchanged azcore.ETag) (azcore.ETag, error) {
	return replace(ctx, s, op, w, means, unchanged, true)
}

// replace is Replace. Last is that of ReplaceRequest.
func replace(ctx context.Context, s *Writer, op string, w Document, means func(doc any) bool, unchanged azcore.ETag, last bool) (azcore.ETag, error) {
	if unchanged == azcore.ETagAny && s.Knows() {
		unchanged = ""
	}
	if s.Blind() && unchanged == "" || s.looksAtAll() {
		return replaceVerified(ctx, s, op, w, means, unchanged, last)
	}
	return Send(ctx, s, op, w.Place, ReplaceRequest(s, op, w, last, func(ctx context.Context) (wire.Answer, error) {
		return s.ReplaceItem(ctx, w.Key, w.ID, w.Body, wire.IfMatch(ctx, unchanged))
	}))
}

// looksAtAll reports whether also a write with an ETag looks first: the document may be
// one that is marked as deleted, or of the next form, and was read with its ETag.
func (s *Writer) looksAtAll() bool {
	return s.Stamps.Carries() || s.Deleted != nil || s.Schema.ReadsNext()
}

// Delete removes the document at p, or marks it as deleted.
func Delete(ctx context.Context, s *Writer, p wire.Place, means func(doc any) bool) error {
	switch {
	case s.Deleted != nil && s.Ambiguous:
		return markVerified(ctx, s, p, means)
	case s.Deleted != nil:
		return mark(ctx, s, p, "", false)
	case s.Looks:
		return deleteVerified(ctx, s, wire.OpDelete, p, means)
	}
	_, err := Send(ctx, s, wire.OpDelete, p, DeleteRequest(s, p, ""))
	return err
}

// DeleteRequest removes the document at p, if it has the ETag unchanged or this is
// empty.
func DeleteRequest(s *Writer, p wire.Place, unchanged azcore.ETag) Request {
	return Request{
		Send: func(ctx context.Context) (wire.Answer, error) {
			return s.DeleteItem(ctx, p.Key, p.ID, wire.IfMatch(ctx, unchanged))
		},
		settle: ifGone,
	}
}

// Request says how a write is sent and how its failures are judged.
//
// The outcome of a write is unclear if the connection broke or the service failed after
// the request was sent, and no answer says whether it took effect. azcosmos does not
// send such a write again, since it cannot know what the write means
// (attemptRetryOnNetworkError, attemptRetryOnServerError and
// attemptRetryOnRequestTimeout in cosmos_client_retry_policy.go). Send does, if twice
// is the same as once, or if the answer to the second tells the outcome of the first.
type Request struct {
	Send func(context.Context) (wire.Answer, error)

	// once says that twice is not the same as once, so that the write is not sent
	// again after an unclear failure.
	once bool

	// settle decides whether a refusal comes of the write having taken effect before: an
	// earlier attempt may have, or the same request may have arrived twice. If so it
	// returns the ETag of the stored document. A nil settle means no.
	settle func(context.Context, refusal) (azcore.ETag, verdict)

	// before, unless it is nil, settles an unclear failure before the write is sent again.
	before func(context.Context, refusal) (azcore.ETag, verdict)

	// Repeated says that the caller may have sent the write before.
	Repeated bool

	// Creates says that the document need not be there, so that a container which is
	// missing may be created for it.
	Creates bool
}

// Send sends a write to the document at p, until its outcome is clear. It
// returns the ETag of the stored document. If the outcome stays unclear, the
// error matches ErrUnclear.
func Send(ctx context.Context, s *Writer, op string, p wire.Place, w Request) (azcore.ETag, error) {
	unclear, misses, began := false, 0, time.Now()
	for attempt := 1; ; attempt++ {
		if err := ctx.Err(); err != nil {
			return "", &documents.Error{Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Err: err, Unclear: unclear}
		}
		callCtx, done := s.Begin(ctx, p.Event(op))
		watchCtx, watch := wire.Watch(callCtx)
		response, err := w.Send(watchCtx)
		if err == nil {
			err = wire.CheckWritten(response, p.ID)
		}
		done(response.RequestCharge, err)
		if err == nil {
			return response.ETag, nil
		}
		lost := wire.IsUnclear(err)
		unclear = unclear || lost || watch.Unclear()
		failure := s.Failed(op, p.ID, p.Name, w.Creates, err)
		if lost && !w.once && attempt <= wire.MaxResends {
			ended := backoff.Pause(ctx, wire.UnclearPause+attempt)
			v := notStored
			if ended == nil && w.before != nil {
				var tag azcore.ETag
				if tag, v = w.before(ctx, refusal{failure, true, began}); v == stored {
					return tag, nil
				}
			}
			if ended == nil && v == notStored {
				continue
			}
			failure.Err = errors.Join(failure.Err, ended)
		}
		if w.Creates && s.Lacks(err) && s.Supply(ctx, &misses, failure) {
			continue
		}
		if !lost && w.settle != nil {
			tag, v := w.settle(ctx, refusal{failure, unclear || w.Repeated, began})
			if v == stored {
				return tag, nil
			}
			unclear = unclear || v == untold
		}
		failure.Unclear = unclear
		return "", failure
	}
}

// ReadBack settles the refusal of a write that stores w: it returns the ETag of the document
// at the place of w if that is equal to w, and else the refusal, which is unclear if the
// document could not be read, or is w marked as deleted. It costs a point read.
func ReadBack(ctx context.Context, s *Writer, op string, w Document, refused error) (azcore.ETag, error) {
	response, same, err := storedAt(ctx, s, op, w)
	if same && err == nil {
		return response.ETag, nil
	}
	return "", wire.StillUnclear(refused, err != nil && MayHaveStored(err) || err == nil && s.storedThenMarked(response.Value, w))
}

// storedAt reads the document at the place of w. It returns the answer, and whether it is
// equal to w but for the properties of the system and the stamps, which it writes to
// that of w.
func storedAt(ctx context.Context, s *Writer, op string, w Document) (wire.Answer, bool, error) {
	response, err := s.ReadStored(ctx, op, w.Place)
	if err != nil {
		return wire.Answer{}, false, err
	}
	same := sameDocument(response.Value, w.Body, s.Stamps.names()...)
	if same && w.Stamp != nil {
		*w.Stamp, err = s.Stamps.of(response.Value)
	}
	return response, same, err
}

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
	*OperationError
	unclear bool      // an earlier attempt may have taken effect
	began   time.Time // before the first attempt
}

// recent reports whether the document in an answer may have been written since the write
// was first sent.
func (r refusal) recent(answer wire.Answer) bool {
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
// document or in place of a version. Somebody may have marked it as deleted since.
func (r refusal) judge(s *Writer, w Document, answer wire.Answer, isNew bool) verdict {
	if s.storedThenMarked(answer.Value, w) && r.recent(answer) {
		return untold
	}
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
// marked as deleted is in the way, the failure says so.
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
		}
		return answer.ETag, r.judge(s, w, answer, true)
	}
}

// storedThenMarked reports whether a stored document is w, but for stamps, and marked as deleted.
func (s *Writer) storedThenMarked(raw []byte, w Document) bool {
	return s.Deleted != nil && s.Judge(raw).State == store.Deleted &&
		sameDocument(raw, w.Body, append(s.Stamps.names(), s.Deleted.Property, system.TTL)...)
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
func ReplaceRequest(s *Writer, op string, w Document, last bool, send func(context.Context) (wire.Answer, error)) Request {
	r := Request{Send: send}
	if last || s.Stamps.proves(false) {
		r.settle = ifReplaced(s, op, w, false)
	}
	return r
}
