package write

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// verified is a write that reads first.
type verified struct {
	// create handles a missing document; nil means ErrNotFound.
	create func(context.Context) (wire.Answer, error)

	// change handles an existing document, on condition that it still has this ETag.
	change func(ctx context.Context, unchanged azcore.ETag) (wire.Answer, error)

	// final reports whether a 412 has a cause other than a changed ETag. Nil means no.
	final func(ctx context.Context, unchanged azcore.ETag) bool

	// removes is set if change removes the document, once if running it twice has another
	// effect. See Request.
	removes, once bool

	// counts is as in Patch.
	counts bool

	// stamp is called with the document that was read, nil if there is none, before each write
	// of a document with stamps. Otherwise it is nil.
	stamp func(raw []byte) error

	// present reports whether the stored document needs no write. Nil means no. Only Places
	// calls it.
	present func(raw []byte) bool

	// isSent reports whether the stored document is the result of an earlier attempt that was
	// refused or unclear. Nil means no. shared reports whether another program may have made
	// the same change to the version.
	isSent func(raw []byte) bool
	shared func(unclear bool) bool

	// wasMarked reports whether the stored document may be the result of an earlier attempt,
	// marked as deleted since. Nil means no.
	wasMarked func(raw []byte) bool

	// only is the ETag that the document must have when it is read; empty means any. anew is
	// set if the caller starts over after another ETag.
	only azcore.ETag
	anew bool
}

// storing is a write that replaces the document that was read by w, or creates w if there is
// none and creates is set.
func storing(s *Writer, op string, w Document, creates bool) verified {
	sent := w
	v := verified{
		change: func(ctx context.Context, unchanged azcore.ETag) (wire.Answer, error) {
			return s.ReplaceItem(ctx, sent.Key, sent.ID, sent.Body, wire.IfMatch(ctx, unchanged))
		},
	}
	if creates {
		v.create = func(ctx context.Context) (wire.Answer, error) {
			return s.CreateItem(ctx, sent.Key, sent.Body, wire.WriteOptions(ctx))
		}
	}
	v.isSent = func(raw []byte) bool { return sameDocument(raw, sent.Body) }
	v.wasMarked = func(raw []byte) bool { return s.storedThenMarked(raw, sent) }
	if s.Stamps != nil {
		v.stamp = func(raw []byte) (err error) {
			sent, err = Restamp(s, op, w, raw)
			return err
		}
	}
	return v
}

// upsertVerified is Upsert that reads first. It returns the ETag of the stored document.
func upsertVerified(ctx context.Context, s *Writer, op string, w Document, means func(doc any) bool) (azcore.ETag, error) {
	return verify(ctx, s, op, w.Place, means, storing(s, op, w, true))
}

// replaceVerified is Replace that reads first: only a document with the ETag only, or any if
// that is empty. It returns the ETag of the stored document. For last, see ReplaceRequest.
func replaceVerified(ctx context.Context, s *Writer, op string, w Document, means func(doc any) bool, only azcore.ETag, last bool) (azcore.ETag, error) {
	v := storing(s, op, w, false)
	v.anew = !last
	if v.only = only; only != "" {
		v.shared = s.Stamps.shared
	}
	return verify(ctx, s, op, w.Place, means, v)
}

// deleteVerified is Delete that reads first.
func deleteVerified(ctx context.Context, s *Writer, op string, p wire.Place, means func(doc any) bool) error {
	_, err := verify(ctx, s, op, p, means, verified{
		change: func(ctx context.Context, unchanged azcore.ETag) (wire.Answer, error) {
			return s.DeleteItem(ctx, p.Key, p.ID, wire.IfMatch(ctx, unchanged))
		},
		removes: true,
	})
	return err
}

// Anew pauses before an overtaken operation starts over. It returns the failure of the attempt
// if that was the last, or if ctx ends.
func Anew(ctx context.Context, attempt int, failure error) error {
	if attempt >= backoff.MaxAttempts {
		return wire.Noted(failure, Contended, nil)
	}
	if ended := backoff.Pause(ctx, attempt); ended != nil {
		return wire.Noted(failure, "", ended)
	}
	return nil
}

// Contended is the note on a write that ran out of attempts.
var Contended = strconv.Itoa(backoff.MaxAttempts) + " times in a row: others keep writing it, try again later"

// verify reads the document at p and, if it is the meant one, calls change on condition that it
// is unchanged. If nothing is stored, it calls create. If create is nil, a missing or foreign
// document is ErrNotFound; otherwise a foreign document is ErrAlreadyExists. means identifies
// the document among those of the type; nil accepts any.
//
// If the document was changed, stored or deleted between the two requests, or the outcome of
// the second is unclear, both are sent again, at most backoff.MaxAttempts times.
func verify(ctx context.Context, s *Writer, op string, p wire.Place, means func(doc any) bool, v verified) (azcore.ETag, error) {
	var a attempts
	for {
		seen, err := look(ctx, s, op, p, means, v.create != nil)
		tag := seen.tag
		switch {
		case v.removes && a.removed(s, v, seen, err):
			return "", nil
		case err == nil && (a.unclear || a.refused) && seen.raw != nil && v.isSent != nil && v.isSent(seen.raw):
			if v.shared == nil || !v.shared(a.unclear) {
				return tag, nil
			}
			if v.only != "" && tag != v.only {
				return "", wire.StillUnclear(s.changedError(op, p), a.unclear || !v.anew)
			}
		case err == nil && v.only != "" && tag != v.only:
			err = s.changedError(op, p)
		case err == nil && a.mustNotOvertake(v, tag):
			err = s.changedError(op, p)
		case err == nil && v.stamp != nil:
			err = v.stamp(seen.raw)
		}
		if err != nil {
			return "", wire.StillUnclear(err, a.open(err) || a.refused && v.wasMarked != nil && v.wasMarked(seen.raw))
		}
		send := v.create
		if tag != "" {
			send = func(ctx context.Context) (wire.Answer, error) { return v.change(ctx, tag) }
		}
		response, done, err := a.send(ctx, s, op, p, tag, v, send)
		if done {
			return response.ETag, err
		}
	}
}

// attempts are the attempts to read and write.
type attempts struct {
	n       int
	misses  int         // of the container
	tag     azcore.ETag // of the last attempt's document
	unclear bool        // one may have taken effect
	refused bool        // one was refused, perhaps because its request had already arrived
}

// open reports whether an attempt may have taken effect, if the following read fails with err.
func (a *attempts) open(err error) bool { return a.unclear || a.refused && MayHaveStored(err) }

// removed reports whether an attempt has removed the document, given the error of the following
// read.
func (a *attempts) removed(s *Writer, v verified, seen sight, err error) bool {
	return a.unclear && s.gone(err) ||
		a.refused && errors.Is(err, wire.ErrDeleted) && v.isSent != nil && v.isSent(seen.raw)
}

// mustNotOvertake reports whether a document with this ETag may already include the change that
// v counts, and a later one.
func (a *attempts) mustNotOvertake(v verified, tag azcore.ETag) bool {
	return v.counts && a.unclear && tag != a.tag
}

// send sends a write after a read of the document with this ETag. It returns false if the read
// and the write are to be tried again; it has then paused.
func (a *attempts) send(ctx context.Context, s *Writer, op string, p wire.Place, tag azcore.ETag, v verified, send func(context.Context) (wire.Answer, error)) (wire.Answer, bool, error) {
	a.n++
	a.tag = tag
	callCtx, done := s.Begin(ctx, p.Event(op))
	watchCtx, watch := wire.Watch(callCtx)
	response, err := send(watchCtx)
	if err == nil {
		err = wire.CheckWritten(response, p.ID)
	}
	done(response.RequestCharge, err)
	if err == nil {
		return response, true, nil
	}
	failure := s.Failed(op, p.ID, p.Name, v.create != nil, err)
	if v.create != nil && s.Lacks(err) && s.Supply(ctx, &a.misses, failure) {
		return response, false, failure
	}
	lost := wire.IsUnclear(err)
	a.unclear = a.unclear || lost || watch.Unclear()
	a.refused = a.refused || !lost && overtaken(failure)
	failure.Unclear = a.unclear
	switch {
	case a.unclear && v.once, lost && a.n > wire.MaxResends, !lost && !overtaken(failure):
		return response, true, failure
	case v.final != nil && errors.Is(failure, wire.ErrPreconditionFailed) && v.final(ctx, tag):
		return response, true, failure
	}
	if a.n == backoff.MaxAttempts {
		failure.Note = Contended
		return response, true, failure
	}
	if backoff.Pause(ctx, a.n) != nil {
		failure.Err = errors.Join(failure.Err, ctx.Err())
		failure.Unclear = a.unclear || a.refused
		return response, true, failure
	}
	return response, false, failure
}

// absent reports whether a read found nothing at all.
func absent(err error) bool {
	return errors.Is(err, wire.ErrNotFound) && !errors.Is(err, wire.ErrOtherType) && !errors.Is(err, store.ErrForeign) && !store.IsConcealed(err)
}

// overtaken reports whether a conditional write failed because the document was changed, stored
// or deleted since it was read.
func overtaken(err error) bool {
	return errors.Is(err, wire.ErrPreconditionFailed) || errors.Is(err, wire.ErrAlreadyExists) || errors.Is(err, wire.ErrNotFound)
}

// A look is the read before a write, which identifies the document at its place. The write is
// then sent on condition that the document is unchanged.

// sight is the document that a look found.
type sight struct {
	raw []byte // the document, or its identifying properties; nil if there is none
	tag azcore.ETag
}

// look reads the document at p and returns it if it is the meant one. If creates is true, a
// missing document is the zero sight, and a foreign one is ErrAlreadyExists. Otherwise both are
// ErrNotFound. For means, see verify.
func look(ctx context.Context, s *Writer, op string, p wire.Place, means func(doc any) bool, creates bool) (sight, error) {
	response, err := s.Fetch(ctx, op, p)
	switch {
	case creates && errors.Is(err, wire.ErrNotFound):
		return sight{}, nil
	case err != nil:
		return sight{}, err
	}
	seen := sight{response.Value, response.ETag}
	_, err = judge(s, op, p, seen, means, creates)
	return seen, err
}

// judge is look at a document that was already read at p.
func judge(s *Writer, op string, p wire.Place, seen sight, means func(doc any) bool, creates bool) (azcore.ETag, error) {
	kind := wire.ErrNotFound
	if creates {
		kind = wire.ErrAlreadyExists
	}
	switch {
	case seen.raw == nil && creates:
		return "", nil
	case seen.raw == nil:
		return "", s.Failure(op, p, wire.ErrNotFound)
	}
	if err := s.Meant(op, p, seen.raw, means, kind); err != nil {
		return "", err
	}
	if err := s.Schema.Newer(seen.raw); err != nil && op != wire.OpDelete {
		return "", s.Failure(op, p, err)
	}
	return seen.tag, nil
}

// lookAtAll reads the documents with ids in the logical partition of p, with one query: whole,
// or only their type, visibility, stamps and form. It leaves out ids without a document.
func lookAtAll(ctx context.Context, s *Writer, op string, p wire.Place, ids []string, whole bool) (map[string]sight, error) {
	var columns []string
	if !whole { // columns that every response has, and those that identify the type
		columns = []string{text.Column("id"), text.Column("_rid"), text.Column("_etag")}
		for _, name := range slices.Concat(s.Telling(), s.Stamps.names()) {
			columns = append(columns, text.Column(name))
		}
	}
	items, err := s.ReadIDs(ctx, s.Store, op, p, ids, columns)
	if err != nil {
		return nil, err
	}
	seen := make(map[string]sight, len(items))
	for _, raw := range items {
		var id string
		tag, err := store.TagOf(raw)
		if err = errors.Join(json.Unmarshal(text.ValueAt(raw, wire.IDPath), &id), err); err != nil {
			return nil, wire.NewError(op, s.Type, "", p.Name, err)
		}
		seen[id] = sight{raw, tag}
	}
	return seen, nil
}
