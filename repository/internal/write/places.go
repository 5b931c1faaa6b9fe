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

// Places are the places where the document of a key may be stored while the bucket count of
// its type grows. Programs of two releases write under two bucket counts, and documents
// move from the smaller to the greater. Operations try one place after the other.
//
// Every operation reads before it writes, and the write is conditional on what was read.
// Bucket 3 of 4 and bucket 3 of 12 are one logical partition, so a place may hold another
// document. It may also hold the mark of a moved document, or an unfinished copy.
//
// A place may lie in another container; then documents move between containers.
type Places struct {
	All     []Site             // in the order in which documents move, each once
	Present int                // the index of the place where documents are created
	Means   func(doc any) bool // reports whether a document is the one of the key
}

// Site is a place in a container.
type Site struct {
	wire.Place
	Writer *Writer
}

// Same reports whether two sites are one.
func (a Site) Same(b Site) bool { return a.Writer == b.Writer && SamePlace(a.Place, b.Place) }

// Home returns the site where documents are created.
func (m Places) Home() Site { return m.All[m.Present] }

// order returns the indexes of the places in the order in which they are read: the present
// one first, where most documents are in the end, and then from the last to the first.
func (m Places) order() []int {
	out := []int{m.Present}
	for i := range slices.Backward(m.All) {
		if i != m.Present {
			out = append(out, i)
		}
	}
	return out
}

// Others returns all sites but the present one, in the order in which they are read.
func (m Places) Others() []Site {
	var out []Site
	for _, i := range m.order()[1:] {
		out = append(out, m.All[i])
	}
	return out
}

// From returns the place with this partition key, as a document remembers it, and false if
// there is none.
func (m Places) From(text string) (Site, bool) {
	for _, p := range m.All {
		if text != "" && p.Text == text {
			return p, true
		}
	}
	return Site{}, false
}

// Found is a document and its site.
type Found struct {
	Site
	Doc  any
	ETag azcore.ETag

	Raw    []byte
	mark   marks.Mark // kept by a write of the document
	copied bool       // it is a valid copy, which the next write makes final
}

func foundAt(s sighting) Found {
	return Found{Site: s.site, Doc: s.doc, ETag: s.tag, Raw: s.raw, mark: s.mark}
}

// Read finds and reads the document. It costs one point read if the document is at the
// present place.
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

// look reads the places in order until it finds the document. It returns what it saw at the
// other places by their indexes. A copy is valid only if its mark was read after it, so the
// copies in before, from the previous round, are tried again.
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

// unsettled reports whether a document that was not found may have moved between two reads:
// there is a copy, or a mark that it has moved.
func unsettled(all []sighting) bool {
	return slices.ContainsFunc(all, func(s sighting) bool { return s.raw != nil && !s.is(marks.Removed) })
}

// missing returns the error about a document that no place has.
func (m Places) missing(op string, all []sighting) error {
	if err := all[m.Present].missing; err != nil {
		return err
	}
	return m.Home().Writer.Failure(op, m.Home().Place, wire.ErrNotFound)
}

// At returns w, a document of the present place, as it is stored at the place where it was
// found.
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

// at returns w, a document of the present place, as it is stored at p.
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

// Settle waits until a write of the document may be acknowledged.
func (f Found) Settle(ctx context.Context, op string, answer wire.Answer) error {
	return settleMove(ctx, f.Site, op, f.mark.At, answer)
}

// change finds the document and writes it on condition that it has not changed, again if
// another program was faster. Whole says that the write makes a copy final.
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

// Replace stores w where the document is, and returns it as stored. If unchanged is an
// ETag, the stored document must have it; from is then the partition key under which it was
// read, or empty.
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
		// The document may have been created twice at the same time, and this one
		// withdrawn.
		if _, read := m.Read(ctx, op); read == nil {
			err = f.Writer.changedError(op, f.Place)
		}
	}
	return stored, tag, err
}

// readFrom reads the document at the place where it was read before. If it has changed
// there, it searches all places.
func (m Places) readFrom(ctx context.Context, op string, unchanged azcore.ETag, from string) (Found, error) {
	if p, known := m.From(from); known {
		s, err := m.glance(ctx, op, p)
		if err != nil || s.final() && s.tag == unchanged {
			return foundAt(s), err
		}
	}
	return m.Read(ctx, op)
}

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

// Upsert stores w where the document is, or at the present place if it is nowhere. It
// returns w as stored.
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

// Patch patches the document where it is, and returns its site.
func (m Places) Patch(ctx context.Context, request Patch, c *wire.Content) (at Site, err error) {
	err = inForm(m.Home().Writer, m.Home().Place, request, func(request Patch) (err error) {
		at, err = m.patch(ctx, request, c)
		return err
	}, func() (Renewal, error) { return m.Renew(ctx, wire.OpPatch, 0) })
	return at, err
}

// patch is Patch for a document of the present form.
func (m Places) patch(ctx context.Context, request Patch, c *wire.Content) (Site, error) {
	const op = wire.OpPatch
	v, held := verified{once: request.Once, counts: request.counts, isSent: request.isShown, shared: m.Home().Writer.Stamps.shared}, true
	var at Found
	if request.asked != "" || m.Home().Writer.Schema != nil {
		// A false condition and a changed ETag have the same status.
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

// Create creates a document at the present place, unless another place has it.
//
// A program of the other release may create the document at another place at the same time.
// Both look again after they write, so at least one sees the other's document, withdraws
// its own and starts again. Until then, other operations may find either document;
// docs/keys.md describes the effects.
func (m Places) Create(ctx context.Context, w Document, repeated bool) (Document, azcore.ETag, error) {
	return m.create(ctx, wire.OpCreate, w, repeated)
}

// errAgain says that another program has written meanwhile, and the creation must start
// again.
var errAgain = errors.New("other programs have written it meanwhile")

// create is Create, and the second half of Upsert. It returns w as stored.
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

type creation struct {
	Places
	op       string
	repeated bool

	home   int        // the index of the place where the document is created
	others []sighting // what is at the other places, by index
	at     int64      // when a moved document was last marked as removed, in seconds
}

// run creates the document at the present place, or at the next one if the present place
// has the mark of a moved document.
func (c *creation) run(ctx context.Context, w Document) (Document, azcore.ETag, error) {
	for c.home = c.Present; ; c.home++ {
		if err := c.clear(ctx); err != nil {
			return w, "", err
		}
		stored, err := c.Places.at(c.op, w, c.All[c.home])
		if err == nil { // Upsert may have set the stamps of a document that it found
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

// clear looks at the other places. If the document is at one of them, the error matches
// ErrAlreadyExists. A mark of a move without a document means that the document was deleted
// meanwhile; clear then sets the mark to removed, so that a copy created late is not valid.
// It first waits until the mark is some seconds old, because a read may not show an
// existing copy yet.
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

// again returns errAgain for a write that another program has overtaken.
func again(err error) error {
	if overtaken(err) && !errors.Is(err, wire.ErrUnclear) {
		return errAgain
	}
	return err
}

// exists returns the error about a document that is at p.
func (c *creation) exists(p Site) error {
	return &documents.Error{
		Op: c.op, Type: p.Writer.Type, ID: p.ID, PartitionKey: p.Name, Kind: wire.ErrAlreadyExists,
		Err: errors.New("it is stored under another number of buckets"),
	}
}

// send creates the document. Next says that its place has the mark of a moved document.
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
	// This is a copy, which is valid only if a mark says that the document has moved.
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

// alone looks at the other places again after the creation. If a program of the other
// release has created the document there, alone withdraws the one with this ETag. The same
// document after a move does not count.
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

// withdraw removes the document that was created with this ETag, because another place has
// the document, as the error met says. The other program may withdraw its document for the
// same reason, so creation starts again.
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

// settle keeps one of several documents that were created and written at the same time: the
// one at the last place, where documents move to. If one is written before it is removed,
// settle starts again.
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

// Delete removes the document from every place. It returns ErrNotFound if no place has it.
func (m Places) Delete(ctx context.Context) error { return m.delete(ctx, "") }

// DeleteUnchanged removes the document if it has the ETag unchanged. From is the partition
// key under which it was read, or empty.
func (m Places) DeleteUnchanged(ctx context.Context, unchanged azcore.ETag, from string) error {
	if p, known := m.From(from); known && unchanged != azcore.ETagAny {
		s, err := m.glance(ctx, wire.OpDelete, p)
		if err != nil {
			return err
		}
		if s.live() && s.tag == unchanged { // the document has not moved, so it has no mark elsewhere
			_, err := Send(ctx, p.Writer, wire.OpDelete, p.Place, DeleteRequest(p.Writer, p.Place, unchanged))
			return err
		}
	}
	return m.delete(ctx, unchanged)
}

// delete removes the document. Unless unchanged is empty, the document must have that ETag.
func (m Places) delete(ctx context.Context, unchanged azcore.ETag) error {
	var a attempts
	removed := false
	for {
		d, err := m.deletion(ctx)
		if err != nil {
			return wire.StillUnclear(err, removed || a.open(err))
		}
		if d == nil { // the document was moving
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

type deletion struct {
	Places
	unchanged azcore.ETag
	all       []sighting // what each place has, by index
	there     []sighting // the documents among these
	moved     []sighting // the marks of moves among these
}

// deletion looks at all places, in the order in which documents move. It returns nil if the
// document moved meanwhile.
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

// remove removes the document. It returns false for done if another program has written it
// meanwhile.
//
// While a mark says that the document has moved, a copy created late would be valid. So the
// place of the copy stays occupied until the mark says that the document was removed.
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
			taken = append(taken, s) // a copy of a document that never moved and is deleted now
		}
	}
	for _, s := range taken {
		p := s.site
		_, _ = Send(ctx, p.Writer, wire.OpDelete, p.Place, DeleteRequest(p.Writer, p.Place, s.tag)) // Rekey removes the ones that remain
	}
	return some, true, nil
}

// mark sets the marks of moves to removed.
func (d *deletion) mark(ctx context.Context) error {
	for _, s := range d.moved {
		if _, err := d.setRemoved(ctx, wire.OpDelete, s); err != nil && (!overtaken(err) || errors.Is(err, wire.ErrUnclear)) {
			return err
		}
	}
	return nil
}

// setRemoved sets the mark of a moved document to removed, and returns the new sighting.
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

// stripped returns the JSON that replaces a deleted document: the mark, and only the
// properties that identify the document.
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

// tells reports whether properties identify a document as the one of the key.
func (m Places) tells(w *Writer, properties map[string]json.RawMessage) bool {
	body, err := json.Marshal(properties)
	if err != nil {
		return false
	}
	doc, err := w.Decode(body)
	return err == nil && m.Means(doc)
}

type sighting struct {
	site    Site
	raw     []byte // nil if the site has nothing of the key
	doc     any
	tag     azcore.ETag
	written int64 // when it was last written, in seconds
	mark    marks.Mark
	missing error // ErrNotFound, if the site has nothing of the key
	answer  wire.Answer
}

// live reports whether this is a document that has not moved.
func (s sighting) live() bool { return s.raw != nil && s.mark.State == marks.Unmarked }

// final reports whether this is the document, whatever other places have.
func (s sighting) final() bool { return s.raw != nil && !s.mark.Hidden() }

func (s sighting) is(state string) bool { return s.raw != nil && s.mark.State == state }

func (s sighting) same(other sighting) bool { return s.tag == other.tag }

// counts reports whether s is a valid copy: the mark says that the document has moved, and
// has the token of s. The mark must have been read after s.
func (s sighting) counts(mark sighting) bool {
	return s.is(marks.Copied) && mark.is(marks.Moved) && s.mark.Token == mark.mark.Token
}

// glance reads what a site has. A document of another key counts as missing.
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

// take copies a stored document from an answer.
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

// errLeaves is the error of an operation under several bucket counts, on a document that is
// moving to another container.
var errLeaves = errors.New("a migration is moving the document to another container, and this program, which moves documents to more buckets, cannot follow: stop this program, and finish the migration")

var timePath = []string{system.TS}

// withMark returns a document with the mark m, or unchanged if m is no mark.
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

// grownOld returns nil once a mark is old enough that every replica shows the copy made
// before it. For a younger mark it waits, and returns errAgain.
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

// waitAfter returns how long to wait after answer until all programs see a move of this
// second.
func waitAfter(at int64, answer wire.Answer) time.Duration {
	now := at // if the answer has no date
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

// settleMove waits until a write of a moved document may be acknowledged. Until then,
// queries that begin now may read the document at its old place.
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
