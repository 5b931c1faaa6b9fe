package repository

import (
	"context"
	"errors"
	"iter"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Outcome is the result of one item of a bulk operation: a document to store, or
// a key whose document to delete.
type Outcome[I any] struct {
	// Index is the item's position in the sequence, counted from 0.
	Index int

	// Item is the item as the sequence gave it.
	Item I

	// RequestUnits is the charge of the item's requests, including failed ones.
	// The charge of a batch is divided equally among its items.
	RequestUnits float64

	// Err is the error that the operation for a single item would return, nil if
	// it succeeded.
	Err error
}

// CreateAll stores each of docs as a new document, many at once, as
// [Documents.Create] stores one. It returns after it has tried all of them.
//
// It is for any number of documents: it reads docs while requests are under way,
// as fast as they end. Each document costs one write. With [InBatches], up to a
// hundred documents of one logical partition share a request. Documents of one id
// in one logical partition are stored in their order; other documents are stored
// in any order.
//
// The error is nil if docs was read to its end before ctx ended, and every
// document was stored. Otherwise it is a [*BulkError] with the first failures,
// and errors.Is finds in it what any failure matches. A document that fails does
// not stop the others: [Documents.CreateEach] yields the outcome of each, and
// stops when its caller does.
//
// At first [WithBulkConcurrency] requests are under way at once. When the service
// throttles a request with status 429, their number is halved, and later grows
// again one by one. A document that is throttled after the client's own retries
// is sent again, ten times at most with growing pauses; then its error is
// ErrThrottled. The retries of a client made with [Configure] halve the number as
// well. [WithRequestUnitBudget] keeps a bulk operation from using all of a
// container's throughput.
//
// When ctx ends, CreateAll reads at most one more of docs. It cancels the
// requests under way; the errors of their documents match ErrUnclear, unless the
// answer has come. Documents that were read and not sent have the error of ctx.
//
// Only the caller's goroutine calls the caller's code: it ranges over docs, and
// marshals documents and reads their fields.
func (d *Documents[T, K]) CreateAll(ctx context.Context, docs iter.Seq[*T], opts ...BulkOption) (Summary, error) {
	return d.CreateAllFrom(ctx, unfailing(docs), opts...)
}

// CreateAllFrom is [Documents.CreateAll] of documents from a source that can
// fail, such as [Query.All] of another container or the lines of a file. An error
// of docs ends it: the documents before it are stored, and the [*BulkError] wraps
// the error.
func (d *Documents[T, K]) CreateAllFrom(ctx context.Context, docs iter.Seq2[*T, error], opts ...BulkOption) (Summary, error) {
	b, prepare := d.untyped.Creating(newBulk(d.untyped, wire.OpCreate, opts))
	return summarize(ctx, b, each(b, docs, of[*T](prepare)))
}

// CreateEach is [Documents.CreateAll] in a loop: it yields the outcome of each
// document, with its index. It does nothing until the caller ranges over the
// result, and each loop reads docs and sends again.
//
// Outcomes come in the order in which they become known, one for each document
// that was read from docs. A failure does not stop the others. When the caller
// leaves the loop, CreateEach cancels its requests; no request is under way after
// the loop. When ctx ends, an outcome says so, unless all documents were sent.
// While docs waits for its next document, outcomes wait for docs.
func (d *Documents[T, K]) CreateEach(ctx context.Context, docs iter.Seq[*T], opts ...BulkOption) iter.Seq[Outcome[*T]] {
	b, prepare := d.untyped.Creating(newBulk(d.untyped, wire.OpCreate, opts))
	return outcomes[*T](b.All(ctx, each(b, unfailing(docs), of[*T](prepare))))
}

// UpsertAll stores each of docs, whether it is already stored or not. It is to
// [Documents.Upsert] what [Documents.CreateAll] is to Create, and may be run
// again after an error.
//
// If Upsert looks first, see [Documents], UpsertAll looks, too: by one read for
// each document, or by one query for each batch with [InBatches].
func (d *Documents[T, K]) UpsertAll(ctx context.Context, docs iter.Seq[*T], opts ...BulkOption) (Summary, error) {
	return d.UpsertAllFrom(ctx, unfailing(docs), opts...)
}

// UpsertAllFrom is [Documents.UpsertAll] of documents from a source that can
// fail: see [Documents.CreateAllFrom].
func (d *Documents[T, K]) UpsertAllFrom(ctx context.Context, docs iter.Seq2[*T, error], opts ...BulkOption) (Summary, error) {
	b, prepare := d.untyped.Upserting(newBulk(d.untyped, wire.OpUpsert, opts))
	return summarize(ctx, b, each(b, docs, of[*T](prepare)))
}

// UpsertEach is [Documents.UpsertAll] in a loop, which yields the outcome of each
// document. It does nothing until the caller ranges over the result: see
// [Documents.CreateEach].
func (d *Documents[T, K]) UpsertEach(ctx context.Context, docs iter.Seq[*T], opts ...BulkOption) iter.Seq[Outcome[*T]] {
	b, prepare := d.untyped.Upserting(newBulk(d.untyped, wire.OpUpsert, opts))
	return outcomes[*T](b.All(ctx, each(b, unfailing(docs), of[*T](prepare))))
}

// DeleteAll removes the documents that keys identify. It is to [Documents.Delete]
// what [Documents.CreateAll] is to Create. A missing document is a failure that
// matches ErrNotFound. A program that accepts missing documents compares
// [Summary.NotFound] with Failed.
//
// If Delete looks first, see [Documents], DeleteAll looks, too: by one read for
// each document, or by one query for each batch with [InBatches].
func (d *Documents[T, K]) DeleteAll(ctx context.Context, keys iter.Seq[K], opts ...BulkOption) (Summary, error) {
	return d.DeleteAllFrom(ctx, unfailing(keys), opts...)
}

// DeleteAllFrom is [Documents.DeleteAll] of keys from a source that can fail: see
// [Documents.CreateAllFrom].
func (d *Documents[T, K]) DeleteAllFrom(ctx context.Context, keys iter.Seq2[K, error], opts ...BulkOption) (Summary, error) {
	b, prepare := deleting(d, opts)
	return summarize(ctx, b, each(b, keys, prepare))
}

// DeleteEach is [Documents.DeleteAll] in a loop, which yields the outcome of each
// key. It does nothing until the caller ranges over the result: see
// [Documents.CreateEach].
func (d *Documents[T, K]) DeleteEach(ctx context.Context, keys iter.Seq[K], opts ...BulkOption) iter.Seq[Outcome[K]] {
	b, prepare := deleting(d, opts)
	return outcomes[K](b.All(ctx, each(b, unfailing(keys), prepare)))
}

// deleting returns the bulk operation that removes documents, and the function
// that prepares the item of a key.
func deleting[T any, K generated.Key](d *Documents[T, K], opts []BulkOption) (*write.Bulk, func(K, *write.BulkItem)) {
	b := d.untyped.Removing(newBulk(d.untyped, wire.OpDelete, opts))
	return b, func(key K, item *write.BulkItem) {
		in, at, err := d.target(key)
		if item.Err = err; err != nil {
			item.Place = at.Place
			return
		}
		in.PrepareRemoval(b, at, item)
	}
}

// DeleteAllOf removes the documents that q finds. It costs what [Query.All] and
// [Documents.DeleteAll] cost together.
//
// DeleteAllOf removes a document from where it is stored, whatever key its fields
// give now, and only if it has not changed since the query found it. A document
// that has changed stays, and is a failure that matches ErrPreconditionFailed.
//
// An error of the query ends it, as [Documents.CreateAllFrom] says. The charge of
// the query is not in the [Summary], but counts for [WithRequestUnitBudget]: pages
// wait until those before them are paid for.
func (d *Documents[T, K]) DeleteAllOf(ctx context.Context, q Query[T], opts ...BulkOption) (Summary, error) {
	b := newBulk(d.untyped, wire.OpDelete, opts)
	return summarize(ctx, b, d.untyped.DeletionsOf(ctx, b, q.selection))
}

// DeleteEachOf is [Documents.DeleteAllOf] in a loop, which yields the outcome of
// each document. It does nothing until the caller ranges over the result: see
// [Documents.CreateEach].
//
// If the query fails, the outcome with the highest Index has its error and no
// key. Outcomes of documents that were found before may come after it.
func (d *Documents[T, K]) DeleteEachOf(ctx context.Context, q Query[T], opts ...BulkOption) iter.Seq[Outcome[K]] {
	b := newBulk(d.untyped, wire.OpDelete, opts)
	return outcomes[K](b.All(ctx, d.untyped.DeletionsOf(ctx, b, q.selection)))
}

// BulkOption changes how a bulk operation works.
type BulkOption func(*bulkOptions)

// bulkOptions are the values that the options set.
type bulkOptions struct{ write.BulkSettings }

// newBulk returns a bulk operation with options.
func newBulk(d *untyped.Documents, op string, opts []BulkOption) *write.Bulk {
	settings := bulkOptions{write.BulkSettings{Concurrency: d.Store.Settings.Concurrency}}
	wrong := d.Wrong()
	for _, o := range opts {
		if o == nil {
			wrong = errors.New("a BulkOption is nil")
			continue
		}
		o(&settings)
	}
	return write.NewBulk(d.Writer, op, settings.BulkSettings, wrong)
}

// InBatches sends the items of one logical partition together, as transactional
// batches of up to 100 operations and 2 MB: far fewer requests where items share
// logical partitions, for the same request units.
//
// To find items that belong together, it holds up to 4,096 items, or 16 MB, in
// memory. It sends a batch when it is full. When too many items wait, it sends
// the largest batch, and at the end all of them. An item that is alone in its
// logical partition is sent alone.
//
// A batch takes effect as a whole or not at all, but here it only saves requests:
// if one item makes it fail, that item has the error, and the others are sent
// again without it. A batch that is too large is sent in halves. If the outcome
// of a batch is unclear, upserts are sent again as a batch. Creates and deletes
// are sent again one by one, because their outcomes tell whether the batch took
// effect.
func InBatches() BulkOption {
	return func(s *bulkOptions) { s.Batches = true }
}

// WithRequestUnitBudget limits a bulk operation to an average of perSecond
// request units a second, so that the rest of the throughput is left for others.
// It counts the charges of all requests, including retries, and estimates the
// charge of the next request by those before. A budget of 0 or less sets no
// limit.
func WithRequestUnitBudget(perSecond float64) BulkOption {
	return func(s *bulkOptions) { s.PerSecond = max(perSecond, 0) }
}

// WithBulkConcurrency limits a bulk operation to n requests at once, in place of
// the limit of [WithConcurrency]. An n below 1 counts as 1, and an n above 4,096,
// the number of items that wait in memory, as 4,096.
func WithBulkConcurrency(n int) BulkOption {
	return func(s *bulkOptions) { s.Concurrency = max(n, 1) }
}
