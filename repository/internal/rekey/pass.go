package rekey

import (
	"context"
	"iter"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// pass reads what is stored, and does to each what item says. A nil item is nothing.
func (r *Rekey) pass(ctx context.Context, what query.Stored, item func(raw []byte) (*write.BulkItem, error)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return r.do(ctx, r.items(ctx, what, item))
}

// do does what items say. An error of one of them does not end it.
func (r *Rekey) do(ctx context.Context, items iter.Seq[*write.BulkItem]) error {
	for done := range r.bulk.All(ctx, items) {
		if done.SourceErr != nil {
			return done.Err
		}
		r.mu.Lock()
		r.summary.RequestUnits += done.RequestUnits
		if done.Err != nil {
			r.summary.Failed++
			if r.summary.Err == nil {
				r.summary.Err = done.Err
			}
		}
		r.mu.Unlock()
		r.tell(false)
	}
	return ctx.Err()
}

// fastPage is how many documents are asked for at once without a budget: reading waits for
// one page of each physical partition at a time, and moving waits for reading.
const fastPage = 1000

// pageSize returns how many documents are asked for at once, 0 for as many as the service
// chooses. With a budget, pages are small, so that each of them is.
func (r *Rekey) pageSize() int32 {
	if r.bulk.PerSecond > 0 {
		return 0
	}
	return fastPage
}

// items are what a pass does, as it reads what is stored.
func (r *Rekey) items(ctx context.Context, what query.Stored, item func(raw []byte) (*write.BulkItem, error)) iter.Seq[*write.BulkItem] {
	return func(yield func(*write.BulkItem) bool) {
		g := r.newReading()
		defer g.Count()
		var read reading
		began := time.Now().Unix()
		q := query.NewSelection(r.Store, generated.Keys{}).AsStored(what, r.pageSize())
		each := func(raw []byte) (any, error) {
			r.noteRead(&read, raw, began)
			one, err := item(raw)
			if err != nil { // of this document alone
				one = &write.BulkItem{Err: err}
			}
			return one, nil
		}
		q.Run(g.Context(ctx), q.Statement(), each, 0, func(found any, err error) bool {
			if err != nil {
				return yield(r.bulk.FailedItem(err))
			}
			one, _ := found.(*write.BulkItem)
			return one == nil || yield(one)
		})
	}
}

// slowOf is of how many documents, read one after the other, more than half were written
// after the pass began, until programs count as faster.
const slowOf = 1000

// reading counts the documents that a pass has read. It is safe for concurrent use.
type reading struct{ all, fresh atomic.Int64 }

// noteRead counts a document, and notes whether programs write faster than the pass reads.
func (r *Rekey) noteRead(read *reading, raw []byte, began int64) {
	if at, err := strconv.ParseInt(string(text.ValueAt(raw, []string{"_ts"})), 10, 64); err == nil && at > began {
		read.fresh.Add(1)
	}
	if read.all.Add(1)%slowOf != 0 {
		return
	}
	slow := read.fresh.Swap(0) > slowOf/2
	r.mu.Lock()
	defer r.mu.Unlock()
	r.summary.TooSlow = slow
}
