package repository

import (
	"fmt"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// OrderBy sorts the documents, by the first order and, where that leaves ties,
// by the next. What further calls add comes behind. Documents of equal values
// come in no particular order, but in the same one each time while neither they
// nor the physical partitions change.
//
// Each physical partition sorts its own documents, and the streams are merged
// here, each read one page ahead: a query holds at most two pages of each, of each
// logical partition where these are asked one by one. Several orders need a composite index of just
// these properties, in this sequence, with these directions or all of them
// reversed; the service refuses the query without one.
//
// Over many logical partitions a query in an order needs a client made with
// [Configure]; with another one it goes to each logical partition, and a query of
// the whole container, or by a prefix of a key, is an error.
func (q Query[T]) OrderBy(orders ...Order[T]) Query[T] {
	for _, o := range orders {
		q.selection = q.selection.orderBy(o.field, o.descending)
	}
	return q
}

// orderBy returns q in one more order, unless there is something wrong with it.
func (q selection) orderBy(field string, descending bool) selection {
	if q.err != nil {
		return q
	}
	s, err := text.NewOrder(field, descending)
	if err != nil {
		q.err = fmt.Errorf("query %s: order: %w", q.typ(), err)
		return q
	}
	q.orders = append(q.orders[:len(q.orders):len(q.orders)], s)
	return q
}

// Limit ends the query after n documents, the first ones if they are in an
// order. Each physical partition then gives n at most. Of several limits the
// least counts. An n below 1 is an error of whatever runs the query.
func (q Query[T]) Limit(n int) Query[T] {
	return Query[T]{q.selection.first(n)}
}

// first is Query.Limit.
func (q selection) first(n int) selection {
	if n < 1 && q.err == nil {
		q.err = fmt.Errorf("query %s: limit %d: it must be at least 1", q.typ(), n)
	}
	q.limit = lesser(q.limit, n)
	return q
}

// lesser returns the lesser of two limits, of which 0 is none.
func lesser(a, b int) int {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}
