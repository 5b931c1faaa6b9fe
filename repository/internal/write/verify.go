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

// verified describes a write that reads first.
type verified struct {
	// create stores a missing document. If it is nil, a missing document is ErrNotFound.
	create func(context.Context) (wire.Answer, error)

	// change writes an existing document on condition of its ETag.
	change func(ctx context.Context, unchanged azcore.ETag) (wire.Answer, error)

	// final reports whether a 412 has a cause other than a changed ETag. It may be nil.
	final func(ctx context.Context, unchanged azcore.ETag) bool

	// removes says that change removes the document. Once forbids resending after an
	// unclear failure.
	removes, once bool

	// counts is as in Patch.
	counts bool

	// stamp is called before each write with the document that was read, or nil if there is
	// none. It is nil for a type without stamps.
	stamp func(raw []byte) error

	// present reports whether the stored document needs no write. It may be nil. Only
	// Places calls it.
	present func(raw []byte) bool

	// isSent reports whether the stored document is the result of an earlier attempt that
	// was refused or unclear. It may be nil. Shared reports whether another program may
	// have made the same result of the version.
	isSent func(raw []byte) bool
	shared func(unclear bool) bool

	// wasMarked reports whether the stored document may be the result of an earlier attempt
	// that was marked as deleted since. It may be nil.
	wasMarked func(raw []byte) bool

	// only is the ETag that the document must have when it is read; empty means any. Anew
	// says that the caller starts again if the ETag differs.
	only azcore.ETag
	anew bool
}

// storing stores w over the document that was read. If there is none, it creates w if
// creates is set.
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

// upsertVerified is Upsert with a read first. It returns the new ETag.
func upsertVerified(ctx context.Context, s *Writer, op string, w Document, means func(doc any) bool) (azcore.ETag, error) {
	return verify(ctx, s, op, w.Place, means, storing(s, op, w, true))
}

// replaceVerified is Replace with a read first, and returns the new ETag. Unless only is
// empty, the document must have that ETag. Last is as in ReplaceRequest.
func replaceVerified(ctx context.Context, s *Writer, op string, w Document, means func(doc any) bool, only azcore.ETag, last bool) (azcore.ETag, error) {
	v := storing(s, op, w, false)
	v.anew = !last
	if v.only = only; only != "" {
		v.shared = s.Stamps.shared
	}
	return verify(ctx, s, op, w.Place, means, v)
}

// deleteVerified is Delete with a read first.
func deleteVerified(ctx context.Context, s *Writer, op string, p wire.Place, means func(doc any) bool) error {
	_, err := verify(ctx, s, op, p, means, verified{
		change: func(ctx context.Context, unchanged azcore.ETag) (wire.Answer, error) {
			return s.DeleteItem(ctx, p.Key, p.ID, wire.IfMatch(ctx, unchanged))
		},
		removes: true,
	})
	return err
}

// Anew waits before an operation starts again because other writers were faster. After the
// last attempt, or when ctx ends, it returns failure.
func Anew(ctx context.Context, attempt int, failure error) error {
	if attempt >= backoff.MaxAttempts {
		return wire.Noted(failure, Contended, nil)
	}
	if ended := backoff.Pause(ctx, attempt); ended != nil {
		return wire.Noted(failure, "", ended)
	}
	return nil
}

// Contended is the note on an error after the last of these attempts. The error has the same
// status for both causes.
var Contended = strconv.Itoa(backoff.MaxAttempts) + " times in a row: others keep writing it, or reads go to a region that lacks its last writes; try again later"

// verify reads the document at p and, if it is the one meant, calls change on condition of
// its ETag. If nothing is stored, it calls create. If create is nil, a missing or foreign
// document is ErrNotFound; otherwise a foreign document is ErrAlreadyExists. Means selects
// among documents of the type; nil accepts all.
//
// Both requests are repeated, up to backoff.MaxAttempts times, if the document changed
// between them or the outcome of the write is unclear.
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

// attempts counts and judges the attempts of one operation.
type attempts struct {
	n       int
	misses  int         // of the container
	tag     azcore.ETag // the ETag on which the last attempt depended
	unclear bool        // an attempt may have taken effect
	refused bool        // an attempt was refused, perhaps because its request arrived twice
}

// open reports whether an earlier attempt may have taken effect, given that the next read
// failed by err.
func (a *attempts) open(err error) bool { return a.unclear || a.refused && MayHaveStored(err) }

// removed reports whether an earlier attempt removed the document. Err is the error of the
// next read.
func (a *attempts) removed(s *Writer, v verified, seen sight, err error) bool {
	return a.unclear && s.gone(err) ||
		a.refused && errors.Is(err, wire.ErrDeleted) && v.isSent != nil && v.isSent(seen.raw)
}

// mustNotOvertake reports whether a document with this ETag may already include what v
// counts, overwritten since.
func (a *attempts) mustNotOvertake(v verified, tag azcore.ETag) bool {
	return v.counts && a.unclear && tag != a.tag
}

// send sends a write that depends on a read of the document with this ETag. It returns
// false, after a pause, if the caller must read and write again.
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

// absent reports whether a read found no document at all, not even a foreign or concealed
// one.
func absent(err error) bool {
	return errors.Is(err, wire.ErrNotFound) && !errors.Is(err, wire.ErrOtherType) && !errors.Is(err, store.ErrForeign) && !store.IsConcealed(err)
}

// overtaken reports whether a conditional write failed because its document changed after
// it was read.
func overtaken(err error) bool {
	return errors.Is(err, wire.ErrPreconditionFailed) || errors.Is(err, wire.ErrAlreadyExists) || errors.Is(err, wire.ErrNotFound)
}

// A look reads the document at the place of a write first. The write is then conditional on
// an unchanged document.

// sight is what a look has read.
type sight struct {
	raw []byte // the document, or the columns that identify it; nil if there is none
	tag azcore.ETag
}

// look reads the document at p. If creates is set, a missing document is the zero sight,
// and a foreign one is ErrAlreadyExists. Otherwise both are ErrNotFound. Means selects
// among documents of the type; nil accepts all.
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

// judge is look for a document that was read at p already.
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

// lookAtAll reads the documents with these ids in the logical partition of p, by one query:
// whole, or only the properties that tell their type, whether they are hidden, their stamps
// and their form. Missing ids are absent from the result.
func lookAtAll(ctx context.Context, s *Writer, op string, p wire.Place, ids []string, whole bool) (map[string]sight, error) {
	var columns []string
	if !whole { // what an answer always has, and what tells the type
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
