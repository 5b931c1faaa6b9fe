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

// others are the places besides the present one, the greatest number of buckets first.
func (m Places) others() []Site {
	var out []Site
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
func (m Places) Order() []Site {
	out := append([]Site{m.Home()}, m.others()...)
	if m.Present > 0 {
		out = append(out, m.Home())
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

// First tries places in order, until try does not return ErrNotFound. It returns the
// place of the last try. The error of the present place comes first.
func (m Places) First(try func(p Site) error) (Site, error) {
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
func (m Places) Read(ctx context.Context, op string) (doc any, response azcosmos.ItemResponse, p Site, err error) {
	p, err = m.First(func(p Site) (err error) {
		doc, response, err = p.Writer.Read(ctx, op, p.Place)
		if err == nil && !m.Means(doc) {
			err = p.Writer.ForeignError(op, p.Place, wire.ErrNotFound)
		}
		return err
	})
	if err != nil {
		return nil, azcosmos.ItemResponse{}, p, err
	}
	return doc, response, p, nil
}

// At returns a document of the present place as it is stored at p.
func (m Places) At(op string, w Document, p Site) (Document, error) {
	if p.Same(m.Home()) {
		return w, nil
	}
	body, err := setKey(p.Writer, w.Body, p.Place)
	if err != nil {
		return w, p.Writer.Failure(op, p.Place, err)
	}
	return Document{Place: p.Place, Body: body}, nil
}

// Create creates a document at the present place, unless it is at another one.
//
// Programs of the other release may create it at the same time at another place. They
// look there after they have written, too, so that at least one of two programs sees
// the other's document, and withdraws its own.
func (m Places) Create(ctx context.Context, w Document, repeated bool) (azcore.ETag, error) {
	for attempt := 1; ; attempt++ {
		if err := m.elsewhere(ctx, wire.OpCreate); err != nil {
			return "", err
		}
		tag, err := Create(ctx, m.Home().Writer, w, repeated)
		if err != nil {
			return "", err
		}
		met := m.elsewhere(ctx, wire.OpCreate)
		if met == nil {
			return tag, nil
		}
		if err := m.withdraw(ctx, wire.OpCreate, tag, met); err != nil {
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
func (m Places) elsewhere(ctx context.Context, op string) error {
	for _, p := range m.others() {
		doc, _, err := p.Writer.Read(ctx, op, p.Place)
		switch {
		case errors.Is(err, wire.ErrNotFound):
		case err != nil:
			return err
		case m.Means(doc):
			return &wire.OperationError{
				Op: op, Type: p.Writer.Type, ID: p.ID, PartitionKey: p.Name, Kind: wire.ErrAlreadyExists,
				Err: errors.New("it is stored under another number of buckets"),
			}
		}
	}
	return nil
}

// withdraw removes a document that was created at the present place with this ETag,
// since the document is at another place already: met says where. If met is another error, it is
// not known whether the document is at another place.
func (m Places) withdraw(ctx context.Context, op string, tag azcore.ETag, met error) error {
	p := m.Home()
	if !errors.Is(met, wire.ErrAlreadyExists) {
		return wire.StillUnclear(wire.Noted(met, "after "+p.String()+" was stored", nil), true)
	}
	_, err := Send(ctx, p.Writer, op, p.Place, DeleteRequest(p.Writer, p.Place, tag))
	if errors.Is(err, wire.ErrPreconditionFailed) && !errors.Is(err, wire.ErrUnclear) {
		err = m.settle(ctx, op) // others have found both, and have written both
	}
	if err != nil && !errors.Is(err, wire.ErrNotFound) {
		return wire.Noted(met, "and two documents may remain, since "+p.String()+" could not be removed: "+err.Error(), err)
	}
	return nil
}

// settle leaves one document where several were written at the same time: the one
// under the greatest number of buckets, since documents move there.
func (m Places) settle(ctx context.Context, op string) error {
	found := false
	for _, p := range slices.Backward(m.All) {
		if found {
			if err := deleteVerified(ctx, p.Writer, op, p.Place, m.Means); err != nil && !errors.Is(err, wire.ErrNotFound) {
				return err
			}
			continue
		}
		doc, _, err := p.Writer.Read(ctx, op, p.Place)
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
func (m Places) Upsert(ctx context.Context, w Document) (Document, azcore.ETag, error) {
	const op = wire.OpUpsert
	for attempt := 1; ; attempt++ {
		stored, tag, err := m.replace(ctx, op, w)
		if !errors.Is(err, wire.ErrNotFound) || errors.Is(err, wire.ErrUnclear) {
			return stored, tag, err
		}
		// At the present place there may be a document of another type, or of other
		// components.
		tag, err = upsertVerified(ctx, m.Home().Writer, op, w, m.Means)
		if err != nil {
			return w, "", err
		}
		met := m.elsewhere(ctx, op)
		if met == nil {
			return w, tag, nil
		}
		if err := m.withdraw(ctx, op, tag, met); err != nil {
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
func (m Places) Replace(ctx context.Context, op string, w Document, unchanged azcore.ETag, from string) (Document, azcore.ETag, error) {
	if unchanged == "" || unchanged == azcore.ETagAny {
		return m.replace(ctx, op, w)
	}
	send := func(p Site) (Document, azcore.ETag, error) {
		at, err := m.At(op, w, p)
		if err != nil {
			return w, "", err
		}
		tag, err := Replace(ctx, p.Writer, op, at, m.Means, unchanged)
		return at, tag, err
	}
	if p, known := m.From(from); known {
		at, tag, err := send(p)
		if !errors.Is(err, wire.ErrNotFound) || errors.Is(err, wire.ErrUnclear) {
			return at, tag, err
		}
	}
	// It may have moved. Then it has another ETag, and the service says so.
	_, _, p, err := m.Read(ctx, op)
	if err != nil {
		return w, "", err
	}
	return send(p)
}

// replace replaces the document where it is, whatever its ETag.
func (m Places) replace(ctx context.Context, op string, w Document) (stored Document, tag azcore.ETag, err error) {
	_, err = m.First(func(p Site) (err error) {
		if stored, err = m.At(op, w, p); err == nil {
			tag, err = replaceVerified(ctx, p.Writer, op, stored, m.Means)
		}
		return err
	})
	return stored, tag, err
}

// Delete removes the document from each place where it is. It tries places by growing
// numbers of buckets, as documents move, so that it meets one that moves meanwhile. It
// returns ErrNotFound if no place has the document.
func (m Places) Delete(ctx context.Context) error {
	var missing error
	removed := false
	for _, p := range m.All {
		err := deleteVerified(ctx, p.Writer, wire.OpDelete, p.Place, m.Means)
		switch {
		case err == nil:
			removed = true
		case !errors.Is(err, wire.ErrNotFound) || errors.Is(err, wire.ErrUnclear):
			return err
		case missing == nil || p.Same(m.Home()):
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
func (m Places) DeleteUnchanged(ctx context.Context, unchanged azcore.ETag, from string) error {
	remove := func(p Site) error {
		_, err := Send(ctx, p.Writer, wire.OpDelete, p.Place, DeleteRequest(p.Writer, p.Place, unchanged))
		return err
	}
	if p, known := m.From(from); known {
		if err := remove(p); !errors.Is(err, wire.ErrNotFound) || errors.Is(err, wire.ErrUnclear) {
			return err
		}
	}
	_, _, p, err := m.Read(ctx, wire.OpDelete)
	if err != nil {
		return err
	}
	return remove(p)
}

// Patch patches the document where it is, and returns the place.
func (m Places) Patch(ctx context.Context, request Patch, c *wire.Content) (Site, error) {
	const op = wire.OpPatch
	return m.First(func(p Site) error {
		if err := p.Writer.JoinSession(ctx, op); err != nil {
			return err
		}
		send, err := patching(p.Writer, p.Place, request, c)
		if err != nil {
			return p.Writer.Failure(op, p.Place, err)
		}
		return patchVerified(ctx, p.Writer, op, p.Place, m.Means, request.asked, verified{change: send, once: request.Once})
	})
}
