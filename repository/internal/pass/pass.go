// Package pass has the passes over all documents of a type: it reads a container and runs a
// step for each item, within a budget, with a summary and its progress. Callers define the
// step.
package pass

import (
	"context"
	"iter"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Most bounds the passes over a container, because programs may write faster than a pass
// reads.
const Most = 5

// Report is the summary of a run so far, which it passes to a function. It is safe for
// concurrent use.
type Report[S any] struct {
	tell func(S) // called about once a second, one call at a time; may be nil

	mu   sync.Mutex
	done S

	telling sync.Mutex
	told    time.Time
}

// NewReport returns an empty report. Tell may be nil.
func NewReport[S any](tell func(S)) *Report[S] { return &Report[S]{tell: tell} }

// Change changes the summary.
func (r *Report[S]) Change(f func(*S)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f(&r.done)
}

// Summary returns the summary so far.
func (r *Report[S]) Summary() S {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.done
}

// Tell calls the function if a second has passed since the last call, or if last is set.
func (r *Report[S]) Tell(last bool) {
	r.telling.Lock()
	defer r.telling.Unlock()
	if r.tell == nil || !last && time.Since(r.told) < time.Second {
		return
	}
	r.told = time.Now()
	r.tell(r.Summary())
}

// CountFailed counts an item with an error, and keeps the first error.
func CountFailed(item *write.BulkItem, failed *int, first *error) {
	if item.Err == nil {
		return
	}
	if *failed++; *first == nil {
		*first = item.Err
	}
}

// Runner runs steps for stored items, within the budget of a bulk operation.
type Runner struct {
	Bulk    *write.Bulk
	Charged func(units float64) // for pages and items

	// Ended is called with each item, one call at a time. An error ends the run.
	Ended func(*write.BulkItem) error
}

// Over reads the items of a query and runs a step for each. Step returns nil to skip an
// item. It may be called concurrently.
func (r *Runner) Over(ctx context.Context, q query.Selection, step func(raw []byte) *write.BulkItem) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	decode := func(raw []byte) (any, error) { return step(raw), nil }
	return r.Do(ctx, Found(ctx, r.Bulk, q, decode, r.Charged))
}

// Found returns the steps for the items of q, as decode returns them: a *write.BulkItem, or
// nil to skip an item. Pages wait for the budget of b. Decode may be called concurrently.
// An error of the query comes as the last item.
func Found(ctx context.Context, b *write.Bulk, q query.Selection, decode func(raw []byte) (any, error), charged func(units float64)) iter.Seq[*write.BulkItem] {
	q.ForProgram = false
	return func(yield func(*write.BulkItem) bool) {
		reading := b.NewReading(charged)
		defer reading.Count() // charges pages without items
		q.Run(reading.Context(ctx), q.Statement(), decode, q.Limit, func(found any, err error) bool {
			if err != nil {
				return yield(b.FailedItem(err))
			}
			item, _ := found.(*write.BulkItem)
			return item == nil || yield(item)
		})
	}
}

// Do runs steps.
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
