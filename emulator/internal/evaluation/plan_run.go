package evaluation

import (
	"iter"
	"slices"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// Run evaluates the whole query over a set of documents and returns its rows as JSON. Rows
// with equal ORDER BY keys, and rows without ORDER BY, come in the order of docs. With ORDER
// BY, Run holds all matching documents in memory. Without it, Run stops reading docs as soon
// as the rows are complete.
//
// The rows may share memory with the documents: the caller must not change them. Errors are of
// type [*cosmossql.Error]. It fails if the query would hold too much memory.
func (p *Plan) Run(docs iter.Seq[value.Value]) ([][]byte, error) {
	if rank := p.query.Rank; rank != nil {
		return nil, cosmossql.NewError(p.query.Text, rank.Start, rank.End, cosmossql.CodeUnsupported,
			"ORDER BY RANK is combined by clients, and not evaluated as a whole: request the query plan, and combine the results of its queries")
	}
	skip, take := p.Window()
	if take == 0 {
		return nil, nil
	}
	var rows [][]byte
	held := 0
	err := p.all(docs, func(raw []byte) (bool, error) {
		if skip > 0 {
			skip--
			return true, nil
		}
		rows = append(rows, raw)
		if p.query.Main.Kind != cosmossql.SelectStar {
			held += len(raw)
		}
		if held > maxHeldBytes {
			return false, tooMuchHeld("the result")
		}
		return len(rows) != take, nil
	})
	if err != nil {
		return nil, err
	}
	return rows, nil
}

// all calls yield for the rows, before TOP, OFFSET and LIMIT, until yield returns false.
func (p *Plan) all(docs iter.Seq[value.Value], yield func(raw []byte) (bool, error)) error {
	var failed error
	e := newPipeline(p.main, newFrame(p.query))
	e.emit = func(r row) bool {
		raw, ok, err := p.main.project(r)
		more := err == nil && r.frame.err == nil
		if more && ok {
			more, err = yield(raw)
		}
		failed = err
		return more
	}
	if !p.ReadsDocuments() {
		docs = func(yield func(value.Value) bool) { yield(new(value.Members).Object()) }
	} else if p.HasOrderBy() {
		docs = p.sorted(docs)
	}
	more := true
	for doc := range docs {
		if more = p.meter.Err() == nil && (doc.Kind() != value.Object || e.add(doc.Members())); !more {
			break
		}
	}
	if more {
		e.close()
	}
	if p.meter.Err() != nil {
		return p.meter.Err()
	}
	if failed == nil {
		failed = e.frame.result()
	}
	return failed
}

// sorted returns the documents in the order of ORDER BY. It leaves out documents without rows
// if that is cheap to find out.
func (p *Plan) sorted(docs iter.Seq[value.Value]) iter.Seq[value.Value] {
	type keyed struct {
		key []value.Value
		doc value.Value
	}
	return func(yield func(value.Value) bool) {
		var all []keyed
		for doc := range docs {
			if doc.Kind() == value.Object && (p.test == nil || p.test(row{doc: doc.Members()}) == value.True) {
				all = append(all, keyed{p.SortKey(doc), doc})
			}
		}
		slices.SortStableFunc(all, func(a, b keyed) int { return p.CompareKeys(a.key, b.key) })
		for _, k := range all {
			if !yield(k.doc) {
				return
			}
		}
	}
}
