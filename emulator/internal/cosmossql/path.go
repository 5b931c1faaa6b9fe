package cosmossql

import (
	"strconv"
)

// path leads from the value of a slot to a value in it. Equal paths have equal keys.
type path struct {
	slot  int
	steps []pathStep
	key   string
}

// pathStep is a property, or an element when name is unused.
type pathStep struct {
	name    string
	element int // -1 for a property
}

// newPath makes the path to the value of a slot itself.
func newPath(slot int) *path { return &path{slot: slot, key: strconv.Itoa(slot)} }

// propertyPath makes the path of a property of a document and its parents.
func propertyPath(names []string) *path {
	p := newPath(0)
	for _, name := range names {
		p = p.to(pathStep{name, -1})
	}
	return p
}

// to returns the path that is one step longer.
func (p *path) to(step pathStep) *path {
	var buffer [64]byte
	key := append(buffer[:0], p.key...)
	if step.element < 0 {
		key = strconv.AppendQuote(key, step.name)
	} else {
		key = strconv.AppendInt(append(key, '#'), int64(step.element), 10)
	}
	return &path{p.slot, append(p.steps[:len(p.steps):len(p.steps)], step), string(key)}
}

// names returns the property names of a path, and false if the path has an element.
func (p *path) names() ([]string, bool) {
	names := make([]string, len(p.steps))
	for i, s := range p.steps {
		if s.element >= 0 {
			return nil, false
		}
		names[i] = s.name
	}
	return names, true
}

// of returns the value at the path.
func (p *path) of(v Value) Value {
	for i := range p.steps {
		if s := &p.steps[i]; s.element < 0 {
			v = v.Get(s.name)
		} else {
			v = v.At(s.element)
		}
	}
	return v
}

// eval returns the evaluation of the path.
func (p *path) eval() func(row) Value {
	if p.slot == 0 {
		if len(p.steps) == 1 && p.steps[0].element < 0 {
			name := p.steps[0].name
			return func(r row) Value { return r.doc.get(name) }
		}
		return func(r row) Value { return p.of(r.at(0)) }
	}
	slot := p.slot - 1
	return func(r row) Value { return p.of(r.frame.slots[slot]) }
}

func (c *compiler) pathCode(p *path) *code {
	c.framed = c.framed || p.slot > 0
	return &code{eval: p.eval(), path: p}
}

// access compiles properties and indexes after a base. The steps from a name up to
// the first index that is not constant are a path.
func (c *compiler) access(e *accessExpr) (*code, error) {
	base, err := c.compile(e.base)
	if err != nil {
		return nil, err
	}
	steps := e.steps
	if base.path != nil {
		if base, steps, err = c.fixed(base.path, steps); err != nil {
			return nil, err
		}
	}
	for _, s := range steps {
		index := constantCode(stringValue(s.name))
		if s.index != nil {
			if index, err = c.compile(s.index); err != nil {
				return nil, err
			}
		}
		of, at := base.result(), index.result()
		base, err = c.folded(&code{eval: func(r row) Value { return member(of(r), at(r)) }}, base, index)
		if err != nil {
			return nil, err
		}
	}
	return base, nil
}

// fixed compiles a path and the steps that extend it. It stops at the first step
// whose index is not constant, and returns the remaining steps.
func (c *compiler) fixed(p *path, steps []accessStep) (*code, []accessStep, error) {
	for i, s := range steps {
		step := pathStep{s.name, -1}
		if s.index != nil {
			index, err := c.compile(s.index)
			if err != nil {
				return nil, nil, err
			}
			var ok bool
			if step, ok = fixedStep(index); !ok {
				return c.pathCode(p), steps[i:], nil
			}
		}
		p = p.to(step)
	}
	return c.pathCode(p), nil, nil
}

// fixedStep returns the step of a constant index.
func fixedStep(index *code) (pathStep, bool) {
	if !index.constant {
		return pathStep{}, false
	}
	if index.value.kind == String {
		return pathStep{index.value.str, -1}, true
	}
	i, ok := index.value.position()
	return pathStep{"", i}, ok
}

// member is the operator []: a property of an object by a string, an element of
// an array by a number. It is undefined for everything else.
func member(v, index Value) Value {
	if index.kind == String {
		return v.Get(index.str)
	}
	if i, ok := index.position(); ok {
		return v.At(i)
	}
	return Value{}
}
