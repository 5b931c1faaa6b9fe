package documents

import (
	"context"
	"encoding"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/cursor"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Query selects documents. It is an immutable value; its methods return changed copies.
type Query[T any] struct {
	source source[T]
	sel    Selection
	limit  int // 0 means no limit
	err    error
}

// source is a collection without the type of its keys.
type source[T any] struct {
	typ     string
	driver  Driver[T]
	taken   func(Stored[T]) *T
	stays   func(context.Context) error
	cursors cursor.Keys
	name    string // of the container
}

// NewQuery returns the query of the documents of keys.
func NewQuery[T any, K generated.Key](c *Collection[T, K], keys generated.Keys) Query[T] {
	q := Query[T]{
		source: source[T]{c.Model.Type, c.Driver, c.taken, c.Stays, c.Settings.CursorKeys, c.Name},
		err:    c.Settings.Wrong,
	}
	resolved, err := keys.Resolve(c.Model.Type, c.Settings.MaxKeys)
	if err != nil {
		return q.wrong(err)
	}
	q.sel.All = resolved.All()
	for i := range resolved.Len() {
		text, ok := resolved.At(i).(string)
		if !ok {
			return q.wrong(fmt.Errorf("query %s: a partition key is not a text", c.Model.Type))
		}
		q.sel.Keys = append(q.sel.Keys, text)
	}
	for _, f := range resolved.Filters() {
		q = q.Where(ofFilter(f))
	}
	return q
}

// ofFilter returns a filter of generated code as a condition.
func ofFilter(f generated.Filter) condition.Node {
	value := f.Value
	if !f.Time.IsZero() {
		value = f.Time
	}
	value, err := Value(value)
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
	return &condition.Comparison{Property: PropertyOf(f.Property), Op: op, Values: []any{value}}
}

// PropertyOf returns the name of the property at a JSON pointer, with a point between
// the names of nested ones.
func PropertyOf(pointer string) string {
	return strings.Join(jsonpointer.Names(pointer), ".")
}

// Value returns a Go value as one of condition.Comparison: a type with a text form as
// that text, except for a time.
func Value(v any) (any, error) {
	switch v := v.(type) {
	case string, bool, int64, uint64, float64, time.Time, []byte:
		return v, nil
	case encoding.TextMarshaler:
		text, err := v.MarshalText()
		return string(text), err
	}
	return scalar(v)
}

// Where returns q for only those documents for which all conditions hold.
func (q Query[T]) Where(nodes ...condition.Node) Query[T] {
	q.sel.Where = append(q.sel.Where[:len(q.sel.Where):len(q.sel.Where)], nodes...)
	if err := condition.Check(nodes...); err != nil {
		return q.wrong(fmt.Errorf("query %s: %w", q.source.typ, err))
	}
	return q
}

// wrong returns q with an error, unless it has one already.
func (q Query[T]) wrong(err error) Query[T] {
	if q.err == nil {
		q.err = err
	}
	return q
}

// OrderBy returns q in another order.
func (q Query[T]) OrderBy(orders ...condition.Order) Query[T] {
	q.sel.Orders = append(q.sel.Orders[:len(q.sel.Orders):len(q.sel.Orders)], orders...)
	return q
}

// Limit returns q for at most n documents.
func (q Query[T]) Limit(n int) Query[T] {
	if n < 1 {
		return q.wrong(fmt.Errorf("query %s: a limit of %d documents: it must be at least 1", q.source.typ, n))
	}
	q.limit, q.sel.Limit = n, n
	return q
}

// ready returns what is wrong with q, before anything is sent.
func (q Query[T]) ready(ctx context.Context) error {
	return ready(ctx, q.err, q.source.stays)
}

func (q Query[T]) fail(op string, err error) error {
	if err == nil {
		return nil
	}
	a := failure.AnswerOf(err)
	return &failure.Error{Op: op, Type: q.source.typ, Code: a.Code, Err: err, Kind: a.Kind}
}

// All yields each document once, and ends at the first error.
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

// Collect returns all documents.
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

// First returns the first document, or an error that matches failure.ErrNotFound. Without
// an order, any document may be the first.
func (q Query[T]) First(ctx context.Context) (*T, error) {
	for doc, err := range q.Limit(1).All(ctx) {
		return doc, err
	}
	return nil, q.fail("first", &failure.Answer{Kind: failure.ErrNotFound})
}

// Count returns how many documents there are. It goes over all of them, and refuses a
// limit.
func (q Query[T]) Count(ctx context.Context) (int, error) {
	if err := q.ready(ctx); err != nil {
		return 0, err
	}
	if q.limit > 0 {
		return 0, fmt.Errorf("query %s: Count goes over all documents: call it without Limit", q.source.typ)
	}
	n, err := q.source.driver.Count(ctx, q.sel)
	return n, q.fail(opCount, err)
}
