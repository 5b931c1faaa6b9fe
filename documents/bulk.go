package documents

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Bulk is a bulk operation on items of type I: documents to store, or keys of documents to
// delete. It sends nothing until All or Collect is called; each call reads the items and sends
// again. It is safe for concurrent use if the items are.
//
// A bulk operation reads the next item when a request ends. Items of the same document are sent
// in order, others in any order. A failure does not stop the others. Only the goroutine that
// runs the loop reads the items and writes into documents; other goroutines read a document
// from the time it is read until its outcome is known.
type Bulk[I any] struct {
	op, typ string
	run     func(ctx context.Context, yield func(Outcome[I], bool) bool) error
}

// NewBulk returns the bulk operation that run makes. Run yields each outcome when it is known;
// last marks an outcome without an item: the error of the source or of the whole operation. Run
// returns the error of ctx if ctx had ended when the source did. The packages of the APIs call
// it.
func NewBulk[I any](op, typ string, run func(ctx context.Context, yield func(o Outcome[I], last bool) bool) error) Bulk[I] {
	return Bulk[I]{op, typ, run}
}

// Outcome is the result of one item of a bulk operation.
type Outcome[I any] struct {
	// Index is the item's position in the sequence, counted from 0.
	Index int

	// Item is the item from the sequence.
	Item I

	// RequestUnits is the charge of the item's requests, including failed ones. The charge of a
	// batch is divided equally among its items.
	RequestUnits float64

	// Err is the error that the operation for a single item would return, nil if it succeeded.
	// [InTransactions] wraps it, and also fails other items.
	Err error
}

// All yields the outcome of each item, as soon as it is known. If the sequence ends with an
// error, an outcome without an item has the error and the next index; it need not be the last.
// When ctx ends, an outcome has its error, unless all items were sent. When the caller leaves
// the loop, All cancels its requests; no request outlives the loop. While the source waits for
// its next item, outcomes wait for the source.
func (b Bulk[I]) All(ctx context.Context) iter.Seq[Outcome[I]] {
	return func(yield func(Outcome[I]) bool) {
		_ = b.run(ctx, func(o Outcome[I], _ bool) bool { return yield(o) }) // an outcome has the error
	}
}

// Collect tries all items, and returns a summary. The error is nil if the sequence ended before
// ctx did and every item succeeded. Otherwise it is a [*BulkError] with the first failures, and
// errors.Is matches it with every error that a failure matches.
//
// When ctx ends, Collect reads at most one more item, and cancels running requests; the errors
// of their items match ErrUnclear, unless the response has arrived. Items that were read but
// not sent have the error of ctx.
func (b Bulk[I]) Collect(ctx context.Context) (Summary, error) {
	e := BulkError{Op: b.op, Type: b.typ}
	ended := b.run(ctx, func(o Outcome[I], last bool) bool {
		e.note(o.Err, last, o.Index, o.RequestUnits)
		return true
	})
	if e.Err == nil {
		e.Err = ended
	}
	if e.Err == nil && e.Summary.Failed == 0 {
		return e.Summary, nil
	}
	return e.Summary, &e
}

// Items returns the items of a bulk operation: Items(a, b), or Items(list...).
func Items[I any](items ...I) iter.Seq2[I, error] {
	return Sequence(slices.Values(items))
}

// Sequence returns the items of a sequence that cannot fail for a bulk operation, such as
// maps.Values of a map. Sources that can fail, such as All of a query, do not need Sequence. A
// nil sequence is an error of the operation.
func Sequence[I any](items iter.Seq[I]) iter.Seq2[I, error] {
	if items == nil {
		return nil
	}
	return func(yield func(I, error) bool) {
		for item := range items {
			if !yield(item, nil) {
				return
			}
		}
	}
}

// BulkOption changes how a bulk operation works.
type BulkOption func(*api.Bulk)

// InBatches sends items of the same logical partition together, as transactional batches of up
// to 100 operations and 2 MB: far fewer requests if items share logical partitions, for the
// same request units. In MongoDB and Gremlin, which have no batches, each item is sent alone,
// and so is each item of a type whose key ends in the id.
//
// To find items that belong together, it holds up to 4,096 items, or 16 MB, in memory. It sends
// a batch when it is full, the largest batch when too many items wait, and all of them at the
// end. An item that is alone in its logical partition is sent alone.
//
// Batches only save requests. If one item makes a batch fail, that item has the error that it
// would have alone, and the others are sent again without it. A batch that is too large is
// split in half. If the outcome of a batch is unclear, the batch is sent again if that is safe;
// otherwise each item is sent alone, and its response shows whether the batch took effect.
func InBatches() BulkOption { return func(s *api.Bulk) { s.Batches = true } }

// InTransactions stores or deletes consecutive items of the same logical partition in one
// container together or not at all, as one transaction. A transaction ends before an item of
// another logical partition, and with the sequence. It is for many groups of items that belong
// together, such as the lines of orders.
//
// Each transaction is one request, for the request units of its items one by one. If writes
// read first, a read or a query precedes it. Transactions of one logical partition are sent in
// order, others in parallel. In memory are the transaction being read, running ones, and at
// most 16 MB of transactions that wait for an earlier one of their logical partition. InBatches
// then has no effect.
//
// If an item is refused, nothing of its transaction is stored. The error of that item is a
// *[TransactionError] that wraps the error that the item would have alone. The errors of the
// other items match [ErrRolledBack], not the error of the refused item; a [Summary] counts them
// as RolledBack. errors.As finds the TransactionError in each of them. Other transactions
// continue.
//
// A transaction whose outcome is unclear is sent again, or compared with the stored documents,
// as by Commit of a Transaction. If its outcome stays unclear, the errors of all its items
// match [ErrUnclear].
//
// A transaction has at most 100 items and 2 MB; for a tenant that may move to another
// container, 99 items, or 49 deletions. A longer run of items of one logical partition is not
// sent: each has an error with the reason, which matches [ErrTooLarge] if they have too many
// bytes.
//
// An item with an invalid key, or another tenant's, has no logical partition: it fails the
// transactions before and after it. If the sequence ends with an error, or the context ends,
// the last transaction may be incomplete, and is not sent.
//
// CreateAll, UpsertAll and DeleteAll have this option, in the API NoSQL. A type whose documents
// cannot be in a transaction, such as one with unique properties or with a key that ends in the
// id, refuses it before any request. So does CreateAll of a type with random suffixes, because
// each new document gets its own logical partition, and DeleteFound, because the order of query
// results does not show which documents belong together.
func InTransactions() BulkOption { return func(s *api.Bulk) { s.Transactions = true } }

// WithBulkConcurrency limits a bulk operation to n requests at once, instead of the limit of
// WithConcurrency. An n below 1 counts as 1, and an n above 4,096, the number of items that
// wait in memory, as 4,096.
func WithBulkConcurrency(n int) BulkOption {
	return func(s *api.Bulk) { s.Concurrency = max(n, 1) }
}

// WithRequestUnitBudget limits a bulk operation to an average of perSecond request units a
// second, to leave throughput for others. It counts the charges of all requests, including
// retries, and estimates the charge of the next request from earlier ones. A budget of 0 or
// less sets no limit. Only NoSQL has budgets; other APIs refuse one.
func WithRequestUnitBudget(perSecond float64) BulkOption {
	return func(s *api.Bulk) { s.PerSecond = max(perSecond, 0) }
}

// CreateAll stores each of docs as a new document, many at once, as Create stores one: one
// write each, 32 at once, fewer while the service throttles them. [InBatches] reduces the
// number of requests.
func (c *Collection[T, K]) CreateAll(docs iter.Seq2[*T, error], opts ...BulkOption) Bulk[*T] {
	return bulkOf(c, opCreate, opts, docs, c.creating)
}

// UpsertAll stores each of docs, whether or not it is already stored, as Upsert stores one. In
// all else it is like CreateAll. It may be run again after an error.
func (c *Collection[T, K]) UpsertAll(docs iter.Seq2[*T, error], opts ...BulkOption) Bulk[*T] {
	return bulkOf(c, opUpsert, opts, docs, c.upserting)
}

// DeleteAll deletes the documents with these keys, as Delete deletes one. In all else it is
// like CreateAll. A missing document is a failure that matches ErrNotFound. A program that
// accepts missing documents compares [Summary.NotFound] with Failed.
func (c *Collection[T, K]) DeleteAll(keys iter.Seq2[K, error], opts ...BulkOption) Bulk[K] {
	return bulkOf(c, opDelete, opts, keys, c.deleting)
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

	batches api.Batcher[T] // nil if each item is sent alone
}

// bulkOf returns the bulk operation of a prepared write.
func bulkOf[T any, K generated.Key, I any](c *Collection[T, K], op string, opts []BulkOption, items iter.Seq2[I, error], prepare func(I) pending[T, K]) Bulk[I] {
	settings := api.Bulk{Concurrency: c.spec.Settings.Concurrency}
	wrong := api.Apply(&settings, opts, "a BulkOption")
	switch {
	case wrong != nil:
	case settings.PerSecond > 0:
		wrong = errNoBudget
	case settings.Transactions:
		wrong = errNoTransactions
	}
	b := bulk[T, K, I]{
		op: op, typ: c.spec.Model.Type, most: min(max(settings.Concurrency, 1), maxWaiting),
		ready: func(ctx context.Context) error {
			return api.Ready(ctx, cmp.Or(c.spec.Settings.Wrong, wrong), c.spec.Stays)
		},
		prepare: prepare,
		settle:  c.settle,
		notSent: func(w pending[T, K], r call, err error) error {
			inBatch := !r.began.IsZero() // that was refused, perhaps after it took effect
			return &Error{
				Op: op, Type: c.spec.Model.Type, ID: w.at.ID, PartitionKey: w.at.Key(), Err: err, Note: "before it was sent", Unclear: inBatch && c.spec.Twice,
			}
		},
		fail: func(w pending[T, K], unclear bool, err error) error { return c.fail(op, w.at, unclear, err) },
	}
	if settings.Batches && (op == opCreate || !c.spec.Model.Ambiguous) {
		b.batches, _ = c.spec.Driver.(api.Batcher[T])
	}
	return NewBulk(op, b.typ, func(ctx context.Context, yield func(Outcome[I], bool) bool) (ended error) {
		source := items
		if items != nil {
			source = func(yield func(I, error) bool) {
				items(yield)
				ended = ctx.Err() // perhaps the reason why the source has ended
			}
		}
		b.run(ctx, source, func(o outcome[T, K, I]) bool { return yield(o.Outcome, o.ofSource) })
		return ended
	})
}

var errNoBudget = failure.Says("WithRequestUnitBudget is for NoSQL only, because this API does not report request units before they run out: use WithBulkConcurrency")

var errNoTransactions = failure.Says("InTransactions is for NoSQL only: leave it out, or commit a Transaction for each group if the API has transactions, as Table does")

// sourceError returns the error for an error of the caller's source. It does not wrap an Error,
// such as that of a query, again.
func (b bulk[T, K, I]) sourceError(err error) error {
	var own *Error
	if errors.As(err, &own) {
		return err
	}
	return &Error{Op: b.op, Type: b.typ, Err: failure.Trusted(err)} // the caller's own text
}
