package write

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/system"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Deleted says how documents of a type are marked as deleted: by one patch, on condition
// that they are not marked yet. The mark is the time of the deletion. A store with a Hiding
// of the same property hides marked documents.
type Deleted struct {
	Property string

	// Seconds is the time to live that a mark sets, after which the service removes the
	// document; 0 sets none. A patch may set it ("Frequently asked questions about partial
	// document update in Azure Cosmos DB").
	Seconds int32

	// OwnTTL says that documents of the type have their own time to live, which Restore
	// keeps.
	OwnTTL bool

	Clear func(doc any) // clears the field of a document

	store.Clock
}

// unmarked returns a document without the properties of a mark, which callers cannot set.
func (d *Deleted) unmarked(body []byte) []byte {
	if d == nil {
		return body
	}
	names := []string{d.Property}
	if d.Seconds > 0 {
		names = append(names, system.TTL)
	}
	for _, name := range names {
		if text.Member(body, name) != nil {
			return text.Without(body, names)
		}
	}
	return body
}

func (d *Deleted) marks(raw []byte) bool { return d != nil && present(raw, d.Property) != nil }

// gone reports whether err says that the document is missing or marked as deleted.
func (s *Writer) gone(err error) bool {
	return absent(err) || s.Deleted != nil && errors.Is(err, wire.ErrDeleted)
}

// markingPatch returns the patch that marks a document as deleted, with its stamps. Its
// condition is false once it has taken effect, so it counts once.
func markingPatch(s *Writer) Patch {
	d := s.Deleted
	at := d.Now().UTC().Truncate(stampTick)
	p := Patch{Operations: []PatchOperation{
		{Op: PatchSet, Path: "/" + jsonpointer.Escape(d.Property), Value: json.RawMessage(strconv.Quote(at.Format(stampLayout)))},
	}}
	if d.Seconds > 0 {
		p.Operations = append(p.Operations, PatchOperation{Op: PatchSet, Path: "/" + system.TTL, Value: json.RawMessage(strconv.Itoa(int(d.Seconds)))})
	}
	p.stamp(s.Stamps, at)
	p.Condition = "from c where " + s.OwnCondition() // any form
	return p
}

// Deletion returns the operation of a batch that deletes the document with an id, by a mark
// if the type has marks.
func Deletion(s *Writer, id string, unchanged azcore.ETag) (wire.Operation, error) {
	o := wire.Operation{Op: wire.OpDelete, ID: id, Unchanged: unchanged}
	if s.Deleted == nil {
		return o, nil
	}
	p := markingPatch(s)
	o.Marks, o.Mark = true, p.Operations[0].Value
	return o, p.AddTo(&o)
}

// DeleteUnchanged deletes the document at p, if it has the ETag unchanged. Repeated says
// that the deletion may have been sent before.
func DeleteUnchanged(ctx context.Context, s *Writer, p wire.Place, unchanged azcore.ETag, repeated bool) error {
	if s.Deleted != nil {
		return mark(ctx, s, p, unchanged, repeated)
	}
	w := DeleteRequest(s, p, unchanged)
	w.Repeated = repeated
	_, err := Send(ctx, s, wire.OpDelete, p, w)
	return err
}

// mark marks the document at p as deleted. Unless unchanged is empty, the document must
// have that ETag. It costs one patch, and a read if the patch is refused.
func mark(ctx context.Context, s *Writer, p wire.Place, unchanged azcore.ETag, repeated bool) error {
	for attempt := 1; ; attempt++ {
		err := markOnce(ctx, s, p, unchanged, repeated)
		if unchanged != "" || !errors.Is(err, wire.ErrPreconditionFailed) || errors.Is(err, wire.ErrUnclear) {
			return err
		}
		// It was marked, and restored since.
		if err := Anew(ctx, attempt, err); err != nil {
			return err
		}
	}
}

func markOnce(ctx context.Context, s *Writer, p wire.Place, unchanged azcore.ETag, repeated bool) error {
	var met error // the reason for the refusal, or why it is unknown
	err := sendMark(ctx, s, p, unchanged, repeated, func(ctx context.Context, at json.RawMessage, r refusal) (v verdict) {
		v, met = ifMarked(ctx, s, p, at, r)
		return v
	})
	var own *documents.Error
	if errors.As(err, &own) && own.Status == http.StatusPreconditionFailed && met != nil && (unchanged == "" || errors.Is(met, wire.ErrNotFound)) {
		return wire.StillUnclear(met, own.Unclear)
	}
	return err
}

// sendMark sends the patch that marks the document at p. Settle settles a refusal; at is
// the time of the mark.
func sendMark(ctx context.Context, s *Writer, p wire.Place, unchanged azcore.ETag, repeated bool, settle func(ctx context.Context, at json.RawMessage, r refusal) verdict) error {
	request := markingPatch(s)
	send, err := patching(s, p, request, nil)
	if err != nil {
		return s.Failure(wire.OpDelete, p, err)
	}
	_, err = Send(ctx, s, wire.OpDelete, p, Request{
		Send: func(ctx context.Context) (wire.Answer, error) { return send(ctx, unchanged) },
		settle: func(ctx context.Context, r refusal) (azcore.ETag, verdict) {
			return "", settle(ctx, request.Operations[0].Value, r)
		},
		Repeated: repeated,
	})
	return err
}

// ifMarked settles the refusal of a mark. The mark took effect if the document has its
// time, and after an unclear attempt also if the document is marked or gone. The error
// describes the document that refused the mark.
func ifMarked(ctx context.Context, s *Writer, p wire.Place, at json.RawMessage, r refusal) (verdict, error) {
	if r.unclear && errors.Is(r, wire.ErrNotFound) {
		return stored, nil
	}
	if !errors.Is(r, wire.ErrPreconditionFailed) {
		return notStored, nil
	}
	answer, err := s.Fetch(ctx, wire.OpDelete, p)
	if err == nil && s.Owns(answer.Value) && s.Deleted.hasMark(answer.Value, at) {
		return stored, nil
	}
	met := err
	if err == nil {
		met = s.Refuse(wire.OpDelete, p, answer.Value, wire.ErrNotFound)
	}
	if r.unclear && s.gone(met) {
		return stored, met
	}
	if err != nil {
		return unread(err), met
	}
	return notStored, met
}

// hasMark reports whether a stored document was marked with this time.
func (d *Deleted) hasMark(raw, at []byte) bool {
	return !d.Given && sameValue(text.Member(raw, d.Property), at)
}

// markVerified is mark with a look first.
func markVerified(ctx context.Context, s *Writer, p wire.Place, means func(doc any) bool) error {
	request := markingPatch(s)
	send, err := patching(s, p, request, nil)
	if err != nil {
		return s.Failure(wire.OpDelete, p, err)
	}
	_, err = verify(ctx, s, wire.OpDelete, p, means, verified{change: send, removes: true, isSent: func(raw []byte) bool {
		return s.Deleted.hasMark(raw, request.Operations[0].Value)
	}})
	return err
}

// Operations on a document that is marked as deleted, as errors and events name them.
const (
	OpRestore = "restore"
	OpPurge   = "purge"
)

// errNoMarks is the error of Restore and Purge for a type without marks.
var errNoMarks = errors.New("no field of the type is tagged deleted, so its documents are never marked: use Delete")

// errNotMarked is the error of Restore and Purge for a document without a mark.
var errNotMarked = errors.New("the document is not marked as deleted: there is nothing to restore, and Delete comes before Purge")

// unmarked reports whether a look found a document without a mark. After a refused write,
// another program may have restored it; or the first copy of the request removed the marked
// document, and another program stored this one.
func unmarked(err error) bool { return errors.Is(err, errNotMarked) }

// Restore removes the mark from the document at p. It costs a point read, and a patch on
// condition that the document is unchanged, so it counts once, however often it is sent. A
// document of an earlier form stays in that form. A document of a later form is an error,
// because only its release can tell whether the mark set the time to live. Means is as in
// verify. If unchanged is an ETag, the document must have it. The restored document goes to
// c.
func Restore(ctx context.Context, s *Writer, p wire.Place, means func(doc any) bool, unchanged azcore.ETag, c *wire.Content) error {
	var last Patch // the last one sent
	return overMarked(ctx, s, p, marked{
		op: OpRestore, means: means, unchanged: unchanged,
		send: func(ctx context.Context, seen sight) (wire.Answer, error) {
			last = restoringPatch(s, seen)
			send, err := patching(s, p, last, c)
			if err != nil {
				return wire.Answer{}, err
			}
			return send(ctx, seen.tag)
		},
		took: func(seen sight, err error) bool {
			if !unmarked(err) || unchanged != "" && (!s.Stamps.tells() || !last.isShown(seen.raw)) {
				return false
			}
			_, _ = c.Keep(wire.Answer{Value: seen.raw}, nil)
			return true
		},
	})
}

// restoringPatch returns the patch that removes the mark, with the stamps.
func restoringPatch(s *Writer, seen sight) Patch {
	d := s.Deleted
	request := Patch{Operations: []PatchOperation{{Op: PatchRemove, Path: "/" + jsonpointer.Escape(d.Property)}}}
	if !d.OwnTTL && text.Member(seen.raw, system.TTL) != nil {
		request.Operations = append(request.Operations, PatchOperation{Op: PatchRemove, Path: "/" + system.TTL})
	}
	request.stamp(s.Stamps, d.Now().UTC().Truncate(stampTick))
	return request
}

// OverMarked reads the document at p, which must be marked as deleted, and returns an
// operation of a transaction, OpRestore or OpPurge, on condition that the document is
// unchanged. If unchanged is an ETag, the document must have it.
func OverMarked(ctx context.Context, s *Writer, op string, p wire.Place, means func(doc any) bool, unchanged azcore.ETag) (Operation, error) {
	if s.Deleted == nil {
		return Operation{}, s.Failure(op, p, errNoMarks)
	}
	seen, err := lookAtMarked(ctx, s, op, p, means)
	if err == nil {
		err = seen.is(s, op, p, unchanged)
	}
	if err != nil {
		return Operation{}, err
	}
	i := Operation{Operation: wire.Operation{Op: wire.OpDelete, ID: p.ID, Unchanged: seen.tag}, marked: true}
	if op == OpPurge {
		return i, nil
	}
	request := restoringPatch(s, seen)
	i.Op, i.Once = wire.OpPatch, request.MustNotOvertake()
	if err := request.AddTo(&i.Operation); err != nil {
		return i, s.Failure(op, p, err)
	}
	return i, nil
}

// Releasing is called before a document is removed, with its JSON. The function that it
// returns is called after the removal.
type Releasing func(ctx context.Context, raw []byte) (after func(context.Context), err error)

// Purge removes the document at p, which must be marked as deleted. It costs a point read,
// and a deletion on condition that the document is unchanged. It calls releasing, which may
// be nil, before each attempt to delete. If unchanged is an ETag, the document must have
// it.
func Purge(ctx context.Context, s *Writer, p wire.Place, means func(doc any) bool, unchanged azcore.ETag, releasing Releasing) error {
	after := func(context.Context) {}
	err := overMarked(ctx, s, p, marked{
		op: OpPurge, means: means, unchanged: unchanged,
		before: func(ctx context.Context, seen sight) (err error) {
			if releasing != nil {
				after, err = releasing(ctx, seen.raw)
			}
			return err
		},
		send: func(ctx context.Context, seen sight) (wire.Answer, error) {
			return s.DeleteItem(ctx, p.Key, p.ID, wire.IfMatch(ctx, seen.tag))
		},
		took: func(_ sight, err error) bool { return absent(err) },
	})
	if err == nil {
		after(ctx)
	}
	return err
}

// marked describes a write of a document that is marked as deleted.
type marked struct {
	op        string
	means     func(doc any) bool // as in verify
	unchanged azcore.ETag        // empty for any

	before func(context.Context, sight) error // called between the look and the write; may be nil
	send   func(context.Context, sight) (wire.Answer, error)

	// took reports, from the look after an unclear attempt and its error, whether the write
	// took effect.
	took func(sight, error) bool
}

// overMarked reads the document at p, and if it is marked as deleted, sends a write on
// condition that it is unchanged. Both are repeated as in verify.
func overMarked(ctx context.Context, s *Writer, p wire.Place, w marked) error {
	if s.Deleted == nil {
		return s.Failure(w.op, p, errNoMarks)
	}
	var a attempts
	for {
		seen, err := lookAtMarked(ctx, s, w.op, p, w.means)
		if err != nil && a.unclear && w.took(seen, err) {
			return nil
		}
		if err == nil {
			if err := seen.is(s, w.op, p, w.unchanged); err != nil {
				return wire.StillUnclear(err, a.unclear || a.refused)
			}
		}
		if err != nil {
			return wire.StillUnclear(err, a.unclear || a.refused && (absent(err) && w.op == OpPurge || unmarked(err) || MayHaveStored(err)))
		}
		if w.before != nil {
			if err := w.before(ctx, seen); err != nil {
				return wire.StillUnclear(err, a.unclear)
			}
		}
		_, done, err := a.send(ctx, s, w.op, p, seen.tag, verified{}, func(ctx context.Context) (wire.Answer, error) { return w.send(ctx, seen) })
		if done {
			return err
		}
	}
}

// is returns an error if the document does not have the ETag unchanged. An empty ETag
// matches all.
func (seen sight) is(s *Writer, op string, p wire.Place, unchanged azcore.ETag) error {
	if unchanged == "" || seen.tag == unchanged {
		return nil
	}
	return s.changedError(op, p)
}

// lookAtMarked reads the document at p. It returns an error if the document is not marked
// as deleted.
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
		return seen, &documents.Error{Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Kind: wire.ErrPreconditionFailed, Err: errNotMarked}
	}
	if err := s.Schema.Newer(seen.raw); err != nil && op == OpRestore {
		return seen, s.Failure(op, p, err)
	}
	return seen, nil
}
