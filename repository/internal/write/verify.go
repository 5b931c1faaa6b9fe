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

// verified is a write that looks first.
type verified struct {
	// create is for a document that is not there; nil means ErrNotFound.
	create func(context.Context) (wire.Answer, error)

	// change is for one that is there, on condition that it still has this ETag.
	change func(ctx context.Context, unchanged azcore.ETag) (wire.Answer, error)

	// final reports whether a change that was refused with status 412 was so for
	// another reason than the ETag, which is still unchanged. Nil never says so.
	final func(ctx context.Context, unchanged azcore.ETag) bool

	// removes says that change removes the document, once that twice is not the
	// same as once. See sending.
	removes, once bool

	// counts is that of Patch.
	counts bool

	// stamp is called with the document that was read, nil if there is none, before each
	// write of a document with stamps. It is nil for others.
	stamp func(raw []byte) error

	// present reports whether the stored document needs no write. Nil never says so. Only
	// Places asks it.
	present func(raw []byte) bool

	// isSent reports whether the stored document is what an attempt before, which was
	// refused or unclear, has made of it. Nil never says so. Shared says that another
	// program may have made the same of the version.
	isSent func(raw []byte) bool
	shared func(unclear bool) bool

	// wasMarked reports whether the stored document is what an attempt before may have made
	// of it, and marked as deleted since. Nil never says so.
	wasMarked func(raw []byte) bool

	// only is the ETag that the document must have when it is read; empty is any. Anew says
	// that the caller begins anew if it has another one.
	only azcore.ETag
	anew bool
}

// storing is a write that stores w in place of the document that a look has found, or as
// a new document if there is none and it creates.
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

// upsertVerified is Upsert that looks first. It returns the ETag of what it has
// stored.
func upsertVerified(ctx context.Context, s *Writer, op string, w Document, means func(doc any) bool) (azcore.ETag, error) {
	return verify(ctx, s, op, w.Place, means, storing(s, op, w, true))
}

// replaceVerified is Replace that looks first: of a document that has the ETag only, or
// any if that is empty. It returns the ETag of what it has stored. Last is that of
// ReplaceRequest.
func replaceVerified(ctx context.Context, s *Writer, op string, w Document, means func(doc any) bool, only azcore.ETag, last bool) (azcore.ETag, error) {
	v := storing(s, op, w, false)
	v.anew = !last
	if v.only = only; only != "" {
		v.shared = s.Stamps.shared
	}
	return verify(ctx, s, op, w.Place, means, v)
}

// deleteVerified is Delete that looks first.
func deleteVerified(ctx context.Context, s *Writer, op string, p wire.Place, means func(doc any) bool) error {
	_, err := verify(ctx, s, op, p, means, verified{
		change: func(ctx context.Context, unchanged azcore.ETag) (wire.Answer, error) {
			return s.DeleteItem(ctx, p.Key, p.ID, wire.IfMatch(ctx, unchanged))
		},
		removes: true,
	})
	return err
}

// Anew waits before an operation begins anew that others got ahead of. It returns the failure
// of the attempt if that was the last, or if ctx ends.
func Anew(ctx context.Context, attempt int, failure error) error {
	if attempt >= backoff.MaxAttempts {
		return wire.Noted(failure, Contended, nil)
	}
	if ended := backoff.Pause(ctx, attempt); ended != nil {
		return wire.Noted(failure, "", ended)
	}
	return nil
}

// Contended is what there is to say of a write that was begun so often.
var Contended = strconv.Itoa(backoff.MaxAttempts) + " times in a row: others keep writing it, try again later"

// verify reads the document at p and, if it is the one that is meant, calls
// change with the condition that it is still that one. If there is none it
// calls create; where that is nil the error is ErrNotFound, and a foreign
// document is as good as none. Else a foreign document is in the way, and the
// error is ErrAlreadyExists. Means says which one of the type is meant; nil is any.
//
// If the document was changed, stored or deleted between the two requests, or
// the outcome of the second is unclear, both are sent again, backoff.MaxAttempts times at
// most.
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

// attempts are those to look and to write.
type attempts struct {
	n       int
	misses  int         // of the container
	tag     azcore.ETag // of the document that the last one was to change
	unclear bool        // whether one of them may have taken effect
	refused bool        // whether one was, which the same request may have caused that arrived before
}

// open reports whether an attempt may have taken effect after which a look fails by err.
func (a *attempts) open(err error) bool { return a.unclear || a.refused && MayHaveStored(err) }

// removed reports whether an attempt has removed the document, of which a look has this error.
func (a *attempts) removed(s *Writer, v verified, seen sight, err error) bool {
	return a.unclear && s.gone(err) ||
		a.refused && errors.Is(err, wire.ErrDeleted) && v.isSent != nil && v.isSent(seen.raw)
}

// mustNotOvertake reports whether a document of this ETag may already have what v counts,
// and something that was written since.
func (a *attempts) mustNotOvertake(v verified, tag azcore.ETag) bool {
	return v.counts && a.unclear && tag != a.tag
}

// send sends a write that follows a look at the document with this ETag. It returns
// false if the look and the write are to be tried again, after a pause.
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

// absent reports whether a look has found nothing at all.
func absent(err error) bool {
	return errors.Is(err, wire.ErrNotFound) && !errors.Is(err, wire.ErrOtherType) && !errors.Is(err, store.ErrForeign) && !store.IsConcealed(err)
}

// overtaken reports whether a conditional write failed because the document was
// changed, stored or deleted since it was read.
func overtaken(err error) bool {
	return errors.Is(err, wire.ErrPreconditionFailed) || errors.Is(err, wire.ErrAlreadyExists) || errors.Is(err, wire.ErrNotFound)
}

// A look reads whose document is at the place of a write, before the write is sent.
// The write is then sent on the condition that the document is unchanged.

// sight is the document at a place, as a look sees it.
type sight struct {
	raw []byte // the document, or what of it tells whose it is; nil if there is none
	tag azcore.ETag
}

// look reads the document at p and returns it if it is the one that is meant. For a
// write that creates, none at all is the zero sight, and another one is in the way:
// ErrAlreadyExists. For others, both are ErrNotFound. Means says which one of the type
// is meant; nil is any.
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

// judge is look at a document that was read at p before.
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

// lookAtAll reads the documents of ids in the logical partition of p, by one query:
// whole, or the properties that tell the type, whether it is hidden, its stamps and its
// form. It returns nothing for an id that no document has.
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
