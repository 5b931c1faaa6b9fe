package documents

import (
	"context"
	"errors"
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// parcel is the content of one request: an item, or a batch of one logical partition.
type parcel[T any, K comparable, I any] struct {
	items   []*outcome[T, K, I] // after sending, only those that have ended
	next    []*parcel[T, K, I]  // to send for the other items
	bytes   int                 // of the entries
	refused bool                // an item was taken out of it

	throttled bool
	round     int // of the pace, when it was sent
}

func single[T any, K comparable, I any](item *outcome[T, K, I]) *parcel[T, K, I] {
	return &parcel[T, K, I]{items: []*outcome[T, K, I]{item}}
}

// gathered are items that wait for others of their logical partitions.
type gathered[T any, K comparable, I any] struct {
	parcels      map[string]*parcel[T, K, I] // by partition key
	items, bytes int
}

// release makes an item ready to be sent, alone or in a batch of its logical partition.
func (r *bulkRun[T, K, I]) release(item *outcome[T, K, I]) {
	if r.batches == nil || !r.gather(item) {
		r.free = append(r.free, single(item))
	}
}

// gather adds an item to the batch of its logical partition. It returns false if the item
// cannot be in a batch.
func (r *bulkRun[T, K, I]) gather(item *outcome[T, K, I]) bool {
	entries, bytes := r.batches.Most()
	entry, err := r.batches.Entry(r.op, item.at, item.doc)
	if err != nil || entry.Size > bytes {
		return false
	}
	item.entry = entry
	at := item.at.Partition
	if p := r.held.parcels[at]; p != nil && p.bytes+entry.Size > bytes {
		r.flush(at)
	}
	p := r.held.parcels[at]
	if p == nil {
		if r.held.parcels == nil {
			r.held.parcels = map[string]*parcel[T, K, I]{}
		}
		p = &parcel[T, K, I]{}
		r.held.parcels[at] = p
	}
	p.items = append(p.items, item)
	p.bytes += entry.Size
	r.held.items++
	r.held.bytes += entry.Size
	if len(p.items) == entries {
		r.flush(at)
	}
	return true
}

// isFull reports whether no more items may wait.
func (r *bulkRun[T, K, I]) isFull() bool {
	return r.waiting+r.held.items >= maxWaiting || r.held.bytes >= maxWaitingBytes
}

// flush makes the batch of a logical partition ready to be sent.
func (r *bulkRun[T, K, I]) flush(partition string) {
	p := r.held.parcels[partition]
	delete(r.held.parcels, partition)
	r.held.items -= len(p.items)
	r.held.bytes -= p.bytes
	r.free = append(r.free, p)
}

func (r *bulkRun[T, K, I]) flushAll() {
	for partition := range r.held.parcels {
		r.flush(partition)
	}
}

// flushLargest makes the largest batch ready to be sent. If every batch has one item, waiting
// is useless, and all are.
func (r *bulkRun[T, K, I]) flushLargest() {
	most, largest := 0, ""
	for partition, p := range r.held.parcels {
		if len(p.items) > most {
			most, largest = len(p.items), partition
		}
	}
	switch most {
	case 0:
	case 1:
		r.flushAll()
	default:
		r.flush(largest)
	}
}

// sendBatch sends a batch. If it is refused, p.next has the parcels to send instead.
func (r *bulkRun[T, K, I]) sendBatch(ctx context.Context, p *parcel[T, K, I]) error {
	entries := make([]api.Entry, len(p.items))
	for i, item := range p.items {
		entries[i] = item.entry
	}
	failed := -1
	versions, unclear, err := api.AttemptWrite(ctx, func(ctx context.Context) (versions []string, err error) {
		versions, failed, err = r.batches.Batch(ctx, entries)
		return versions, err
	})
	if err == nil {
		for i, item := range p.items {
			item.stored, item.Err = versions[i], nil
		}
		return nil
	}
	for _, item := range p.items {
		item.Err = r.fail(item.pending, unclear, err)
	}
	if !isOfOne(err) {
		return p.items[0].Err
	}
	p.next = p.parts(failed, unclear, errors.Is(err, failure.ErrTooLarge))
	p.items = nil
	return nil
}

// isOfOne reports whether one item may have made a batch fail, so that the others would succeed
// without it.
func isOfOne(err error) bool {
	a := failure.AnswerOf(err)
	return !a.Unsent && !a.Unanswered && !errors.Is(err, failure.ErrNoContainer) && !errors.Is(err, failure.ErrDraft)
}

// parts returns the parcels to send instead of a batch that was refused because of the item
// with index failed, -1 if unknown. Unclear means that an earlier attempt may have taken
// effect: then each item is sent alone, and its outcome shows whether it did.
func (p *parcel[T, K, I]) parts(failed int, unclear, tooLarge bool) []*parcel[T, K, I] {
	if !unclear && failed < 0 && tooLarge {
		half := len(p.items) / 2
		return []*parcel[T, K, I]{{items: p.items[:half], refused: p.refused}, {items: p.items[half:], refused: p.refused}}
	}
	if !unclear && failed >= 0 && !p.refused {
		rest := slices.Concat(p.items[:failed], p.items[failed+1:])
		return []*parcel[T, K, I]{single(p.items[failed]), {items: rest, refused: true}}
	}
	next := make([]*parcel[T, K, I], len(p.items))
	for i, item := range p.items {
		item.unclear = unclear
		next[i] = single(item)
	}
	return next
}
