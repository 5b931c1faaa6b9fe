package lease

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Held is a lease that a worker has acquired. Nobody else acquires it while the
// worker writes it once in an interval; a worker that cannot gives it up at the end
// of the interval, by its own clock, which is before anybody sees it expire. Only a
// worker that steals the lease overlaps with its owner, until the owner notices. It
// is safe for concurrent use.
type Held struct {
	store    Store
	interval time.Duration
	owner    string
	epoch    int64

	writing chan struct{} // is full during a write: they come one after the other, so that an ETag that changed is news

	mu     sync.Mutex
	lease  Lease
	tag    string      // to which all is handled; "" before the first Save
	window Window      // as the next write has it
	until  time.Time   // when others may see that it has expired
	expiry *time.Timer // calls expire
	end    context.CancelCauseFunc

	divided bool // there are others in place of it
	removed bool // nobody needs it any more
}

// maxConflicts bounds how often a write is begun again on the ETag of another one.
const maxConflicts = 5

// Acquire makes worker the owner of a lease that it has seen. If steal is set, the
// owner lives, and may write the lease meanwhile; otherwise a lease that has changed
// is not taken. Acquire returns ErrLost if somebody else was first.
//
// The context that Acquire returns ends, with ErrLost as its cause, when the lease is
// lost.
func Acquire(ctx context.Context, store Store, seen Lease, worker string, interval time.Duration, steal bool) (*Held, context.Context, error) {
	store = newPatient(store, interval)
	before := seen.Owner
	for attempt := 1; ; attempt++ {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		next := seen
		next.Owner = worker
		next.Epoch++
		sent := time.Now()
		// A worker that ends waits for the answer, so that it can make the lease free.
		got, err := store.Replace(context.WithoutCancel(ctx), next)
		if err == nil {
			h := &Held{store: store, interval: interval, owner: worker, epoch: next.Epoch, window: next.Window, writing: make(chan struct{}, 1)}
			heldCtx, end := context.WithCancelCause(ctx)
			h.end = end
			h.wrote(got, sent)
			h.mu.Lock()
			defer h.mu.Unlock()
			left := time.Until(h.until)
			if left <= 0 { // the process was stopped before it had the answer
				end(ErrLost)
				return nil, nil, fmt.Errorf("%w: it has expired before the answer came", ErrLost)
			}
			h.expiry = time.AfterFunc(left, h.expire)
			return h, heldCtx, nil
		}
		if errors.Is(err, ErrGone) || attempt == maxConflicts || ctx.Err() != nil {
			return nil, nil, lostBy(err)
		}
		if seen, err = store.Read(ctx, seen.ID); err != nil {
			return nil, nil, lostBy(err)
		}
		switch {
		case seen.Owner == worker && seen.Epoch == next.Epoch: // written after all
		case seen.Owner == before && (steal || seen.ETag == next.ETag):
		default:
			return nil, nil, lostBy(ErrChanged)
		}
	}
}

// lostBy returns ErrLost for what a store says of a lease, and other errors unchanged.
func lostBy(err error) error {
	if errors.Is(err, ErrChanged) || errors.Is(err, ErrGone) {
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	return err
}

// Lease returns the lease as it was written last, with what Note has noted.
func (h *Held) Lease() Lease {
	h.mu.Lock()
	defer h.mu.Unlock()
	l := h.lease
	l.Window = h.window
	return l
}

// Note notes what the lease says of a window from the next write on.
func (h *Held) Note(w Window) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.window = w
}

// Renew writes the lease, so that it does not expire.
func (h *Held) Renew(ctx context.Context) error {
	return h.write(ctx, func(*Lease) {})
}

// Save writes how far the changes have been handled. What could not be saved because
// ctx has ended is saved by Release.
func (h *Held) Save(ctx context.Context, tag string) error {
	h.mu.Lock()
	h.tag = tag
	h.mu.Unlock()
	return h.write(ctx, func(l *Lease) { l.Tag = tag })
}

// releasePause is how long Release waits before it sends a request again.
const releasePause = 100 * time.Millisecond

// Release makes the lease free for others. A request that fails is sent again until
// ctx ends. The lease is lost for this worker whatever the error.
func (h *Held) Release(ctx context.Context) error {
	h.mu.Lock()
	tag := h.tag
	h.mu.Unlock()
	defer h.lose(ErrLost)
	for {
		err := h.write(ctx, func(l *Lease) { l.Owner, l.Tag = "", cmp.Or(tag, l.Tag) })
		if err == nil || errors.Is(err, ErrLost) || backoff.Sleep(ctx, releasePause) != nil {
			return err
		}
	}
}

// Divide puts others in place of the lease, which go on where it is. They are there
// before it is removed: a worker that finds both divides it again, and leaves those
// that are there.
func (h *Held) Divide(ctx context.Context, others []Lease) error {
	for _, l := range others {
		if l.ID == h.Lease().ID {
			return fmt.Errorf("the lease %.200q cannot take its own place", l.ID)
		}
	}
	if err := h.Renew(ctx); err != nil { // whoever has lost it must not bring back what was divided since
		return err
	}
	for _, l := range others {
		if err := h.store.Create(ctx, l); err != nil {
			return err
		}
	}
	return h.remove(ctx, &h.divided)
}

// Remove removes the lease, which nobody needs any more.
func (h *Held) Remove(ctx context.Context) error { return h.remove(ctx, &h.removed) }

// remove removes the document of the lease, and notes that.
func (h *Held) remove(ctx context.Context, done *bool) error {
	end, err := h.turn(ctx)
	if err != nil {
		return err
	}
	defer end()
	err = h.store.Delete(ctx, h.Lease())
	if errors.Is(err, ErrGone) {
		err = nil
	}
	if err = lostBy(err); err == nil || errors.Is(err, ErrLost) {
		h.lose(ErrLost)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	*done = err == nil
	return err
}

// write changes the lease on its ETag. Where the document has changed, it goes on
// only if the owner and the epoch are this one's: then an earlier write took effect
// whose answer was lost. Any other error than ErrLost may pass.
func (h *Held) write(ctx context.Context, change func(*Lease)) error {
	done, err := h.turn(ctx)
	if err != nil {
		return err
	}
	defer done()
	for attempt := 1; ; attempt++ {
		if err := h.alive(); err != nil {
			return err
		}
		next := h.Lease()
		change(&next)
		sent := time.Now()
		got, err := h.store.Replace(ctx, next)
		if err == nil {
			h.wrote(got, sent)
			return h.alive() // the process may have been stopped before it had the answer
		}
		if errors.Is(err, ErrChanged) && attempt < maxConflicts {
			if got, err = h.store.Read(ctx, next.ID); err == nil {
				switch {
				case got.Epoch != h.epoch || got.Owner != h.owner && got.Owner != next.Owner:
					err = ErrChanged
				case got.Owner != h.owner: // it is free, by an earlier request of Release
					return nil
				default:
					h.wrote(got, h.written()) // when it was written is not known
					continue
				}
			}
		}
		if err = lostBy(err); errors.Is(err, ErrLost) {
			h.lose(err)
		}
		return err
	}
}

// turn waits until no other write is under way. The function that it returns ends the
// turn.
func (h *Held) turn(ctx context.Context) (done func(), err error) {
	select {
	case h.writing <- struct{}{}:
		return func() { <-h.writing }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// alive returns ErrLost if others may have seen the lease expire.
func (h *Held) alive() error {
	h.mu.Lock()
	expired := !time.Now().Before(h.until)
	h.mu.Unlock()
	if !expired {
		return nil
	}
	err := fmt.Errorf("%w: it was not renewed for %s", ErrLost, h.interval)
	h.lose(err)
	return err
}

// expire is called at the end of an interval. The lease is lost, unless it was
// written since.
func (h *Held) expire() {
	if h.alive() != nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.expiry.Reset(time.Until(h.until))
}

// lose ends the context of the lease.
func (h *Held) lose(reason error) {
	h.end(reason)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.until = time.Time{}
	h.expiry.Stop()
}

// wrote notes that the service has a lease, by a request of this time.
func (h *Held) wrote(l Lease, sent time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lease, h.until = l, sent.Add(h.interval)
}

// written returns when the last write was sent whose outcome is known.
func (h *Held) written() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.until.Add(-h.interval)
}

// Keep renews the lease, a time after each write, until ctx ends, which is that of
// the lease. A renewal that fails is sent again after a second.
func (h *Held) Keep(ctx context.Context, every time.Duration) {
	for wait := every; backoff.Sleep(ctx, wait) == nil; {
		if wait = time.Until(h.written().Add(every)); wait > 0 {
			continue // it was saved meanwhile
		}
		wait = every
		if h.Renew(ctx) != nil {
			wait = min(every, time.Second)
		}
	}
}

// nameDocuments is a property of the document that says that leases were created: the
// types of the documents that the processor handles.
const nameDocuments = "pkgenDocuments"

// info returns the document that says that leases were created.
func (c *Container) info() ([]byte, error) {
	said := map[string]any{nameID: c.Prefix.info()}
	if len(c.Documents) > 0 {
		said[nameDocuments] = c.Documents
	}
	return json.Marshal(said)
}

// created reports whether the leases were created. It returns an error if they are for
// documents of a type that this process does not handle: it would leave them out, and
// save progress beyond them. A process that handles more types than those before it says
// so in the document, so that such a process cannot follow it.
func (c *Container) created(ctx context.Context) (bool, error) {
	for {
		response, err := c.Leases.ReadItem(ctx, opRead, place(c.Prefix.info()))
		if err != nil {
			if err = c.failure(opRead, c.Prefix.info(), err); errors.Is(err, ErrGone) {
				return false, nil
			}
			return false, err
		}
		c.time().read(response.RawResponse)
		said := handled(response.Value)
		if len(said) == 0 || len(c.Documents) == 0 {
			return true, nil // another SDK created them, or the container has one type
		}
		for _, documents := range said {
			if !slices.Contains(c.Documents, documents) {
				return false, fmt.Errorf("the processor %q has leases for documents of another type, for %s, and this process would skip its documents: "+
					"give each type a processor with a name of its own, or have one handle all by a Mux", c.Processor, strings.Join(said, " and "))
			}
		}
		if len(c.Documents) == len(said) {
			return true, nil
		}
		info, err := c.info()
		if err != nil {
			return false, err
		}
		_, err = c.write(ctx, opReplace, c.Prefix.info(), func(ctx context.Context, p wire.Place) (wire.Answer, error) {
			return c.Leases.ReplaceItem(ctx, p.Key, p.ID, info, wire.IfMatch(ctx, response.ETag))
		})
		if !errors.Is(err, ErrChanged) && !errors.Is(err, ErrGone) {
			return err == nil, err
		}
	}
}

// handled returns the types of documents that leases are for, nil if info does not say.
func handled(info []byte) (documents []string) {
	said := text.Member(info, nameDocuments)
	if json.Unmarshal(said, &documents) != nil {
		return nil
	}
	return documents
}

// rangeOf returns the range of a physical partition, which may have been split since.
func rangeOf(physical *route.Map, id string) (*Range, error) {
	var parts []route.Range // in order
	for _, r := range physical.Ranges {
		if r.ID == id {
			return &Range{r.Min, r.Max}, nil
		}
		if slices.Contains(r.Parents, id) {
			parts = append(parts, r)
		}
	}
	if len(parts) < 2 {
		return nil, fmt.Errorf("the lease of physical partition %.40q, which no longer exists and was not split, so its range is unknown: "+
			"it was merged with another, or the lease is for another container; "+
			"give the processor another name, and the dialect JavaEPK, which follows merges, or delete all its documents, to begin anew", id)
	}
	for i, part := range parts[1:] {
		if partition.CompareEPK(parts[i].Max, part.Min) != 0 {
			return nil, fmt.Errorf("the lease of physical partition %.40q, whose parts are not next to each other", id)
		}
	}
	return &Range{parts[0].Min, parts[len(parts)-1].Max}, nil
}

// Successors returns the leases that take the place of one whose range was divided
// in these parts, each with the tag after which it goes on: one by the id of a
// physical partition where a part is all of it, and one by range elsewhere.
func (c *Container) Successors(physical *route.Map, parts []Part) ([]Lease, error) {
	all := make([]Lease, len(parts))
	for i, part := range parts {
		id := ""
		if c.Dialect != JavaEPK {
			id = whole(physical, part.Range)
		}
		if id == "" && c.Dialect == JavaRange {
			return nil, fmt.Errorf("the range from %q to %q is not that of a physical partition, and the dialect %s has no lease for it: use JavaEPK for a container whose physical partitions were merged",
				part.Min, part.Max, c.Dialect)
		}
		all[i] = c.Dialect.NewLease(c.Prefix, id, part.Range, part.Tag, c.time().now())
		all[i].versions = c.Versions
		if c.Several {
			all[i].Window = Window{Container: c.Monitored.Container, Changed: all[i].Time}
		}
	}
	return all, nil
}

// Part is a range, and the tag after which its changes go on.
type Part struct {
	Range
	Tag string
}

// Merged reports whether a lease of DotNet by the id of a physical partition is to be
// one by range, because the physical partition was merged with others.
func (c *Container) Merged(physical *route.Map, l Lease) bool {
	if c.Dialect != DotNet || l.byRange || l.Range == nil {
		return false
	}
	now := Range{physical.Find(l.Range.Min).Min, physical.Find(l.Range.Min).Max}
	return l.Range.within(now) && !now.within(*l.Range)
}

// whole returns the id of the physical partition that has this range, "" if none has.
func whole(physical *route.Map, r Range) string {
	for _, p := range physical.Ranges {
		if partition.CompareEPK(p.Min, r.Min) == 0 && partition.CompareEPK(p.Max, r.Max) == 0 {
			return p.ID
		}
	}
	return ""
}
