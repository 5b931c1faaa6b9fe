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

// Held is a lease that a worker has acquired. No other worker acquires it as long as the
// worker writes it once in an interval. If the worker cannot, it gives the lease up at the
// end of the interval by its own clock, before others can see it expire. Only a worker that
// steals the lease overlaps with its owner, until the owner notices. Held is safe for
// concurrent use.
type Held struct {
	store    Store
	interval time.Duration
	owner    string
	epoch    int64

	writing chan struct{} // serializes writes, so that a changed ETag is the work of another process

	mu     sync.Mutex
	lease  Lease
	tag    string      // up to which changes were handled; "" before the first Save
	window Window      // for the next write
	until  time.Time   // when others may see the lease expire
	expiry *time.Timer // calls expire
	end    context.CancelCauseFunc

	divided bool // other leases have replaced it
	removed bool // the lease was removed
}

// maxConflicts bounds the retries of a write whose ETag has changed.
const maxConflicts = 5

// Acquire makes worker the owner of a lease that it has seen. If steal is set, the owner is
// alive, and may write the lease meanwhile. Otherwise Acquire does not take a lease that
// has changed. It returns ErrLost if another worker was faster.
//
// The returned context ends, with ErrLost as its cause, when the lease is lost.
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
		// A stopping worker waits for the answer, so that it can free the lease.
		got, err := store.Replace(context.WithoutCancel(ctx), next)
		if err == nil {
			h := &Held{store: store, interval: interval, owner: worker, epoch: next.Epoch, window: next.Window, writing: make(chan struct{}, 1)}
			heldCtx, end := context.WithCancelCause(ctx)
			h.end = end
			h.wrote(got, sent)
			h.mu.Lock()
			defer h.mu.Unlock()
			left := time.Until(h.until)
			if left <= 0 { // the process was suspended before it had the answer
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

// lostBy returns ErrLost for ErrChanged and ErrGone, and other errors unchanged.
func lostBy(err error) error {
	if errors.Is(err, ErrChanged) || errors.Is(err, ErrGone) {
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	return err
}

// Lease returns the lease as it was written last, with the Window of Note.
func (h *Held) Lease() Lease {
	h.mu.Lock()
	defer h.mu.Unlock()
	l := h.lease
	l.Window = h.window
	return l
}

// Note sets the Window for the next write of the lease.
func (h *Held) Note(w Window) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.window = w
}

// Renew writes the lease, so that it does not expire.
func (h *Held) Renew(ctx context.Context) error {
	return h.write(ctx, func(*Lease) {})
}

// Save writes how far changes were handled. If ctx ends before, Release saves it.
func (h *Held) Save(ctx context.Context, tag string) error {
	h.mu.Lock()
	h.tag = tag
	h.mu.Unlock()
	return h.write(ctx, func(l *Lease) { l.Tag = tag })
}

// releasePause is the pause of Release between requests.
const releasePause = 100 * time.Millisecond

// Release frees the lease for other workers. It retries failed requests until ctx ends. Even
// if it returns an error, the worker no longer has the lease.
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

// Divide replaces the lease by others, which resume where it is. They are created before it
// is removed. A worker that finds both divides the lease again, which keeps existing
// leases.
func (h *Held) Divide(ctx context.Context, others []Lease) error {
	for _, l := range others {
		if l.ID == h.Lease().ID {
			return fmt.Errorf("the lease %.200q cannot take its own place", l.ID)
		}
	}
	if err := h.Renew(ctx); err != nil { // a worker that lost the lease must not bring back successors that were divided since
		return err
	}
	for _, l := range others {
		if err := h.store.Create(ctx, l); err != nil {
			return err
		}
	}
	return h.remove(ctx, &h.divided)
}

// Remove removes the lease.
func (h *Held) Remove(ctx context.Context) error { return h.remove(ctx, &h.removed) }

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

// write changes the lease on condition of its ETag. If the ETag has changed, write retries
// only if the owner and the epoch are still its own: then an earlier write took effect
// whose answer was lost. Errors other than ErrLost may be temporary.
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
			return h.alive() // the process may have been suspended before it had the answer
		}
		if errors.Is(err, ErrChanged) && attempt < maxConflicts {
			if got, err = h.store.Read(ctx, next.ID); err == nil {
				switch {
				case got.Epoch != h.epoch || got.Owner != h.owner && got.Owner != next.Owner:
					err = ErrChanged
				case got.Owner != h.owner: // an earlier request of Release freed it
					return nil
				default:
					h.wrote(got, h.written()) // the time of that write is unknown
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

// turn waits until no other write is under way. The caller must call done.
func (h *Held) turn(ctx context.Context) (done func(), err error) {
	select {
	case h.writing <- struct{}{}:
		return func() { <-h.writing }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// alive returns ErrLost if other workers may have seen the lease expire.
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

// expire is called at the end of an interval. If the lease was not written since, it is
// lost.
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

// wrote records a lease that the service has, by a request sent at this time.
func (h *Held) wrote(l Lease, sent time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lease, h.until = l, sent.Add(h.interval)
}

// written returns when the last write with a known outcome was sent.
func (h *Held) written() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.until.Add(-h.interval)
}

// Keep renews the lease until ctx, the context of the lease, ends. It waits for the
// duration every after each write, and a second at most after a failure.
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

// nameDocuments is a property of the document which says that leases were created: the
// types that the processor handles.
const nameDocuments = "pkgenDocuments"

func (c *Container) info() ([]byte, error) {
	said := map[string]any{nameID: c.Prefix.info()}
	if len(c.Documents) > 0 {
		said[nameDocuments] = c.Documents
	}
	return json.Marshal(said)
}

// created reports whether the leases were created. It returns an error if they are for
// documents of a type that this process does not handle, because it would skip these and
// save progress beyond them. A process that handles more types than earlier ones adds them
// to the document, so that a process without them can no longer start.
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

// handled returns the types of documents that leases are for, or nil if unknown.
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

// Successors returns the leases that replace a lease whose range was divided into these
// parts. A part that is a whole physical partition gets a lease by its id, any other part
// one by range. JavaEPK has only leases by range. JavaRange has none, so there such a part is
// an error.
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

// Part is a range, and the tag after which its changes resume.
type Part struct {
	Range
	Tag string
}

// Merged reports whether a lease of DotNet by the id of a physical partition must become
// one by range, because that was merged.
func (c *Container) Merged(physical *route.Map, l Lease) bool {
	if c.Dialect != DotNet || l.byRange || l.Range == nil {
		return false
	}
	now := Range{physical.Find(l.Range.Min).Min, physical.Find(l.Range.Min).Max}
	return l.Range.within(now) && !now.within(*l.Range)
}

// whole returns the id of the physical partition with this range, or "".
func whole(physical *route.Map, r Range) string {
	for _, p := range physical.Ranges {
		if partition.CompareEPK(p.Min, r.Min) == 0 && partition.CompareEPK(p.Max, r.Max) == 0 {
			return p.ID
		}
	}
	return ""
}
