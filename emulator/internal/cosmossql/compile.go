package cosmossql

// code is a compiled expression. Either eval or test is set: test is for
// expressions whose result is always true, false or undefined.
type code struct {
	eval func(row) Value
	test func(row) truth

	constant bool  // the same for every row
	value    Value // the result, when constant

	path *path // set for a path into a source

	// bounds are the values that paths must have for a condition to hold.
	bounds []bound
}

// result evaluates to a value.
func (c *code) result() func(row) Value {
	if c.eval != nil {
		return c.eval
	}
	test := c.test
	return func(r row) Value { return test(r).value() }
}

// condition evaluates to a truth value.
func (c *code) condition() func(row) truth {
	if c.test != nil {
		return c.test
	}
	eval := c.eval
	return func(r row) truth { return eval(r).condition() }
}

// constantCode is a code with a fixed result.
func constantCode(v Value) *code {
	return &code{eval: func(row) Value { return v }, constant: true, value: v}
}

// results returns the evaluations of several codes.
func results(codes []*code) []func(row) Value {
	list := make([]func(row) Value, len(codes))
	for i, c := range codes {
		list[i] = c.result()
	}
	return list
}

// compiler turns expressions into code, with the parameters filled in.
type compiler struct {
	query      *Query
	parameters map[string]Value
	framed     bool // an evaluation needs a frame
}

// failure makes an error about a token, to be returned now or by an evaluation.
func (c *compiler) failure(t token, code, format string, args ...any) *Error {
	return newError(c.query.text, t.start, t.end, code, format, args...)
}

// folded evaluates a code once if all its operands are constant.
func (c *compiler) folded(result *code, operands ...*code) (*code, error) {
	for _, o := range operands {
		if !o.constant {
			return result, nil
		}
	}
	f := &frame{}
	v := result.result()(row{frame: f})
	if err := f.result(); err != nil {
		return nil, err
	}
	return constantCode(v), nil
}

func (c *compiler) compile(e expr) (*code, error) {
	switch e := e.(type) {
	case *literalExpr:
		return constantCode(e.value), nil
	case *parameterExpr:
		v, err := c.parameter(e.token)
		return constantCode(v), err
	case *aliasExpr:
		return c.pathCode(newPath(e.binding.slot)), nil
	case *accessExpr:
		return c.access(e)
	case *unaryExpr:
		return c.unary(e)
	case *binaryExpr:
		return c.binary(e)
	case *logicalExpr:
		return c.logical(e)
	case *coalesceExpr:
		return c.coalesce(e)
	case *conditionalExpr:
		return c.conditional(e)
	case *inExpr:
		return c.in(e)
	case *betweenExpr:
		return c.between(e)
	case *likeExpr:
		return c.like(e)
	case *arrayExpr:
		return c.array(e)
	case *objectExpr:
		return c.object(e)
	case *callExpr:
		return c.call(e)
	case *aggregateExpr:
		c.framed = true
		slot := e.slot
		return &code{eval: func(r row) Value { return r.frame.aggregates[slot] }}, nil
	default:
		return c.subquery(e.(*subqueryExpr))
	}
}

// parameter returns the value of a parameter.
func (c *compiler) parameter(t token) (Value, error) {
	v, ok := c.parameters[t.word]
	if !ok {
		return Value{}, c.failure(t, codeIdentifier,
			"parameter %s has no value; pass one under exactly this name, with the @", t.word)
	}
	return v, nil
}

func (c *compiler) all(es []expr) ([]*code, error) {
	codes := make([]*code, len(es))
	for i, e := range es {
		var err error
		if codes[i], err = c.compile(e); err != nil {
			return nil, err
		}
	}
	return codes, nil
}

// coalesce takes the first term that is defined; null is defined.
func (c *compiler) coalesce(e *coalesceExpr) (*code, error) {
	codes, err := c.all(e.terms)
	if err != nil {
		return nil, err
	}
	terms := results(codes)
	return c.folded(&code{eval: func(r row) Value {
		for _, term := range terms {
			if v := term(r); v.kind != Undefined {
				return v
			}
		}
		return Value{}
	}}, codes...)
}

// conditional takes the second operand if the condition is true, else the third.
func (c *compiler) conditional(e *conditionalExpr) (*code, error) {
	codes, err := c.all([]expr{e.condition, e.then, e.otherwise})
	if err != nil {
		return nil, err
	}
	test, then, otherwise := codes[0].condition(), codes[1].result(), codes[2].result()
	return c.folded(&code{eval: func(r row) Value {
		if test(r) == isTrue {
			return then(r)
		}
		return otherwise(r)
	}}, codes...)
}

// array leaves undefined elements out.
func (c *compiler) array(e *arrayExpr) (*code, error) {
	codes, err := c.all(e.items)
	if err != nil {
		return nil, err
	}
	c.framed = true
	items, tooLarge := results(codes), c.tooLarge(e.token)
	return c.folded(&code{eval: func(r row) Value {
		var b builder
		for _, item := range items {
			b.add(item(r))
		}
		if b.full() {
			return r.frame.fail(tooLarge)
		}
		return b.array()
	}}, codes...)
}

// object leaves undefined properties out.
func (c *compiler) object(e *objectExpr) (*code, error) {
	codes, err := c.all(e.values)
	if err != nil {
		return nil, err
	}
	c.framed = true
	values, tooLarge := results(codes), c.tooLarge(e.token)
	return c.folded(&code{eval: func(r row) Value {
		var b builder
		for i, value := range values {
			b.set(e.names[i], value(r))
		}
		if b.full() {
			return r.frame.fail(tooLarge)
		}
		return b.object()
	}}, codes...)
}

// tooLarge is the error for an expression whose value is larger than a query may
// hold.
func (c *compiler) tooLarge(t token) *Error {
	return c.failure(t, codeRun, "%q makes a value of more than %d bytes or %d elements", c.query.text[t.start:t.end], maxMadeBytes, maxMadeItems)
}
