// Package pass is what runs over all documents of a type have in common: passes that read a
// container and take a step for each item, a budget, a summary, and its progress. What a step
// is, its callers know: moving a document, storing it anew, removing what a move has left.
package pass

import (
	"context"
	"iter"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Most bounds how often a container is read: programs may write faster than a pass reads.
const Most = 5

// Report is what a run has done so far, of which it tells a function. It is safe for
// concurrent use.
type Report[S any] struct {
	tell func(S) // called about once a second, one call at a time; nil for nobody

	mu   sync.Mutex
	done S

	telling sync.Mutex
	told    time.Time
}

// NewReport returns the report of a run that has done nothing.
func NewReport[S any](tell func(S)) *Report[S] { return &Report[S]{tell: tell} }

// Change changes what was done.
func (r *Report[S]) Change(f func(*S)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f(&r.done)
}

// Summary returns what was done so far.
func (r *Report[S]) Summary() S {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.done
}

// Tell calls the function if a second has passed since the last call, or if this is the last.
func (r *Report[S]) Tell(last bool) {
	r.telling.Lock()
	defer r.telling.Unlock()
	if r.tell == nil || !last && time.Since(r.told) < time.Second {
		return
	}
	r.told = time.Now()
	r.tell(r.Summary())
}

// CountFailed counts an item that failed, and keeps the first error.
func CountFailed(item *write.BulkItem, failed *int, first *error) {
	if item.Err == nil {
		return
	}
	if *failed++; *first == nil {
		*first = item.Err
	}
}

// Runner does a step to stored items, within the budget of a bulk operation.
type Runner struct {
	Bulk    *write.Bulk
	Charged func(units float64) // of pages, and of items

	// Ended is called with each item, one call at a time. An error ends the run.
	Ended func(*write.BulkItem) error
}

// Over reads the items of a query, makes a step of each, and takes the steps. Step returns nil
// if nothing is to be done to an item. It may be called in several goroutines.
func (r *Runner) Over(ctx context.Context, q query.Selection, step func(raw []byte) *write.BulkItem) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	decode := func(raw []byte) (any, error) { return step(raw), nil }
	return r.Do(ctx, Found(ctx, r.Bulk, q, decode, r.Charged))
}

// Found returns the steps that decode makes of what q finds, as *write.BulkItem, in pages that
// wait for the budget of b. Decode makes nil of an item to which nothing is to be done, and may
// be called in several goroutines. An error of the query comes as the last item.
func Found(ctx context.Context, b *write.Bulk, q query.Selection, decode func(raw []byte) (any, error), charged func(units float64)) iter.Seq[*write.BulkItem] {
	q.ForProgram = false
	return func(yield func(*write.BulkItem) bool) {
		reading := b.NewReading(charged)
		defer reading.Count() // pages without items
		q.Run(reading.Context(ctx), q.Statement(), decode, q.Limit, func(found any, err error) bool {
			if err != nil {
				return yield(b.FailedItem(err))
			}
			item, _ := found.(*write.BulkItem)
			return item == nil || yield(item)
		})
	}
}

// Do takes steps.
func (r *Runner) Do(ctx context.Context, steps iter.Seq[*write.BulkItem]) error {
	for item := range r.Bulk.All(ctx, steps) {
		if item.SourceErr != nil {
			return item.Err
		}
		r.Charged(item.RequestUnits)
		if err := r.Ended(item); err != nil {
			return err
		}
	}
	return ctx.Err()
}
