package evaluation

import (
	"strconv"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// path leads from the value of a slot to a value in it. Equal paths have equal keys.
type path struct {
	slot  int
	steps []cosmossql.PathStep
	key   string
}

// newPath makes the path to the value of a slot itself.
func newPath(slot int) *path { return &path{slot: slot, key: strconv.Itoa(slot)} }

// propertyPath makes the path of a property of a document and its parents.
func propertyPath(names []string) *path {
	p := newPath(0)
	for _, name := range names {
		p = p.to(cosmossql.PathStep{Name: name, Element: -1})
	}
	return p
}

// to returns the path that is one step longer.
func (p *path) to(step cosmossql.PathStep) *path {
	var buffer [64]byte
	key := append(buffer[:0], p.key...)
	if step.Element < 0 {
		key = strconv.AppendQuote(key, step.Name)
	} else {
		key = strconv.AppendInt(append(key, '#'), int64(step.Element), 10)
	}
	return &path{p.slot, append(p.steps[:len(p.steps):len(p.steps)], step), string(key)}
}

// names returns the property names of a path, and false if the path has an element.
func (p *path) names() ([]string, bool) {
	names := make([]string, len(p.steps))
	for i, s := range p.steps {
		if s.Element >= 0 {
			return nil, false
		}
		names[i] = s.Name
	}
	return names, true
}

// of returns the value at the path.
func (p *path) of(v value.Value) value.Value {
	for i := range p.steps {
		if s := &p.steps[i]; s.Element < 0 {
			v = v.Get(s.Name)
		} else {
			v = v.At(s.Element)
		}
	}
	return v
}

// eval returns the evaluation of the path.
func (p *path) eval() func(row) value.Value {
	if p.slot == 0 {
		if len(p.steps) == 1 && p.steps[0].Element < 0 {
			name := p.steps[0].Name
			return func(r row) value.Value { return r.doc.Get(name) }
		}
		return func(r row) value.Value { return p.of(r.at(0)) }
	}
	slot := p.slot - 1
	return func(r row) value.Value { return p.of(r.frame.slots[slot]) }
}

func (c *compiler) pathCode(p *path) *code {
	c.framed = c.framed || p.slot > 0
	c.reads(p)
	return &code{eval: p.eval(), path: p}
}

// access compiles properties and indexes after a base. The steps from a name to the first
// index that is not constant form a path.
func (c *compiler) access(e *cosmossql.Access) (*code, error) {
	base, steps, err := c.base(e)
	if err != nil {
		return nil, err
	}
	c.anyName = c.anyName || len(steps) > 0 && base.path != nil && base.path.slot == 0 && len(base.path.steps) == 0
	for _, s := range steps {
		index := constantCode(value.OfString(s.Name))
		if s.Index != nil {
			if index, err = c.compile(s.Index); err != nil {
				return nil, err
			}
		}
		of, at := base.result(), index.result()
		base, err = c.folded(&code{eval: func(r row) value.Value { return member(of(r), at(r)) }}, base, index)
		if err != nil {
			return nil, err
		}
	}
	return base, nil
}

// base compiles the base of an access, with as many steps as form a path with it. It returns
// the remaining steps.
func (c *compiler) base(e *cosmossql.Access) (*code, []cosmossql.AccessStep, error) {
	if alias, ok := e.Base.(*cosmossql.Alias); ok {
		return c.fixed(newPath(alias.Binding.Slot), e.Steps)
	}
	base, err := c.compile(e.Base)
	if err != nil || base.path == nil {
		return base, e.Steps, err
	}
	return c.fixed(base.path, e.Steps)
}

// fixed compiles a path and the steps that extend it. It stops at the first step
// whose index is not constant, and returns the remaining steps.
func (c *compiler) fixed(p *path, steps []cosmossql.AccessStep) (*code, []cosmossql.AccessStep, error) {
	for i, s := range steps {
		step := cosmossql.PathStep{Name: s.Name, Element: -1}
		if s.Index != nil {
			index, err := c.compile(s.Index)
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
func fixedStep(index *code) (cosmossql.PathStep, bool) {
	if !index.constant {
		return cosmossql.PathStep{}, false
	}
	if index.value.Kind() == value.String {
		return cosmossql.PathStep{Name: index.value.Text(), Element: -1}, true
	}
	i, ok := index.value.Position()
	return cosmossql.PathStep{Element: i}, ok
}

// member is the operator []: a property of an object by a string, an element of
// an array by a number. It is undefined for everything else.
func member(v, index value.Value) value.Value {
	if index.Kind() == value.String {
		return v.Get(index.Text())
	}
	if i, ok := index.Position(); ok {
		return v.At(i)
	}
	return value.Value{}
}
