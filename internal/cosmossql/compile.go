package cosmossql

import "math"

// row is what an expression is evaluated over: a document, or the results of the
// aggregates over all documents.
type row struct {
	doc        Value
	aggregates []Value
}

// code is a compiled expression. Either eval or test is set: test for
// expressions whose result is true, false or undefined anyway.
type code struct {
	eval func(row) Value
	test func(row) truth

	constant bool  // the same for every row
	value    Value // the result, when constant

	path *path // set for a path into the document

	// bounds are known only for conditions: what paths must equal for it to hold.
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

// folded evaluates c once if all its operands are constant.
func folded(c *code, operands ...*code) *code {
	for _, o := range operands {
		if !o.constant {
			return c
		}
	}
	return constantCode(c.result()(row{}))
}

// compiler turns expressions into code, with the parameters filled in.
type compiler struct {
	query      *Query
	parameters map[string]Value
}

func (c *compiler) compile(e expr) (*code, error) {
	switch e := e.(type) {
	case *parenExpr:
		return c.compile(e.inner)
	case *literalExpr:
		return constantCode(e.value), nil
	case *parameterExpr:
		v, err := c.parameter(e.token)
		return constantCode(v), err
	case *aliasExpr:
		return pathCode(&path{}), nil
	case *accessExpr:
		return c.access(e)
	case *unaryExpr:
		return c.unary(e)
	case *binaryExpr:
		return c.binary(e)
	case *logicalExpr:
		return c.logical(e)
	case *inExpr:
		return c.in(e)
	case *betweenExpr:
		return c.between(e)
	case *callExpr:
		return c.call(e)
	default:
		slot := e.(*aggregateExpr).slot
		return &code{eval: func(r row) Value { return r.aggregates[slot] }}, nil
	}
}

// parameter gives the value of a parameter.
func (c *compiler) parameter(t token) (Value, error) {
	v, ok := c.parameters[t.word]
	if !ok {
		return Value{}, newError(c.query.text, t.start, t.end, codeIdentifier,
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

func (c *compiler) unary(e *unaryExpr) (*code, error) {
	x, err := c.compile(e.operand)
	if err != nil {
		return nil, err
	}
	if e.token.is("NOT") {
		test := x.condition()
		return folded(&code{test: func(r row) truth { return test(r).not() }}, x), nil
	}
	eval, sign := x.result(), 1.0
	if e.token.is("-") {
		sign = -1
	}
	return folded(&code{eval: func(r row) Value {
		v := eval(r)
		if v.kind != Number {
			return Value{}
		}
		return numberValue(sign * v.num)
	}}, x), nil
}

func (c *compiler) binary(e *binaryExpr) (*code, error) {
	left, err := c.compile(e.left)
	if err != nil {
		return nil, err
	}
	right, err := c.compile(e.right)
	if err != nil {
		return nil, err
	}
	var result *code
	switch e.token.word {
	case "=", "!=", "<>":
		result = equality(left, right, e.token.word != "=")
	case "||":
		result = concatenation(left, right)
	default:
		if holds, ok := orderings[e.token.word]; ok {
			result = ordering(left, right, holds)
		} else {
			result = calculation(left, right, calculations[e.token.word])
		}
	}
	return folded(result, left, right), nil
}

func equality(left, right *code, not bool) *code {
	a, b := left.result(), right.result()
	if not {
		return &code{test: func(r row) truth { return equals(a(r), b(r)).not() }}
	}
	if left.constant {
		left, right, a = right, left, b
	}
	if !right.constant {
		return &code{test: func(r row) truth { return equals(a(r), b(r)) }}
	}
	want := right.value
	result := &code{test: func(r row) truth { return equals(a(r), want) }}
	if left.path != nil {
		result.bounds = []bound{{left.path, []Value{want}}}
	}
	return result
}

func concatenation(left, right *code) *code {
	a, b := left.result(), right.result()
	return &code{eval: func(r row) Value {
		x, y := a(r), b(r)
		if x.kind != String || y.kind != String {
			return Value{}
		}
		return stringValue(x.str + y.str)
	}}
}

// orderings are the ordering operators, as tests of what Compare gives.
var orderings = map[string]func(int) bool{
	"<":  func(order int) bool { return order < 0 },
	"<=": func(order int) bool { return order <= 0 },
	">":  func(order int) bool { return order > 0 },
	">=": func(order int) bool { return order >= 0 },
}

func ordering(left, right *code, holds func(int) bool) *code {
	a, b := left.result(), right.result()
	return &code{test: func(r row) truth { return orders(a(r), b(r), holds) }}
}

// orders applies an ordering operator.
func orders(x, y Value, holds func(int) bool) truth {
	if !ordered(x, y) {
		return isUndefined
	}
	return truthOf(holds(Compare(x, y)))
}

// calculations are the arithmetic operators. What JSON cannot hold, such as a
// division by zero, is undefined.
var calculations = map[string]func(x, y float64) float64{
	"+": func(x, y float64) float64 { return x + y },
	"-": func(x, y float64) float64 { return x - y },
	"*": func(x, y float64) float64 { return x * y },
	"/": func(x, y float64) float64 { return x / y },
	"%": math.Mod,
}

func calculation(left, right *code, f func(x, y float64) float64) *code {
	a, b := left.result(), right.result()
	return &code{eval: func(r row) Value {
		x, y := a(r), b(r)
		if x.kind != Number || y.kind != Number {
			return Value{}
		}
		return numberValue(f(x.num, y.num))
	}}
}

func (c *compiler) between(e *betweenExpr) (*code, error) {
	operands, err := c.all([]expr{e.operand, e.low, e.high})
	if err != nil {
		return nil, err
	}
	x, low, high := operands[0].result(), operands[1].result(), operands[2].result()
	atLeast, atMost := orderings[">="], orderings["<="]
	return folded(&code{test: func(r row) truth {
		v := x(r)
		t := and(orders(v, low(r), atLeast), orders(v, high(r), atMost))
		if e.not {
			return t.not()
		}
		return t
	}}, operands...), nil
}

func (c *compiler) call(e *callExpr) (*code, error) {
	codes, err := c.all(e.args)
	if err != nil {
		return nil, err
	}
	args := make([]func(row) Value, len(codes))
	for i := range codes {
		args[i] = codes[i].result()
	}
	f := e.function
	return folded(&code{eval: func(r row) Value {
		var values [maxArgs]Value
		for i, arg := range args {
			if values[i] = arg(r); values[i].kind == Undefined && !f.total {
				return Value{}
			}
		}
		return f.eval(values)
	}}, codes...), nil
}
