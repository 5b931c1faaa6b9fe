package cosmossql

import "math"

func (c *compiler) unary(e *unaryExpr) (*code, error) {
	x, err := c.compile(e.operand)
	if err != nil {
		return nil, err
	}
	if e.token.is("NOT") {
		test := x.condition()
		return c.folded(&code{test: func(r row) truth { return test(r).not() }}, x)
	}
	eval, f := x.result(), signs[e.token.word]
	return c.folded(&code{eval: func(r row) Value {
		v := eval(r)
		if v.kind != Number {
			return Value{}
		}
		return numberValue(f(v.num))
	}}, x)
}

// signs are the unary operators of numbers.
var signs = map[string]func(float64) float64{
	"-": func(x float64) float64 { return -x },
	"+": func(x float64) float64 { return x },
	"~": func(x float64) float64 { return float64(^toInt32(x)) },
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
		result = c.concatenation(left, right, e.token)
	default:
		if holds, ok := orderings[e.token.word]; ok {
			result = ordering(left, right, holds)
		} else {
			result = calculation(left, right, calculations[e.token.word])
		}
	}
	return c.folded(result, left, right)
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
		b = right.result()
		return &code{test: func(r row) truth { return equals(a(r), b(r)) }}
	}
	want := right.value
	result := &code{test: func(r row) truth { return equals(a(r), want) }}
	if left.path != nil {
		result.bounds = []bound{{left.path, []Value{want}}}
	}
	return result
}

func (c *compiler) concatenation(left, right *code, t token) *code {
	c.framed = true
	a, b, tooLarge := left.result(), right.result(), c.tooLarge(t)
	return &code{eval: func(r row) Value {
		x, y := a(r), b(r)
		if x.kind != String || y.kind != String {
			return Value{}
		}
		if len(x.str)+len(y.str) > maxMadeBytes {
			return r.frame.fail(tooLarge)
		}
		return stringValue(x.str + y.str)
	}}
}

// orderings are the ordering operators, as tests of the result of Compare.
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
	if x.num != x.num || y.num != y.num { // NaN
		return isFalse
	}
	return truthOf(holds(Compare(x, y)))
}

// calculations are the operators of two numbers. A division by zero gives an
// infinity or NaN: Microsoft's page "IS_FINITE_NUMBER" shows 8.9 / 0.0 as a number
// that is not finite. The bitwise operators work on 32-bit integers as those of
// JavaScript do (Microsoft's page "Operators").
var calculations = map[string]func(x, y float64) float64{
	"+":   func(x, y float64) float64 { return x + y },
	"-":   func(x, y float64) float64 { return x - y },
	"*":   func(x, y float64) float64 { return x * y },
	"/":   func(x, y float64) float64 { return x / y },
	"%":   math.Mod,
	"&":   func(x, y float64) float64 { return float64(toInt32(x) & toInt32(y)) },
	"|":   func(x, y float64) float64 { return float64(toInt32(x) | toInt32(y)) },
	"^":   func(x, y float64) float64 { return float64(toInt32(x) ^ toInt32(y)) },
	"<<":  func(x, y float64) float64 { return float64(toInt32(x) << (toInt32(y) & 31)) },
	">>":  func(x, y float64) float64 { return float64(toInt32(x) >> (toInt32(y) & 31)) },
	">>>": func(x, y float64) float64 { return float64(uint32(toInt32(x)) >> (toInt32(y) & 31)) },
}

// toInt32 is the conversion ToInt32 of ECMAScript: the whole part modulo 2^32, and 0
// for NaN and the infinities.
func toInt32(f float64) int32 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return int32(uint32(int64(math.Mod(math.Trunc(f), 1<<32))))
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
	return c.folded(&code{test: func(r row) truth {
		v := x(r)
		t := and(orders(v, low(r), atLeast), orders(v, high(r), atMost))
		if e.not {
			return t.not()
		}
		return t
	}}, operands...)
}

// equals is the operator =.
func equals(a, b Value) truth {
	if a.kind == Undefined || b.kind == Undefined {
		return isUndefined
	}
	return truthOf(Equal(a, b))
}

// ordered reports whether < and its relatives are defined for a and b.
func ordered(a, b Value) bool {
	return a.kind == b.kind && a.kind > Undefined && a.kind < Array
}
