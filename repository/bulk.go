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

// Bulk is a bulk operation on items of type I: see [documents.Bulk]. Nothing is sent before its
// method Collect or All.
type Bulk[I any] = documents.Bulk[I]

// CreateAll stores each of docs as a new document, many at once, as
// [Documents.Create] stores one:
//
//	summary, err := events.CreateAll(documents.Items(list...)).Collect(ctx)
//
// It is for any number of documents: it reads docs while requests are under way,
// as fast as they end. Each document costs one write. With [documents.InBatches], up to a
// hundred documents of one logical partition share a request; with
// [documents.InTransactions], those that follow each other are stored together or not
// at all. Documents of one id in one logical partition are stored in their order; other
// documents are stored in any order.
//
// An error of docs, such as that of [Query.All] of another container, ends it: the
// documents before it are stored.
//
// At first [documents.WithBulkConcurrency] requests are under way at once. When the service
// throttles a request with status 429, their number is halved, and later grows
// again one by one. A document that is throttled after the client's own retries
// is sent again, ten times at most with growing pauses; then its error is
// ErrThrottled. The retries of a client made with [Configure] halve the number as
// well. [documents.WithRequestUnitBudget] keeps a bulk operation from using all of a
// container's throughput.
//
// Only the caller's goroutine calls the caller's code: it ranges over docs, and
// marshals documents and reads their fields.
func (d *scope[T, K]) CreateAll(docs iter.Seq2[*T, error], opts ...documents.BulkOption) Bulk[*T] {
	return bulkOf[*T](d, wire.OpCreate, opts, func(_ context.Context, b *write.Bulk) (*write.Bulk, iter.Seq[*write.BulkItem]) {
		b, prepare := d.untyped.Creating(b)
		return b, itemsOf(b, docs, d.preparing(wire.OpCreate, prepare))
	})
}

// UpsertAll stores each of docs, whether it is already stored or not. It is to
// [Documents.Upsert] what [Documents.CreateAll] is to Create, and may be run
// again after an error.
//
// If Upsert looks first, see [Documents], UpsertAll looks, too: by one read for
// each document, or by one query for each batch with [documents.InBatches].
func (d *scope[T, K]) UpsertAll(docs iter.Seq2[*T, error], opts ...documents.BulkOption) Bulk[*T] {
	return bulkOf[*T](d, wire.OpUpsert, opts, func(_ context.Context, b *write.Bulk) (*write.Bulk, iter.Seq[*write.BulkItem]) {
		b, prepare := d.untyped.Upserting(b)
		return b, itemsOf(b, docs, d.preparing(wire.OpUpsert, prepare))
	})
}

// DeleteAll removes the documents that keys identify. It is to [Documents.Delete]
// what [Documents.CreateAll] is to Create. A missing document is a failure that
// matches ErrNotFound. A program that accepts missing documents compares
// NotFound of the summary with Failed.
//
// If Delete looks first, see [Documents], DeleteAll looks, too: by one read for
// each document, or by one query for each batch with [documents.InBatches].
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

// DeleteFound removes the documents that q finds. It costs what [Query.All] and
// [Documents.DeleteAll] cost together.
//
// DeleteFound removes a document from where it is stored, whatever key its fields
// give now, and only if it has not changed since the query found it. A document
// that has changed stays, and is a failure that matches ErrPreconditionFailed. It
// refuses [documents.InTransactions].
//
// If the query fails, the outcome with the highest Index has its error and no
// key. Outcomes of documents that were found before may come after it. The charge of
// the query is not in the summary, but counts for [documents.WithRequestUnitBudget]: pages
// wait until those before them are paid for.
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

// given is an item as the caller has it, a document or a key, and what is sent
// of it.
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

// givenAs returns the caller's item of newBulkItem, or the zero value if the
// caller has no such item.
func givenAs[I any](i *write.BulkItem) (item I) {
	if g, ok := i.Given.(*given[I]); ok {
		item = g.item
	}
	return item
}

// Document returns the item without its type.
func (g *given[I]) Document() any { return g.item }

// itemsOf returns an item for each of all, as prepare completes it. An error of all
// ends them with an item that has the error and belongs to no item of the caller.
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

// sourceError is the item for an error of the caller's source. An Error, such as
// that of a query, is not wrapped again.
func sourceError(b *write.Bulk, err error) *write.BulkItem {
	item := b.FailedItem(err)
	var own *Error
	if errors.As(err, &own) {
		item.Err = err
	}
	return item
}
