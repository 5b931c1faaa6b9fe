package gremlin

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

// Scan returns the query of all documents: it reads all physical partitions.
func (d *Documents[T, K]) Scan() Query[T] { return NewQuery(d, generated.Keys{}) }

// Where returns q for only those documents for which all the predicates hold.
func (q Query[T]) Where(predicates ...Predicate[T]) Query[T] {
	return Query[T]{q.inner.Where(nodes(predicates)...)}
}

// OrderBy returns q in an order: by the first of orders, then by the next, and at last by
// id in the direction of the last one. The service leaves vertices without a property out
// of its order: the query returns an error if a property is optional, and leaves out
// vertices that were stored before the type had the property. It also returns an error
// at the page after one that ends at an integer beyond 2^53, which the service takes for
// equal to its neighbours: order by a time, or by a text of fixed width.
func (q Query[T]) OrderBy(orders ...Order[T]) Query[T] {
	inner := make([]condition.Order, len(orders))
	for i, o := range orders {
		inner[i] = o.order
	}
	return Query[T]{q.inner.OrderBy(inner...)}
}

// Limit returns q for at most n documents. N is at least 1.
func (q Query[T]) Limit(n int) Query[T] { return Query[T]{q.inner.Limit(n)} }

// All yields each document once, and ends at the first error. It sends a request for each
// 1,000 partition keys, and further ones where that has more than 1,000 documents; see
// [WithPageSize]. Without OrderBy, documents come in no order.
//
// Documents that are stored or removed meanwhile may be there or not.
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

// First returns the first document, in the order of Page: one request. If there is none,
// the error matches ErrNotFound.
func (q Query[T]) First(ctx context.Context) (*T, error) {
	doc, err := q.inner.First(ctx)
	return doc, fault(err)
}

// Count returns how many documents there are. A query with a limit is an error. The
// service counts, in a request for each 1,000 partition keys.
func (q Query[T]) Count(ctx context.Context) (int, error) {
	n, err := q.inner.Count(ctx)
	return n, fault(err)
}

// Page returns up to size documents after a cursor, and the cursor of the next page: ""
// at the end. The first cursor is "". It sends one request, and the service sorts the
// documents of the query for it.
//
// Documents come in the order of OrderBy, or else by id. Pages have every document once,
// however many logical partitions have the same id or value, if nobody changes what they
// are ordered by. The error matches ErrCursor if the cursor is not one of this query.
//
// A cursor holds the partition keys of the documents so far that have the last one's id and
// value of the order. If they make it longer than 64 KB, Page returns an error that says
// what to do.
func (q Query[T]) Page(ctx context.Context, cursor string, size int) (docs []*T, next string, err error) {
	docs, next, err = q.inner.Page(ctx, cursor, size)
	return docs, next, fault(err)
}
