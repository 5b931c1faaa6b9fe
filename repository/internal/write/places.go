package write

import (
	"context"
	"errors"
	"slices"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/marks"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
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
	return Document{Place: p.Place, Body: body}, nil
}

// Settle waits until a write of the document that was found may be acknowledged.
func (f Found) Settle(ctx context.Context, op string, answer azcosmos.ItemResponse) error {
	return settleMove(ctx, f.Site, op, f.mark.At, answer)
}

// change finds the document and writes it on condition that it has not changed, until
// nobody writes in between. Whole says that the write makes a copy final.
func (m Places) change(ctx context.Context, op string, whole bool, v verified, write func(ctx context.Context, f Found) (azcosmos.ItemResponse, error)) (Found, azcore.ETag, error) {
	var a attempts
	for {
		f, err := m.Read(ctx, op)
		if err == nil && (a.unclear || a.refused) && v.isSent != nil && v.isSent(f.Raw) && (v.shared == nil || !v.shared(a.unclear)) {
			return f, f.ETag, f.Settle(ctx, op, azcosmos.ItemResponse{})
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
		response, done, err := a.send(ctx, f.Writer, op, f.Place, f.ETag, v, func(ctx context.Context) (azcosmos.ItemResponse, error) {
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
	if err != nil {
		return w, "", err
	}
	var answer azcosmos.ItemResponse
	tag, err := Send(ctx, f.Writer, op, f.Place, ReplaceRequest(f.Writer, op, stored, true, func(ctx context.Context) (_ azcosmos.ItemResponse, err error) {
		answer, err = f.Writer.Client.ReplaceItem(ctx, stored.Key, stored.ID, stored.Body, wire.IfMatch(ctx, unchanged))
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
	_, tag, err = m.change(ctx, op, true, verified{isSent: isSent}, func(ctx context.Context, f Found) (_ azcosmos.ItemResponse, err error) {
		if stored, err = m.At(op, w, f); err != nil {
			return azcosmos.ItemResponse{}, err
		}
		return f.Writer.Client.ReplaceItem(ctx, stored.Key, stored.ID, stored.Body, wire.IfMatch(ctx, f.ETag))
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
		if err := m.pause(ctx, attempt, err); err != nil {
			return w, "", err
		}
	}
}

// pause waits before another attempt. It returns failure after the last one.
func (m Places) pause(ctx context.Context, attempt int, failure error) error {
	if attempt == backoff.MaxAttempts {
		return wire.Noted(failure, Contended, nil)
	}
	if backoff.Pause(ctx, attempt) != nil {
		return wire.Noted(failure, "", ctx.Err())
	}
	return nil
}

// Patch patches the document where it is, and returns the place.
func (m Places) Patch(ctx context.Context, request Patch, c *wire.Content) (Site, error) {
	const op = wire.OpPatch
	v, held := verified{once: request.Once, counts: request.counts, isSent: request.isShown, shared: m.Home().Writer.Stamps.shared}, true
	var at Found
	if request.asked != "" {
		// A condition that does not hold has the same status as an ETag that has changed.
		v.final = func(ctx context.Context, unchanged azcore.ETag) bool {
			s, err := m.glance(ctx, op, at.Site)
			held = err != nil || s.tag != unchanged
			return !held
		}
	}
	f, _, err := m.change(ctx, op, false, v, func(ctx context.Context, f Found) (azcosmos.ItemResponse, error) {
		at = f
		send, err := patching(f.Writer, f.Place, request, c)
		if err != nil {
			return azcosmos.ItemResponse{}, err
		}
		return send(ctx, f.ETag)
	})
	var own *wire.OperationError
	if !held && errors.As(err, &own) {
		own.Kind = notHeldError{request.asked}
	}
	return f.Site, err
}
