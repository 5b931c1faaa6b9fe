package write

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/marks"
	"github.com/cosmos-pkgen/pkgen/internal/system"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Relocation is where the document of a key may be while the documents of its type move
// from an old container to a new one. A document is on one of the two sides. No operation
// writes both at once, because without an arbiter the two could disagree.
//
// A side holds one of these states. All but live have a mark.
//
//	live    a document                              either side
//	draft   an unfinished creation                  either side
//	moved   a document that is moving, and is not   the old side
//	        changed there any more
//	copy    the future moved document               the new side
//	arrived a document of an unfinished Rekey       either side
//
// Anything else that a Rekey has left, such as the mark of a document that moved to another
// key of this side, is not a document and may be overwritten.
//
// The document of a key is, at each moment, the live one of the new side; otherwise the
// live or moved one of the old side; otherwise it does not exist. Drafts and copies are
// never read. Every write is a creation or is conditional on the ETag that was read, so a
// process may stop between any two writes, and a request may arrive late:
//
//   - Move: live becomes moved with a fresh token. A copy with that token is created. The
//     copy becomes live if the old side is still moved with that token. The moved one is
//     removed. A write that meets a moved document first completes these steps. A copy that
//     arrives late stays a copy, because nothing is moved with its token.
//   - Create: a draft is stored, and then the other side is read. A document there wins, and
//     a draft there is removed. Then the draft becomes live. If two programs create the
//     document on different sides, the one that reads last sees the other's draft, so not
//     both become live.
//   - Delete of a live document of the new side first removes a moved one on the old side,
//     so that no copy can become live later. If documents expire, every write does the same:
//     otherwise the moved one would be the document again once the live one expires.
type Relocation struct {
	Phase    Phase
	Old, New *Side
}

// Side is one of the two places of a document.
type Side struct {
	*Writer
	Place wire.Place
	Means func(doc any) bool // reports whether a document is the one of the key; false for a *Marked

	Expiry func(context.Context) (system.Expiry, error) // of the container; nil if nothing expires

	// Counts decides an uncertain mark of a document: whether a mark "moved" with its token
	// exists. Call it after the mark was read.
	Counts func(ctx context.Context, id string, m marks.Mark) (bool, error)
}

// Phase says which of the two containers a program uses.
type Phase int

// The phases, in the order of releases.
const (
	PhaseOld  Phase = iota + 1 // only the old container
	PhaseBoth                  // both, and documents are created in the old one
	PhaseNew                   // both, and documents are created in the new one
	PhaseDone                  // only the new container
)

// Marked is the result of decoding a document whose mark says that it is moving to another
// container, or that it does not count as a document.
type Marked struct {
	marks.Mark
	Doc any
}

// DecodingMarks wraps decode to return a *Marked for such a mark.
func DecodingMarks(decode func([]byte) (any, error)) func([]byte) (any, error) {
	return func(raw []byte) (any, error) {
		m, err := store.MarkOf(raw)
		if err != nil {
			return nil, err
		}
		doc, err := decode(raw)
		if err == nil && (m.Hidden() || m.Leaving()) {
			doc = &Marked{m, doc}
		}
		return doc, err
	}
}

func stripped(raw []byte, names ...string) ([]byte, error) {
	var properties map[string]json.RawMessage
	if err := json.Unmarshal(raw, &properties); err != nil {
		return nil, err
	}
	for _, name := range names {
		delete(properties, name)
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(properties)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

type state int

const (
	nothing state = iota
	foreign       // a document of another key or type
	draft
	copied // a copy, or something else that a Rekey has left
	moved
	arrived
	live
)

// found is the content of a side when it was read.
type found struct {
	*Side
	state
	token string
	tag   azcore.ETag
	raw   []byte
	doc   any       // if live or moved
	why   error     // if foreign or marked as deleted
	date  time.Time // the service's time of the answer; zero if unknown

	deleted bool // the live or moved document is marked as deleted
}

// exists reports whether f is the document, moving or not.
func (f *found) exists() bool { return f.stays() || f.state == moved }

// stays reports whether f is the document and is not moving.
func (f *found) stays() bool { return f.state == live || f.state == arrived }

// shown reports whether f is the document and is not marked as deleted.
func (f *found) shown() bool { return f.exists() && !f.deleted }

// missing is the error if the document does not exist or is marked as deleted.
func (f *found) missing(op string) error {
	if f.why != nil {
		return f.why
	}
	return f.Failure(op, f.Place, wire.ErrNotFound)
}

// occupied is the error if a foreign document has the place.
func (f *found) occupied(op string) error {
	if v := f.Judge(f.raw); v.State == store.Other {
		return f.Refusal(op, f.Place, v, wire.ErrAlreadyExists)
	}
	return f.ForeignError(op, f.Place, wire.ErrAlreadyExists)
}

// read reads a side. It costs a point read.
func (s *Side) read(ctx context.Context, op string) (found, error) {
	f := found{Side: s}
	response, err := s.Fetch(ctx, op, s.Place)
	if errors.Is(err, wire.ErrNotFound) {
		return f, nil
	}
	if err != nil {
		return f, err
	}
	f.tag, f.raw = response.ETag, response.Value
	f.date, _ = wire.DateOf(response.RawResponse)
	m, err := store.MarkOf(f.raw)
	if err != nil {
		return f, s.Failure(op, s.Place, err)
	}
	f.token = m.Token
	shown := !m.Hidden()
	if m.Uncertain() {
		if shown, err = s.Counts(ctx, s.Place.ID, m); err != nil {
			return f, err
		}
	}
	switch {
	case m.State == marks.Draft:
		f.state = draft
		return f, nil
	case !shown:
		f.state = copied
		return f, nil
	}
	switch v := s.Judge(f.raw); v.State {
	case store.Other:
		f.state, f.why = foreign, s.Refusal(op, s.Place, v, wire.ErrNotFound)
		return f, nil
	case store.Deleted:
		f.deleted, f.why = true, s.Refusal(op, s.Place, v, wire.ErrNotFound)
	}
	doc, err := s.Decode(f.raw)
	if marked, ok := doc.(*Marked); ok {
		doc = marked.Doc
	}
	switch {
	case err != nil:
		return f, s.Failure(op, s.Place, err)
	case !s.Means(doc):
		f.state, f.why = foreign, s.ForeignError(op, s.Place, wire.ErrNotFound)
	case m.Leaving():
		f.state, f.doc = moved, doc
	case m.Uncertain():
		f.state, f.doc = arrived, doc
	default:
		f.state, f.doc = live, doc
	}
	return f, nil
}

// order returns the sides in the order in which they are tried.
func (r *Relocation) order() []*Side {
	switch r.Phase {
	case PhaseOld:
		return []*Side{r.Old}
	case PhaseBoth:
		return []*Side{r.Old, r.New}
	case PhaseNew:
		return []*Side{r.New, r.Old}
	}
	return []*Side{r.New}
}

// Home returns the side where documents are created, and the other one, which may be nil.
func (r *Relocation) Home() (home, other *Side) {
	switch r.Phase {
	case PhaseOld:
		return r.Old, nil
	case PhaseBoth:
		return r.Old, r.New
	case PhaseNew:
		return r.New, r.Old
	}
	return r.New, nil
}

var errPhase = errors.New("a program of a later phase already moves documents, and this program of the first phase cannot follow: stop the later program, and release every phase in order")

// Get returns the document. It costs one point read if the document is on the first side of
// the phase, two if it is on the other, and up to four while it is moving.
func (r *Relocation) Get(ctx context.Context, op string) (doc any, err error) {
	f, err := r.find(ctx, op)
	if err == nil && !f.shown() {
		err = f.missing(op)
	}
	if err != nil {
		return nil, err
	}
	return f.doc, nil
}

// On returns the document if it is on the given side, moving or not. Otherwise it returns
// nil.
func (r *Relocation) On(ctx context.Context, op string, side *Side) (any, error) {
	f, err := r.find(ctx, op)
	if err != nil || !f.shown() || f.Side != side {
		return nil, err
	}
	return f.doc, nil
}

// Holds reports whether the document is on the given side, marked as deleted or not.
func (r *Relocation) Holds(ctx context.Context, op string, side *Side) (bool, error) {
	f, err := r.find(ctx, op)
	return err == nil && f.exists() && f.Side == side, err
}

// Same reports whether two relocations are of one document.
func (r *Relocation) Same(other *Relocation) bool {
	return SamePlace(r.Old.Place, other.Old.Place) && SamePlace(r.New.Place, other.New.Place)
}

// Identity returns a text that differs for each document.
func (r *Relocation) Identity() string {
	return r.New.Place.Name + "\x00" + r.Old.Place.Name + "\x00" + r.New.Place.ID
}

// find finds the document, moving or not. If there is none, it returns the content of the
// home side.
func (r *Relocation) find(ctx context.Context, op string) (found, error) {
	for attempt := 1; ; attempt++ {
		f, certain, err := r.look(ctx, op)
		if err != nil || certain {
			return f, err
		}
		if err := r.pause(ctx, op, attempt); err != nil {
			return f, err
		}
	}
}

// look is one attempt of find. Documents never move back, so an existing document that is
// not on the old side is on the new side afterwards.
func (r *Relocation) look(ctx context.Context, op string) (f found, certain bool, err error) {
	home, other := r.Home()
	if home == r.New || other == nil {
		f, err = home.read(ctx, op)
		if f.state == moved && other == nil && err == nil {
			err = f.Failure(op, f.Place, errPhase)
		}
		if err != nil || f.stays() || other == nil {
			return f, true, err
		}
	}
	old, err := r.Old.read(ctx, op)
	if err != nil || old.stays() {
		return old, true, err
	}
	fresh, err := r.New.read(ctx, op)
	if err != nil || fresh.stays() {
		return fresh, true, err
	}
	if old.state != moved {
		if home == r.Old {
			return old, true, nil
		}
		return fresh, true, nil
	}
	// It was moved on the old side, and not live on the new one. If the mark is still
	// there, that was so at one moment, because a deletion removes the mark before the live
	// document.
	f, err = r.Old.read(ctx, op)
	return f, f.state == moved && f.tag == old.tag, err
}

const lastAttempt = 2 * backoff.MaxAttempts

// pause waits before another attempt. After the last one it returns an error.
func (r *Relocation) pause(ctx context.Context, op string, attempt int) error {
	home, _ := r.Home()
	if attempt >= lastAttempt {
		return &documents.Error{
			Op: op, Type: home.Type, ID: home.Place.ID, PartitionKey: home.Place.Name,
			Kind: wire.ErrPreconditionFailed, Err: errors.New("others changed it each time"), Note: Contended,
		}
	}
	if backoff.Pause(ctx, min(attempt, backoff.MaxAttempts)) != nil {
		return home.Failure(op, home.Place, ctx.Err())
	}
	return nil
}

// Bodies returns a document as it is stored on a side.
type Bodies func(s *Side) (Document, error)

// isMissing reports whether a write certainly found no document.
func isMissing(err error) bool {
	return errors.Is(err, wire.ErrNotFound) && !errors.Is(err, wire.ErrUnclear)
}

// isOvertaken reports whether a conditional write was certainly refused.
func isOvertaken(err error) bool {
	return (errors.Is(err, wire.ErrPreconditionFailed) || errors.Is(err, wire.ErrNotFound)) && !errors.Is(err, wire.ErrUnclear)
}

// each tries a conditional write on each side until it finds the live document. It
// completes a move first. If documents expire, it calls forGood, and tries only the side
// that has the document.
func (r *Relocation) each(ctx context.Context, op string, try func(s *Side) error) error {
	expires, err := r.expires(ctx)
	if err != nil {
		return err
	}
	for attempt := 1; ; attempt++ {
		sides := r.order()
		if expires {
			f, err := r.settled(ctx, op)
			if err == nil {
				err = r.forGood(ctx, op, f)
			}
			if err != nil {
				return err
			}
			sides = []*Side{f.Side}
		}
		for _, s := range sides {
			if err := try(s); !isMissing(err) {
				return err
			}
		}
		if !expires {
			if _, err := r.settled(ctx, op); err != nil {
				return err
			}
		}
		if err := r.pause(ctx, op, attempt); err != nil {
			return err
		}
	}
}

// settled finds the document and completes its move. On success it is live and not marked
// as deleted.
func (r *Relocation) settled(ctx context.Context, op string) (found, error) {
	f, err := r.live(ctx, op)
	if err == nil && f.deleted {
		err = f.missing(op)
	}
	return f, err
}

// marked is settled for a document that is marked as deleted.
func (r *Relocation) marked(ctx context.Context, op string) (found, error) {
	home, _ := r.Home()
	if home.Deleted == nil {
		return found{}, home.Failure(op, home.Place, errNoMarks)
	}
	f, err := r.live(ctx, op)
	if err == nil && !f.deleted {
		err = &documents.Error{Op: op, Type: f.Type, ID: f.Place.ID, PartitionKey: f.Place.Name, Kind: wire.ErrPreconditionFailed, Err: errNotMarked}
	}
	return f, err
}

// live is settled for a document that may be marked as deleted.
func (r *Relocation) live(ctx context.Context, op string) (found, error) {
	for attempt := 1; ; attempt++ {
		f, err := r.find(ctx, op)
		switch {
		case err != nil || f.state == live:
			return f, err
		case !f.exists():
			return f, f.missing(op)
		}
		if f.state == arrived {
			err = r.revert(ctx, op, f)
		} else {
			err = r.finish(ctx, op, f)
		}
		if err != nil {
			return f, err
		}
		if err := r.pause(ctx, op, attempt); err != nil {
			return f, err
		}
	}
}

// Replace replaces the document, and returns its side. If unchanged is an ETag, the
// document must have it.
func (r *Relocation) Replace(ctx context.Context, op string, bodies Bodies, unchanged azcore.ETag) (at *Side, tag azcore.ETag, err error) {
	if unchanged != "" && unchanged != azcore.ETagAny {
		f, err := r.settled(ctx, op)
		if err == nil && f.tag != unchanged {
			err = f.changed(op)
		}
		if err != nil {
			return nil, "", err
		}
		tag, err = r.replace(ctx, op, f, bodies, true)
		return f.Side, tag, err
	}
	err = r.each(ctx, op, func(s *Side) error {
		at = s
		w, err := bodies(s)
		if err == nil {
			tag, err = replaceVerified(ctx, s.Writer, op, w, s.Means, "", true)
		}
		return err
	})
	return at, tag, err
}

// changed is the error if the document has another ETag.
func (f *found) changed(op string) error {
	return &documents.Error{
		Op: op, Type: f.Type, ID: f.Place.ID, PartitionKey: f.Place.Name,
		Kind: wire.ErrPreconditionFailed, Err: errors.New("it has another ETag: it was changed, or has moved to the new container"),
	}
}

// expires reports whether documents of the new container expire while the old container may
// have moved ones.
func (r *Relocation) expires(ctx context.Context) (bool, error) {
	if r.Phase != PhaseBoth && r.Phase != PhaseNew || r.New.Expiry == nil {
		return false, nil
	}
	expiry, err := r.New.Expiry(ctx)
	return expiry != 0, err
}

// forGood removes the moved version of a live document on the new side if documents expire
// there. Otherwise the moved version would be the document again after the live one
// expires.
func (r *Relocation) forGood(ctx context.Context, op string, f found) error {
	if f.Side != r.New {
		return nil
	}
	expires, err := r.expires(ctx)
	if expires {
		err = r.unmark(ctx, op)
	}
	return err
}

// replace replaces a live document, if it is unchanged. Last is as in ReplaceRequest.
func (r *Relocation) replace(ctx context.Context, op string, f found, bodies Bodies, last bool) (azcore.ETag, error) {
	w, err := bodies(f.Side)
	if err == nil {
		err = r.forGood(ctx, op, f)
	}
	if err == nil {
		w, err = Restamp(f.Writer, op, w, f.raw)
	}
	if err != nil {
		return "", err
	}
	return Send(ctx, f.Writer, op, f.Place, ReplaceRequest(f.Writer, op, w, last, func(ctx context.Context) (wire.Answer, error) {
		return f.ReplaceItem(ctx, w.Key, w.ID, w.Body, wire.IfMatch(ctx, f.tag))
	}))
}

// Update reads the document, passes it to change and stores the result, again if another
// program changed the document in between. It returns the side of the document.
func (r *Relocation) Update(ctx context.Context, op string, change func(doc any) (Bodies, error)) (*Side, azcore.ETag, error) {
	open := false // the refused write may have taken effect itself
	for attempt := 1; ; attempt++ {
		f, err := r.settled(ctx, op)
		if err != nil {
			return nil, "", wire.StillUnclear(err, open && MayHaveStored(err))
		}
		bodies, err := change(f.doc)
		if err != nil {
			return nil, "", err
		}
		tag, err := r.replace(ctx, op, f, bodies, attempt == lastAttempt)
		if !isOvertaken(err) {
			return f.Side, tag, err
		}
		open = open || !f.Proves()
		if err := r.pause(ctx, op, attempt); err != nil {
			return nil, "", wire.StillUnclear(err, open && MayHaveStored(err))
		}
	}
}

// Patch patches the document on its side.
func (r *Relocation) Patch(ctx context.Context, request Patch) error {
	const op = wire.OpPatch
	home, _ := r.Home()
	return inForm(home.Writer, home.Place, request, func(request Patch) error { return r.patch(ctx, op, request) }, func() (Renewal, error) {
		f, err := r.settled(ctx, op)
		if err != nil {
			return Renewal{}, err
		}
		renewed, err := Renew(ctx, f.Writer, op, f.Place, f.Means, nil, 0)
		return renewed, ignored(err, isMissing) // it has moved meanwhile
	})
}

// patch is Patch for a document of the present form.
func (r *Relocation) patch(ctx context.Context, op string, request Patch) error {
	return r.each(ctx, op, func(s *Side) error {
		send, err := patching(s.Writer, s.Place, request, nil)
		if err != nil {
			return s.Failure(op, s.Place, err)
		}
		return patchVerified(ctx, s.Writer, op, s.Place, s.Means, request, verified{change: send, once: request.Once, counts: request.counts})
	})
}

// Delete removes the document, or marks it as deleted. If unchanged is an ETag, the
// document must have it.
func (r *Relocation) Delete(ctx context.Context, unchanged azcore.ETag) error {
	const op = wire.OpDelete
	return r.removal(ctx, op, unchanged, r.settled, func(f found) (bool, error) {
		if f.Deleted == nil {
			return r.erase(ctx, op, f)
		}
		err := r.forGood(ctx, op, f)
		if err == nil {
			err = f.mark(ctx)
		}
		return errors.Is(err, wire.ErrNotFound), err
	})
}

// Purge removes the document if it is marked as deleted. If unchanged is an ETag, the
// document must have it.
func (r *Relocation) Purge(ctx context.Context, unchanged azcore.ETag) error {
	return r.removal(ctx, OpPurge, unchanged, r.marked, func(f found) (bool, error) { return r.erase(ctx, OpPurge, f) })
}

// Restore removes the mark of a deletion and returns the document. If unchanged is an ETag,
// the document must have it.
func (r *Relocation) Restore(ctx context.Context, unchanged azcore.ETag) (any, error) {
	for attempt := 1; ; attempt++ {
		f, err := r.marked(ctx, OpRestore)
		if err == nil && unchanged != "" && f.tag != unchanged {
			err = f.changed(OpRestore)
		}
		if err == nil {
			err = r.forGood(ctx, OpRestore, f)
		}
		if err != nil {
			return nil, err
		}
		var c wire.Content
		if err = Restore(ctx, f.Writer, f.Place, f.Means, unchanged, &c); err == nil {
			return f.Content(ctx, OpRestore, f.Place, &c)
		}
		if !isMissing(err) {
			return nil, err
		}
		if err := r.pause(ctx, OpRestore, attempt); err != nil {
			return nil, err
		}
	}
}

// removal removes the document that find returns. Unless unchanged is empty, the document
// must have that ETag. Remove returns true if the document was no longer where find saw it.
// After an unclear attempt it is then deleted or has moved, so removal calls find again.
func (r *Relocation) removal(ctx context.Context, op string, unchanged azcore.ETag, find func(context.Context, string) (found, error), remove func(found) (bool, error)) error {
	open := false    // an attempt may have taken effect
	refused := false // an attempt was refused, perhaps because its request arrived twice
	for attempt := 1; ; attempt++ {
		f, err := find(ctx, op)
		if open && isMissing(err) {
			return nil
		}
		if err == nil && unchanged != "" && f.tag != unchanged {
			err = f.changed(op)
		}
		if err != nil {
			return wire.StillUnclear(err, open || refused && (unmarked(err) || MayHaveStored(err)))
		}
		absent, err := remove(f)
		refused = refused || isOvertaken(err)
		if open = open || absent && errors.Is(err, wire.ErrUnclear); !absent && !isOvertaken(err) {
			return wire.StillUnclear(err, open)
		}
		if err := r.pause(ctx, op, attempt); err != nil {
			return wire.StillUnclear(err, open || refused)
		}
	}
}

// erase removes a live document, if it is unchanged. It returns true if the document was
// missing and may have moved.
func (r *Relocation) erase(ctx context.Context, op string, f found) (bool, error) {
	if f.Side == r.New && r.Phase != PhaseDone {
		if err := r.unmark(ctx, op); err != nil {
			return false, err
		}
	}
	request := DeleteRequest(f.Writer, f.Place, f.tag)
	if _, other := r.Home(); f.Side == r.Old && other != nil {
		request.settle = nil
	}
	_, err := Send(ctx, f.Writer, op, f.Place, request)
	return errors.Is(err, wire.ErrNotFound) && request.settle == nil, err
}

// mark marks a live document as deleted, if it is unchanged. After a refusal the caller
// must find the document again.
func (f *found) mark(ctx context.Context) error {
	return sendMark(ctx, f.Writer, f.Place, f.tag, false, func(ctx context.Context, at json.RawMessage, _ refusal) verdict {
		answer, err := f.Fetch(ctx, wire.OpDelete, f.Place)
		if err == nil && f.Deleted.hasMark(answer.Value, at) {
			return stored
		}
		return notStored
	})
}

// unmark removes the moved version on the old side of a document that was live on the new
// one. Afterwards no copy of an earlier move can become live.
func (r *Relocation) unmark(ctx context.Context, op string) error {
	old, err := r.Old.read(ctx, op)
	if err != nil || old.state != moved {
		return err
	}
	return old.remove(ctx, op)
}

// remove removes f. If it has changed since it was read, remove does nothing.
func (f *found) remove(ctx context.Context, op string) error {
	_, err := Send(ctx, f.Writer, op, f.Place, DeleteRequest(f.Writer, f.Place, f.tag))
	if isOvertaken(err) {
		return nil
	}
	return err
}

// Create stores a new document and returns its side. It costs two writes and a point read
// in the phases with two containers, otherwise one write.
func (r *Relocation) Create(ctx context.Context, op string, bodies Bodies) (*Side, azcore.ETag, error) {
	home, other := r.Home()
	w, err := bodies(home)
	if err != nil {
		return home, "", err
	}
	first := w
	if other != nil {
		if first.Body, err = withMark(w.Body, marks.Mark{State: marks.Draft, Token: newToken()}); err != nil {
			return home, "", home.Failure(op, home.Place, err)
		}
		first.Token = true
	}
	for attempt := 1; ; attempt++ {
		tag, err := r.begin(ctx, op, home, first)
		if err != nil || other == nil && tag != "" {
			return home, tag, err
		}
		if tag != "" {
			tag, err = r.complete(ctx, op, home, other, w, tag)
			if err != nil || tag != "" {
				return home, tag, err
			}
		}
		if err := r.pause(ctx, op, attempt); err != nil {
			return home, "", err
		}
	}
}

// complete makes a draft live, unless the other side has the document. It returns no ETag
// if the creation must start again.
func (r *Relocation) complete(ctx context.Context, op string, home, other *Side, w Document, tag azcore.ETag) (azcore.ETag, error) {
	drafted := found{Side: home, tag: tag}
	free, err := r.claim(ctx, op, other)
	if err == nil && free {
		tag, err = swapSettled(ctx, home, op, w.Body, tag, ifReplaced(home.Writer, op, w, true))
		if errors.Is(err, wire.ErrPreconditionFailed) && errors.Is(err, wire.ErrUnclear) {
			return "", wire.StillUnclear(existing(op, home), true)
		}
		return tag, ignored(err, isOvertaken)
	}
	if failed := drafted.remove(ctx, op); err == nil {
		err = failed
	}
	return "", err
}

// begin stores the first version of a new document. It returns no ETag if the caller must
// try again, and ErrAlreadyExists if the document exists.
func (r *Relocation) begin(ctx context.Context, op string, home *Side, w Document) (azcore.ETag, error) {
	tag, err := Create(ctx, home.Writer, w, false)
	if !errors.Is(err, wire.ErrAlreadyExists) || errors.Is(err, wire.ErrUnclear) {
		return tag, err
	}
	f, err := r.find(ctx, op)
	if err != nil {
		return "", err
	}
	if f.exists() {
		return "", f.existing(op)
	}
	if f, err = home.read(ctx, op); err != nil {
		return "", err
	}
	switch f.state {
	case foreign:
		return "", f.occupied(op)
	case draft, copied: // of an attempt that failed
		tag, err := swap(ctx, home, op, w.Body, f.tag)
		if isOvertaken(err) {
			return "", nil
		}
		return tag, err
	}
	return "", nil
}

// existing is the error of a creation if the document exists, marked as deleted or not.
func (f *found) existing(op string) error {
	if f.deleted {
		return f.Refusal(op, f.Place, f.Judge(f.raw), wire.ErrAlreadyExists)
	}
	return existing(op, f.Side)
}

func existing(op string, s *Side) error {
	return &documents.Error{
		Op: op, Type: s.Type, ID: s.Place.ID, PartitionKey: s.Place.Name,
		Kind: wire.ErrAlreadyExists, Err: errors.New("it is in one of the two containers"),
	}
}

// claim reports whether a draft may become live. If so, the other side has no document, and
// no draft that was there can become live.
func (r *Relocation) claim(ctx context.Context, op string, other *Side) (bool, error) {
	f, err := other.read(ctx, op)
	switch {
	case err != nil:
		return false, err
	case f.exists():
		return false, f.existing(op)
	case f.state != draft:
		return true, nil
	}
	_, err = Send(ctx, other.Writer, op, other.Place, DeleteRequest(other.Writer, other.Place, f.tag))
	return err == nil, ignored(err, isOvertaken)
}

// ignored returns err, or nil if it is of the given kind.
func ignored(err error, is func(error) bool) error {
	if is(err) {
		return nil
	}
	return err
}

// Upsert replaces the document, or creates it, and returns its side.
func (r *Relocation) Upsert(ctx context.Context, bodies Bodies) (*Side, azcore.ETag, error) {
	const op = wire.OpUpsert
	for attempt := 1; ; attempt++ {
		at, tag, err := r.Replace(ctx, op, bodies, "")
		if !isMissing(err) {
			return at, tag, err
		}
		at, tag, err = r.Create(ctx, op, bodies)
		created := !errors.Is(err, wire.ErrAlreadyExists) // or failed for another reason
		if created || errors.Is(err, wire.ErrDeleted) || errors.Is(err, wire.ErrOtherType) || errors.Is(err, store.ErrForeign) || errors.Is(err, wire.ErrUnclear) {
			return at, tag, err
		}
		if r.pause(ctx, op, attempt) != nil {
			return at, "", err
		}
	}
}

// swap replaces the content of a side, if it has the ETag unchanged.
func swap(ctx context.Context, s *Side, op string, body []byte, unchanged azcore.ETag) (azcore.ETag, error) {
	return swapSettled(ctx, s, op, body, unchanged, func(ctx context.Context, r refusal) (azcore.ETag, verdict) {
		if !r.unclear || !errors.Is(r, wire.ErrPreconditionFailed) {
			return "", notStored // the caller reads the document again
		}
		if tag, err := ReadBack(ctx, s.Writer, op, Document{Place: s.Place, Body: body}, r); err == nil {
			return tag, stored
		}
		return "", notStored
	})
}

// swapSettled is swap with a function that settles a refusal.
func swapSettled(ctx context.Context, s *Side, op string, body []byte, unchanged azcore.ETag, settle func(context.Context, refusal) (azcore.ETag, verdict)) (azcore.ETag, error) {
	return Send(ctx, s.Writer, op, s.Place, Request{
		Send: func(ctx context.Context) (wire.Answer, error) {
			return s.ReplaceItem(ctx, s.Place.Key, s.Place.ID, body, wire.IfMatch(ctx, unchanged))
		},
		settle: settle,
	})
}

// newToken returns a new, random token. Its length identifies the mark of a migration.
func newToken() string { return rand.Text()[:marks.MigrationToken] }

// Move moves the document to the new side, and reports whether it was on the old one. It
// costs four writes and four point reads. If another document has its place, the error
// matches ErrAlreadyExists.
func (r *Relocation) Move(ctx context.Context) (bool, error) {
	for attempt := 1; ; attempt++ {
		f, err := r.Old.read(ctx, OpMove)
		if err != nil {
			return false, err
		}
		switch f.state {
		case draft:
			return false, f.remove(ctx, OpMove)
		case live, arrived:
			if err := r.vacant(ctx); err != nil {
				return false, err
			}
			err = r.mark(ctx, &f)
		case moved:
		default:
			return false, nil
		}
		if err == nil {
			return true, r.finish(ctx, OpMove, f)
		}
		if !isOvertaken(err) {
			return false, err
		}
		if err := r.pause(ctx, OpMove, attempt); err != nil {
			return false, err
		}
	}
}

// vacant returns an error if a foreign document has the place on the new side.
func (r *Relocation) vacant(ctx context.Context) error {
	f, err := r.New.read(ctx, OpMove)
	if err == nil && f.state == foreign {
		err = f.occupied(OpMove)
	}
	return err
}

// mark changes a live document to moved.
func (r *Relocation) mark(ctx context.Context, f *found) error {
	token := newToken()
	body, err := r.aged(ctx, f)
	if err == nil {
		body, err = stripped(body, system.Properties...)
	}
	if err == nil {
		body, err = withMark(body, marks.Mark{State: marks.Moved, Token: token})
	}
	if err != nil {
		return f.Failure(OpMove, f.Place, err)
	}
	tag, err := swap(ctx, f.Side, OpMove, body, f.tag)
	if err != nil {
		return err
	}
	f.state, f.token, f.tag, f.raw = moved, token, tag, body
	return nil
}

// finish makes a moved document live on the new side, and removes it from the old one. If a
// foreign document has its place, the document stays and is live again.
func (r *Relocation) finish(ctx context.Context, op string, f found) error {
	for attempt := 1; ; attempt++ {
		there, err := r.New.read(ctx, op)
		switch {
		case err != nil:
			return err
		case there.stays():
			return f.remove(ctx, op)
		case there.state == foreign:
			return r.revert(ctx, op, f)
		}
		over, err := r.enliven(ctx, op, f, there)
		switch {
		case over:
			return nil
		case err == nil:
			return f.remove(ctx, op)
		case !isOvertaken(err) && !errors.Is(err, wire.ErrAlreadyExists):
			return err
		}
		if err := r.pause(ctx, op, attempt); err != nil {
			return err
		}
	}
}

// enliven stores the copy of a moved document, and makes it live. Over reports that the
// document is no longer moving.
func (r *Relocation) enliven(ctx context.Context, op string, f, there found) (over bool, err error) {
	body, err := r.carried(ctx, &f)
	if err != nil {
		return false, f.Failure(op, f.Place, err)
	}
	if there.state != copied || there.token != f.token {
		if there.tag, err = r.copy(ctx, op, f, there, body); err != nil {
			return false, err
		}
	}
	// Read the mark after the copy was stored: only then is the copy valid.
	now, err := r.Old.read(ctx, op)
	if err != nil || now.state != moved || now.token != f.token {
		return err == nil, err
	}
	_, err = swap(ctx, r.New, op, body, there.tag)
	return false, err
}

// copy stores the copy of a moved document over the content of the new side.
func (r *Relocation) copy(ctx context.Context, op string, f, there found, body []byte) (azcore.ETag, error) {
	body, err := withMark(body, marks.Mark{State: marks.Copied, Token: f.token})
	if err != nil {
		return "", f.Failure(op, f.Place, err)
	}
	if there.state == nothing {
		return Create(ctx, r.New.Writer, Document{Place: r.New.Place, Body: body, Token: true}, false)
	}
	return swap(ctx, r.New, op, body, there.tag)
}

// revert makes a moved or arrived document live on its side.
func (r *Relocation) revert(ctx context.Context, op string, f found) error {
	body, err := stripped(f.raw, append(slices.Clone(system.Properties), marks.Property)...)
	if err != nil {
		return f.Failure(op, f.Place, err)
	}
	_, err = swap(ctx, f.Side, op, body, f.tag)
	return ignored(err, isOvertaken)
}

// carried returns a moved document as it is stored on the new side: under its new key, with
// its unknown properties.
func (r *Relocation) carried(ctx context.Context, f *found) ([]byte, error) {
	body, err := r.aged(ctx, f)
	if err != nil {
		return nil, err
	}
	leaving := append(slices.Clone(system.Properties), marks.Property)
	for i, path := range r.Old.Paths {
		if r.Old.Synthetic || slices.Contains(r.Old.Made, i) {
			// A nested property is in an object that may have others.
			if names := jsonpointer.Names(path); len(names) == 1 {
				leaving = append(leaving, names[0])
			}
		}
	}
	if body, err = stripped(body, leaving...); err != nil {
		return nil, err
	}
	return setKey(r.New.Writer, body, r.New.Place)
}

// aged returns a document with the rest of its time to live, because each write restarts
// it.
func (r *Relocation) aged(ctx context.Context, f *found) ([]byte, error) {
	ttl, ts := text.Member(f.raw, system.TTL), text.Member(f.raw, system.TS)
	if ts == nil || r.Old.Expiry == nil {
		return f.raw, nil
	}
	expiry, err := r.Old.Expiry(ctx)
	if err != nil {
		return nil, err
	}
	left := expiry.Left(ttl, ts, f.date)
	if left == nil {
		return f.raw, nil
	}
	return text.SetProperty(f.raw, []string{system.TTL}, left)
}

// Tidy removes the draft or copy of an interrupted operation from the new side, and reports
// whether it removed one. It costs a point read and a write, or two point reads and a
// write.
func (r *Relocation) Tidy(ctx context.Context) (bool, error) {
	f, err := r.New.read(ctx, OpMove)
	if err != nil || f.state != draft && f.state != copied {
		return false, err
	}
	if f.state == copied {
		old, err := r.Old.read(ctx, OpMove)
		if err != nil {
			return false, err
		}
		if old.state == moved {
			return false, r.finish(ctx, OpMove, old)
		}
	}
	_, err = Send(ctx, f.Writer, OpMove, f.Place, DeleteRequest(f.Writer, f.Place, f.tag))
	return err == nil, ignored(err, isOvertaken)
}
