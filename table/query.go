package table

import (
	"context"
	"iter"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/table/internal/odata"
)

// Query selects documents of type T. It is an immutable value: its methods return a changed
// copy. It sends nothing until All, Collect, First, Count or Page is called, which also return
// an error if the query is invalid.
type Query[T any] struct {
	inner documents.Query[T]
}

// NewQuery returns the query for the documents under keys. Generated code calls it.
func NewQuery[T any, K generated.Key](d *Documents[T, K], keys generated.Keys) Query[T] {
	return Query[T]{documents.NewQuery(d.Collection, keys)}
}

// Scan returns the query for all documents of the table. It reads the whole table, page by
// page.
func (d *Documents[T, K]) Scan() Query[T] { return NewQuery(d, generated.Keys{}) }

// Where keeps the documents for which all predicates hold.
//
// A filter of OData cannot test whether a property is absent, or any part of a text but its
// beginning. So Not, HasValue, EqualFold, Contains and EndsWith are not sent: the query reads
// the documents that its other conditions select, and tests them itself. Without other
// conditions, it reads its logical partitions completely. Where also tests conditions on which
// services differ, so that a query returns the same documents from every service.
//
// Azure Storage indexes only the partition key and the row key, and Cosmos DB every property.
// Azure Storage accepts at most 15 comparisons in one filter: In counts once for each value. A
// filter is part of the URL, whose length servers limit: a query whose filter has more than 12
// KiB there sends nothing, and returns an error with the number of values of an In that fit,
// some 350 of ten letters.
func (q Query[T]) Where(predicates ...documents.Predicate[T]) Query[T] {
	return Query[T]{q.inner.Where(predicates...)}
}

// Rows keeps the documents whose row key is from the text from, included, to the text to, not
// included. An empty text is no bound. In each logical partition, the service reads only these
// rows.
func (q Query[T]) Rows(from, to string) Query[T] {
	row := documents.String[T, string](odata.Row)
	if from != "" {
		q.inner = q.inner.Where(row.Ge(from))
	}
	if to != "" {
		q.inner = q.inner.Where(row.Lt(to))
	}
	return q
}

// Limit ends the query after n documents. With an n below 1 the query returns an error.
func (q Query[T]) Limit(n int) Query[T] { return Query[T]{q.inner.Limit(n)} }

// All yields each document once, and ends at the first error. It reads up to 32 logical
// partitions at once, with one request for each page of up to 1,000 entities. Documents of one
// logical partition come in the service's order, and those of several in any order.
func (q Query[T]) All(ctx context.Context) iter.Seq2[*T, error] { return q.inner.All(ctx) }

// Collect returns all documents of All. If All ends with an error, Collect returns that error
// and no documents.
func (q Query[T]) Collect(ctx context.Context) ([]*T, error) { return q.inner.Collect(ctx) }

// First returns a document, or an error that matches documents.ErrNotFound. It reads logical
// partitions like All, and stops at the first document.
func (q Query[T]) First(ctx context.Context) (*T, error) { return q.inner.First(ctx) }

// Count returns the number of documents. It refuses a limit. The service cannot count: Count
// reads as many entities as All, with only the properties that conditions need.
func (q Query[T]) Count(ctx context.Context) (int, error) { return q.inner.Count(ctx) }

// Page returns up to size documents after a cursor; the cursor of the first page is "". A page
// may have fewer documents although there is a next page.
//
// Logical partitions come one after the other, each in the service's order. Page requests only
// the documents that it returns, except that it reads several logical partitions at once after
// empty ones. The cursor has the service's own position. Pages have every document once if it
// is stored from the first page to the last. The error matches documents.ErrCursor if the
// cursor does not belong to this query.
func (q Query[T]) Page(ctx context.Context, cursor string, size int) (documents.Page[T], error) {
	return q.inner.Page(ctx, cursor, size)
}
