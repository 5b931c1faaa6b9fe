package write

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/marks"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Relocation is where the document of a key may be while the documents of its type move
// from an old container to a new one. A document is on one of the two sides, and no
// operation writes both: two stores without an arbiter cannot both count.
//
// What a side holds has one of these states. A property marks all but the first.
//
//	live    a document                              either side
//	draft   a creation that is not complete         either side
//	moved   a document that moves, and is not       the old side
//	        changed there any more
//	copy    what becomes the moved document         the new side
//	arrived a document whose Rekey has not ended    either side
//
// What else Rekey has left, such as a mark of a document that has moved to another key of
// this side, is no document, and free to be overwritten.
//
// The document of a key is, at each moment, the live one of the new side; else the live
// or moved one of the old side; else there is none. Drafts and copies are never read.
// Every write is a creation, or has the ETag of what was read as its condition, so a
// process may stop between any two of them, and a request may act late:
//
//   - Move: live becomes moved with a fresh token; a copy of that token is created;
//     the copy becomes live if the old side is still moved with that token; the moved
//     one is removed. Whoever writes a moved document does the rest of this first.
//     A copy that arrives late stays a copy, since nothing is moved with its token.
//   - Create: a draft is stored; then the other side is looked at. A document there
//     wins, and a draft there is removed. Then the draft becomes live. Of two programs
//     that create the same on different sides, the one that looked last has seen the
//     other's draft, so that not both become live.
//   - Delete of a live document of the new side removes what is moved on the old side
//     first. Afterwards no copy can become live.
type Relocation struct {
	Phase    Phase
	Old, New *Side
	Expiry   func(context.Context) (int32, error) // the old container's default time to live; -1 if only documents with a ttl expire, and 0 if none does
}

// A Side is one of two places of a document.
type Side struct {
	*Writer
	Place wire.Place
	Means func(doc any) bool // whether a document is the one of the key; false for a *Marked

	// Counts decides about an uncertain mark of an id: whether the "moved" with its token
	// exists. It is called after the mark was read.
	Counts func(ctx context.Context, id string, m marks.Mark) (bool, error)
}

// Phase says what programs do about the two containers.
type Phase int

// The phases, in the order of releases.
const (
	PhaseOld  Phase = iota + 1 // the old container alone
	PhaseBoth                  // both, and documents are created in the old one
	PhaseNew                   // both, and documents are created in the new one
	PhaseDone                  // the new container alone
)

// Marked is what a document decodes to whose mark says that it is about to move to another
// container, or that it is no document.
type Marked struct {
	marks.Mark
	Doc any
}

// DecodingMarks returns decode, which gives a *Marked for what has such a mark.
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

// stripped returns a document without some properties.
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

// state is what a side holds.
type state int

const (
	nothing state = iota
	foreign       // the document of another key, or of another type
	draft
	copied // or what else a Rekey has left that is no document
	moved
	arrived
	live
)

// found is what a side held when it was read.
type found struct {
	*Side
	state
	token string
	tag   azcore.ETag
	raw   []byte
	doc   any       // of a live or moved one
	why   error     // of a foreign one
	date  time.Time // of the answer, by the service's clock; zero if that does not say
}

// exists reports whether f is the document, live or moving.
func (f *found) exists() bool { return f.stays() || f.state == moved }

// stays reports whether f is the document, and does not move to the other side.
func (f *found) stays() bool { return f.state == live || f.state == arrived }

// missing is the error of an operation on a document that does not exist.
func (f *found) missing(op string) error {
	if f.why != nil {
		return f.why
	}
	return f.Failure(op, f.Place, wire.ErrNotFound)
}

// occupied is the error of an operation that needs the place of a foreign document.
func (f *found) occupied(op string) error {
	if v := f.Judge(f.raw); v.State == store.Other {
		return f.Refusal(op, f.Place, v, wire.ErrAlreadyExists)
	}
	return f.ForeignError(op, f.Place, wire.ErrAlreadyExists)
}

// read reads what a side holds: a point read.
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
	if v := s.Judge(f.raw); v.State == store.Other {
		f.state, f.why = foreign, s.Refusal(op, s.Place, v, wire.ErrNotFound)
		return f, nil
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

// order are the sides in the order in which they are tried.
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

// Home is the side where documents are created, and the other one, or nil.
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

// errPhase is the error of a program whose phase is too early.
var errPhase = errors.New("a program of a later phase moves documents already, and one of the first phase cannot follow: no phase may be left out; stop it, and release the second phase before the third")

// Get returns the document. It costs one point read if the document is where the phase
// looks first, and two or three if it is not.
func (r *Relocation) Get(ctx context.Context, op string) (doc any, err error) {
	f, err := r.find(ctx, op)
	if err == nil && !f.exists() {
		err = f.missing(op)
	}
	if err != nil {
		return nil, err
	}
	return f.doc, nil
}

// On returns the document if it is on a side, live or moving, and else nil.
func (r *Relocation) On(ctx context.Context, op string, side *Side) (any, error) {
	f, err := r.find(ctx, op)
	if err != nil || !f.exists() || f.Side != side {
		return nil, err
	}
	return f.doc, nil
}

// Same reports whether two relocations are of one document.
func (r *Relocation) Same(other *Relocation) bool {
	return SamePlace(r.Old.Place, other.Old.Place) && SamePlace(r.New.Place, other.New.Place)
}

// Identity tells the document from others.
func (r *Relocation) Identity() string {
	return r.New.Place.Name + "\x00" + r.Old.Place.Name + "\x00" + r.New.Place.ID
}

// find finds the document, live or moving. If there is none, it returns what the home
// side holds.
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

// look is one attempt of find. Documents move from old to new and never back. So a
// document that is not on the old side is on the new one afterwards, if it exists.
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
	// It was not live on the new side while it was moved on the old one: the mark is
	// still there, and whoever removes the document removes the mark first.
	f, err = r.Old.read(ctx, op)
	return f, f.state == moved && f.tag == old.tag, err
}

// lastAttempt is the number of the attempt after which an operation does not begin anew.
const lastAttempt = 2 * backoff.MaxAttempts

// pause waits before another attempt. It returns an error after the last one.
func (r *Relocation) pause(ctx context.Context, op string, attempt int) error {
	home, _ := r.Home()
	if attempt >= lastAttempt {
		return &wire.OperationError{
			Op: op, Type: home.Type, ID: home.Place.ID, PartitionKey: home.Place.Name,
			Kind: wire.ErrPreconditionFailed, Err: errors.New("others changed it each time"), Note: Contended,
		}
	}
	if backoff.Pause(ctx, min(attempt, backoff.MaxAttempts)) != nil {
		return home.Failure(op, home.Place, ctx.Err())
	}
	return nil
}
