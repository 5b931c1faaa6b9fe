package mongo

import (
	"context"
	"iter"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/documents"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Query selects documents of type T. It is an immutable value, and its methods return
// changed copies. Nothing is sent before All, Collect, First, Count or Page, which return
// what is wrong with the query.
type Query[T any] struct {
	inner documents.Query[T]
}

// NewQuery returns the query of the documents of keys. Generated code calls it.
func NewQuery[T any, K generated.Key](d *Documents[T, K], keys generated.Keys) Query[T] {
	return Query[T]{documents.NewQuery(d.inner, keys)}
}

// Scan selects all documents of the repository: one find without a shard key, which reads every physical partition, as
// [Query.All] says.
func (d *Documents[T, K]) Scan() Query[T] { return NewQuery(d, generated.Keys{}) }

// Where returns q for only those documents for which all the predicates hold.
func (q Query[T]) Where(predicates ...Predicate[T]) Query[T] {
	return Query[T]{q.inner.Where(nodes(predicates)...)}
}

// OrderBy returns q in an order: by the first of orders, then by the next, and at last by
// _id in the direction of the last one. Cosmos DB needs a compound index of these
// properties and _id, which the tag orders= declares and [Ensure] creates.
func (q Query[T]) OrderBy(orders ...Order[T]) Query[T] {
	inner := make([]condition.Order, len(orders))
	for i, o := range orders {
		if o.err != nil {
			return Query[T]{q.inner.Where(condition.Wrong{Err: o.err})}
		}
		inner[i] = o.order
	}
	return Query[T]{q.inner.OrderBy(inner...)}
}

// Limit returns q for at most n documents. An n below 1 is an error.
func (q Query[T]) Limit(n int) Query[T] { return Query[T]{q.inner.Limit(n)} }

// All yields each document once, and ends at the first error. It sends one find for all
// partition keys of the query together, of up to 1 MiB of keys, and one getMore for each
// further batch. Without OrderBy, documents come in no order.
//
// A find is repeated if that is safe. A getMore is not, since the server may have gone on:
// the loop ends with the error, and [Query.Page] can go on where a page ended.
func (q Query[T]) All(ctx context.Context) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for doc, err := range q.inner.All(ctx) {
			if !yield(doc, fault(err)) {
				return
			}
		}
	}
}

// Collect returns all documents of All, or its error and none.
func (q Query[T]) Collect(ctx context.Context) ([]*T, error) {
	docs, err := q.inner.Collect(ctx)
	return docs, fault(err)
}

// First returns the first document, in the order of Page: one find. If there is none, the
// error matches ErrNotFound.
func (q Query[T]) First(ctx context.Context) (*T, error) {
	doc, err := q.inner.First(ctx)
	return doc, fault(err)
}

// Count returns how many documents there are. A query with a limit is an error. The server
// counts, in one aggregation for up to 1 MiB of partition keys.
func (q Query[T]) Count(ctx context.Context) (int, error) {
	n, err := q.inner.Count(ctx)
	return n, fault(err)
}

// Page returns up to size documents after a cursor, and the cursor of the next page: ""
// at the end. The first cursor is "". It sends one find, and getMores only where a page
// has more than 16 MB.
//
// Documents come in the order of OrderBy, or else by _id. Pages have every document once,
// however many logical partitions have the same _id or value, if nobody changes what they
// are ordered by. The error matches ErrCursor if the cursor is not one of this query.
//
// A cursor holds the partition keys of the documents so far that have the last one's _id and
// values of the order. If they make it longer than 64 KB, Page returns an error that says
// what to do.
func (q Query[T]) Page(ctx context.Context, cursor string, size int) (docs []*T, next string, err error) {
	docs, next, err = q.inner.Page(ctx, cursor, size)
	return docs, next, fault(err)
}
