package table

import (
	"context"
	"iter"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/documents"
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
	return Query[T]{documents.NewQuery(d.inner, keys)}
}

// Scan returns the query of all documents of the table. It reads the whole table, one page
// after the other.
func (d *Documents[T, K]) Scan() Query[T] { return NewQuery(d, generated.Keys{}) }

// Where returns q for only those documents for which all the predicates hold.
func (q Query[T]) Where(predicates ...Predicate[T]) Query[T] {
	return Query[T]{q.inner.Where(nodes(predicates)...)}
}

// Rows returns q for only those documents whose row key is from the text from, included,
// to the text to, not included. An empty text is no bound. In each logical partition, the
// service reads these rows alone.
func (q Query[T]) Rows(from, to string) Query[T] {
	if from != "" {
		q.inner = q.inner.Where(&condition.Comparison{Property: odata.Row, Op: condition.Ge, Values: []any{from}})
	}
	if to != "" {
		q.inner = q.inner.Where(&condition.Comparison{Property: odata.Row, Op: condition.Lt, Values: []any{to}})
	}
	return q
}

// Limit returns q for at most n documents. An n below 1 is an error of the query.
func (q Query[T]) Limit(n int) Query[T] { return Query[T]{q.inner.Limit(n)} }

// All yields each document once, and ends at the first error. It asks up to 32 logical
// partitions at once, by one request for each page of up to 1,000 entities. Documents of
// one logical partition come in the service's order, and those of several in any order.
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
	found, err := q.inner.Collect(ctx)
	return found, fault(err)
}

// First returns a document, or an error that matches ErrNotFound. It asks logical
// partitions as All does, and stops at the first document.
func (q Query[T]) First(ctx context.Context) (*T, error) {
	found, err := q.inner.First(ctx)
	return found, fault(err)
}

// Count returns how many documents there are. A query with a limit is an error. The
// service counts nothing: Count reads what All reads, with as few properties as decide the
// conditions.
func (q Query[T]) Count(ctx context.Context) (int, error) {
	found, err := q.inner.Count(ctx)
	return found, fault(err)
}

// Page returns up to size documents after a cursor, and the cursor of the next page: ""
// at the end. The first cursor is "". A page may have fewer documents and a next page.
//
// Logical partitions come one after the other, each in the service's order. Page asks for
// what it returns, except that it asks several logical partitions at once where those
// before are empty. The cursor has the service's own position. Pages have every document
// once if it is stored from the first page to the last. The error matches ErrCursor if the
// cursor is not one of this query.
func (q Query[T]) Page(ctx context.Context, cursor string, size int) (docs []*T, next string, err error) {
	docs, next, err = q.inner.Page(ctx, cursor, size)
	return docs, next, fault(err)
}
