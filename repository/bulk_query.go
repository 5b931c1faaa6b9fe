package repository

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// errOtherQuery is why the documents of a query are not deleted.
var errOtherQuery = errors.New("the query is of another repository: call DeleteAllOf of the one that made it")

// DeleteAllOf removes the documents that q finds. It is [Documents.DeleteAll], with
// what [Query.All] costs before.
//
// A document is removed where it is stored, whatever key its fields give now, and
// on condition that it is as the query has found it: one that was changed since is
// left, and is a failure that matches ErrPreconditionFailed.
//
// An error of the query ends it, as [Documents.CreateAllFrom] says. What the query
// was charged is not in the [Summary], but counts for [WithRequestUnitBudget].
func (d *Documents[T, K]) DeleteAllOf(ctx context.Context, q Query[T], opts ...BulkOption) (Summary, error) {
	b := newBulk(d.store, wire.OpDelete, opts)
	return b.summarize(ctx, deletionsOf(ctx, d, b, q.selection))
}

// DeleteEachOf is [Documents.DeleteAllOf] in a loop, which yields what became of
// each document. It does nothing until the caller ranges over the result: see
// [Documents.CreateEach].
//
// If the query fails, one outcome has its error and no key: the one of the highest
// Index, though those of documents found before may come after it.
func (d *Documents[T, K]) DeleteEachOf(ctx context.Context, q Query[T], opts ...BulkOption) iter.Seq[Outcome[K]] {
	b := newBulk(d.store, wire.OpDelete, opts)
	return outcomes[K](b.all(ctx, deletionsOf(ctx, d, b, q.selection)))
}

// deletionsOf returns the deletions of the documents that q finds.
func deletionsOf[T any, K generated.Key](ctx context.Context, d *Documents[T, K], b *bulk, q selection) iter.Seq[*bulkItem] {
	return func(yield func(*bulkItem) bool) {
		if q.source != nil && q.source != d.store {
			yield(b.unread(errOtherQuery))
			return
		}
		var m Meter
		counted := 0.0
		for item, err := range run(WithMeter(ctx, &m), q, q.statement(), func(raw []byte) (*bulkItem, error) { return deletionOf(d, raw) }, q.limit) {
			units := m.RequestUnits()
			b.budget.spend(units - counted)
			counted = units
			if err != nil {
				item = b.unread(err)
			}
			if !yield(item) {
				return
			}
		}
	}
}

// deletionOf returns the deletion of a stored document, which is to be as it is
// now.
func deletionOf[T any, K generated.Key](d *Documents[T, K], raw []byte) (*bulkItem, error) {
	doc, err := decodeAs[T](d.store, raw)
	if err != nil {
		return nil, err
	}
	item := newBulkItem(d.model.Key(doc))
	if err := json.Unmarshal(text.ValueAt(raw, wire.ETagPath), &item.unchanged); err != nil {
		return nil, err
	}
	item.Place, item.err = storedAt(d.store, raw)
	item.send = func(ctx context.Context, repeated bool) (azcore.ETag, error) {
		w := deletion(d.store, item.Place, item.unchanged)
		w.repeated = repeated
		return sendWrite(ctx, d.store, wire.OpDelete, item.Place, w)
	}
	return item, nil
}

// storedAt returns where a stored document is kept.
func storedAt(s *store, raw []byte) (p wire.Place, err error) {
	if err = json.Unmarshal(text.ValueAt(raw, wire.IDPath), &p.ID); err != nil {
		return p, err
	}
	if p.Value, err = storedKey(s, raw); err == nil && !expressible(p.Value) {
		err = errors.New("it is null or an object")
	}
	if err != nil {
		err = fmt.Errorf("its partition key cannot be sent, delete it with azcosmos: %w", err)
		return p, &wire.OperationError{Op: wire.OpDelete, Type: s.Type, ID: p.ID, Err: err}
	}
	p.Key, p.Name = wire.PartitionKeyOf(p.Value)
	return p, nil
}

// expressible reports whether a partition key is one that partitionKeyOf makes.
func expressible(key any) bool {
	levels, ok := key.([]any)
	if !ok {
		levels = []any{key}
	}
	for _, level := range levels {
		switch level.(type) {
		case string, float64, bool:
		default:
			return false
		}
	}
	return true
}
