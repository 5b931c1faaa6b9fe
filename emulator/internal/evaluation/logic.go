package evaluation

import (
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/work"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

func (c *compiler) logical(e *cosmossql.Logical) (*code, error) {
	codes, err := c.all(e.Terms)
	if err != nil {
		return nil, err
	}
	terms := make([]func(row) value.Truth, len(codes))
	for i := range codes {
		terms[i] = codes[i].condition()
	}
	if !e.Or {
		return c.folded(&code{test: allOf(terms), bounds: boundsOfAll(codes)}, codes...)
	}
	test := anyOf(terms)
	if len(codes) >= dispatchFrom {
		test = dispatched(codes, terms, test)
	}
	return c.folded(&code{test: test, bounds: boundsOfAny(codes)}, codes...)
}

func allOf(terms []func(row) value.Truth) func(row) value.Truth {
	return func(r row) value.Truth {
		result := value.True
		for _, term := range terms {
			if result = value.And(result, term(r)); result == value.False {
				return value.False
			}
		}
		return result
	}
}

func anyOf(terms []func(row) value.Truth) func(row) value.Truth {
	return func(r row) value.Truth {
		result := value.False
		for _, term := range terms {
			if result = value.Or(result, term(r)); result == value.True {
				return value.True
			}
		}
		return result
	}
}

// dispatchFrom is the length from which an OR chain is worth a hash table.
const dispatchFrom = 8

// dispatched speeds up long OR chains of terms like (c.id = 'x' AND …), which clients send to
// read many documents. It indexes the terms by the value that they require at a path, and
// evaluates for each document only the terms that can be true. The result is the same: a term
// is false if the path has another value, and if the path is undefined, every term is
// evaluated.
func dispatched(codes []*code, terms []func(row) value.Truth, anyTerm func(row) value.Truth) func(row) value.Truth {
	p := bestPath(codes)
	if p == nil {
		return anyTerm
	}
	under := map[value.Key][]func(row) value.Truth{}
	var always []func(row) value.Truth
	for i, c := range codes {
		if k, ok := c.pins(p); ok {
			under[k] = append(under[k], terms[i])
		} else {
			always = append(always, terms[i])
		}
	}
	rest := anyOf(always)
	lookup := p.eval()
	return func(r row) value.Truth {
		v := lookup(r)
		if v.Kind() == value.Undefined {
			return anyTerm(r)
		}
		result := rest(r)
		if result == value.True {
			return value.True
		}
		if k, ok := v.Key(); ok {
			for _, term := range under[k] {
				if result = value.Or(result, term(r)); result == value.True {
					return value.True
				}
			}
		}
		return result
	}
}

// bestPath returns the path for which the terms require most distinct values. It returns nil
// if no path has at least half as many values as there are terms.
func bestPath(codes []*code) *path {
	values := map[string]map[value.Key]bool{}
	var best *path
	most := len(codes)/2 - 1
	for _, c := range codes {
		for _, b := range c.bounds {
			k, ok := c.pins(b.path)
			if !ok {
				continue
			}
			seen := values[b.path.key]
			if seen == nil {
				seen = map[value.Key]bool{}
				values[b.path.key] = seen
			}
			if seen[k] = true; len(seen) > most {
				best, most = b.path, len(seen)
			}
		}
	}
	return best
}

// pins returns the scalar that a path must equal for the condition to be true. It returns
// false if there is no such scalar.
func (c *code) pins(p *path) (value.Key, bool) {
	for _, b := range c.bounds {
		if len(b.values) == 1 && b.path.key == p.key {
			return b.values[0].Key()
		}
	}
	return value.Key{}, false
}

func (c *compiler) in(e *cosmossql.In) (*code, error) {
	x, err := c.compile(e.Operand)
	if err != nil {
		return nil, err
	}
	items, err := c.all(e.Items)
	if err != nil {
		return nil, err
	}
	test := membership(c.meter, x.result(), items)
	result := &code{test: test}
	if e.Not {
		result.test = func(r row) value.Truth { return test(r).Not() }
	} else if x.path != nil {
		result.bounds = constantBound(x.path, items)
	}
	return c.folded(result, append(items, x)...)
}

// membership is x = a OR x = b OR …, with the constant scalars in a hash table.
func membership(m *work.Meter, x func(row) value.Value, items []*code) func(row) value.Truth {
	known := map[value.Key]bool{}
	var others []func(row) value.Value
	for _, item := range items {
		if k, ok := item.value.Key(); ok && item.constant {
			known[k] = true
		} else {
			others = append(others, item.result())
		}
	}
	return func(r row) value.Truth {
		v := x(r)
		if v.Kind() == value.Undefined {
			return value.Unknown
		}
		if k, ok := v.Key(); ok && known[k] {
			return value.True
		}
		result := value.False
		for _, other := range others {
			m.Spend(4 + v.Bytes()/16)
			if result = value.Or(result, value.Equals(v, other(r))); result == value.True {
				return value.True
			}
		}
		return result
	}
}
