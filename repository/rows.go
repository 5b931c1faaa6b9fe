package repository

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"

	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Select returns of each document of q, in the order of q, what S has: a struct
// whose fields have the names of the document's properties in their json tags.
// The service sends these properties alone, and what it takes to sort documents
// and to tell them apart.
//
// A property is sent as a whole, also where the field of S has only a part of it.
func Select[S, T any](q Query[T]) Rows[S] {
	return selectColumns[S](q.selection)
}

// selectColumns is Select.
func selectColumns[S any](q query.Selection) Rows[S] {
	columns, err := query.ColumnsOf(reflect.TypeFor[S]())
	if err != nil {
		err = fmt.Errorf("query %s: Select: %w", q.TypeName(), err)
	}
	if notReady := q.Ready(); notReady != nil {
		err = notReady
	}
	if err != nil {
		return Rows[S]{typ: q.TypeName(), err: err}
	}
	return Rows[S]{
		typ:   q.TypeName(),
		limit: q.Limit,
		whole: true,
		plan:  q.Plan,
		run: func(ctx context.Context, _ bool, limit int) iter.Seq2[S, error] {
			s := q.Statement()
			s.Top = limit
			s.Columns = q.Columns(columns...)
			return run(ctx, q, s, func(item []byte) (v S, err error) {
				unmarshal := q.Source.Settings.Unmarshal
				if err = unmarshal(item, &v); err != nil {
					err = wire.Undecoded(unmarshal, item, func() any { return new(S) }, err)
				}
				return v, err
			}, limit)
		},
	}
}

// Rows are parts of the documents of a query, as [Select] and [Values] make
// them. It sends nothing until it is run.
//
// A Rows is an immutable value: its methods return a changed copy. It may be run
// any number of times and from several goroutines.
type Rows[R any] struct {
	run      func(ctx context.Context, distinct bool, limit int) iter.Seq2[R, error]
	plan     func(context.Context) (query.Plan, error)
	typ      string // of the documents, for errors
	distinct bool
	limit    int  // 0 is none
	whole    bool // a row is several properties
	err      error
}

// Distinct keeps one of equal values: each physical partition sends its own once,
// and those that several send are dropped here, which remembers all of them. The
// values may be sorted by themselves alone.
func (r Rows[R]) Distinct() Rows[R] {
	r.distinct = true
	if r.err == nil && r.whole {
		r.err = fmt.Errorf("query %s: Distinct is for Values: parts of documents are seldom equal", r.typ)
	}
	if r.limit > 0 && r.err == nil {
		r.err = fmt.Errorf("query %s: Distinct after Limit: put Limit behind it, or collect the documents", r.typ)
	}
	return r
}

// Limit ends the rows after n of them. Of several limits the least counts. An n
// below 1 is an error of whatever runs the rows.
func (r Rows[R]) Limit(n int) Rows[R] {
	if n < 1 && r.err == nil {
		r.err = fmt.Errorf("query %s: limit %d: it must be at least 1", r.typ, n)
	}
	r.limit = query.Lesser(r.limit, n)
	return r
}

// All returns the rows. What [Query.All] says about requests, errors and the
// consumer that stops holds here, too.
func (r Rows[R]) All(ctx context.Context) iter.Seq2[R, error] {
	if err := r.ready(); err != nil {
		return func(yield func(R, error) bool) {
			var none R
			yield(none, exported(err))
		}
	}
	return r.run(ctx, r.distinct, r.limit)
}

// Collect returns all the rows. It is All with the rows in a slice, and returns
// nothing but the error if there is one.
func (r Rows[R]) Collect(ctx context.Context) ([]R, error) {
	return query.Collect(r.All(ctx))
}

// First returns the first row, and ErrNotFound if there is none. It is All with
// a limit of 1.
func (r Rows[R]) First(ctx context.Context) (R, error) {
	for row, err := range r.Limit(1).All(ctx) {
		return row, err
	}
	var none R
	return none, &Error{Op: "query", Type: r.typ, Err: ErrNotFound}
}

// Plan returns how the rows would be read now; see [Query.Plan].
func (r Rows[R]) Plan(ctx context.Context) (Plan, error) {
	if err := r.ready(); err != nil {
		return Plan{}, err
	}
	plan, err := r.plan(ctx)
	return planOf(plan), exported(err)
}

func (r Rows[R]) ready() error {
	if r.run == nil && r.err == nil {
		return errors.New("query: the zero Rows has no rows: use Select or Values")
	}
	return r.err
}

// run returns the items of a statement over what q selects, limit at most unless
// that is 0.
func run[R any](ctx context.Context, q query.Selection, s query.Statement, decode func([]byte) (R, error), limit int) iter.Seq2[R, error] {
	return exportedAll[R](func(yield func(any, error) bool) { q.Run(ctx, s, query.AnyOf(decode), limit, yield) })
}
