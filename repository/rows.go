package repository

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"

	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Select returns a part of each document of q, in the order of q: the properties that the
// struct S names in its json tags. The service sends these properties, the ones by which the
// query sorts, and the ones that identify the document.
//
// The service sends a whole property, even if the field of S has only a part of it. Properties
// are as they are stored: Select does not call Upgrade of a type with a schema number. A
// condition on the field of that number leaves old documents out.
func Select[S, T any](q Query[T]) Rows[S] {
	return selectColumns[S](q.selection)
}

// selectColumns is Select for an untyped query.
func selectColumns[S any](q query.Selection) Rows[S] {
	columns, err := query.ColumnsOf(reflect.TypeFor[S]())
	if err != nil {
		err = fmt.Errorf("query %s: Select: %w", q.TypeName(), err)
	}
	if notReady := q.Validate(); notReady != nil {
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
			s, decode := selected[S](q, columns)
			s.Top = limit
			return run(ctx, q, s, decode, limit)
		},
	}
}

// selected returns the statement that selects columns of each document, and others, with its
// decoder.
func selected[S any](q query.Selection, columns []string, others ...string) (query.Statement, func(item []byte) (S, error)) {
	all, aliases := query.WithAliases(columns, q.Store.Aliases)
	all, derived := query.WithEntryID(all, q.Store)
	s := q.Statement()
	s.Columns = q.Columns(append(all[:len(all):len(all)], others...)...)
	return s, func(item []byte) (v S, err error) {
		if derived {
			item = text.OfEntry(item)
		}
		item = text.Rename(item, aliases)
		unmarshal := q.Store.Settings.Unmarshal
		if err = unmarshal(item, &v); err != nil {
			err = wire.Undecoded(unmarshal, item, func() any { return new(S) }, err)
		}
		return v, err
	}
}

// Rows are parts of the documents of a query, made by [Select], [Values] or [Join], or documents
// with scores, made by [Nearest] or [OrderByRank]. They send nothing until a method runs them.
//
// A Rows is an immutable value: its methods return a changed copy. It may be run any number of
// times and from several goroutines.
type Rows[R any] struct {
	run      func(ctx context.Context, distinct bool, limit int) iter.Seq2[R, error]
	plan     func(context.Context) (query.Plan, error)
	typ      string // of the documents, for errors
	distinct bool
	limit    int  // 0 means no limit
	whole    bool // a row is several properties
	err      error
}

// Distinct drops repeated values. Each physical partition sends a value at most once per page,
// and Distinct drops it on later pages. It holds every value in memory. An order of the query
// must be by the values themselves.
func (r Rows[R]) Distinct() Rows[R] {
	r.distinct = true
	if r.err == nil && r.whole {
		r.err = fmt.Errorf("query %s: Distinct is for Values: parts of documents are seldom equal", r.typ)
	}
	if r.limit > 0 && r.err == nil {
		r.err = fmt.Errorf("query %s: Distinct after Limit: call Limit after Distinct, or collect the documents", r.typ)
	}
	return r
}

// Limit ends the rows after n of them. If there are several limits, the least applies. With an
// n below 1 the rows return an error.
func (r Rows[R]) Limit(n int) Rows[R] {
	if n < 1 && r.err == nil {
		r.err = fmt.Errorf("query %s: limit %d: it must be at least 1", r.typ, n)
	}
	r.limit = query.LowerLimit(r.limit, n)
	return r
}

// All returns the rows. It sends requests, returns errors and stops as [Query.All] does.
func (r Rows[R]) All(ctx context.Context) iter.Seq2[R, error] {
	if err := r.ready(); err != nil {
		return func(yield func(R, error) bool) {
			var none R
			yield(none, err)
		}
	}
	return r.run(ctx, r.distinct, r.limit)
}

// Collect returns all rows in a slice. If [Rows.All] ends with an error, Collect returns that
// error and no rows.
func (r Rows[R]) Collect(ctx context.Context) ([]R, error) {
	return query.Collect(r.All(ctx))
}

// First returns the first row, or ErrNotFound if there is none. It is [Rows.All] with a limit
// of 1.
func (r Rows[R]) First(ctx context.Context) (R, error) {
	for row, err := range r.Limit(1).All(ctx) {
		return row, err
	}
	var none R
	return none, &Error{Op: "query", Type: r.typ, Err: ErrNotFound}
}

// Plan returns how the rows would be read now, see [Query.Plan].
func (r Rows[R]) Plan(ctx context.Context) (Plan, error) {
	if err := r.ready(); err != nil {
		return Plan{}, err
	}
	plan, err := r.plan(ctx)
	return planOf(plan), err
}

func (r Rows[R]) ready() error {
	if r.run == nil && r.err == nil {
		return errors.New("query: the zero Rows has no rows: use Select, Values, Join, Nearest or OrderByRank")
	}
	return r.err
}

// run returns the decoded items of a statement over the documents of q, at most
// limit of them unless limit is 0.
func run[R any](ctx context.Context, q query.Selection, s query.Statement, decode func([]byte) (R, error), limit int) iter.Seq2[R, error] {
	return typed[R](func(yield func(any, error) bool) { q.Run(ctx, s, query.Untyped(decode), limit, yield) })
}
