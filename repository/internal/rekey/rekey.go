package rekey

import (
	"context"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Op is the operation, as errors and events name it.
const Op = "rekey"

// Summary is what a Rekey has done, and what is left to do.
type Summary struct {
	Moved  int
	Failed int   // documents or marks
	Err    error // the first about one of them
	Left   int   // documents that the last pass found under earlier keys

	Removed int       // marks and void copies
	Marks   int       // that remain
	NextAt  time.Time // when the first of them may go

	Unread  int64 // changes that the leases have not read, at the last look
	TooSlow bool  // programs write faster than Rekey reads

	RequestUnits float64
}

// Settings say how a Rekey works.
type Settings struct {
	Bulk     write.BulkSettings
	Progress func(Summary) // called about once a second, one call at a time; nil for nobody
}

// Rekey is a run over the documents of a type.
type Rekey struct {
	*write.Writer
	keyed    func(doc any) (write.Places, error) // where a document may be stored
	progress func(Summary)
	bulk     *write.Bulk
	changes  *write.Reading // of the change feed
	clock    serviceClock
	ttl      int64 // of the container, in seconds

	mu      sync.Mutex
	summary Summary

	telling sync.Mutex
	told    time.Time
}

// New returns a run over the documents of a writer. Places says where a document may be
// stored.
func New(w *write.Writer, places func(doc any) (write.Places, error), s Settings) *Rekey {
	r := &Rekey{Writer: w, keyed: places, progress: s.Progress, bulk: write.NewBulk(w, Op, s.Bulk, w.Unusable)}
	r.changes = r.newReading()
	return r
}

// newReading returns what counts the charges of pages.
func (r *Rekey) newReading() *write.Reading {
	return r.bulk.NewReading(func(units float64) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.summary.RequestUnits += units
	})
}

// Begin reads the container. It comes before all else.
func (r *Rekey) Begin(ctx context.Context) error {
	if err := r.JoinSession(ctx, Op); err != nil {
		return err
	}
	properties, err := r.Properties(ctx)
	if err != nil {
		return wire.NewOperationError(Op, r.Type, "", "", err)
	}
	if properties.DefaultTimeToLive != nil {
		r.ttl = int64(*properties.DefaultTimeToLive)
	}
	return nil
}

// maxPasses bounds how often the container is read.
const maxPasses = 5

// Run moves documents until a pass finds nothing under earlier keys, and removes marks.
func (r *Rekey) Run(ctx context.Context) error {
	for range maxPasses {
		r.summary.Left, r.summary.Failed, r.summary.Err, r.summary.TooSlow = 0, 0, nil, false
		if err := r.pass(ctx, query.Documents, r.left); err != nil {
			return err
		}
		if r.summary.Left == r.summary.Failed {
			break // all others are at their present keys
		}
	}
	r.summary.Marks, r.summary.NextAt = 0, time.Time{}
	err := r.pass(ctx, query.Marks, r.clearing)
	r.tell(true)
	return err
}

// Summary returns what has been done so far.
func (r *Rekey) Summary() Summary {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.summary
}

// tell calls the function for the progress.
func (r *Rekey) tell(last bool) {
	r.telling.Lock()
	defer r.telling.Unlock()
	if r.progress == nil || !last && time.Since(r.told) < time.Second {
		return
	}
	r.told = time.Now()
	r.progress(r.Summary())
}
