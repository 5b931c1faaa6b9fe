package query

import (
	"cmp"
	"context"
	"fmt"
	"iter"

	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
)

// All yields the documents that q selects, each as a pointer.
func (q Selection) All(ctx context.Context) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) { q.Run(ctx, q.Statement(), nil, q.Limit, yield) }
}

// While yields the documents that q selects, in its order, until test is false of one. A
// page is asked for when those before it have been used.
func (q Selection) While(ctx context.Context, test func(doc any) bool) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		if err := q.Validate(); err != nil {
			yield(nil, err)
			return
		}
		if len(q.Orders) == 0 {
			yield(nil, fmt.Errorf("query %s: TakeWhile ends at a document after which no other is wanted: call it after OrderBy", q.TypeName()))
			return
		}
		s := q.Statement()
		s.Lazy = true
		q.Run(ctx, s, nil, q.Limit, func(doc any, err error) bool {
			return (err != nil || test(doc)) && yield(doc, err)
		})
	}
}

// Exists reports whether q selects a document: each physical partition sends one at most,
// and of it what tells documents apart. The first one ends the query.
func (q Selection) Exists(ctx context.Context) (found bool, err error) {
	if err := q.Validate(); err != nil {
		return false, err
	}
	q.Orders = nil
	s := q.Statement()
	s.Top, s.Columns = 1, q.Columns()
	q.Run(ctx, s, func([]byte) (any, error) { return nil, nil }, 1, func(_ any, failure error) bool {
		found, err = failure == nil, failure
		return false
	})
	return found, err
}

// Statement returns what q selects, whole documents.
func (q Selection) Statement() Statement {
	return Statement{conditions: q.Conditions, parameters: q.Parameters, orders: q.Orders, Top: q.Limit}
}

// Run is one loop over the items of a statement. A nil decode is that of whole
// documents.
func (q Selection) Run(ctx context.Context, s Statement, decode func([]byte) (any, error), limit int, yield func(any, error) bool) {
	if err := q.Validate(); err != nil {
		yield(nil, err)
		return
	}
	err := q.over(ctx, func(ctx context.Context, q Selection, parts []Part) (given bool, failure error) {
		take := func(item any, err error) bool {
			if failure = err; err != nil {
				return false
			}
			given = true
			return yield(item, nil)
		}
		if parts != nil {
			q.runOver(ctx, parts, s, decode, limit, take)
		} else {
			q.runIn(ctx, s, decode, limit, take)
		}
		return given, failure
	})
	if err != nil {
		yield(nil, err)
	}
}

// runIn is Run in one container.
func (q Selection) runIn(ctx context.Context, s Statement, decode func([]byte) (any, error), limit int, yield func(any, error) bool) {
	var once func(doc any) bool
	if decode == nil {
		decode = q.Store.Decode
		if q.Store.Once != nil {
			once, s.Top = q.Store.Once(), 0 // a physical partition may have to send more than the limit
		}
	}
	ctx, end := q.start(ctx)
	var failure error
	defer func() { end(failure) }()
	if failure = q.settle(ctx, &s); failure != nil {
		yield(nil, failure)
		return
	}
	jobs, plan, err := q.jobs(ctx, s)
	if err != nil {
		failure = err
		yield(nil, err)
		return
	}
	if plan.Strategy == store.Gateway { // which has no TOP and no DISTINCT
		s.Top, s.Distinct = 0, false
	}
	e := newExecution(q.Store, s, decode)
	e.pageSize = cmp.Or(e.pageSize, q.pageSize)
	if plan.Strategy == store.Gateway && limit > 0 && limit < defaultPage {
		e.pageSize = int32(limit)
	}
	n := 0
	take := func(item any, err error) bool {
		if err == nil {
			if err = q.inTime(); err != nil {
				item = nil
			}
		}
		if once != nil && err == nil && !once(item) {
			return true
		}
		n++
		failure = err
		return yield(item, err) && n != limit
	}
	for item, err := range e.all(ctx, jobs) {
		if plan.Strategy == store.Gateway && refusedByGateway(err) && n == 0 && q.Store.Settings.Strategy == store.Automatic {
			q.Store.GatewayRefused.Store(true)
			e.all(ctx, perKey(list(q.Store, q.keys)))(take)
			return
		}
		if !take(item, err) {
			return
		}
	}
}

// defaultPage is how many items the service puts into a page if it is not asked
// for a number: "Pagination in Azure Cosmos DB".
const defaultPage = 100

// newExecution returns a run of s on st.
func newExecution(st *store.Store, s Statement, decode func([]byte) (any, error)) *execution {
	return &execution{Statement: s, store: st, op: "query", plain: s.sql(""), pageSize: st.Settings.PageSize, decode: decode}
}

// Untyped returns decode as executions call it. Executions are not generic, so that a
// program has their code once, and not for each document type.
func Untyped[R any](decode func([]byte) (R, error)) func([]byte) (any, error) {
	return func(item []byte) (any, error) { return decode(item) }
}

// typed returns the items of an execution with the type that decode had before Untyped.
func typed[R any](items iter.Seq2[any, error]) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		for item, err := range items {
			r, _ := item.(R) // nil with an error
			if !yield(r, err) {
				return
			}
		}
	}
}

// Collect returns what an iteration yields, or its error alone.
func Collect[R any](items iter.Seq2[R, error]) ([]R, error) {
	var all []R
	for item, err := range items {
		if err != nil {
			return nil, err
		}
		all = append(all, item)
	}
	return all, nil
}

// all runs jobs and yields what they read: in the order of the statement, if it
// has one, else as it comes.
func (e *execution) all(ctx context.Context, jobs []job) iter.Seq2[any, error] {
	if len(e.orders) == 0 || len(jobs) == 1 && !jobs[0].scoped {
		return e.each(ctx, jobs, e.read)
	}
	e.slots = make(chan struct{}, width(e.store.Settings, jobs))
	return func(yield func(any, error) bool) {
		for r, err := range e.merged(ctx, jobs) {
			if !yield(r.item, err) {
				return
			}
		}
	}
}
