package write

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// answer is what became of a batch.
type answer struct {
	results   []azcosmos.TransactionalBatchResult
	committed bool
	err       error
	sent      bool
	unclear   bool // whether it may have taken effect, or one before it
	began     time.Time
}

// together sends items of one logical partition in their order: by a batch if
// they are several. Full asks for complete results, and failures is how often a
// batch of theirs has failed before.
func (r *bulkRun) together(items []*BulkItem, full bool, failures int) {
	if len(items) < 2 {
		r.oneByOne(items, false)
		return
	}
	a := r.batch(items, full)
	switch bad := wire.Culprit(a.results); {
	case a.committed:
		for i, result := range a.results {
			items[i].ETag = result.ETag
		}
	case hasStatus(a.err, http.StatusRequestEntityTooLarge):
		half := len(items) / 2
		r.together(items[:half], full, failures)
		r.together(items[half:], full, failures)
	case a.unclear && r.Op != wire.OpUpsert:
		r.oneByOne(items, true)
	case a.err != nil && r.WriterOf(items[0]).Lacks(a.err): // the first of them may create the container
		r.oneByOne(items, false)
	case a.err != nil:
		r.failed(items, a)
	case bad != wire.NoOperation:
		r.without(items, bad, a, full, failures)
	case !full: // the answer says nothing of single items; another attempt may
		r.together(items, true, failures)
	default:
		r.oneByOne(items, false)
	}
}

// oneByOne sends items by themselves.
func (r *bulkRun) oneByOne(items []*BulkItem, unclear bool) {
	for _, item := range items {
		r.alone(item, unclear)
	}
}

// failed notes that a batch has failed as a whole.
func (r *bulkRun) failed(items []*BulkItem, a answer) {
	for _, item := range items {
		if !a.sent {
			item.Err = r.notSent(item, a.err)
			continue
		}
		item.Err = wire.StillUnclear(r.failure(item, a.err), a.unclear)
	}
}

// batch sends items as a batch, again if that was throttled, and upserts without a
// condition also if the outcome was unclear.
func (r *bulkRun) batch(items []*BulkItem, full bool) (a answer) {
	operations := make([]wire.Operation, len(items))
	for i, item := range items {
		operations[i] = wire.Operation{Op: r.Op, ID: item.ID, Body: item.Body, Unchanged: item.Unchanged}
		if r.Op == wire.OpDelete && r.WriterOf(item).Deleted != nil {
			if item.marking == nil {
				o, err := Deletion(r.WriterOf(item), item.ID, item.Unchanged)
				if err != nil {
					a.err = err
					return a
				}
				item.marking = &o
			}
			operations[i] = *item.marking
		}
		if r.Looks {
			operations[i] = operations[i].Given(item.Unchanged)
		}
	}
	throttled, resent := 0, 0
	a.began = time.Now()
	for {
		units, err := r.request(len(items), func(ctx context.Context) {
			watchCtx, watch := wire.Watch(ctx)
			if r.Around != nil {
				r.batchAround(watchCtx, &a, items[0], operations, full)
			} else {
				a.results, a.committed, a.err = r.WriterOf(items[0]).SendBatch(watchCtx, r.Op, items[0].Place, operations, full)
			}
			a.sent = true
			a.unclear = a.unclear || watch.Unclear()
		})
		for _, item := range items {
			item.RequestUnits += units / float64(len(items))
		}
		lost := err == nil && a.err != nil && wire.IsUnclear(a.err)
		a.unclear = a.unclear || lost
		switch {
		case err != nil:
		case lost && r.Op == wire.OpUpsert && !r.Looks && resent < wire.MaxResends:
			resent++
			err = backoff.Pause(r.ctx, wire.UnclearPause+resent)
		case isThrottled(a.err) && throttled < maxThrottled:
			throttled++
			err = r.cool(throttled, a.err)
		default:
			return a
		}
		if err != nil { // the context has ended
			a.err = errors.Join(a.err, err)
			return a
		}
	}
}

// without sends items again, but for the one that has made their batch fail,
// which was refused. If it has failed before, those in front of the culprit go by
// themselves: they did not make it fail, and many culprits cost no more than
// writes one by one.
func (r *bulkRun) without(items []*BulkItem, bad int, a answer, full bool, failures int) {
	status := int(a.results[bad].StatusCode)
	before, item, after := items[:bad], items[bad], items[bad+1:]
	if bad == 0 { // a batch that arrived twice is refused because of its first item
		for _, i := range items {
			i.refused = true
		}
	}
	marks := r.marks(item, status)
	switch {
	case marks && r.isMarked(item):
		item.Err = nil
	case marks || !refused(status): // the item alone takes effect, or its error has the reason
		r.together(before, full, failures+1)
		r.alone(item, false)
		r.together(after, full, failures+1)
		return
	default:
		failure := wire.Rejected(r.Op, r.Type, item.ID, item.Name, status)
		item.Err = failure
		if status == http.StatusConflict && r.Op == wire.OpCreate && (bad == 0 || r.WriterOf(item).Random) {
			r.settleItem(item, refusal{failure, r.WriterOf(item).Random, a.began})
		}
	}
	if failures == 0 {
		r.together(slices.Concat(before, after), full, 1)
		return
	}
	r.together(before, full, failures+1)
	r.together(after, full, failures+1)
}

// refused reports whether a status says all that there is to say of an operation
// of a batch.
func refused(status int) bool {
	return status == http.StatusConflict || status == http.StatusNotFound || status == http.StatusPreconditionFailed
}

// marks reports whether a status does not tell which condition of a mark does not hold.
func (r *bulkRun) marks(item *BulkItem, status int) bool {
	return r.Op == wire.OpDelete && status == http.StatusPreconditionFailed && r.WriterOf(item).Deleted != nil
}

// isMarked reports whether the document of an item has the mark of this deletion: its batch
// has arrived twice.
func (r *bulkRun) isMarked(item *BulkItem) (is bool) {
	r.look(item, func(ctx context.Context) error {
		s := r.WriterOf(item)
		answer, err := s.ReadStored(ctx, r.Op, item.Place)
		is = err == nil && s.Owns(answer.Value) && item.hasMark(s, answer.Value)
		return err
	})
	return is
}

// look calls a function that reads the document of an item. If the context has ended, it
// does not, and returns false.
func (r *bulkRun) look(item *BulkItem, read func(context.Context) error) bool {
	units, err := r.request(1, func(ctx context.Context) {
		if r.Around != nil {
			_ = r.Around(ctx, read)
			return
		}
		_ = read(ctx)
	})
	item.RequestUnits += units
	return err == nil
}

// hasMark reports whether a stored document has the mark that a batch was to set.
func (i *BulkItem) hasMark(s *Writer, raw []byte) bool {
	return i.marking != nil && s.Deleted.hasMark(raw, i.marking.Mark)
}

// settleItem settles the refusal of an item that creates a document.
func (r *bulkRun) settleItem(item *BulkItem, refused refusal) {
	looked := r.look(item, func(ctx context.Context) error {
		tag, v := ifStored(r.WriterOf(item), r.Op, item.Document)(ctx, refused)
		switch v {
		case stored:
			item.ETag, item.Err = tag, nil
		case untold:
			refused.Unclear = true
		}
		return nil
	})
	refused.Unclear = refused.Unclear || !looked
}
