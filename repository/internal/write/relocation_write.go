package write

import (
	"context"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/marks"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Bodies makes a document as it is stored on a side.
type Bodies func(s *Side) (Document, error)

// isMissing reports whether a write has found no document, and for certain.
func isMissing(err error) bool {
	return errors.Is(err, wire.ErrNotFound) && !errors.Is(err, wire.ErrUnclear)
}

// isOvertaken reports whether a conditional write was refused, and for certain.
func isOvertaken(err error) bool {
	return (errors.Is(err, wire.ErrPreconditionFailed) || errors.Is(err, wire.ErrNotFound)) && !errors.Is(err, wire.ErrUnclear)
}

// each tries a conditional write on the sides where the document may be live, until one
// has it. If it moves, each does the rest of that first.
func (r *Relocation) each(ctx context.Context, op string, try func(s *Side) error) error {
	for attempt := 1; ; attempt++ {
		for _, s := range r.order() {
			if err := try(s); !isMissing(err) {
				return err
			}
		}
		if _, err := r.settled(ctx, op); err != nil {
			return err
		}
		if err := r.pause(ctx, op, attempt); err != nil {
			return err
		}
	}
}

// settled finds the document, and does the rest of a move. The document is live then.
func (r *Relocation) settled(ctx context.Context, op string) (found, error) {
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

// Replace replaces the document where it is. If unchanged is an ETag, the document must
// have it. It returns the side where it is.
func (r *Relocation) Replace(ctx context.Context, op string, bodies Bodies, unchanged azcore.ETag) (at *Side, tag azcore.ETag, err error) {
	if unchanged != "" && unchanged != azcore.ETagAny {
		f, err := r.settled(ctx, op)
		if err == nil && f.tag != unchanged {
			err = f.changed(op)
		}
		if err != nil {
			return nil, "", err
		}
		tag, err = f.replace(ctx, op, bodies, true)
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

// changed is the error about a document that has another ETag than it should.
func (f *found) changed(op string) error {
	return &wire.OperationError{
		Op: op, Type: f.Type, ID: f.Place.ID, PartitionKey: f.Place.Name,
		Kind: wire.ErrPreconditionFailed, Err: errors.New("it has another ETag: it was changed, or has moved to the new container"),
	}
}

// replace replaces a live document that is unchanged. Last is that of ReplaceRequest.
func (f *found) replace(ctx context.Context, op string, bodies Bodies, last bool) (azcore.ETag, error) {
	w, err := bodies(f.Side)
	if err != nil {
		return "", err
	}
	return replace(ctx, f.Writer, op, w, f.Means, f.tag, last)
}

// Update reads the document, lets change make another of it, and stores that if nobody
// has changed the document in between. It returns the side where it is.
func (r *Relocation) Update(ctx context.Context, op string, change func(doc any) (Bodies, error)) (*Side, azcore.ETag, error) {
	open := false // the write that was refused may have caused that itself
	for attempt := 1; ; attempt++ {
		f, err := r.settled(ctx, op)
		if err != nil {
			return nil, "", wire.StillUnclear(err, open && MayHaveStored(err))
		}
		bodies, err := change(f.doc)
		if err != nil {
			return nil, "", err
		}
		tag, err := f.replace(ctx, op, bodies, attempt == lastAttempt)
		if !isOvertaken(err) {
			return f.Side, tag, err
		}
		open = open || !f.Proves()
		if err := r.pause(ctx, op, attempt); err != nil {
			return nil, "", wire.StillUnclear(err, open && MayHaveStored(err))
		}
	}
}

// Patch patches the document where it is.
func (r *Relocation) Patch(ctx context.Context, request Patch) error {
	const op = wire.OpPatch
	return r.each(ctx, op, func(s *Side) error {
		send, err := patching(s.Writer, s.Place, request, nil)
		if err != nil {
			return s.Failure(op, s.Place, err)
		}
		return patchVerified(ctx, s.Writer, op, s.Place, s.Means, request, verified{change: send, once: request.Once, counts: request.counts})
	})
}

// Delete removes the document where it is. If unchanged is an ETag, the document must
// have it. If an unclear attempt is followed by one that finds no document on the old side, the
// document is deleted or has moved, so Delete looks for it again.
func (r *Relocation) Delete(ctx context.Context, unchanged azcore.ETag) error {
	const op = wire.OpDelete
	open := false // an attempt may have taken effect
	for attempt := 1; ; attempt++ {
		f, err := r.settled(ctx, op)
		if open && isMissing(err) {
			return nil
		}
		if err == nil && unchanged != "" && f.tag != unchanged {
			err = f.changed(op)
		}
		if err == nil && f.Side == r.New && r.Phase != PhaseDone {
			err = r.unmark(ctx, op)
		}
		if err != nil {
			return wire.StillUnclear(err, open)
		}
		request := DeleteRequest(f.Writer, f.Place, f.tag)
		if _, other := r.Home(); f.Side == r.Old && other != nil {
			request.settle = nil
		}
		_, err = Send(ctx, f.Writer, op, f.Place, request)
		absent := errors.Is(err, wire.ErrNotFound) && request.settle == nil
		if open = open || absent && errors.Is(err, wire.ErrUnclear); !absent && !isOvertaken(err) {
			return wire.StillUnclear(err, open)
		}
		if err := r.pause(ctx, op, attempt); err != nil {
			return wire.StillUnclear(err, open)
		}
	}
}

// unmark removes what is moved on the old side, for a document that was live on the new
// one. Afterwards no copy of an earlier move can become live.
func (r *Relocation) unmark(ctx context.Context, op string) error {
	old, err := r.Old.read(ctx, op)
	if err != nil || old.state != moved {
		return err
	}
	return old.remove(ctx, op)
}

// remove removes what was found, unless it has changed since.
func (f *found) remove(ctx context.Context, op string) error {
	_, err := Send(ctx, f.Writer, op, f.Place, DeleteRequest(f.Writer, f.Place, f.tag))
	if isOvertaken(err) {
		return nil
	}
	return err
}

// Create stores a document that does not exist. It returns the side where it is. It
// costs two writes and a point read in the phases of two containers, and else one
// write.
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

// complete makes the draft that has an ETag live, unless the document is on the other
// side. It returns no ETag if the creation has to begin anew.
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

// begin stores the first version of a new document. It returns no ETag if it has to be
// called again, and ErrAlreadyExists if the document exists.
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
		return "", existing(op, f.Side)
	}
	if f, err = home.read(ctx, op); err != nil {
		return "", err
	}
	switch f.state {
	case foreign:
		return "", f.occupied(op)
	case draft, copied: // of an attempt that came to nothing
		tag, err := swap(ctx, home, op, w.Body, f.tag)
		if isOvertaken(err) {
			return "", nil
		}
		return tag, err
	}
	return "", nil
}

// existing is the error about a document that is on a side.
func existing(op string, s *Side) error {
	return &wire.OperationError{
		Op: op, Type: s.Type, ID: s.Place.ID, PartitionKey: s.Place.Name,
		Kind: wire.ErrAlreadyExists, Err: errors.New("it is in one of the two containers"),
	}
}

// claim reports whether a draft may become live: the other side has no document, and
// from now on no draft of it can become live.
func (r *Relocation) claim(ctx context.Context, op string, other *Side) (bool, error) {
	f, err := other.read(ctx, op)
	switch {
	case err != nil:
		return false, err
	case f.exists():
		return false, existing(op, other)
	case f.state != draft:
		return true, nil
	}
	_, err = Send(ctx, other.Writer, op, other.Place, DeleteRequest(other.Writer, other.Place, f.tag))
	return err == nil, ignored(err, isOvertaken)
}

// ignored returns err unless it is of a kind.
func ignored(err error, is func(error) bool) error {
	if is(err) {
		return nil
	}
	return err
}

// Upsert replaces the document where it is, or creates it.
func (r *Relocation) Upsert(ctx context.Context, bodies Bodies) (*Side, azcore.ETag, error) {
	const op = wire.OpUpsert
	for attempt := 1; ; attempt++ {
		at, tag, err := r.Replace(ctx, op, bodies, "")
		if !isMissing(err) {
			return at, tag, err
		}
		at, tag, err = r.Create(ctx, op, bodies)
		created := !errors.Is(err, wire.ErrAlreadyExists) // or failed for another reason
		if created || errors.Is(err, wire.ErrOtherType) || errors.Is(err, store.ErrForeign) || errors.Is(err, wire.ErrUnclear) {
			return at, tag, err
		}
		if r.pause(ctx, op, attempt) != nil {
			return at, "", err
		}
	}
}

// swap stores a body in place of what has an ETag.
func swap(ctx context.Context, s *Side, op string, body []byte, unchanged azcore.ETag) (azcore.ETag, error) {
	return swapSettled(ctx, s, op, body, unchanged, func(ctx context.Context, r refusal) (azcore.ETag, verdict) {
		if !r.unclear || !errors.Is(r, wire.ErrPreconditionFailed) {
			return "", notStored // the step reads the document again
		}
		if tag, err := ReadBack(ctx, s.Writer, op, Document{Place: s.Place, Body: body}, r); err == nil {
			return tag, stored
		}
		return "", notStored
	})
}

// swapSettled is swap whose refusal is settled by a function.
func swapSettled(ctx context.Context, s *Side, op string, body []byte, unchanged azcore.ETag, settle func(context.Context, refusal) (azcore.ETag, verdict)) (azcore.ETag, error) {
	return Send(ctx, s.Writer, op, s.Place, Request{
		Send: func(ctx context.Context) (azcosmos.ItemResponse, error) {
			return s.Client.ReplaceItem(ctx, s.Place.Key, s.Place.ID, body, wire.IfMatch(ctx, unchanged))
		},
		settle: settle,
	})
}
