package repository

import (
	"context"
	"errors"
	"iter"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Bulk is a bulk operation on items of type I: see [documents.Bulk]. It sends nothing until
// Collect or All is called.
type Bulk[I any] = documents.Bulk[I]

// CreateAll stores each of docs as a new document, many at once, as [Documents.Create] stores
// one:
//
//	summary, err := events.CreateAll(documents.Items(list...)).Collect(ctx)
//
// Docs may have any number of documents: CreateAll reads the next one when a request ends. Each
// document costs one write. With [documents.InBatches], up to a hundred documents of one
// logical partition share a request. With [documents.InTransactions], consecutive documents are
// stored together or not at all. Documents with the same id in the same logical partition are
// stored in order; the order of others is not defined.
//
// An error from docs, such as one of [Query.All], ends the operation. The documents before it
// are stored.
//
// CreateAll starts with [documents.WithBulkConcurrency] requests at once. A request that the
// service throttles with status 429, even if a client made with [Configure] retries it, halves
// that number, which then grows one by one. A document that is still throttled after the
// client's retries is sent again, at most ten times with growing pauses; then its error is
// ErrThrottled. [documents.WithRequestUnitBudget] leaves throughput for other programs.
//
// CreateAll ranges over docs, marshals documents and reads their fields in the caller's
// goroutine.
func (d *scope[T, K]) CreateAll(docs iter.Seq2[*T, error], opts ...documents.BulkOption) Bulk[*T] {
	return bulkOf[*T](d, wire.OpCreate, opts, func(_ context.Context, b *write.Bulk) (*write.Bulk, iter.Seq[*write.BulkItem]) {
		b, prepare := d.untyped.Creating(b)
		return b, itemsOf(b, docs, d.preparing(wire.OpCreate, prepare))
	})
}

// UpsertAll stores each of docs, whether or not it is already stored, as [Documents.Upsert]
// stores one. In all else it is like [Documents.CreateAll]. It may be run again after an error.
//
// If Upsert reads first, see [Documents], UpsertAll does too: one read per document, or one
// query per batch with [documents.InBatches].
func (d *scope[T, K]) UpsertAll(docs iter.Seq2[*T, error], opts ...documents.BulkOption) Bulk[*T] {
	return bulkOf[*T](d, wire.OpUpsert, opts, func(_ context.Context, b *write.Bulk) (*write.Bulk, iter.Seq[*write.BulkItem]) {
		b, prepare := d.untyped.Upserting(b)
		return b, itemsOf(b, docs, d.preparing(wire.OpUpsert, prepare))
	})
}

// DeleteAll deletes the documents with these keys, as [Documents.Delete] deletes one. In all
// else it is like [Documents.CreateAll]. A missing document is a failure that matches
// ErrNotFound. A program that accepts missing documents compares NotFound of the summary with
// Failed.
//
// If Delete reads first, see [Documents], DeleteAll does too: one read per document, or one
// query per batch with [documents.InBatches].
func (d *scope[T, K]) DeleteAll(keys iter.Seq2[K, error], opts ...documents.BulkOption) Bulk[K] {
	return bulkOf[K](d, wire.OpDelete, opts, func(_ context.Context, b *write.Bulk) (*write.Bulk, iter.Seq[*write.BulkItem]) {
		b = d.untyped.Removing(b)
		return b, itemsOf(b, keys, func(key K, item *write.BulkItem) {
			if item.Err = d.allows(wire.OpDelete, key); item.Err != nil {
				return
			}
			in, at, err := d.target(key)
			if item.Err = err; err != nil {
				item.Place = at.Place
				return
			}
			in.PrepareRemoval(b, at, item)
		})
	})
}

// DeleteFound deletes the documents that q finds. It costs as much as [Query.All] and
// [Documents.DeleteAll] together.
//
// It deletes a document where it is stored, whatever key its fields now give, and only if it
// has not changed since the query found it. A changed document stays, and is a failure that
// matches ErrPreconditionFailed. DeleteFound refuses [documents.InTransactions].
//
// If the query fails, one extra outcome, the one with the highest Index, has the error and no
// key. Outcomes of documents found earlier may follow it. The summary leaves out the charge of
// the query, but [documents.WithRequestUnitBudget] includes it: a page is read only after the
// pages before it are paid for.
func (d *scope[T, K]) DeleteFound(q Query[T], opts ...documents.BulkOption) Bulk[K] {
	q = d.ownQuery(q)
	return bulkOf[K](d, wire.OpDelete, opts, func(ctx context.Context, b *write.Bulk) (*write.Bulk, iter.Seq[*write.BulkItem]) {
		return b, d.untyped.DeletionsOf(ctx, b, q.selection)
	})
}

// preparing returns prepare for documents that d allows.
func (d *scope[T, K]) preparing(op string, prepare func(doc any, item *write.BulkItem)) func(*T, *write.BulkItem) {
	return func(doc *T, item *write.BulkItem) {
		if item.Err = d.allowsDocument(op, doc); item.Err == nil {
			prepare(doc, item)
		}
	}
}

// bulkOf returns a bulk operation. Items returns the items of one loop, and the operation that
// sends them.
func bulkOf[I, T any, K generated.Key](d *scope[T, K], op string, opts []documents.BulkOption, items func(context.Context, *write.Bulk) (*write.Bulk, iter.Seq[*write.BulkItem])) Bulk[I] {
	settings := api.Bulk{Concurrency: d.untyped.Store.Settings.Concurrency}
	wrong := api.Apply(&settings, opts, "a BulkOption")
	if err := d.untyped.Wrong(); err != nil {
		wrong = err
	}
	return documents.NewBulk(op, d.untyped.Store.Type, func(ctx context.Context, yield func(documents.Outcome[I], bool) bool) (ended error) {
		b := write.NewBulk(d.untyped.Writer, op, settings, wrong)
		if d.tenant {
			ctx, b = d.under(ctx), d.resident.Moving(b)
		}
		b, source := items(ctx, b)
		b.Run(ctx, func(more func(*write.BulkItem) bool) {
			source(more)
			ended = ctx.Err() // perhaps the reason why the source has ended
		}, func(i *write.BulkItem) bool {
			return yield(documents.Outcome[I]{Index: i.Index, Item: givenAs[I](i), RequestUnits: i.RequestUnits, Err: i.Err}, i.SourceErr != nil)
		})
		return ended
	})
}

// given is an item as the caller passed it, a document or a key, with the item to send.
type given[I any] struct {
	item I
	sent write.BulkItem
}

// newBulkItem returns the item that bulk operations send for a caller's item.
func newBulkItem[I any](item I) *write.BulkItem {
	g := &given[I]{item: item}
	g.sent.Given = g
	return &g.sent
}

// givenAs returns the item passed to newBulkItem, or the zero value if i was made otherwise.
func givenAs[I any](i *write.BulkItem) (item I) {
	if g, ok := i.Given.(*given[I]); ok {
		item = g.item
	}
	return item
}

// Document returns the item without its type.
func (g *given[I]) Document() any { return g.item }

// itemsOf returns an item for each element of all, completed by prepare. An error from all
// becomes the last item, which has no item of the caller.
func itemsOf[I any](b *write.Bulk, all iter.Seq2[I, error], prepare func(I, *write.BulkItem)) iter.Seq[*write.BulkItem] {
	return func(yield func(*write.BulkItem) bool) {
		if all == nil {
			yield(b.FailedItem(failure.ErrNoSequence))
			return
		}
		for one, err := range all {
			if err != nil {
				yield(sourceError(b, err))
				return
			}
			item := newBulkItem(one)
			prepare(one, item)
			if !yield(item) {
				return
			}
		}
	}
}

// sourceError returns the item for an error of the caller's source. It does not wrap an Error,
// such as that of a query, again.
func sourceError(b *write.Bulk, err error) *write.BulkItem {
	item := b.FailedItem(err)
	var own *Error
	if errors.As(err, &own) {
		item.Err = err
	}
	return item
}
