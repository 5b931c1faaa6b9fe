package evaluation

import (
	"errors"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
)

var errWholeSet = errors.New("the rows of this query depend on all documents together: use Plan.Run")

// Match reports whether a document has any row: WHERE is true for one of the
// combinations that FROM makes of it. Documents are objects; other values have no
// rows. Comparisons of properties with constants allocate nothing. It fails for
// plans that are WholeSet, and for the reasons for which Rows fails.
func (p *Plan) Match(doc value.Value) (bool, error) {
	if p.test != nil {
		p.meter.Spend(p.main.weight)
		ok := doc.Kind() == value.Object && p.test(row{doc: doc.Members()}) == value.True
		return ok, p.meter.Err()
	}
	return p.matchAny(doc)
}

func (p *Plan) matchAny(doc value.Value) (found bool, err error) {
	err = p.each(doc, func(row) bool {
		found = true
		return false
	})
	return found, err
}

// Rows calls yield for the rows that the query makes of one document, as JSON, until yield
// returns false. A document has no row, one row or, with JOIN, many; their order is always the
// same. The caller applies ORDER BY, TOP, OFFSET and LIMIT. Rows fails for plans that are
// WholeSet.
//
// A row that is a whole document, or a part of one, shares the text from which it was decoded:
// the caller must not change it. Errors are of type [*cosmossql.Error]. They name what cannot
// be evaluated for this document, such as a cross product that is too large.
func (p *Plan) Rows(doc value.Value, yield func(raw []byte) bool) error {
	if doc.Kind() != value.Object {
		return nil
	}
	if p.plain {
		p.meter.Spend(p.main.weight)
		r := row{doc: doc.Members()}
		if p.test != nil && p.test(r) != value.True {
			return p.meter.Err()
		}
		raw, ok, err := p.main.project(r)
		if p.meter.Err() != nil {
			return p.meter.Err()
		}
		if ok && err == nil {
			yield(raw)
		}
		return err
	}
	var failed error
	err := p.each(doc, func(r row) bool {
		raw, ok, err := p.main.project(r)
		failed = err
		return err == nil && r.frame.err == nil && (!ok || yield(raw))
	})
	switch {
	case p.meter.Err() != nil:
		return p.meter.Err()
	case failed != nil:
		return failed
	}
	return err
}

// each calls yield for the combinations that FROM makes of one document.
func (p *Plan) each(doc value.Value, yield func(row) bool) error {
	if p.WholeSet() {
		return errWholeSet
	}
	if doc.Kind() != value.Object {
		return nil
	}
	e := p.pool.Get().(*pipeline)
	e.emit = yield
	e.add(doc.Members())
	err := e.frame.result()
	if p.meter.Err() != nil {
		err = p.meter.Err()
	}
	e.reset()
	p.pool.Put(e)
	return err
}

// reset drops the values that an evaluation left in the pipeline, so that they can be garbage
// collected.
func (p *pipeline) reset() {
	p.emit = nil
	p.frame.err = nil
	clear(p.frame.slots)
	clear(p.frame.aggregates)
}
