package repository

import (
	"context"
	"errors"
	"fmt"
	"iter"
)

// Rows are parts of the documents of a query, as [Select] and [Values] make
// them. It sends nothing until it is run.
//
// A Rows is an immutable value: its methods return a changed copy. It may be run
// any number of times and from several goroutines.
type Rows[R any] struct {
	run      func(ctx context.Context, distinct bool, limit int) iter.Seq2[R, error]
	plan     func(context.Context) (Plan, error)
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
	r.limit = lesser(r.limit, n)
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
	return collect(r.All(ctx))
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
	return plan, exported(err)
}

func (r Rows[R]) ready() error {
	if r.run == nil && r.err == nil {
		return errors.New("query: the zero Rows has no rows: use Select or Values")
	}
	return r.err
}
