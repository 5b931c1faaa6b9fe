package rekey

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/marks"
	"github.com/cosmos-pkgen/pkgen/internal/system"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/pass"
	"github.com/cosmos-pkgen/pkgen/repository/internal/processor"
	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Op names a Rekey in errors and events.
const Op = "rekey"

// Summary is the result of a Rekey so far.
type Summary struct {
	Moved  int
	Failed int   // documents or marks
	Err    error // the first error of these
	Left   int   // documents under earlier keys in the last pass

	Removed int       // marks and invalid copies
	Marks   int       // marks that remain
	NextAt  time.Time // when the first of these may be removed

	Unread  int64 // changes that the leases had not read at the last look
	TooSlow bool  // programs write faster than Rekey reads

	RequestUnits float64
}

// Settings configure a Rekey.
type Settings struct {
	Bulk     api.Bulk
	Progress func(Summary) // called about once a second, one call at a time; may be nil
}

// Rekey is a run over the documents of a type.
type Rekey struct {
	*write.Writer
	*pass.Report[Summary]
	runner  pass.Runner
	keyed   func(doc any) (write.Places, error) // returns where a document may be stored
	changes *write.Reading                      // charges the change feed
	clock   serviceClock
	expiry  system.Expiry // of the container
}

// New returns a run over the documents of a writer. Places returns where a document may be
// stored.
func New(w *write.Writer, places func(doc any) (write.Places, error), s Settings) *Rekey {
	r := &Rekey{Writer: w, keyed: places, Report: pass.NewReport(s.Progress)}
	r.runner = pass.Runner{Bulk: write.NewBulk(w, Op, s.Bulk, w.Unusable), Charged: r.charged, Ended: r.ended}
	r.changes = r.runner.Bulk.NewReading(r.charged)
	return r
}

func (r *Rekey) charged(units float64) { r.Change(func(s *Summary) { s.RequestUnits += units }) }

// ended counts failures, which do not end the run.
func (r *Rekey) ended(item *write.BulkItem) error {
	r.Change(func(s *Summary) { pass.CountFailed(item, &s.Failed, &s.Err) })
	r.Tell(false)
	return nil
}

// Begin reads the container. Call it first.
func (r *Rekey) Begin(ctx context.Context) error {
	if err := r.JoinSession(ctx, Op); err != nil {
		return err
	}
	var err error
	r.expiry, err = r.Expiry(ctx, Op)
	return err
}

// Run moves documents until a pass finds none under earlier keys, and then removes marks.
func (r *Rekey) Run(ctx context.Context) error {
	for range pass.Most {
		r.Change(func(s *Summary) { s.Left, s.Failed, s.Err, s.TooSlow = 0, 0, nil, false })
		if err := r.over(ctx, query.Documents, r.left); err != nil {
			return err
		}
		if s := r.Summary(); s.Left == s.Failed {
			break // all others are at their present keys
		}
	}
	r.Change(func(s *Summary) { s.Marks, s.NextAt = 0, time.Time{} })
	err := r.over(ctx, query.Marks, r.clearing)
	r.Tell(true)
	return err
}

// fastPage is the page size without a budget: moving waits for one page of each physical
// partition at a time.
const fastPage = 1000

// pageSize returns the page size, or 0 for the service's choice. With a budget it is the
// service's choice, because its pages are small.
func (r *Rekey) pageSize() int32 {
	if r.runner.Bulk.PerSecond > 0 {
		return 0
	}
	return fastPage
}

// over reads stored items, and runs what item returns for each. A nil item is skipped.
func (r *Rekey) over(ctx context.Context, what query.Stored, item func(raw []byte) (*write.BulkItem, error)) error {
	var read reading
	began := time.Now().Unix()
	q := query.NewSelection(r.Store, generated.Keys{}).AsStored(what, r.pageSize())
	return r.runner.Over(ctx, q, func(raw []byte) *write.BulkItem {
		r.noteRead(&read, raw, began)
		step, err := item(raw)
		if err != nil { // about this document alone
			step = &write.BulkItem{Err: err}
		}
		return step
	})
}

// slowOf is the number of documents of a sample. If most of a sample were written after the
// pass began, programs count as faster.
const slowOf = 1000

// reading counts the documents of a pass. It is safe for concurrent use.
type reading struct{ all, fresh atomic.Int64 }

// noteRead counts a document, and records whether programs write faster than the pass
// reads.
func (r *Rekey) noteRead(read *reading, raw []byte, began int64) {
	if at, err := strconv.ParseInt(string(text.ValueAt(raw, []string{"_ts"})), 10, 64); err == nil && at > began {
		read.fresh.Add(1)
	}
	if read.all.Add(1)%slowOf != 0 {
		return
	}
	slow := read.fresh.Swap(0) > slowOf/2
	r.Change(func(s *Summary) { s.TooSlow = slow })
}

// at returns the places of a stored document, and the index of its present one: -1 if it is
// at none of them, or if its fields make no key. pkgen-data verify finds such documents.
func (r *Rekey) at(raw []byte) (places write.Places, item *write.BulkItem, index int, err error) {
	p, err := store.PlaceOf(r.Store, raw)
	if err != nil {
		return places, nil, -1, err
	}
	doc, err := r.Decode(raw)
	if err != nil {
		return places, nil, -1, &documents.Error{Op: Op, Type: r.Type, ID: p.ID, PartitionKey: p.Name, Err: err}
	}
	places, keyed := r.places(doc)
	if !keyed {
		return places, nil, -1, nil
	}
	item = &write.BulkItem{}
	item.Place = p
	for i, site := range places.All {
		if site.Name == p.Name {
			return places, item, i, nil
		}
	}
	return places, item, -1, nil
}

func (r *Rekey) places(doc any) (write.Places, bool) {
	places, err := r.keyed(doc)
	return places, err == nil
}

// relocation moves a document from the key of an earlier bucket count. It returns nil for a
// document at its present key.
func (r *Rekey) relocation(raw []byte) (*write.BulkItem, error) {
	places, item, index, err := r.at(raw)
	if err != nil || index < 0 || index >= places.Present {
		return nil, err
	}
	item.Send = func(ctx context.Context, _ bool) (azcore.ETag, error) {
		return "", r.relocate(ctx, places, places.All[index])
	}
	return item, nil
}

// relocate moves the document from a site to its present one, if it is still there.
func (r *Rekey) relocate(ctx context.Context, places write.Places, from write.Site) error {
	moved, err := places.Relocate(ctx, Op, from, places.Home(), r.expiry)
	if moved {
		r.Change(func(s *Summary) { s.Moved++ })
	}
	return err
}

// left is relocation, and counts documents under earlier keys, including undecodable ones.
func (r *Rekey) left(raw []byte) (*write.BulkItem, error) {
	item, err := r.relocation(raw)
	if item != nil || err != nil {
		r.Change(func(s *Summary) { s.Left++ })
	}
	return item, err
}

// Changed moves changed documents, given as stored, from the keys of earlier bucket counts.
// It skips a document that does not decode; Run reports it.
func (r *Rekey) Changed(ctx context.Context, stored iter.Seq[[]byte]) error {
	return r.runner.Do(r.changes.Without(ctx), func(yield func(*write.BulkItem) bool) {
		for raw := range stored {
			if item, err := r.relocation(raw); err == nil && item != nil && !yield(item) {
				return
			}
		}
	})
}

// clearing removes a mark or an invalid copy.
func (r *Rekey) clearing(raw []byte) (*write.BulkItem, error) {
	places, item, index, err := r.at(raw)
	if err != nil || index < 0 {
		return nil, err
	}
	mark, err := store.MarkOf(raw)
	if err != nil {
		return nil, err
	}
	var written int64
	if err := json.Unmarshal(text.ValueAt(raw, []string{"_ts"}), &written); err != nil {
		return nil, err
	}
	isMark := mark.State == marks.Moved || mark.State == marks.Removed
	goes := time.Unix(written, 0).Add(store.Grace).UTC()
	item.Send = func(ctx context.Context, _ bool) (azcore.ETag, error) {
		if isMark && r.clock.before(goes) {
			r.remains(goes)
			return "", nil
		}
		removed, now, err := places.Tidy(ctx, Op, places.All[index])
		r.clock.note(now)
		switch {
		case removed:
			r.Change(func(s *Summary) { s.Removed++ })
		case isMark:
			r.remains(goes)
		}
		return "", err
	}
	return item, nil
}

// remains counts a mark that remains until a time.
func (r *Rekey) remains(goes time.Time) {
	r.Change(func(s *Summary) {
		s.Marks++
		if s.NextAt.IsZero() || goes.Before(s.NextAt) {
			s.NextAt = goes
		}
	})
}

// serviceClock is the service's clock by the last answer. It saves the request that would
// find a mark too young. If it is wrong, a mark remains until the next Rekey.
type serviceClock struct {
	mu   sync.Mutex
	now  time.Time // zero if unknown
	seen time.Time
}

// note sets the clock from an answer.
func (c *serviceClock) note(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !now.IsZero() {
		c.now, c.seen = now, time.Now()
	}
}

// before reports whether the service's time is certainly before t. An unknown time is not.
func (c *serviceClock) before(t time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.now.IsZero() && c.now.Add(time.Since(c.seen)).Add(store.Margin).Before(t)
}

// lookEvery is the shortest pause between two looks at the leases. Looks take a fifth of
// the time at most, because their requests use the budget of the work.
const (
	lookEvery = time.Second
	lookShare = 5
)

// errCaughtUp stops a processor that has handled all changes.
var errCaughtUp = errors.New("all changes are handled")

// Share runs a processor, whose handler is Changed, until all earlier changes are handled.
func (r *Rekey) Share(ctx context.Context, p *processor.Processor) error {
	defer r.changes.Count()
	return UntilCaughtUp(r.changes.Context(ctx), p, func(unread int64, slow bool) {
		r.Change(func(s *Summary) { s.Unread, s.TooSlow = unread, slow })
		r.Tell(false)
	})
}

// UntilCaughtUp runs a processor until this process or others have handled all changes from
// before it began, however fast programs write. Later changes are left to the caller.
// Looked is called after each look at the leases, with the number of unread changes and
// whether it grows.
func UntilCaughtUp(ctx context.Context, p *processor.Processor, looked func(unread int64, slow bool)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	var looking sync.WaitGroup
	defer looking.Wait()
	defer cancel(nil)
	looking.Go(func() {
		c := catchUp{ended: map[string]bool{}, until: map[string]int64{}}
		for ctx.Err() == nil {
			began := time.Now()
			lags, err := p.LagExcept(ctx, func(lease string) bool { return c.ended[lease] })
			if err == nil {
				if c.note(lags) {
					cancel(errCaughtUp)
				}
				looked(c.unread, c.grown >= slowAfter)
			}
			_ = backoff.Sleep(ctx, max(lookEvery, (lookShare-1)*time.Since(began))) // the loop checks ctx
		}
	})
	err := p.Run(ctx)
	if errors.Is(context.Cause(ctx), errCaughtUp) {
		return nil
	}
	return err
}

// slowAfter is the number of consecutive looks with more unread changes after which
// programs count as faster.
const slowAfter = 5

// catchUp is the state of the looks.
type catchUp struct {
	ended map[string]bool  // leases that have passed the changes from before
	until map[string]int64 // the last change at the first look, by lease

	unread int64 // of leases that have not ended
	grown  int   // consecutive looks that found more
}

// note records the lags of a look, and reports whether all leases have ended. After a split
// or a merge, new leases replace a lease and count from their first look.
func (c *catchUp) note(lags []processor.Lag) bool {
	all, unread := len(lags) > 0, int64(0)
	for _, l := range lags {
		if c.ended[l.Lease] {
			continue
		}
		until, seen := c.until[l.Lease]
		if !seen && l.Last > 0 {
			c.until[l.Lease] = l.Last
		}
		if l.Changes <= 0 || seen && l.Next > until {
			c.ended[l.Lease] = true
			continue
		}
		all, unread = false, unread+l.Changes
	}
	if c.grown++; unread <= c.unread {
		c.grown = 0
	}
	c.unread = unread
	return all
}
