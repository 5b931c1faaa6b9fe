package documents

import (
	"context"
	"errors"
	"iter"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// Outcome is the result of one item of a bulk operation: a document to store, or a key
// whose document to delete.
type Outcome[I any] struct {
	// Index is the item's position in the sequence, counted from 0.
	Index int

	// Item is the item as the sequence gave it.
	Item I

	// RequestUnits is the charge of the item's requests, including failed ones.
	RequestUnits float64

	// Err is the error that the operation for a single item would return, nil if it
	// succeeded.
	Err error
}

// CreateAll stores each of docs as a new document, as [Collection.Create] stores one: one
// write each, Settings.Concurrency of them at once, fewer while the service throttles
// them. It reads docs while requests are under way. Documents of one id in one logical
// partition are stored in their order; other documents are stored in any order.
//
// The error is nil if docs was read to its end before ctx ended, and every document was
// stored. Otherwise it is a [*BulkError]. A document that fails does not stop the others.
// When ctx ends, CreateAll reads at most one more of docs, and cancels its requests.
//
// Only the caller's goroutine ranges over docs and writes into documents; others read a
// document from when docs has given it until its outcome is known.
func (c *Collection[T, K]) CreateAll(ctx context.Context, docs iter.Seq[*T]) (Summary, error) {
	return c.CreateAllFrom(ctx, unfailing(docs))
}

// CreateAllFrom is CreateAll of documents from a source that can fail, such as Query.All
// of another container. An error of docs ends it: the documents before it are stored, and
// the [*BulkError] wraps the error.
func (c *Collection[T, K]) CreateAllFrom(ctx context.Context, docs iter.Seq2[*T, error]) (Summary, error) {
	return summarize(ctx, bulkOf(c, opCreate, c.creating), docs)
}

// CreateEach is CreateAll in a loop: it yields the outcome of each document, in the order
// in which they become known. It does nothing until the caller ranges over the result. No
// request is under way after the loop.
func (c *Collection[T, K]) CreateEach(ctx context.Context, docs iter.Seq[*T]) iter.Seq[Outcome[*T]] {
	return bulkOf(c, opCreate, c.creating).each(ctx, docs)
}

// UpsertAll is to Upsert what CreateAll is to Create.
func (c *Collection[T, K]) UpsertAll(ctx context.Context, docs iter.Seq[*T]) (Summary, error) {
	return c.UpsertAllFrom(ctx, unfailing(docs))
}

// UpsertAllFrom is to UpsertAll what CreateAllFrom is to CreateAll.
func (c *Collection[T, K]) UpsertAllFrom(ctx context.Context, docs iter.Seq2[*T, error]) (Summary, error) {
	return summarize(ctx, bulkOf(c, opUpsert, c.upserting), docs)
}

// UpsertEach is to UpsertAll what CreateEach is to CreateAll.
func (c *Collection[T, K]) UpsertEach(ctx context.Context, docs iter.Seq[*T]) iter.Seq[Outcome[*T]] {
	return bulkOf(c, opUpsert, c.upserting).each(ctx, docs)
}

// DeleteAll is to Delete what CreateAll is to Create. A missing document is a failure that
// matches failure.ErrNotFound.
func (c *Collection[T, K]) DeleteAll(ctx context.Context, keys iter.Seq[K]) (Summary, error) {
	return c.DeleteAllFrom(ctx, unfailing(keys))
}

// DeleteAllFrom is to DeleteAll what CreateAllFrom is to CreateAll.
func (c *Collection[T, K]) DeleteAllFrom(ctx context.Context, keys iter.Seq2[K, error]) (Summary, error) {
	return summarize(ctx, bulkOf(c, opDelete, c.deleting), keys)
}

// DeleteEach is to DeleteAll what CreateEach is to CreateAll.
func (c *Collection[T, K]) DeleteEach(ctx context.Context, keys iter.Seq[K]) iter.Seq[Outcome[K]] {
	return bulkOf(c, opDelete, c.deleting).each(ctx, keys)
}

// bulk is a bulk operation: what it does with an item of type I.
type bulk[T any, K comparable, I any] struct {
	op, typ string
	most    int // requests at once
	ready   func(context.Context) error
	prepare func(I) pending[T, K]
	settle  func(w pending[T, K], version string, err error)
	notSent func(w pending[T, K], r call, err error) error
	fail    func(w pending[T, K], unclear bool, err error) error

	batches Batcher[T] // nil if each item is sent alone
}

// bulkOf returns the bulk operation of a prepared write.
func bulkOf[T any, K interface {
	comparable
	Validate() error
}, I any](c *Collection[T, K], op string, prepare func(I) pending[T, K]) bulk[T, K, I] {
	return bulk[T, K, I]{
		op: op, typ: c.Model.Type, most: max(c.Settings.Concurrency, 1),
		ready:   func(ctx context.Context) error { return ready(ctx, c.Settings.Wrong, c.Stays) },
		prepare: prepare,
		settle:  c.settle,
		notSent: func(w pending[T, K], r call, err error) error {
			inBatch := !r.began.IsZero() // that was refused, perhaps after it took effect
			return &failure.Error{
				Op: op, Type: c.Model.Type, ID: w.at.ID, PartitionKey: w.at.Partition, Err: err, Note: "before it was sent", Unclear: inBatch && c.Twice,
			}
		},
		fail:    func(w pending[T, K], unclear bool, err error) error { return c.fail(op, w.at, unclear, err) },
		batches: c.batcher(op),
	}
}

// each returns the outcomes of all items. The error of a source is that of an outcome.
func (b bulk[T, K, I]) each(ctx context.Context, items iter.Seq[I]) iter.Seq[Outcome[I]] {
	return func(yield func(Outcome[I]) bool) {
		b.run(ctx, unfailing(items), func(o outcome[T, K, I]) bool { return yield(o.Outcome) })
	}
}

// unfailing returns a sequence with errors, which are all nil. A nil sequence stays nil.
func unfailing[I any](all iter.Seq[I]) iter.Seq2[I, error] {
	if all == nil {
		return nil
	}
	return func(yield func(I, error) bool) {
		for one := range all {
			if !yield(one, nil) {
				return
			}
		}
	}
}

// errNoSequence is the error of a bulk operation on a nil sequence.
var errNoSequence = failure.Says("the sequence is nil: pass a sequence, such as slices.Values of a slice")

// sourceError is the error of the caller's source. An Error, such as that of a query, is
// not wrapped again.
func (b bulk[T, K, I]) sourceError(err error) error {
	var own *failure.Error
	if errors.As(err, &own) {
		return err
	}
	return &failure.Error{Op: b.op, Type: b.typ, Err: failure.Trusted(err)} // the caller's own text
}
