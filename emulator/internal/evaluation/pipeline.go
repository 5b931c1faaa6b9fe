package evaluation

import (
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/work"
)

// pipeline passes the documents of the container through a select and, before it,
// through the subquery that is its first source.
type pipeline struct {
	selection *selection
	frame     *frame
	inner     *pipeline
	groups    *groups
	seen      *distinct
	emit      func(row) bool // takes a row, and returns false to stop
}

func newPipeline(s *selection, f *frame) *pipeline {
	p := &pipeline{selection: s, frame: f}
	if s.node.Grouped() {
		p.groups = s.newGroups()
	}
	if s.node.Distinct {
		p.seen = &distinct{}
	}
	if s.inner != nil {
		p.inner = newPipeline(s.inner, f)
		p.inner.emit = p.derive
	}
	return p
}

// add passes on a document. It returns false if no more are wanted.
func (p *pipeline) add(doc *value.Members) bool {
	if p.inner != nil {
		return p.inner.add(doc)
	}
	p.frame.tuples = 0
	return p.selection.tuples(row{doc, p.frame}, 0, p.tuple)
}

// derive takes a row of the subquery that is the first source.
func (p *pipeline) derive(r row) bool {
	p.frame.tuples = 0
	return p.selection.bind(r, 0, p.inner.selection.value(r), p.tuple)
}

// tuple takes a combination of FROM.
func (p *pipeline) tuple(r row) bool {
	if p.groups != nil {
		return p.groups.add(r)
	}
	return p.out(r)
}

// out passes on a row, unless it is a duplicate under DISTINCT.
func (p *pipeline) out(r row) bool {
	if p.seen == nil {
		return p.emit(r)
	}
	v := p.selection.value(r)
	if v.Kind() == value.Undefined || !p.seen.add(p.selection.meter, p.frame, v) {
		return p.frame.err == nil && p.selection.meter.Err() == nil
	}
	return p.emit(r)
}

// distinct holds the rows that DISTINCT has passed on.
type distinct struct {
	seen value.Set
	held int
}

// add reports whether a value is new and fits into the memory limit.
func (d *distinct) add(m *work.Meter, f *frame, v value.Value) bool {
	added := d.seen.Add(v)
	if !m.Spend(d.seen.KeyBytes()/4) || !added {
		return false
	}
	if d.held += d.seen.KeyBytes() + 64; d.held > maxHeldBytes {
		f.fail(tooMuchHeld("DISTINCT"))
		return false
	}
	return true
}

// close passes on the rows that wait for the last document: the groups.
func (p *pipeline) close() bool {
	if p.inner != nil && !p.inner.close() {
		return false
	}
	if p.groups == nil {
		return true
	}
	return p.groups.each(row{frame: p.frame}, p.out)
}
