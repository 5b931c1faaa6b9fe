package write

import (
	"context"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// The operations on a document that is marked as deleted, as errors and events name them.
const (
	OpRestore = "restore"
	OpPurge   = "purge"
)

// errNotMarked is why a document is neither restored nor purged.
var errNotMarked = errors.New("the document is not marked as deleted: there is nothing to restore, and Delete comes before Purge")

// Restore takes the mark from the document at p: a point read, and a patch on condition
// that the document is unchanged, which carries the stamps. So it counts once, however
// often it is sent. A document of an earlier form stays in that form. One of a later form
// is refused: only the release that knows the form can tell whether the mark has set the
// document's time to live. Means is that of verify.
func Restore(ctx context.Context, s *Writer, p wire.Place, means func(doc any) bool) error {
	return overMarked(ctx, s, OpRestore, p, means, nil, func(ctx context.Context, seen sight) (azcosmos.ItemResponse, error) {
		d := s.Deleted
		request := Patch{Operations: []PatchOperation{{Op: PatchRemove, Path: "/" + text.Escape(d.Property)}}}
		if !d.OwnTTL && text.Member(seen.raw, TTLProperty) != nil {
			request.Operations = append(request.Operations, PatchOperation{Op: PatchRemove, Path: "/" + TTLProperty})
		}
		request.stamp(s.Stamps, d.Now().UTC().Truncate(stampTick))
		send, err := patching(s, p, request, nil)
		if err != nil {
			return azcosmos.ItemResponse{}, err
		}
		return send(ctx, seen.tag)
	}, func(err error) bool { return errors.Is(err, errNotMarked) })
}

// Releasing returns what has to be done when a document has been removed, of which this is
// the JSON; nil for nothing.
type Releasing func(ctx context.Context, raw []byte) (after func(context.Context), err error)

// Purge removes the document at p, which is marked as deleted: a point read, and a
// deletion on condition that the document is unchanged. Before each of them it calls
// releasing, which may be nil.
func Purge(ctx context.Context, s *Writer, p wire.Place, means func(doc any) bool, releasing Releasing) error {
	after := func(context.Context) {}
	before := func(ctx context.Context, seen sight) (err error) {
		if releasing != nil {
			after, err = releasing(ctx, seen.raw)
		}
		return err
	}
	err := overMarked(ctx, s, OpPurge, p, means, before, func(ctx context.Context, seen sight) (azcosmos.ItemResponse, error) {
		return s.DeleteItem(ctx, p.Key, p.ID, wire.IfMatch(ctx, seen.tag))
	}, absent)
	if err == nil {
		after(ctx)
	}
	return err
}

// overMarked looks at the document at p, and sends a write on condition that it is
// unchanged, if it is marked as deleted. Both are sent again as those of verify are. Before
// is called between them, unless it is nil. Took
// says of the error of a look that follows an unclear attempt whether the write has taken
// effect.
func overMarked(ctx context.Context, s *Writer, op string, p wire.Place, means func(doc any) bool, before func(context.Context, sight) error, send func(context.Context, sight) (azcosmos.ItemResponse, error), took func(error) bool) error {
	if s.Deleted == nil {
		return s.Failure(op, p, errors.New("no field of the type is tagged deleted, and nothing marks its documents: use Delete"))
	}
	var a attempts
	for {
		seen, err := lookAtMarked(ctx, s, op, p, means)
		if err != nil && a.unclear && took(err) {
			return nil
		}
		if err != nil {
			return wire.StillUnclear(err, a.unclear || a.refused && (took(err) || MayHaveStored(err)))
		}
		if before != nil {
			if err := before(ctx, seen); err != nil {
				return wire.StillUnclear(err, a.unclear)
			}
		}
		_, done, err := a.send(ctx, s, op, p, seen.tag, verified{}, func(ctx context.Context) (azcosmos.ItemResponse, error) { return send(ctx, seen) })
		if done {
			return err
		}
	}
}

// lookAtMarked reads the document at p, and returns it if it is marked as deleted.
func lookAtMarked(ctx context.Context, s *Writer, op string, p wire.Place, means func(doc any) bool) (sight, error) {
	response, err := s.Fetch(ctx, op, p)
	if err != nil {
		return sight{}, err
	}
	seen := sight{response.Value, response.ETag}
	if err := s.MeantDeleted(op, p, seen.raw, means, wire.ErrNotFound); err != nil {
		return seen, err
	}
	if !s.Deleted.marks(seen.raw) {
		return seen, &wire.OperationError{Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Kind: wire.ErrPreconditionFailed, Err: errNotMarked}
	}
	if err := s.Schema.Newer(seen.raw); err != nil && op == OpRestore {
		return seen, s.Failure(op, p, err)
	}
	return seen, nil
}
