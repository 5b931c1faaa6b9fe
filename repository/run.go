package repository

import (
	"context"
	"iter"
)

// statement returns what q selects, whole documents.
func (q selection) statement() statement {
	return statement{conditions: q.conditions, parameters: q.parameters, orders: q.orders, top: q.limit}
}

// run returns the items of a statement over what q selects, limit at most unless
// that is 0.
func run[R any](ctx context.Context, q selection, s statement, decode func([]byte) (R, error), limit int) iter.Seq2[R, error] {
	return exportedAll[R](func(yield func(any, error) bool) { q.run(ctx, s, anyOf(decode), limit, yield) })
}

// run is one loop over the items of a statement. A nil decode is that of whole
// documents.
func (q selection) run(ctx context.Context, s statement, decode func([]byte) (any, error), limit int, yield func(any, error) bool) {
	if err := q.ready(); err != nil {
		yield(nil, err)
		return
	}
	if decode == nil {
		decode = q.source.decode
	}
	ctx, end := q.source.span(ctx, "query")
	var failure error
	defer func() { end(failure) }()
	jobs, plan, err := q.jobs(ctx, s)
	if err != nil {
		failure = err
		yield(nil, err)
		return
	}
	if plan.Strategy == Gateway { // which has no TOP and no DISTINCT
		s.top, s.distinct = 0, false
	}
	e := newExecution(q.source, s, decode)
	if plan.Strategy == Gateway && limit > 0 && limit < defaultPage {
		e.pageSize = int32(limit)
	}
	n := 0
	take := func(item any, err error) bool {
		n++
		failure = err
		return yield(item, err) && n != limit
	}
	for item, err := range e.all(ctx, jobs) {
		if plan.Strategy == Gateway && refusedByGateway(err) && n == 0 && q.source.settings.strategy == Automatic {
			q.source.refused.Store(true)
			e.all(ctx, perKey(list(q.source, q.keys)))(take)
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
func newExecution(st *store, s statement, decode func([]byte) (any, error)) *execution {
	return &execution{statement: s, store: st, op: "query", plain: s.sql(""), pageSize: st.settings.pageSize, decode: decode}
}

// anyOf returns decode as executions call it. They are not generic, so that a
// program has their code once, and not for each document type.
func anyOf[R any](decode func([]byte) (R, error)) func([]byte) (any, error) {
	return func(item []byte) (any, error) { return decode(item) }
}

// typed returns the items of an execution as what anyOf has made of them.
func typed[R any](items iter.Seq2[any, error]) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		for item, err := range items {
			r, _ := item.(R) // nil beside an error
			if !yield(r, err) {
				return
			}
		}
	}
}

// collect returns what an iteration yields, or its error alone.
func collect[R any](items iter.Seq2[R, error]) ([]R, error) {
	var all []R
	for item, err := range items {
		if err != nil {
			return nil, err
		}
		all = append(all, item)
	}
	return all, nil
}
