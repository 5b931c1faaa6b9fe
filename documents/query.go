package documents

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/cursor"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Query selects documents of type T. It is an immutable value: its methods return a changed
// copy. It sends nothing until All, Collect, First, Count or Page is called. These methods
// also return an error if the query is invalid. The package of the API documents their costs.
type Query[T any] struct {
	source source[T]
	sel    api.Selection
	limit  int // 0 means no limit
	err    error
}

// source is a collection without the type of its keys.
type source[T any] struct {
	typ     string
	driver  api.Driver[T]
	taken   func(api.Stored[T]) *T
	stays   func(context.Context) error
	cursors cursor.Keys
	name    string // of the container
}

// NewQuery returns the query for the documents under keys. Generated code calls it.
func NewQuery[T any, K generated.Key](c *Collection[T, K], keys generated.Keys) Query[T] {
	q := Query[T]{
		source: source[T]{c.spec.Model.Type, c.spec.Driver, c.taken, c.spec.Stays, c.spec.Settings.CursorKeys, c.spec.Name},
		err:    c.spec.Settings.Wrong,
	}
	resolved, err := keys.Resolve(c.spec.Model.Type, c.spec.Settings.MaxKeys)
	if err != nil {
		return q.wrong(err)
	}
	q.sel.All = resolved.All()
	for i := range resolved.Len() {
		text, ok := resolved.At(i).(string)
		if !ok {
			return q.wrong(fmt.Errorf("query %s: a partition key is not a text", c.spec.Model.Type))
		}
		q.sel.Keys = append(q.sel.Keys, text)
	}
	for _, f := range resolved.Filters() {
		q = q.where(ofFilter(f))
	}
	return q
}

// ofFilter returns a filter of generated code as a condition.
func ofFilter(f generated.Filter) condition.Node {
	value := f.Value
	if !f.Time.IsZero() {
		value = f.Time
	}
	value, err := api.Value(value)
	op, known := map[string]condition.Op{"=": condition.Eq, ">=": condition.Ge, "<": condition.Lt}[f.Compare]
	if err == nil && !known {
		err = fmt.Errorf("the filter compares by %q", f.Compare)
	}
	if err != nil {
		return condition.Wrong{Err: err}
	}
	if f.Fold {
		op = condition.EqFold
	}
	return &condition.Comparison{Property: api.PropertyOf(f.Property), Op: op, Values: []any{value}}
}

// Scan returns the query for all documents. It reads the whole container.
func (c *Collection[T, K]) Scan() Query[T] { return NewQuery(c, generated.Keys{}) }

// Where keeps the documents for which all predicates hold.
func (q Query[T]) Where(predicates ...Predicate[T]) Query[T] {
	return q.where(Conditions(predicates)...)
}

func (q Query[T]) where(nodes ...condition.Node) Query[T] {
	q.sel.Where = append(q.sel.Where[:len(q.sel.Where):len(q.sel.Where)], nodes...)
	if err := condition.Check(nodes...); err != nil {
		return q.wrong(fmt.Errorf("query %s: %w", q.source.typ, err))
	}
	return q
}

// wrong returns q with an error, unless it already has one.
func (q Query[T]) wrong(err error) Query[T] {
	if q.err == nil {
		q.err = err
	}
	return q
}

// OrderBy sorts the documents by the first order, and breaks ties by the next. MongoDB breaks
// the last ties by _id, in the direction of the last order, and needs a compound index of these
// properties and _id, which the tag orders= declares.
func (q Query[T]) OrderBy(orders ...Order[T]) Query[T] {
	q.sel.Orders = slices.Clone(q.sel.Orders)
	for _, o := range orders {
		if o.err != nil {
			q = q.wrong(fmt.Errorf("query %s: %w", q.source.typ, o.err))
		}
		q.sel.Orders = append(q.sel.Orders, o.order)
	}
	return q
}

// Limit ends the query after n documents. With an n below 1 the query returns an error.
func (q Query[T]) Limit(n int) Query[T] {
	if n < 1 {
		return q.wrong(fmt.Errorf("query %s: a limit of %d documents: it must be at least 1", q.source.typ, n))
	}
	q.limit, q.sel.Limit = n, n
	return q
}

// ready returns the error of an invalid q, before any request.
func (q Query[T]) ready(ctx context.Context) error {
	return api.Ready(ctx, q.err, q.source.stays)
}

func (q Query[T]) fail(op string, err error) error {
	if err == nil {
		return nil
	}
	return NewError(op, q.source.typ, api.Place{}, err)
}

// All yields each document once, and ends at the first error. Without OrderBy, documents
// come in any order.
func (q Query[T]) All(ctx context.Context) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		if err := q.ready(ctx); err != nil {
			yield(nil, err)
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		n := 0
		for stored, err := range q.source.driver.All(ctx, q.sel) {
			if err != nil {
				yield(nil, q.fail(opQuery, err))
				return
			}
			n++
			if !yield(q.source.taken(stored), nil) || n == q.limit {
				return
			}
		}
	}
}

// Collect returns all documents of All. If All ends with an error, Collect returns that error
// and no documents.
func (q Query[T]) Collect(ctx context.Context) ([]*T, error) {
	var docs []*T
	for doc, err := range q.All(ctx) {
		if err != nil {
			return nil, err
		}
		docs = append(docs, doc)
	}
	return docs, nil
}

// First returns the first document, or an error that matches ErrNotFound. Without an order, any
// document may be the first.
func (q Query[T]) First(ctx context.Context) (*T, error) {
	for doc, err := range q.Limit(1).All(ctx) {
		return doc, err
	}
	return nil, q.fail("first", &failure.Answer{Kind: failure.ErrNotFound})
}

// Count returns the number of documents. It reads all of them, and refuses a limit.
func (q Query[T]) Count(ctx context.Context) (int, error) {
	if err := q.ready(ctx); err != nil {
		return 0, err
	}
	if q.limit > 0 {
		return 0, fmt.Errorf("query %s: Count counts all documents: call it without Limit", q.source.typ)
	}
	n, err := q.source.driver.Count(ctx, q.sel)
	return n, q.fail(opCount, err)
}
