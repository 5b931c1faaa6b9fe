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

// Writer is a store, with the settings that writes need.
type Writer struct {
	*store.Store
	Integers *Integers // nil if documents have none that Cosmos DB would round
	Unknown  *Unknown  // nil if the type keeps no unknown properties
	Stamps   *Stamps   // nil if the type has none
	Vectors  Vectors   // nil if the type has none
	Indexed  Indexed   // nil if the run time sets no fields for indexes
	Computed Computed  // nil if the service computes none of its properties
	Deleted  *Deleted  // nil if documents of the type are not marked as deleted

	// Properties of the type's keys:
	Ambiguous bool     // two keys can make one id and partition key
	Looks     bool     // the id may belong to another document, or a hidden one: Upsert, Replace and Delete read first
	Random    bool     // partition keys have a random suffix
	Synthetic bool     // partition keys are stored in a property of their own
	Made      []int    // levels that are stored in properties of their own
	Written   []string // paths of the id and of key properties whose Go types have their own MarshalJSON

	// ReadIDs reads the documents with these ids in the logical partition of p, by one
	// query. If columns are given, it reads only these.
	ReadIDs func(ctx context.Context, s *store.Store, op string, p wire.Place, ids []string, columns []string) ([][]byte, error)
}

// Knows reports whether a write over another document must read that one first: it may be
// foreign, hidden or of a newer form, or its stamps are carried over.
func (s *Writer) Knows() bool { return s.Blind() || s.Stamps.Carries() }

// Blind reports whether a write without an ETag must read the stored document first. A
// caller that has an ETag has already read it.
func (s *Writer) Blind() bool { return s.Looks || s.Schema != nil }

// A Document is a document to be stored.
type Document struct {
	wire.Place
	Body  []byte
	Stamp *Stamp // receives the stamps that are stored; nil for a type without stamps
	Token bool   // the body has a token that no other write has
}

// Create stores w as a new document and returns its ETag. Repeated says that w may have
// been sent before.
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

// Upsert stores w, whether or not a document of its key exists, and returns the new ETag.
// Here and below, means is as in verify.
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

// Replace stores w over the document of its key and returns the new ETag. Unless unchanged
// is empty, the stored document must have that ETag.
func Replace(ctx context.Context, s *Writer, op string, w Document, means func(doc any) bool, unchanged azcore.ETag) (azcore.ETag, error) {
	return replace(ctx, s, op, w, means, unchanged, true)
}

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

// looksAtAll reports whether even a write with an ETag reads first. The caller may have
// read that ETag from a document that is marked as deleted or of the next form.
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

// DeleteRequest removes the document at p. Unless unchanged is empty, the document must
// have that ETag.
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
// The outcome of a write is unclear if the connection broke or the service failed after the
// request was sent. azcosmos does not resend such a write, because it cannot tell whether
// that is safe (attemptRetryOnNetworkError, attemptRetryOnServerError and
// attemptRetryOnRequestTimeout in cosmos_client_retry_policy.go). Send resends it if that
// is harmless, or if the second answer reveals the outcome of the first.
type Request struct {
	Send func(context.Context) (wire.Answer, error)

	// once forbids sending the write again after an unclear failure.
	once bool

	// settle decides whether a refusal proves that the write took effect before: in an
	// earlier attempt, or because the request arrived twice. If so it returns the stored
	// ETag. A nil settle means no.
	settle func(context.Context, refusal) (azcore.ETag, verdict)

	// before, if not nil, settles an unclear failure before the write is sent again.
	before func(context.Context, refusal) (azcore.ETag, verdict)

	// Repeated says that the caller may have sent the write before.
	Repeated bool

	// Creates says that the document need not exist, so Send may create a missing
	// container.
	Creates bool
}

// Send sends a write to the document at p, again if needed until its outcome is clear, and
// returns the stored ETag. If the outcome stays unclear, the error matches ErrUnclear.
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

// ReadBack settles the refusal of a write that stores w, by one point read. If the stored
// document is equal to w, it returns its ETag. Otherwise it returns the refusal, as unclear
// if the document could not be read, or is w marked as deleted.
func ReadBack(ctx context.Context, s *Writer, op string, w Document, refused error) (azcore.ETag, error) {
	response, same, err := storedAt(ctx, s, op, w)
	if same && err == nil {
		return response.ETag, nil
	}
	return "", wire.StillUnclear(refused, err != nil && MayHaveStored(err) || err == nil && s.storedThenMarked(response.Value, w))
}

// storedAt reads the document at the place of w, and reports whether it is equal to w apart
// from system properties and stamps. If so it writes the stored stamps to w.Stamp.
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

// A proxy may send a request twice and return the second answer. The first copy takes
// effect, and the second is refused: a creation by 409, a write on an ETag by 412. So one
// read of the document settles each refusal that the write may have caused itself. A time
// or a token that only this write put into the document is proof. An equal document without
// one is not: two programs that count the same event over the same version make equal
// documents.

// verdict is what the stored document proves about a refused write.
type verdict int

const (
	notStored verdict = iota // the write had no effect
	stored                   // the write took effect
	untold                   // it may have taken effect
)

// refusal is a refused write.
type refusal struct {
	*OperationError
	unclear bool      // an earlier attempt may have taken effect
	began   time.Time // before the first attempt
}

// recent reports whether the document in answer may have been written after the write was
// first sent.
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

// judge decides from the stored document whether a refused write of w took effect. IsNew
// says that w was to be a new document. Another program may have marked w as deleted since.
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

// ifStored settles the refusal of a creation. If the existing document is marked as
// deleted, the failure says so.
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

// storedThenMarked reports whether a stored document is w, apart from stamps, and marked as
// deleted.
func (s *Writer) storedThenMarked(raw []byte, w Document) bool {
	return s.Deleted != nil && s.Judge(raw).State == store.Deleted &&
		sameDocument(raw, w.Body, append(s.Stamps.names(), s.Deleted.Property, system.TTL)...)
}

// ifReplaced settles the refusal of a write over a version. IsNew says that the version was
// only a draft of this document.
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

// MayHaveStored reports whether a refused write may have taken effect, if the read that
// should settle it fails by err.
func MayHaveStored(err error) bool { return unread(err) == untold }

// unread is the verdict if the document could not be read, does not exist or is unusable.
func unread(err error) verdict {
	if wire.MayPass(err) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return untold
	}
	return notStored
}

// ifGone settles the refusal of a deletion. A missing document does not show which write
// removed it, so only an unclear earlier attempt counts.
func ifGone(_ context.Context, r refusal) (azcore.ETag, verdict) {
	if r.unclear && errors.Is(r, wire.ErrNotFound) {
		return "", stored
	}
	return "", notStored
}

// ReplaceRequest stores w by send, which must be conditional on an unchanged document. Last
// says that the caller does not retry if the document has changed.
func ReplaceRequest(s *Writer, op string, w Document, last bool, send func(context.Context) (wire.Answer, error)) Request {
	r := Request{Send: send}
	if last || s.Stamps.proves(false) {
		r.settle = ifReplaced(s, op, w, false)
	}
	return r
}
