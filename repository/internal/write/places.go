package write

import (
	"context"
	"errors"
	"slices"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Places are where the document of a key may be stored while the number of buckets of
// its type grows. Programs of two releases write it under two numbers of buckets, and
// documents move from the smaller number to the greater. So an operation tries one
// place after the other.
//
// Every operation reads a document before it writes it, and writes on condition that
// the document has not changed: the buckets of one number hold documents of other
// components under the buckets of another.
type Places struct {
	All     []wire.Place       // by growing numbers of buckets, each once
	Present int                // the index of the place where documents are created
	Means   func(doc any) bool // whether a document is the one of the key
}

// Home is the place where documents are created.
func (m Places) Home() wire.Place { return m.All[m.Present] }

// others are the places besides the present one, the greatest number of buckets first.
func (m Places) others() []wire.Place {
	var out []wire.Place
	for i, p := range slices.Backward(m.All) {
		if i != m.Present {
			out = append(out, p)
		}
	}
	return out
}

// Order are the places in the order in which they are tried: the present one, where
// most documents are in the end, the others, and the present one again if documents
// move there: such a document may have moved after the first try, and before the turn
// of the place that it left.
func (m Places) Order() []wire.Place {
	out := append([]wire.Place{m.Home()}, m.others()...)
	if m.Present > 0 {
		out = append(out, m.Home())
	}
	return out
}

// From returns the place whose key has a text, and false if there is none. A document
// that remembers its key says so where it is stored.
func (m Places) From(text string) (wire.Place, bool) {
	for _, p := range m.All {
		if text != "" && p.Text == text {
			return p, true
		}
	}
	return wire.Place{}, false
}

// First tries places in order, until try does not return ErrNotFound. It returns the
// place of the last try. The error of the present place comes first.
func (m Places) First(try func(p wire.Place) error) (wire.Place, error) {
	var missing error
	for _, p := range m.Order() {
		err := try(p)
		if !errors.Is(err, wire.ErrNotFound) || errors.Is(err, wire.ErrUnclear) {
			return p, err
		}
		if missing == nil {
			missing = err
		}
	}
	return m.Home(), missing
}

// Read reads the document where it is: one point read if it is at the present place.
func (m Places) Read(ctx context.Context, s *Writer, op string) (doc any, response azcosmos.ItemResponse, p wire.Place, err error) {
	p, err = m.First(func(p wire.Place) (err error) {
		doc, response, err = s.Read(ctx, op, p)
		if err == nil && !m.Means(doc) {
			err = s.ForeignError(op, p, wire.ErrNotFound)
		}
		return err
	})
	if err != nil {
		return nil, azcosmos.ItemResponse{}, p, err
	}
	return doc, response, p, nil
}

// At returns a document as it is stored at another place of its key.
func At(s *Writer, op string, w Document, p wire.Place) (Document, error) {
	if SamePlace(w.Place, p) {
		return w, nil
	}
	body, err := setKey(s, w.Body, p)
	if err != nil {
		return w, s.Failure(op, p, err)
	}
	return Document{Place: p, Body: body}, nil
}

// Create creates a document at the present place, unless it is at another one.
//
// Programs of the other release may create it at the same time at another place. They
// look there after they have written, too, so that at least one of two programs sees
// the other's document, and withdraws its own.
func (m Places) Create(ctx context.Context, s *Writer, w Document, repeated bool) (azcore.ETag, error) {
	for attempt := 1; ; attempt++ {
		if err := m.elsewhere(ctx, s, wire.OpCreate); err != nil {
			return "", err
		}
		tag, err := Create(ctx, s, w, repeated)
		if err != nil {
			return "", err
		}
		met := m.elsewhere(ctx, s, wire.OpCreate)
		if met == nil {
			return tag, nil
		}
		if err := m.withdraw(ctx, s, wire.OpCreate, w.Place, tag, met); err != nil {
			return "", err
		}
		// The other program may have withdrawn its document for the same reason.
		if err := m.pause(ctx, attempt, met); err != nil {
			return "", err
		}
	}
}

// elsewhere returns an error that matches ErrAlreadyExists if the document is at a
// place besides the present one: a point read for each.
func (m Places) elsewhere(ctx context.Context, s *Writer, op string) error {
	for _, p := range m.others() {
		doc, _, err := s.Read(ctx, op, p)
		switch {
		case errors.Is(err, wire.ErrNotFound):
		case err != nil:
			return err
		case m.Means(doc):
			return &wire.OperationError{
				Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Kind: wire.ErrAlreadyExists,
				Err: errors.New("it is stored under another number of buckets"),
			}
		}
	}
	return nil
}

// withdraw removes a document that was created at p with this ETag, since the
// document is at another place already: met says where. If met is another error, it is
// not known whether the document is at another place.
func (m Places) withdraw(ctx context.Context, s *Writer, op string, p wire.Place, tag azcore.ETag, met error) error {
	if !errors.Is(met, wire.ErrAlreadyExists) {
		return wire.StillUnclear(wire.Noted(met, "after "+p.String()+" was stored", nil), true)
	}
	_, err := Send(ctx, s, op, p, DeleteRequest(s, p, tag))
	if errors.Is(err, wire.ErrPreconditionFailed) && !errors.Is(err, wire.ErrUnclear) {
		err = m.settle(ctx, s, op) // others have found both, and have written both
	}
	if err != nil && !errors.Is(err, wire.ErrNotFound) {
		return wire.Noted(met, "and two documents may remain, since "+p.String()+" could not be removed: "+err.Error(), err)
	}
	return nil
}

// settle leaves one document where several were written at the same time: the one
// under the greatest number of buckets, since documents move there.
func (m Places) settle(ctx context.Context, s *Writer, op string) error {
	found := false
	for _, p := range slices.Backward(m.All) {
		if found {
			if err := deleteVerified(ctx, s, op, p, m.Means); err != nil && !errors.Is(err, wire.ErrNotFound) {
				return err
			}
			continue
		}
		doc, _, err := s.Read(ctx, op, p)
		if err != nil && !errors.Is(err, wire.ErrNotFound) {
			return err
		}
		found = err == nil && m.Means(doc)
	}
	return nil
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

// Upsert stores a document where it is, and if it is nowhere, at the present place. It
// returns the document as it was stored.
func (m Places) Upsert(ctx context.Context, s *Writer, w Document) (Document, azcore.ETag, error) {
	const op = wire.OpUpsert
	for attempt := 1; ; attempt++ {
		stored, tag, err := m.replace(ctx, s, op, w)
		if !errors.Is(err, wire.ErrNotFound) || errors.Is(err, wire.ErrUnclear) {
			return stored, tag, err
		}
		// At the present place there may be a document of another type, or of other
		// components.
		tag, err = upsertVerified(ctx, s, op, w, m.Means)
		if err != nil {
			return w, "", err
		}
		met := m.elsewhere(ctx, s, op)
		if met == nil {
			return w, tag, nil
		}
		if err := m.withdraw(ctx, s, op, w.Place, tag, met); err != nil {
			return w, "", err
		}
		if err := m.pause(ctx, attempt, met); err != nil {
			return w, "", err
		}
	}
}

// Replace replaces the document where it is. If unchanged is an ETag, the stored
// document must have it; from is then the place where the document was read, if that
// is known. It returns the document as it was stored.
func (m Places) Replace(ctx context.Context, s *Writer, op string, w Document, unchanged azcore.ETag, from string) (Document, azcore.ETag, error) {
	if unchanged == "" || unchanged == azcore.ETagAny {
		return m.replace(ctx, s, op, w)
	}
	send := func(p wire.Place) (Document, azcore.ETag, error) {
		at, err := At(s, op, w, p)
		if err != nil {
			return w, "", err
		}
		tag, err := Replace(ctx, s, op, at, m.Means, unchanged)
		return at, tag, err
	}
	if p, known := m.From(from); known {
		at, tag, err := send(p)
		if !errors.Is(err, wire.ErrNotFound) || errors.Is(err, wire.ErrUnclear) {
			return at, tag, err
		}
	}
	// It may have moved. Then it has another ETag, and the service says so.
	_, _, p, err := m.Read(ctx, s, op)
	if err != nil {
		return w, "", err
	}
	return send(p)
}

// replace replaces the document where it is, whatever its ETag.
func (m Places) replace(ctx context.Context, s *Writer, op string, w Document) (stored Document, tag azcore.ETag, err error) {
	_, err = m.First(func(p wire.Place) (err error) {
		if stored, err = At(s, op, w, p); err == nil {
			tag, err = replaceVerified(ctx, s, op, stored, m.Means)
		}
		return err
	})
	return stored, tag, err
}

// Delete removes the document from each place where it is. It tries places by growing
// numbers of buckets, as documents move, so that it meets one that moves meanwhile. It
// returns ErrNotFound if no place has the document.
func (m Places) Delete(ctx context.Context, s *Writer) error {
	var missing error
	removed := false
	for _, p := range m.All {
		err := deleteVerified(ctx, s, wire.OpDelete, p, m.Means)
		switch {
		case err == nil:
			removed = true
		case !errors.Is(err, wire.ErrNotFound) || errors.Is(err, wire.ErrUnclear):
			return err
		case missing == nil || SamePlace(p, m.Home()):
			missing = err
		}
	}
	if removed {
		return nil
	}
	return missing
}

// DeleteUnchanged removes the document where it is if it has an ETag. From is the
// place where it was read, if that is known.
func (m Places) DeleteUnchanged(ctx context.Context, s *Writer, unchanged azcore.ETag, from string) error {
	remove := func(p wire.Place) error {
		_, err := Send(ctx, s, wire.OpDelete, p, DeleteRequest(s, p, unchanged))
		return err
	}
	if p, known := m.From(from); known {
		if err := remove(p); !errors.Is(err, wire.ErrNotFound) || errors.Is(err, wire.ErrUnclear) {
			return err
		}
	}
	_, _, p, err := m.Read(ctx, s, wire.OpDelete)
	if err != nil {
		return err
	}
	return remove(p)
}

// Patch patches the document where it is, and returns the place.
func (m Places) Patch(ctx context.Context, s *Writer, request Patch, c *wire.Content) (wire.Place, error) {
	const op = wire.OpPatch
	if err := s.JoinSession(ctx, op); err != nil {
		return m.Home(), err
	}
	return m.First(func(p wire.Place) error {
		send, err := patching(s, p, request, c)
		if err != nil {
			return s.Failure(op, p, err)
		}
		return patchVerified(ctx, s, op, p, m.Means, request.asked, verified{change: send, once: request.Once})
	})
}
