package table

import (
	"context"
	"iter"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/table/internal/odata"
)

// Query selects documents of type T. It is an immutable value, and its methods return
// changed copies. Nothing is sent before All, Collect, First, Count or Page, which return
// what is wrong with the query.
type Query[T any] struct {
	inner documents.Query[T]
}

// NewQuery returns the query of the documents of keys. Generated code calls it.
func NewQuery[T any, K generated.Key](d *Documents[T, K], keys generated.Keys) Query[T] {
	return Query[T]{documents.NewQuery(d.Collection, keys)}
}

// Scan returns the query of all documents of the table. It reads the whole table, one page
// after the other.
func (d *Documents[T, K]) Scan() Query[T] { return NewQuery(d, generated.Keys{}) }

// Where returns q for only those documents for which all the predicates hold.
//
// A filter of OData cannot say that a property is absent, and has no part of a text but its
// beginning. So Not, HasValue, EqualFold, Contains and EndsWith are not sent: the query reads
// what the rest of its conditions select, and decides them itself. Where the rest selects
// everything, a query reads its logical partitions whole. Where also decides what the
// service may answer differently, so that a query gives the same documents whatever the
// service.
//
// Azure Storage has an index of the partition key and the row key alone, and Cosmos DB
// indexes every property. Azure Storage takes at most 15 comparisons in one filter: In
// counts once for each value. A filter is a part of the URL, of which servers take few
// bytes: a query whose filter has more than 12 KiB there returns an error that says how many
// values of an In fit, some 350 of ten letters, and nothing is sent.
func (q Query[T]) Where(predicates ...documents.Predicate[T]) Query[T] {
	return Query[T]{q.inner.Where(predicates...)}
}

// Rows returns q for only those documents whose row key is from the text from, included,
// to the text to, not included. An empty text is no bound. In each logical partition, the
// service reads these rows alone.
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

// Limit returns q for at most n documents. An n below 1 is an error of the query.
func (q Query[T]) Limit(n int) Query[T] { return Query[T]{q.inner.Limit(n)} }

// All yields each document once, and ends at the first error. It asks up to 32 logical
// partitions at once, by one request for each page of up to 1,000 entities. Documents of
// one logical partition come in the service's order, and those of several in any order.
func (q Query[T]) All(ctx context.Context) iter.Seq2[*T, error] { return q.inner.All(ctx) }

// Collect returns all documents of All, or its error and none.
func (q Query[T]) Collect(ctx context.Context) ([]*T, error) { return q.inner.Collect(ctx) }

// First returns a document, or an error that matches documents.ErrNotFound. It asks logical
// partitions as All does, and stops at the first document.
func (q Query[T]) First(ctx context.Context) (*T, error) { return q.inner.First(ctx) }

// Count returns how many documents there are. A query with a limit is an error. The
// service counts nothing: Count reads what All reads, with as few properties as decide the
// conditions.
func (q Query[T]) Count(ctx context.Context) (int, error) { return q.inner.Count(ctx) }

// Page returns up to size documents after a cursor, of which the first is "". A page may
// have fewer documents and a next page.
//
// Logical partitions come one after the other, each in the service's order. Page asks for
// what it returns, except that it asks several logical partitions at once where those
// before are empty. The cursor has the service's own position. Pages have every document
// once if it is stored from the first page to the last. The error matches documents.ErrCursor if the
// cursor is not one of this query.
func (q Query[T]) Page(ctx context.Context, cursor string, size int) (documents.Page[T], error) {
	return q.inner.Page(ctx, cursor, size)
}
