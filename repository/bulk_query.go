package repository

import (
	"context"
	"encoding/json"
	"errors"
	"iter"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// errOtherQuery is the error of a deletion by a query of another repository.
var errOtherQuery = errors.New("the query is of another repository: call DeleteAllOf of the repository that made it")

// DeleteAllOf removes the documents that q finds. It costs what [Query.All] and
// [Documents.DeleteAll] cost together.
//
// DeleteAllOf removes a document from where it is stored, whatever key its fields
// give now, and only if it has not changed since the query found it. A document
// that has changed stays, and is a failure that matches ErrPreconditionFailed.
//
// An error of the query ends it, as [Documents.CreateAllFrom] says. The charge of
// the query is not in the [Summary], but counts for [WithRequestUnitBudget].
func (d *Documents[T, K]) DeleteAllOf(ctx context.Context, q Query[T], opts ...BulkOption) (Summary, error) {
	b := newBulk(d.untyped.writer, wire.OpDelete, opts)
	return summarize(ctx, b, d.untyped.deletionsOf(ctx, b, q.selection))
}

// DeleteEachOf is [Documents.DeleteAllOf] in a loop, which yields the outcome of
// each document. It does nothing until the caller ranges over the result: see
// [Documents.CreateEach].
//
// If the query fails, the outcome with the highest Index has its error and no
// key. Outcomes of documents that were found before may come after it.
func (d *Documents[T, K]) DeleteEachOf(ctx context.Context, q Query[T], opts ...BulkOption) iter.Seq[Outcome[K]] {
	b := newBulk(d.untyped.writer, wire.OpDelete, opts)
	return outcomes[K](b.All(ctx, d.untyped.deletionsOf(ctx, b, q.selection)))
}

// deletionsOf returns the deletions of the documents that q finds.
func (d *documents) deletionsOf(ctx context.Context, b *write.Bulk, q query.Selection) iter.Seq[*write.BulkItem] {
	return func(yield func(*write.BulkItem) bool) {
		if q.Store != nil && q.Store != d.store {
			yield(b.FailedItem(errOtherQuery))
			return
		}
		var m Meter
		counted := 0.0
		for item, err := range run(WithMeter(ctx, &m), q, q.Statement(), d.deletionOf, q.Limit) {
			units := m.RequestUnits()
			b.Budget.Spend(units - counted)
			counted = units
			if err != nil {
				item = sourceError(b, err)
			}
			if !yield(item) {
				return
			}
		}
	}
}

// deletionOf returns the deletion of a stored document on condition that it does
// not change.
func (d *documents) deletionOf(raw []byte) (*write.BulkItem, error) {
	doc, err := d.store.Decode(raw)
	if err != nil {
		return nil, err
	}
	item := d.types.deletion(doc)
	if err := json.Unmarshal(text.ValueAt(raw, wire.ETagPath), &item.Unchanged); err != nil {
		return nil, err
	}
	if item.Place, item.Err = store.PlaceOf(d.store, raw); d.types.places != nil {
		d.removeUnchanged(doc, item)
		return item, nil
	}
	item.Send = func(ctx context.Context, repeated bool) (azcore.ETag, error) {
		w := write.DeleteRequest(d.writer, item.Place, item.Unchanged)
		w.Repeated = repeated
		return write.Send(ctx, d.writer, wire.OpDelete, item.Place, w)
	}
	return item, nil
}
