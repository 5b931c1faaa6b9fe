package cosmossql

import (
	"iter"
	"slices"
)

// Run evaluates the whole query over a set of documents and gives its rows as
// JSON. Rows of equal ORDER BY keys, and rows without ORDER BY, come in the order
// of docs. It holds all matching documents in memory if there is an ORDER BY, and
// stops reading docs as soon as the rows are complete if there is none.
//
// The rows may share memory with the documents: the caller must not change them.
func (p *Plan) Run(docs iter.Seq[Value]) [][]byte {
	skip, take := p.Window()
	if take == 0 {
		return nil
	}
	var rows [][]byte
	for raw := range p.rows(docs) {
		if skip > 0 {
			skip--
			continue
		}
		if rows = append(rows, raw); len(rows) == take {
			break
		}
	}
	return rows
}

// rows gives the rows of the query before TOP, OFFSET and LIMIT.
func (p *Plan) rows(docs iter.Seq[Value]) iter.Seq[[]byte] {
	switch {
	case p.HasAggregates():
		return p.aggregated(docs)
	case p.HasOrderBy():
		docs = p.sorted(docs)
	default:
		docs = p.matching(docs)
	}
	return func(yield func([]byte) bool) {
		for doc := range docs {
			if raw, ok := p.Project(doc); ok && !yield(raw) {
				return
			}
		}
	}
}

// matching gives the documents for which WHERE is true.
func (p *Plan) matching(docs iter.Seq[Value]) iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for doc := range docs {
			if p.Match(doc) && !yield(doc) {
				return
			}
		}
	}
}

// sorted gives the matching documents in the order of ORDER BY.
func (p *Plan) sorted(docs iter.Seq[Value]) iter.Seq[Value] {
	type keyed struct {
		key []Value
		doc Value
	}
	return func(yield func(Value) bool) {
		var all []keyed
		for doc := range p.matching(docs) {
			all = append(all, keyed{p.SortKey(doc), doc})
		}
		slices.SortStableFunc(all, func(a, b keyed) int { return p.CompareKeys(a.key, b.key) })
		for _, k := range all {
			if !yield(k.doc) {
				return
			}
		}
	}
}

// aggregated gives the one row of a query with aggregates, if it has one.
func (p *Plan) aggregated(docs iter.Seq[Value]) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		a := p.Aggregation()
		for doc := range p.matching(docs) {
			a.Add(doc)
		}
		if raw, ok := a.Result(); ok {
			yield(raw)
		}
	}
}
