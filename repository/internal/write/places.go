package write

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
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

// Places are where the document of a key may be stored while the number of buckets of
// its type grows. Programs of two releases write it under two numbers of buckets, and
// documents move from the smaller number to the greater. So an operation tries one
// place after the other.
//
// Every operation reads a document before it writes it, and writes on condition that
// the document has not changed: the buckets of one number hold documents of other
// components under the buckets of another. And what is stored may be no document, but
// the mark of one that has moved, or the copy of one that is about to move.
//
// A place may lie in a container of its own: then documents move between containers.
type Places struct {
	All     []Site             // in the order in which documents move, each once
	Present int                // the index of the place where documents are created
	Means   func(doc any) bool // whether a document is the one of the key
}

// Site is a place, and the container in which it lies.
type Site struct {
	wire.Place
	Writer *Writer
}

// Same reports whether two sites are one.
func (a Site) Same(b Site) bool { return a.Writer == b.Writer && SamePlace(a.Place, b.Place) }

// Home is the place where documents are created.
func (m Places) Home() Site { return m.All[m.Present] }

// order are the indices of the places in the order in which they are read: the present
// one, where most documents are in the end, and the others, the greatest number of
// buckets first.
func (m Places) order() []int {
	out := []int{m.Present}
	for i := range slices.Backward(m.All) {
		if i != m.Present {
			out = append(out, i)
		}
	}
	return out
}

// Others returns the sites besides the present one in the order in which they are read.
func (m Places) Others() []Site {
	var out []Site
	for _, i := range m.order()[1:] {
		out = append(out, m.All[i])
	}
	return out
}

// From returns the place whose key has a text, and false if there is none. A document
// that remembers its key says so where it is stored.
func (m Places) From(text string) (Site, bool) {
	for _, p := range m.All {
		if text != "" && p.Text == text {
			return p, true
		}
	}
	return Site{}, false
}

// Found is a document, and where it is.
type Found struct {
	Site
	Doc  any
	ETag azcore.ETag

	Raw    []byte
	mark   marks.Mark // that a write of the document keeps
	copied bool       // it is a copy that counts, and becomes final by the next write
}

// foundAt returns the document of a sighting.
func foundAt(s sighting) Found {
	return Found{Site: s.site, Doc: s.doc, ETag: s.tag, Raw: s.raw, mark: s.mark}
}

// Read reads the document where it is: one point read if it is at the present place.
func (m Places) Read(ctx context.Context, op string) (Found, error) {
	var before []sighting
	for round := 1; ; round++ {
		f, now, err := m.look(ctx, op, before)
		if err != nil || f.Raw != nil {
			return f, err
		}
		if !unsettled(now) || before != nil && slices.EqualFunc(before, now, sighting.same) {
			return f, m.missing(op, now)
		}
		if before = now; round >= backoff.MaxAttempts {
			return f, wire.Noted(m.missing(op, now), Contended, nil)
		}
	}
}

// look reads the places in order until it finds the document. What is at the others is
// by their indices. A copy counts if a mark says so that was read after it, so that a
// copy of the round before counts, too.
func (m Places) look(ctx context.Context, op string, before []sighting) (Found, []sighting, error) {
	now := slices.Clone(before)
	if now == nil {
		now = make([]sighting, len(m.All))
	}
	for _, i := range m.order() {
		s, err := m.glance(ctx, op, m.All[i])
		if err != nil {
			return Found{Site: m.All[i]}, now, err
		}
		if s.final() {
			return foundAt(s), now, nil
		}
		now[i] = s
		for _, c := range now {
			if c.counts(s) {
				f := foundAt(c)
				f.copied = true
				f.mark.State, f.mark.At = marks.Final, s.written
				return f, now, nil
			}
		}
	}
	return Found{Site: m.Home()}, now, nil
}

// unsettled reports whether a document that was not found may have been moved between
// two reads: a mark says that it has moved, or there is a copy.
func unsettled(all []sighting) bool {
	return slices.ContainsFunc(all, func(s sighting) bool { return s.raw != nil && !s.is(marks.Removed) })
}

// missing is the error about a document that is nowhere.
func (m Places) missing(op string, all []sighting) error {
	if err := all[m.Present].missing; err != nil {
		return err
	}
	return m.Home().Writer.Failure(op, m.Home().Place, wire.ErrNotFound)
}

// At returns a document of the present place as it is stored where it was found.
func (m Places) At(op string, w Document, f Found) (Document, error) {
	w, err := m.at(op, w, f.Site)
	if err != nil {
		return w, err
	}
	if w.Body, err = withMark(w.Body, f.mark); err != nil {
		return w, f.Writer.Failure(op, f.Place, err)
	}
	return w, nil
}

// at returns a document of the present place as it is stored at p.
func (m Places) at(op string, w Document, p Site) (Document, error) {
	if p.Same(m.Home()) {
		return w, nil
	}
	body, err := setKey(p.Writer, w.Body, p.Place)
	if err != nil {
		return w, p.Writer.Failure(op, p.Place, err)
	}
	return Document{Place: p.Place, Body: body, Stamp: w.Stamp, Token: w.Token}, nil
}

// Settle waits until a write of the document that was found may be acknowledged.
func (f Found) Settle(ctx context.Context, op string, answer wire.Answer) error {
	return settleMove(ctx, f.Site, op, f.mark.At, answer)
}

// change finds the document and writes it on condition that it has not changed, until
// nobody writes in between. Whole says that the write makes a copy final.
func (m Places) change(ctx context.Context, op string, whole bool, v verified, write func(ctx context.Context, f Found) (wire.Answer, error)) (Found, azcore.ETag, error) {
	var a attempts
	for {
		f, err := m.Read(ctx, op)
		if err == nil && (a.unclear || a.refused) && v.isSent != nil && v.isSent(f.Raw) && (v.shared == nil || !v.shared(a.unclear)) {
			return f, f.ETag, f.Settle(ctx, op, wire.Answer{})
		}
		if err == nil && v.present != nil && v.present(f.Raw) {
			return f, "", nil
		}
		if err == nil && f.copied && !whole {
			var finished bool
			if f, finished, err = m.finish(ctx, op, f); err == nil && !finished {
				continue
			}
		}
		if err == nil && a.mustNotOvertake(v, f.ETag) {
			err = f.Writer.changedError(op, f.Place)
		}
		if err != nil {
			return f, "", wire.StillUnclear(err, a.open(err))
		}
		response, done, err := a.send(ctx, f.Writer, op, f.Place, f.ETag, v, func(ctx context.Context) (wire.Answer, error) {
			return write(ctx, f)
		})
		if done && err == nil {
			err = f.Settle(ctx, op, response)
		}
		if done {
			return f, response.ETag, err
		}
	}
}

// Replace replaces the document where it is. If unchanged is an ETag, the stored
// document must have it; from is then the place where the document was read, if that
// is known. It returns the document as it was stored.
func (m Places) Replace(ctx context.Context, op string, w Document, unchanged azcore.ETag, from string) (Document, azcore.ETag, error) {
	if unchanged == "" || unchanged == azcore.ETagAny {
		return m.replace(ctx, op, w)
	}
	f, err := m.readFrom(ctx, op, unchanged, from)
	if err != nil {
		return w, "", err
	}
	stored, err := m.At(op, w, f)
	if err == nil {
		stored, err = Restamp(f.Writer, op, stored, f.Raw)
	}
	if err != nil {
		return w, "", err
	}
	var answer wire.Answer
	tag, err := Send(ctx, f.Writer, op, f.Place, ReplaceRequest(f.Writer, op, stored, true, func(ctx context.Context) (_ wire.Answer, err error) {
		answer, err = f.Writer.ReplaceItem(ctx, stored.Key, stored.ID, stored.Body, wire.IfMatch(ctx, unchanged))
		return answer, err
	}))
	if err == nil {
		err = f.Settle(ctx, op, answer)
	}
	if errors.Is(err, wire.ErrNotFound) && !errors.Is(err, wire.ErrUnclear) {
		// It may have been one of two that were created at the same time, and withdrawn.
		if _, read := m.Read(ctx, op); read == nil {
			err = f.Writer.changedError(op, f.Place)
		}
	}
	return stored, tag, err
}

// readFrom reads the document at the place where it was read before, if it is unchanged
// there, and else where it is.
func (m Places) readFrom(ctx context.Context, op string, unchanged azcore.ETag, from string) (Found, error) {
	if p, known := m.From(from); known {
		s, err := m.glance(ctx, op, p)
		if err != nil || s.final() && s.tag == unchanged {
			return foundAt(s), err
		}
	}
	return m.Read(ctx, op)
}

// replace replaces the document where it is, whatever its ETag.
func (m Places) replace(ctx context.Context, op string, w Document) (stored Document, tag azcore.ETag, err error) {
	stored = w
	isSent := func(raw []byte) bool { return sameDocument(raw, stored.Body) }
	_, tag, err = m.change(ctx, op, true, verified{isSent: isSent}, func(ctx context.Context, f Found) (_ wire.Answer, err error) {
		if stored, err = m.At(op, w, f); err == nil {
			stored, err = Restamp(f.Writer, op, stored, f.Raw)
		}
		if err != nil {
			return wire.Answer{}, err
		}
		return f.Writer.ReplaceItem(ctx, stored.Key, stored.ID, stored.Body, wire.IfMatch(ctx, f.ETag))
	})
	return stored, tag, err
}

// Upsert stores a document where it is, and if it is nowhere, at the present place. It
// returns the document as it was stored.
func (m Places) Upsert(ctx context.Context, w Document) (Document, azcore.ETag, error) {
	const op = wire.OpUpsert
	for attempt := 1; ; attempt++ {
		stored, tag, err := m.replace(ctx, op, w)
		if !errors.Is(err, wire.ErrNotFound) || errors.Is(err, wire.ErrUnclear) {
			return stored, tag, err
		}
		stored, tag, err = m.create(ctx, op, w, true)
		if !errors.Is(err, wire.ErrAlreadyExists) || errors.Is(err, wire.ErrUnclear) || errors.Is(err, wire.ErrOtherType) || errors.Is(err, store.ErrForeign) {
			return stored, tag, err
		}
		if err := Anew(ctx, attempt, err); err != nil {
			return w, "", err
		}
	}
}

// Patch patches the document where it is, and returns the place.
func (m Places) Patch(ctx context.Context, request Patch, c *wire.Content) (at Site, err error) {
	err = inForm(m.Home().Writer, m.Home().Place, request, func(request Patch) (err error) {
		at, err = m.patch(ctx, request, c)
		return err
	}, func() (Renewal, error) { return m.Renew(ctx, wire.OpPatch, 0) })
	return at, err
}

// patch is Patch of a document of the present form.
func (m Places) patch(ctx context.Context, request Patch, c *wire.Content) (Site, error) {
	const op = wire.OpPatch
	v, held := verified{once: request.Once, counts: request.counts, isSent: request.isShown, shared: m.Home().Writer.Stamps.shared}, true
	var at Found
	if request.asked != "" || m.Home().Writer.Schema != nil {
		// A condition that does not hold has the same status as an ETag that has changed.
		v.final = func(ctx context.Context, unchanged azcore.ETag) bool {
			s, err := m.glance(ctx, op, at.Site)
			held = err != nil || s.tag != unchanged
			return !held
		}
	}
	f, _, err := m.change(ctx, op, false, v, func(ctx context.Context, f Found) (wire.Answer, error) {
		at = f
		send, err := patching(f.Writer, f.Place, request, c)
		if err != nil {
			return wire.Answer{}, err
		}
		return send(ctx, f.ETag)
	})
	if !held {
		err = at.Writer.notHeld(op, at.Place, request, at.Raw, err)
	}
	return f.Site, err
}

// Create creates a document at the present place, unless it is at another one.
//
// Programs of the other release may create it at the same time at another place. They
// look there after they have written, too, so that at least one of two programs sees
// the other's document, withdraws its own, and begins anew. Until then, other operations
// find either document: docs/keys.md says what follows.
func (m Places) Create(ctx context.Context, w Document, repeated bool) (Document, azcore.ETag, error) {
	return m.create(ctx, wire.OpCreate, w, repeated)
}

// errAgain says that others have written meanwhile, so that the creation begins again.
var errAgain = errors.New("other programs have written it meanwhile")

// create is Create, and the second half of Upsert. It returns the document as it was
// stored.
func (m Places) create(ctx context.Context, op string, w Document, repeated bool) (Document, azcore.ETag, error) {
	for attempt := 1; ; attempt++ {
		c := creation{Places: m, op: op, repeated: repeated || attempt > 1}
		stored, tag, err := c.run(ctx, w)
		if !errors.Is(err, errAgain) {
			return stored, tag, err
		}
		failure := m.Home().Writer.Failure(op, m.Home().Place, err)
		failure.Kind = wire.ErrAlreadyExists
		if err := Anew(ctx, attempt, failure); err != nil {
			return w, "", err
		}
	}
}

// creation is an attempt to create a document.
type creation struct {
	Places
	op       string
	repeated bool

	home   int        // the index of the place where it is created
	others []sighting // what is at the other places, by their indices
	at     int64      // when the document was last deleted after a move, in seconds
}

// run creates the document at the present place, or if that has the mark of a document
// which has moved, at the next one.
func (c *creation) run(ctx context.Context, w Document) (Document, azcore.ETag, error) {
	for c.home = c.Present; ; c.home++ {
		if err := c.clear(ctx); err != nil {
			return w, "", err
		}
		stored, err := c.Places.at(c.op, w, c.All[c.home])
		if err == nil { // Upsert may have given it the stamps of a document that it found
			stored, err = Restamp(c.All[c.home].Writer, c.op, stored, nil)
		}
		if err == nil && c.at > 0 {
			stored.Body, err = withMark(stored.Body, marks.Mark{State: marks.Final, At: c.at})
		}
		if err != nil {
			return w, "", err
		}
		tag, answer, next, err := c.send(ctx, stored)
		if next {
			continue
		}
		if err == nil {
			err = c.alone(ctx, tag)
		}
		if err == nil {
			err = settleMove(ctx, c.All[c.home], c.op, c.at, answer)
		}
		return stored, tag, err
	}
}

// clear looks at the other places. It returns an error that matches ErrAlreadyExists if
// the document is at one of them. If it was deleted there while it moved, the mark says
// so afterwards: a copy that is created late does not count then. A copy may exist that
// this program does not see yet, so it waits until the mark is some seconds old.
func (c *creation) clear(ctx context.Context) error {
	c.others, c.at = make([]sighting, len(c.All)), 0
	var moved []int
	for i, p := range c.All {
		if i == c.home {
			continue
		}
		s, err := c.glance(ctx, c.op, p)
		switch {
		case err != nil:
			return err
		case s.final():
			return c.exists(p)
		case s.is(marks.Moved):
			moved = append(moved, i)
		case s.is(marks.Removed):
			c.at = max(c.at, s.written)
		}
		c.others[i] = s
	}
	if moved == nil {
		return nil
	}
	if f, err := c.Read(ctx, c.op); err == nil {
		return c.exists(f.Site)
	} else if !errors.Is(err, wire.ErrNotFound) || errors.Is(err, wire.ErrUnclear) {
		return err
	}
	for _, i := range moved {
		if err := c.others[i].grownOld(ctx, c.op); err != nil {
			return err
		}
	}
	for _, i := range moved {
		s, err := c.setRemoved(ctx, c.op, c.others[i])
		if err != nil {
			return again(err)
		}
		c.others[i] = s
		c.at = max(c.at, s.written)
	}
	return nil
}

// again is errAgain for the error of a write that others have overtaken.
func again(err error) error {
	if overtaken(err) && !errors.Is(err, wire.ErrUnclear) {
		return errAgain
	}
	return err
}

// exists is the error about a document that is at p.
func (c *creation) exists(p Site) error {
	return &documents.Error{
		Op: c.op, Type: p.Writer.Type, ID: p.ID, PartitionKey: p.Name, Kind: wire.ErrAlreadyExists,
		Err: errors.New("it is stored under another number of buckets"),
	}
}

// send creates the document. Next says that its place has the mark of a document that
// has moved.
func (c *creation) send(ctx context.Context, w Document) (_ azcore.ETag, answer wire.Answer, next bool, err error) {
	p := c.All[c.home]
	s := p.Writer
	tag, err := Send(ctx, s, c.op, w.Place, Request{
		Send: func(ctx context.Context) (_ wire.Answer, err error) {
			answer, err = s.CreateItem(ctx, w.Key, w.Body, wire.WriteOptions(ctx))
			return answer, err
		},
		settle:   ifStored(s, c.op, w),
		Repeated: c.repeated,
	})
	if !errors.Is(err, wire.ErrAlreadyExists) || errors.Is(err, wire.ErrUnclear) {
		return tag, answer, false, err
	}
	there, seen := c.glance(ctx, c.op, p)
	switch {
	case seen != nil:
		return "", answer, false, seen
	case there.missing != nil:
		if _, foreign := look(ctx, s, c.op, w.Place, c.Means, true); foreign != nil {
			err = foreign
		} else {
			err = errAgain
		}
		return "", answer, false, err
	case there.final():
		return "", answer, false, err
	case there.is(marks.Moved) || there.is(marks.Removed):
		if c.home+1 < len(c.All) {
			return "", answer, true, nil
		}
		return "", answer, false, err
	}
	// It is a copy, which counts only if a place says that the document has moved.
	f, all, seen := c.look(ctx, c.op, nil)
	if seen != nil {
		return "", answer, false, seen
	}
	if f.Raw != nil || !slices.EqualFunc(all, c.others, func(a, b sighting) bool {
		return a.site.Writer == nil || b.site.Writer == nil || a.same(b)
	}) {
		return "", answer, false, errAgain
	}
	tag, err = Send(ctx, s, c.op, w.Place, Request{Send: func(ctx context.Context) (_ wire.Answer, err error) {
		answer, err = s.ReplaceItem(ctx, w.Key, w.ID, w.Body, wire.IfMatch(ctx, there.tag))
		return answer, err
	}})
	return tag, answer, false, again(err)
}

// alone looks at the other places once more: programs of the other release may have
// created the document there at the same time. Then it withdraws the one with this
// ETag. A document that has moved meanwhile is no other.
func (c *creation) alone(ctx context.Context, tag azcore.ETag) error {
	for i, p := range c.All {
		if i == c.home {
			continue
		}
		s, err := c.glance(ctx, c.op, p)
		if err != nil {
			return wire.StillUnclear(wire.Noted(err, "after "+c.All[c.home].String()+" was stored", nil), true)
		}
		if s.final() && (s.mark.From == "" || s.mark.From != string(tag)) {
			return c.withdraw(ctx, tag, c.exists(p))
		}
	}
	return nil
}

// withdraw removes the document that was created with this ETag, since the document is
// at another place already: met says where. The other program may have withdrawn its
// document for the same reason.
func (c *creation) withdraw(ctx context.Context, tag azcore.ETag, met error) error {
	p := c.All[c.home]
	_, err := Send(ctx, p.Writer, c.op, p.Place, DeleteRequest(p.Writer, p.Place, tag))
	if errors.Is(err, wire.ErrPreconditionFailed) && !errors.Is(err, wire.ErrUnclear) {
		err = c.settle(ctx) // others have found both, and have written both
	}
	if err != nil && !errors.Is(err, wire.ErrNotFound) {
		return wire.Noted(met, "and two documents may remain, because "+p.String()+" could not be removed: "+err.Error(), err)
	}
	return errAgain
}

// settle leaves one document where several were written at the same time: the one
// under the greatest number of buckets, since documents move there. One that is written
// again before it is removed is looked at once more.
func (c *creation) settle(ctx context.Context) error {
	for attempt := 1; ; attempt++ {
		err := c.settleOnce(ctx)
		if err == nil || !overtaken(err) || errors.Is(err, wire.ErrUnclear) {
			return err
		}
		if err := Anew(ctx, attempt, err); err != nil {
			return err
		}
	}
}

func (c *creation) settleOnce(ctx context.Context) error {
	found := false
	for _, p := range slices.Backward(c.All) {
		s, err := c.glance(ctx, c.op, p)
		if err != nil {
			return err
		}
		if found && s.final() {
			if _, err := Send(ctx, p.Writer, c.op, p.Place, DeleteRequest(p.Writer, p.Place, s.tag)); err != nil {
				return err
			}
		}
		found = found || s.final()
	}
	return nil
}

// Delete removes the document from each place where it is. It returns ErrNotFound if no
// place has the document.
func (m Places) Delete(ctx context.Context) error { return m.delete(ctx, "") }

// DeleteUnchanged removes the document where it is if it has an ETag. From is the
// place where it was read, if that is known.
func (m Places) DeleteUnchanged(ctx context.Context, unchanged azcore.ETag, from string) error {
	if p, known := m.From(from); known && unchanged != azcore.ETagAny {
		s, err := m.glance(ctx, wire.OpDelete, p)
		if err != nil {
			return err
		}
		if s.live() && s.tag == unchanged { // it has not moved, so that there is no mark of it
			_, err := Send(ctx, p.Writer, wire.OpDelete, p.Place, DeleteRequest(p.Writer, p.Place, unchanged))
			return err
		}
	}
	return m.delete(ctx, unchanged)
}

// delete removes the document if it has the ETag unchanged, or this is empty.
func (m Places) delete(ctx context.Context, unchanged azcore.ETag) error {
	var a attempts
	removed := false
	for {
		d, err := m.deletion(ctx)
		if err != nil {
			return wire.StillUnclear(err, removed || a.open(err))
		}
		if d == nil { // a document was moving
			if err := Anew(ctx, max(a.n, 1), m.Home().Writer.Failure(wire.OpDelete, m.Home().Place, wire.ErrPreconditionFailed)); err != nil {
				return wire.StillUnclear(err, removed || a.unclear || a.refused)
			}
			a.n++
			continue
		}
		if len(d.there) == 0 {
			if err := d.mark(ctx); err != nil {
				return wire.StillUnclear(err, removed || a.open(err))
			}
			if removed || a.unclear {
				return nil
			}
			return m.missing(wire.OpDelete, d.all)
		}
		d.unchanged = unchanged
		some, done, err := d.remove(ctx, &a)
		removed = removed || some
		if done {
			return err
		}
	}
}

// deletion is an attempt to delete a document.
type deletion struct {
	Places
	unchanged azcore.ETag
	all       []sighting // by the indices of the places
	there     []sighting // of these, the document
	moved     []sighting // of these, the marks that say that it has moved
}

// deletion looks at all places, in the order in which documents move. It returns nil if
// a document was moving meanwhile.
func (m Places) deletion(ctx context.Context) (*deletion, error) {
	d := &deletion{Places: m, all: make([]sighting, len(m.All))}
	for i, p := range m.All {
		s, err := m.glance(ctx, wire.OpDelete, p)
		if err != nil {
			return nil, err
		}
		d.all[i] = s
	}
	for i, s := range d.all {
		later := slices.ContainsFunc(d.all[i+1:], func(other sighting) bool {
			return s.final() && other.raw != nil || !s.is(marks.Moved) && other.is(marks.Copied)
		})
		if !later {
			continue
		}
		if now, err := m.glance(ctx, wire.OpDelete, s.site); err != nil || !now.same(s) {
			return nil, err
		}
	}
	for i, s := range d.all {
		counts := slices.ContainsFunc(d.all[:i], s.counts)
		if s.is(marks.Moved) {
			d.moved = append(d.moved, s)
		}
		if s.final() || counts {
			d.there = append(d.there, s)
		}
	}
	return d, nil
}

// remove removes the document. It returns false if other programs have written it meanwhile.
//
// If a mark says that it has moved, a copy that is created late would count until the
// mark says that it was removed. So its place is taken until then.
func (d *deletion) remove(ctx context.Context, a *attempts) (some, done bool, err error) {
	var taken []sighting
	for _, s := range slices.Backward(d.there) { // readers look at the last one first
		p := s.site
		tag := s.tag
		if d.unchanged != "" {
			tag = d.unchanged
		}
		send := func(ctx context.Context) (wire.Answer, error) {
			return p.Writer.DeleteItem(ctx, p.Key, p.ID, wire.IfMatch(ctx, tag))
		}
		if len(d.moved) > 0 && !s.live() {
			body, err := d.stripped(s, marks.Mark{State: marks.Gone})
			if err != nil {
				return some, true, err
			}
			send = func(ctx context.Context) (wire.Answer, error) {
				return p.Writer.ReplaceItem(ctx, p.Key, p.ID, body, wire.IfMatch(ctx, tag))
			}
		}
		v := verified{removes: true}
		if d.unchanged != "" {
			v.final = func(context.Context, azcore.ETag) bool { return true }
		}
		response, finished, err := a.send(ctx, p.Writer, wire.OpDelete, p.Place, tag, v, send)
		if err != nil {
			if finished && a.unclear && errors.Is(err, wire.ErrNotFound) {
				err = nil
			}
			return some, finished, err
		}
		some = true
		if len(d.moved) > 0 && !s.live() {
			s.tag = response.ETag
			taken = append(taken, s)
		}
	}
	if err := d.mark(ctx); err != nil {
		return some, true, wire.StillUnclear(err, true)
	}
	for _, s := range d.all {
		if s.is(marks.Copied) && !slices.ContainsFunc(d.there, s.same) && len(d.moved) == 0 {
			taken = append(taken, s) // of a document that has not moved, and is gone now
		}
	}
	for _, s := range taken {
		p := s.site
		_, _ = Send(ctx, p.Writer, wire.OpDelete, p.Place, DeleteRequest(p.Writer, p.Place, s.tag)) // Rekey removes what stays
	}
	return some, true, nil
}

// mark has the marks say that the document was removed.
func (d *deletion) mark(ctx context.Context) error {
	for _, s := range d.moved {
		if _, err := d.setRemoved(ctx, wire.OpDelete, s); err != nil && (!overtaken(err) || errors.Is(err, wire.ErrUnclear)) {
			return err
		}
	}
	return nil
}

// setRemoved has the mark of a document that has moved say that the document was
// removed, and returns the mark.
func (m Places) setRemoved(ctx context.Context, op string, s sighting) (sighting, error) {
	p := s.site
	body, err := m.stripped(s, marks.Mark{State: marks.Removed, Token: s.mark.Token, At: s.mark.At})
	if err != nil {
		return s, err
	}
	var c wire.Content
	var answer wire.Answer
	if _, err := Send(ctx, p.Writer, op, p.Place, Request{Send: func(ctx context.Context) (_ wire.Answer, err error) {
		answer, err = c.Keep(p.Writer.ReplaceItem(ctx, p.Key, p.ID, body, c.Options(wire.IfMatch(ctx, s.tag))))
		return answer, err
	}}); err != nil {
		return s, err
	}
	if len(c.Document()) == 0 {
		return m.glance(ctx, op, p)
	}
	return s, s.take(answer, s.doc)
}

// stripped returns what is stored of a document that was deleted, with a mark: what
// tells whose it was.
func (m Places) stripped(s sighting, mark marks.Mark) ([]byte, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(s.raw, &all); err != nil {
		return nil, s.site.Writer.Failure(wire.OpDelete, s.site.Place, err)
	}
	w := s.site.Writer
	kept := map[string]json.RawMessage{}
	keep := func(name string) {
		if value, ok := all[name]; ok {
			kept[name] = value
		}
	}
	keep(wire.IDPath[0])
	for _, path := range w.Paths {
		keep(jsonpointer.Names(path)[0])
	}
	if w.Discriminator != nil {
		keep(w.Discriminator.Property)
	}
	if bytes.Equal(all[system.TTL], []byte("-1")) {
		keep(system.TTL)
	}
	if !m.tells(w, kept) {
		for _, name := range system.Properties {
			delete(all, name)
		}
		kept = all
		for _, name := range slices.Sorted(maps.Keys(all)) {
			value, ok := kept[name]
			if !ok || name == wire.IDPath[0] || slices.ContainsFunc(w.Paths, func(path string) bool { return jsonpointer.Names(path)[0] == name }) {
				continue
			}
			if w.Discriminator != nil && w.Discriminator.Property == name {
				continue
			}
			if delete(kept, name); !m.tells(w, kept) {
				kept[name] = value
			}
		}
	}
	delete(kept, marks.Property)
	body, err := json.Marshal(kept)
	if err != nil {
		return nil, err
	}
	return withMark(body, mark)
}

// tells reports whether properties tell that a document is the one of the key.
func (m Places) tells(w *Writer, properties map[string]json.RawMessage) bool {
	body, err := json.Marshal(properties)
	if err != nil {
		return false
	}
	doc, err := w.Decode(body)
	return err == nil && m.Means(doc)
}

// sighting is what is stored at a site.
type sighting struct {
	site    Site
	raw     []byte // nil if nothing of the key is there
	doc     any
	tag     azcore.ETag
	written int64 // when, in seconds
	mark    marks.Mark
	missing error // ErrNotFound, if nothing of the key is there
	answer  wire.Answer
}

// live says that it is a document that has not moved.
func (s sighting) live() bool { return s.raw != nil && s.mark.State == marks.Unmarked }

// final says that it is the document, whatever is elsewhere.
func (s sighting) final() bool { return s.raw != nil && !s.mark.Hidden() }

func (s sighting) is(state string) bool { return s.raw != nil && s.mark.State == state }

// same reports whether two sightings of one site are of the same version.
func (s sighting) same(other sighting) bool { return s.tag == other.tag }

// counts reports whether s is the copy of the document that a mark says has moved. The
// mark was read after the copy.
func (s sighting) counts(mark sighting) bool {
	return s.is(marks.Copied) && mark.is(marks.Moved) && s.mark.Token == mark.mark.Token
}

// glance reads what is stored at a site. What is there of other keys is missing.
func (m Places) glance(ctx context.Context, op string, p Site) (sighting, error) {
	s := sighting{site: p}
	doc, response, err := p.Writer.Read(ctx, op, p.Place)
	if err == nil && !m.Means(doc) {
		err = p.Writer.ForeignError(op, p.Place, wire.ErrNotFound)
	}
	if errors.Is(err, wire.ErrNotFound) && !errors.Is(err, wire.ErrUnclear) {
		s.missing = err
		return s, nil
	}
	if err != nil {
		return s, err
	}
	return s, s.take(response, doc)
}

// take takes what an answer says of a stored document.
func (s *sighting) take(response wire.Answer, doc any) (err error) {
	s.raw, s.doc, s.tag, s.answer = response.Value, doc, response.ETag, response
	s.mark, err = store.MarkOf(s.raw)
	if err == nil && s.mark.Leaving() {
		err = errLeaves
	}
	if err == nil {
		s.written, err = strconv.ParseInt(string(text.ValueAt(s.raw, timePath)), 10, 64)
	}
	if err != nil {
		return s.site.Writer.Failure(wire.OpGet, s.site.Place, err)
	}
	return nil
}

// errLeaves is the error of an operation under several numbers of buckets on a document
// that moves to another container.
var errLeaves = errors.New("a migration is moving the document to another container, and this program, which moves documents to more buckets, cannot follow: stop this program, and finish the migration")

// timePath is where a document has the second of its last write.
var timePath = []string{system.TS}

// withMark returns a document with a mark, or without one.
func withMark(body []byte, m marks.Mark) ([]byte, error) {
	if m.State == marks.Unmarked {
		return body, nil
	}
	value, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return text.SetProperty(body, []string{marks.Property}, value)
}

// grownOld returns nil for a mark that is as old as a write to a document that has moved
// must be. For a younger one it waits, and returns errAgain: so that nobody takes a copy
// for missing that the replica which he reads does not have yet.
func (s sighting) grownOld(ctx context.Context, op string) error {
	left := waitAfter(s.written, s.answer)
	if left <= 0 {
		return nil
	}
	if err := sleep(ctx, s.site, left); err != nil {
		return s.site.Writer.Failure(op, s.site.Place, err)
	}
	return errAgain
}

// waitAfter returns how long to wait after an answer, until a move in this second is
// seen by all.
func waitAfter(at int64, answer wire.Answer) time.Duration {
	now := at // if the service does not say
	if date, err := wire.DateOf(answer.RawResponse); err == nil {
		now = date.Unix()
	}
	return time.Duration(at-now)*time.Second + store.CommitWait
}

func sleep(ctx context.Context, p Site, d time.Duration) error {
	if p.Writer.Settings.Sleep != nil {
		return p.Writer.Settings.Sleep(ctx, d)
	}
	return backoff.Sleep(ctx, d)
}

// settleMove waits until a write may be acknowledged: after a document has moved,
// queries that begin at once still read it at its old place.
func settleMove(ctx context.Context, p Site, op string, at int64, answer wire.Answer) error {
	if at == 0 {
		return nil
	}
	left := waitAfter(at, answer)
	if left <= 0 {
		return nil
	}
	if err := sleep(ctx, p, left); err != nil {
		return &documents.Error{
			Op: op, Type: p.Writer.Type, ID: p.ID, PartitionKey: p.Name, Err: err, Unclear: true,
			Note: "after the write took effect, and before every query sees it: the document has just moved",
		}
	}
	return nil
}
