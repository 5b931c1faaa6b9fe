package write

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/marks"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

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
			if err := m.pause(ctx, max(a.n, 1), m.Home().Writer.Failure(wire.OpDelete, m.Home().Place, wire.ErrPreconditionFailed)); err != nil {
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

// remove removes the document. It returns false if others have written it meanwhile.
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
		send := func(ctx context.Context) (azcosmos.ItemResponse, error) {
			return p.Writer.Client.DeleteItem(ctx, p.Key, p.ID, wire.IfMatch(ctx, tag))
		}
		if len(d.moved) > 0 && !s.live() {
			body, err := d.stripped(s, marks.Mark{State: marks.Gone})
			if err != nil {
				return some, true, err
			}
			send = func(ctx context.Context) (azcosmos.ItemResponse, error) {
				return p.Writer.Client.ReplaceItem(ctx, p.Key, p.ID, body, wire.IfMatch(ctx, tag))
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
	var answer azcosmos.ItemResponse
	if _, err := Send(ctx, p.Writer, op, p.Place, Request{Send: func(ctx context.Context) (_ azcosmos.ItemResponse, err error) {
		answer, err = c.Keep(p.Writer.Client.ReplaceItem(ctx, p.Key, p.ID, body, c.Options(wire.IfMatch(ctx, s.tag))))
		return answer, err
	}}); err != nil {
		return s, err
	}
	if len(c.Document()) == 0 {
		return m.glance(ctx, op, p)
	}
	return s, s.take(answer, s.doc)
}

// TTLProperty is the time to live of a document.
const TTLProperty = "ttl"

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
		keep(text.Names(path)[0])
	}
	if w.Discriminator != nil {
		keep(w.Discriminator.Property)
	}
	if bytes.Equal(all[TTLProperty], []byte("-1")) {
		keep(TTLProperty)
	}
	if !m.tells(w, kept) {
		for _, name := range SystemProperties {
			delete(all, name)
		}
		kept = all
		for _, name := range slices.Sorted(maps.Keys(all)) {
			value, ok := kept[name]
			if !ok || name == wire.IDPath[0] || slices.ContainsFunc(w.Paths, func(path string) bool { return text.Names(path)[0] == name }) {
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
