package write

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/internal/marks"
	"github.com/cosmos-pkgen/pkgen/internal/system"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// A document moves in three writes. At each moment one place decides where it is: the old
// one, by its ETag.
//
//  1. A copy is created at the new place. It has the ETag of the document, and is not valid
//     yet.
//  2. The document is replaced by a mark, on condition of this ETag. Now the copy is valid.
//  3. The copy becomes final, and no longer needs the mark.
//
// The mark keeps the content of the document for queries that began before, and is removed
// after the grace time. Any program that meets a valid copy may finish the move.
// TestMovesInAnyOrder explores the orders of these steps.

// Relocate moves the document from one site to another, or finishes its move, and reports
// whether it moved one. Expiry is the container's. It costs a point read and three
// writes.
func (m Places) Relocate(ctx context.Context, op string, from, to Site, expiry system.Expiry) (bool, error) {
	for attempt := 1; ; attempt++ {
		moved, err := m.relocate(ctx, op, from, to, expiry)
		if !errors.Is(err, errAgain) {
			return moved, err
		}
		failure := from.Writer.Failure(op, from.Place, err)
		failure.Kind = wire.ErrPreconditionFailed
		if err := Anew(ctx, attempt, failure); err != nil {
			return false, err
		}
	}
}

func (m Places) relocate(ctx context.Context, op string, from, to Site, expiry system.Expiry) (bool, error) {
	o, err := m.glance(ctx, op, from)
	switch {
	case err != nil:
		return false, err
	case o.is(marks.Moved):
		return false, m.finishAt(ctx, op, o, to)
	case !o.final():
		return false, nil
	}
	n, there, err := m.copy(ctx, op, o, to, expiry)
	if err == nil && there {
		err = m.discard(ctx, op, o, n)
	}
	if err != nil || there {
		return false, err
	}
	mark, err := m.commit(ctx, op, o, n.mark.Token, expiry)
	if err != nil {
		return false, again(err)
	}
	return true, m.finishAs(ctx, op, n, mark)
}

// copy creates the copy of a document, or returns the one of another mover. There reports
// that the new place has the document already.
func (m Places) copy(ctx context.Context, op string, o sighting, to Site, expiry system.Expiry) (n sighting, there bool, err error) {
	n = sighting{site: to, mark: marks.Mark{State: marks.Copied, Token: rand.Text()[:marks.RekeyToken], From: string(o.tag)}}
	body, err := bodyOf(o, expiry, false)
	if err == nil {
		body, err = setKey(to.Writer, body, to.Place)
	}
	if err == nil {
		n.raw, err = withMark(body, n.mark)
	}
	if err != nil {
		return n, false, to.Writer.Failure(op, to.Place, err)
	}
	w := Document{Place: to.Place, Body: n.raw}
	n.tag, err = Create(ctx, to.Writer, w, false)
	if !errors.Is(err, wire.ErrAlreadyExists) || errors.Is(err, wire.ErrUnclear) {
		return n, false, err
	}
	met, seen := m.glance(ctx, op, to)
	switch {
	case seen != nil:
		return n, false, seen
	case met.missing != nil:
		if _, foreign := look(ctx, to.Writer, op, to.Place, m.Means, true); foreign != nil {
			return n, false, foreign
		}
		return n, false, errAgain
	case met.final():
		return met, true, nil
	}
	if now, err := m.glance(ctx, op, o.site); err != nil || !now.same(o) {
		return n, false, errors.Join(err, errAgain)
	}
	if met.is(marks.Copied) && met.mark.From == string(o.tag) {
		return met, false, nil // of another mover, perhaps one that has ended
	}
	// The copy there was made of an ETag that no document has any more.
	n.tag, err = m.put(ctx, op, to, n.raw, met.tag, nil)
	return n, false, again(err)
}

// discard resolves two documents that programs of two releases created at the same time.
// One of the programs may still withdraw its own. If both are old, discard removes the one
// at the old place, because readers look at the new place first. Without the service's
// time, discard returns an error.
func (m Places) discard(ctx context.Context, op string, o, n sighting) error {
	now, err := wire.DateOf(o.answer.RawResponse)
	if err != nil {
		return o.site.Writer.Failure(op, o.site.Place, err)
	}
	if now.Unix()-max(o.written, n.written) < int64(store.Grace/time.Second) {
		return nil
	}
	p := o.site
	_, err = Send(ctx, p.Writer, op, p.Place, DeleteRequest(p.Writer, p.Place, o.tag))
	if err != nil && overtaken(err) && !errors.Is(err, wire.ErrUnclear) {
		return nil
	}
	return err
}

// commit replaces a document by the mark that it has moved.
func (m Places) commit(ctx context.Context, op string, o sighting, token string, expiry system.Expiry) (sighting, error) {
	body, err := bodyOf(o, expiry, true)
	if err == nil {
		body, err = withMark(body, marks.Mark{State: marks.Moved, Token: token, At: o.mark.At})
	}
	if err != nil {
		return o, o.site.Writer.Failure(op, o.site.Place, err)
	}
	var answer wire.Answer
	if _, err := m.put(ctx, op, o.site, body, o.tag, &answer); err != nil {
		return o, err
	}
	if len(answer.Value) == 0 {
		return m.glance(ctx, op, o.site)
	}
	return o, o.take(answer, o.doc)
}

// put replaces the content of a site on an ETag. If answer is not nil, it receives the
// stored document.
func (m Places) put(ctx context.Context, op string, p Site, body []byte, unchanged azcore.ETag, answer *wire.Answer) (azcore.ETag, error) {
	var c *wire.Content
	if answer != nil {
		c = &wire.Content{}
	}
	return Send(ctx, p.Writer, op, p.Place, Request{Send: func(ctx context.Context) (wire.Answer, error) {
		response, err := c.Keep(p.Writer.ReplaceItem(ctx, p.Key, p.ID, body, c.Options(wire.IfMatch(ctx, unchanged))))
		if answer != nil {
			*answer = response
		}
		return response, err
	}})
}

// finishAs makes a copy final, using its mark. Another program may have finished it.
func (m Places) finishAs(ctx context.Context, op string, n, mark sighting) error {
	if !n.counts(mark) {
		return nil
	}
	final := n.mark
	final.State, final.At = marks.Final, mark.written
	body, err := withMark(n.raw, final)
	if err != nil {
		return n.site.Writer.Failure(op, n.site.Place, err)
	}
	_, err = m.put(ctx, op, n.site, body, n.tag, nil)
	if errors.Is(err, wire.ErrPreconditionFailed) || errors.Is(err, wire.ErrNotFound) {
		return nil
	}
	return err
}

// finishAt makes the copy at a site final, if a mark read after the copy says that its
// document has moved.
func (m Places) finishAt(ctx context.Context, op string, mark sighting, to Site) error {
	n, err := m.glance(ctx, op, to)
	if err != nil || !n.counts(mark) {
		return err
	}
	if mark, err = m.glance(ctx, op, mark.site); err != nil {
		return err
	}
	return m.finishAs(ctx, op, n, mark)
}

// finish makes a copy final. It returns false if another program has written it meanwhile.
func (m Places) finish(ctx context.Context, op string, f Found) (Found, bool, error) {
	body, err := withMark(f.Raw, f.mark)
	if err != nil {
		return f, false, f.Writer.Failure(op, f.Place, err)
	}
	tag, err := m.put(ctx, op, f.Site, body, f.ETag, nil)
	if errors.Is(err, wire.ErrPreconditionFailed) || errors.Is(err, wire.ErrNotFound) {
		return f, false, nil
	}
	f.ETag, f.copied = tag, false
	return f, err == nil, err
}

// Finish finishes the move of the document, if it is moving.
func (m Places) Finish(ctx context.Context, op string) error {
	f, err := m.Read(ctx, op)
	if err == nil && f.copied {
		_, _, err = m.finish(ctx, op, f)
	}
	if errors.Is(err, wire.ErrNotFound) {
		return nil
	}
	return err
}

// bodyOf returns a stored document without system properties and with the rest of its time
// to live. A mark never expires.
func bodyOf(s sighting, expiry system.Expiry, mark bool) ([]byte, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(s.raw, &all); err != nil {
		return nil, err
	}
	now, _ := wire.DateOf(s.answer.RawResponse)
	if mark && expiry.Expires(all[system.TTL]) {
		all[system.TTL] = json.RawMessage("-1")
	} else if left := expiry.Left(all[system.TTL], all[system.TS], now); left != nil {
		all[system.TTL] = left
	}
	for _, name := range system.Properties {
		delete(all, name)
	}
	return json.Marshal(all)
}

// Tidy removes the remains of a move from a place: a mark after the grace time, or a copy
// of a document that has not moved. It reports whether it removed anything, and for a mark
// the service's time.
func (m Places) Tidy(ctx context.Context, op string, at Site) (removed bool, now time.Time, err error) {
	s, err := m.glance(ctx, op, at)
	if err != nil || s.raw == nil || s.final() {
		return false, now, err
	}
	if s.is(marks.Moved) || s.is(marks.Removed) {
		if now, err = wire.DateOf(s.answer.RawResponse); err != nil {
			return false, now, at.Writer.Failure(op, at.Place, err)
		}
		if now.Unix()-s.written < int64(store.Grace/time.Second) {
			return false, now, nil
		}
	}
	removed, err = m.tidy(ctx, op, s)
	return removed, now, err
}

// tidy is Tidy for a sighting that is neither a document nor a mark within its grace time.
func (m Places) tidy(ctx context.Context, op string, s sighting) (bool, error) {
	if s.is(marks.Copied) || s.is(marks.Moved) {
		f, err := m.Read(ctx, op)
		switch {
		case errors.Is(err, wire.ErrNotFound) && !errors.Is(err, wire.ErrUnclear):
		case err != nil:
			return false, err
		case f.copied:
			_, _, err := m.finish(ctx, op, f)
			return false, err
		case s.is(marks.Copied) && string(f.ETag) == s.mark.From:
			return false, nil // it is moving
		}
	}
	if s.is(marks.Gone) {
		for _, p := range m.All {
			if other, err := m.glance(ctx, op, p); err != nil || other.is(marks.Moved) {
				return false, err
			}
		}
	}
	at := s.site
	_, err := Send(ctx, at.Writer, op, at.Place, DeleteRequest(at.Writer, at.Place, s.tag))
	if err != nil && overtaken(err) && !errors.Is(err, wire.ErrUnclear) {
		return false, nil
	}
	return err == nil, err
}
