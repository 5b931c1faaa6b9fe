package cosmossql

func (c *compiler) logical(e *logicalExpr) (*code, error) {
	codes, err := c.all(e.terms)
	if err != nil {
		return nil, err
	}
	terms := make([]func(row) truth, len(codes))
	for i := range codes {
		terms[i] = codes[i].condition()
	}
	if !e.or {
		return c.folded(&code{test: allOf(terms), bounds: boundsOfAll(codes)}, codes...)
	}
	test := anyOf(terms)
	if len(codes) >= dispatchFrom {
		test = dispatched(codes, terms, test)
	}
	return c.folded(&code{test: test, bounds: boundsOfAny(codes)}, codes...)
}

func allOf(terms []func(row) truth) func(row) truth {
	return func(r row) truth {
		result := isTrue
		for _, term := range terms {
			if result = and(result, term(r)); result == isFalse {
				return isFalse
			}
		}
		return result
	}
}

func anyOf(terms []func(row) truth) func(row) truth {
	return func(r row) truth {
		result := isFalse
		for _, term := range terms {
			if result = or(result, term(r)); result == isTrue {
				return isTrue
			}
		}
		return result
	}
}

// dispatchFrom is the length from which an OR chain is worth a hash table.
const dispatchFrom = 8

// dispatched speeds up long OR chains of terms like (c.id = 'x' AND …), which
// clients send to read many documents. It indexes the terms by the value that they
// require at a path, and for each document evaluates only the terms that can be
// true. The result is the same: a term is false if the path has another value, and
// if the path is undefined every term is evaluated.
func dispatched(codes []*code, terms []func(row) truth, anyTerm func(row) truth) func(row) truth {
	p := bestPath(codes)
	if p == nil {
		return anyTerm
	}
	under := map[scalarKey][]func(row) truth{}
	var always []func(row) truth
	for i, c := range codes {
		if k, ok := c.pins(p); ok {
			under[k] = append(under[k], terms[i])
		} else {
			always = append(always, terms[i])
		}
	}
	rest := anyOf(always)
	lookup := p.eval()
	return func(r row) truth {
		v := lookup(r)
		if v.kind == Undefined {
			return anyTerm(r)
		}
		result := rest(r)
		if result == isTrue {
			return isTrue
		}
		if k, ok := v.key(); ok {
			for _, term := range under[k] {
				if result = or(result, term(r)); result == isTrue {
					return isTrue
				}
			}
		}
		return result
	}
}

// bestPath returns the path for which the terms pin most distinct values. It returns
// nil if no path has as many values as half of the terms.
func bestPath(codes []*code) *path {
	values := map[string]map[scalarKey]bool{}
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
				seen = map[scalarKey]bool{}
				values[b.path.key] = seen
			}
			if seen[k] = true; len(seen) > most {
				best, most = b.path, len(seen)
			}
		}
	}
	return best
}

// pins returns the scalar that a path must equal for the condition to hold. The
// second result is false if there is no such scalar.
func (c *code) pins(p *path) (scalarKey, bool) {
	for _, b := range c.bounds {
		if len(b.values) == 1 && b.path.key == p.key {
			return b.values[0].key()
		}
	}
	return scalarKey{}, false
}

func (c *compiler) in(e *inExpr) (*code, error) {
	x, err := c.compile(e.operand)
	if err != nil {
		return nil, err
	}
	items, err := c.all(e.items)
	if err != nil {
		return nil, err
	}
	test := membership(x.result(), items)
	result := &code{test: test}
	if e.not {
		result.test = func(r row) truth { return test(r).not() }
	} else if x.path != nil {
		result.bounds = constantBound(x.path, items)
	}
	return c.folded(result, append(items, x)...)
}

// membership is x = a OR x = b OR …, with the constant scalars in a hash table.
func membership(x func(row) Value, items []*code) func(row) truth {
	known := map[scalarKey]bool{}
	var others []func(row) Value
	for _, item := range items {
		if k, ok := item.value.key(); ok && item.constant {
			known[k] = true
		} else {
			others = append(others, item.result())
		}
	}
	return func(r row) truth {
		v := x(r)
		if v.kind == Undefined {
			return isUndefined
		}
		if k, ok := v.key(); ok && known[k] {
			return isTrue
		}
		result := isFalse
		for _, other := range others {
			if result = or(result, equals(v, other(r))); result == isTrue {
				return isTrue
			}
		}
		return result
	}
}
