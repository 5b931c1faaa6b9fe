package write

import (
	"context"
	"errors"
	"slices"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/marks"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

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
var errAgain = errors.New("others have written it meanwhile")

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
		if err := m.pause(ctx, attempt, failure); err != nil {
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
	return &wire.OperationError{
		Op: c.op, Type: p.Writer.Type, ID: p.ID, PartitionKey: p.Name, Kind: wire.ErrAlreadyExists,
		Err: errors.New("it is stored under another number of buckets"),
	}
}

// send creates the document. Next says that its place has the mark of a document that
// has moved.
func (c *creation) send(ctx context.Context, w Document) (_ azcore.ETag, answer azcosmos.ItemResponse, next bool, err error) {
	p := c.All[c.home]
	s := p.Writer
	tag, err := Send(ctx, s, c.op, w.Place, Request{
		Send: func(ctx context.Context) (_ azcosmos.ItemResponse, err error) {
			answer, err = s.Client.CreateItem(ctx, w.Key, w.Body, wire.WriteOptions(ctx))
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
	tag, err = Send(ctx, s, c.op, w.Place, Request{Send: func(ctx context.Context) (_ azcosmos.ItemResponse, err error) {
		answer, err = s.Client.ReplaceItem(ctx, w.Key, w.ID, w.Body, wire.IfMatch(ctx, there.tag))
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
		return wire.Noted(met, "and two documents may remain, since "+p.String()+" could not be removed: "+err.Error(), err)
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
		if err := c.pause(ctx, attempt, err); err != nil {
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
