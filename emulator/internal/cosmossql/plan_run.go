package cosmossql

import (
	"iter"
	"slices"
)

// Run evaluates the whole query over a set of documents and returns its rows as
// JSON. Rows of equal ORDER BY keys, and rows without ORDER BY, come in the order
// of docs. With ORDER BY it holds all matching documents in memory. Without, it
// stops reading docs as soon as the rows are complete.
//
// The rows may share memory with the documents: the caller must not change them.
// Errors are of type *Error, as are those of Rows. A query that would hold too much
// memory is such an error.
func (p *Plan) Run(docs iter.Seq[Value]) ([][]byte, error) {
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
		if p.query.main.kind != selectStar {
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

// all calls yield for the rows, as they are without TOP, OFFSET and LIMIT, until
// yield returns false.
func (p *Plan) all(docs iter.Seq[Value], yield func(raw []byte) (bool, error)) error {
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
		docs = func(yield func(Value) bool) { yield(new(composite).object()) }
	} else if p.HasOrderBy() {
		docs = p.sorted(docs)
	}
	more := true
	for doc := range docs {
		if more = doc.kind != Object || e.add(doc.comp); !more {
			break
		}
	}
	if more {
		e.close()
	}
	if failed == nil {
		failed = e.frame.result()
	}
	return failed
}

// sorted returns the documents in the order of ORDER BY. It leaves out documents
// without rows where that is cheap to know.
func (p *Plan) sorted(docs iter.Seq[Value]) iter.Seq[Value] {
	type keyed struct {
		key []Value
		doc Value
	}
	return func(yield func(Value) bool) {
		var all []keyed
		for doc := range docs {
			if doc.kind == Object && (p.test == nil || p.test(row{doc: doc.comp}) == isTrue) {
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
