package evaluation

import (
	"math"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

func (c *compiler) unary(e *cosmossql.Unary) (*code, error) {
	x, err := c.compile(e.Operand)
	if err != nil {
		return nil, err
	}
	if e.Is("NOT") {
		test := x.condition()
		return c.folded(&code{test: func(r row) value.Truth { return test(r).Not() }}, x)
	}
	eval, f := x.result(), signs[e.Word]
	return c.folded(&code{eval: func(r row) value.Value {
		v := eval(r)
		if v.Kind() != value.Number {
			return value.Value{}
		}
		return value.OfFloat(f(v.Float()))
	}}, x)
}

// signs are the unary operators of numbers.
var signs = map[string]func(float64) float64{
	"-": func(x float64) float64 { return -x },
	"+": func(x float64) float64 { return x },
	"~": func(x float64) float64 { return float64(^toInt32(x)) },
}

func (c *compiler) binary(e *cosmossql.Binary) (*code, error) {
	left, err := c.compile(e.Left)
	if err != nil {
		return nil, err
	}
	right, err := c.compile(e.Right)
	if err != nil {
		return nil, err
	}
	var result *code
	switch e.Word {
	case "=", "!=", "<>":
		result = c.equality(left, right, e.Word != "=")
	case "||":
		result = c.concatenation(left, right, e.Token)
	default:
		if holds, ok := orderings[e.Word]; ok {
			result = ordering(left, right, holds)
		} else {
			result = calculation(left, right, calculations[e.Word])
		}
	}
	return c.folded(result, left, right)
}

func (c *compiler) equality(left, right *code, not bool) *code {
	a, b, m := left.result(), right.result(), c.meter
	equals := func(x, y value.Value) value.Truth {
		if x.Kind() >= value.String {
			m.Spend(min(x.Bytes(), y.Bytes()) / 16)
		}
		return value.Equals(x, y)
	}
	if not {
		return &code{test: func(r row) value.Truth { return equals(a(r), b(r)).Not() }}
	}
	if left.constant {
		left, right, a = right, left, b
	}
	if !right.constant {
		b = right.result()
		return &code{test: func(r row) value.Truth { return equals(a(r), b(r)) }}
	}
	want := right.value
	result := &code{test: func(r row) value.Truth { return equals(a(r), want) }}
	if left.path != nil {
		result.bounds = []bound{{left.path, []value.Value{want}}}
	}
	return result
}

func (c *compiler) concatenation(left, right *code, t cosmossql.Token) *code {
	c.framed = true
	a, b, tooLarge := left.result(), right.result(), c.tooLarge(t)
	return &code{eval: func(r row) value.Value {
		x, y := a(r), b(r)
		if x.Kind() != value.String || y.Kind() != value.String {
			return value.Value{}
		}
		if len(x.Text())+len(y.Text()) > value.MaxBytes {
			return r.frame.fail(tooLarge)
		}
		if !c.meter.Spend((len(x.Text()) + len(y.Text())) / 8) {
			return value.Value{}
		}
		return value.OfString(x.Text() + y.Text())
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
	return &code{test: func(r row) value.Truth { return value.Ordered(a(r), b(r), holds) }}
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
	return &code{eval: func(r row) value.Value {
		x, y := a(r), b(r)
		if x.Kind() != value.Number || y.Kind() != value.Number {
			return value.Value{}
		}
		return value.OfFloat(f(x.Float(), y.Float()))
	}}
}

func (c *compiler) between(e *cosmossql.Between) (*code, error) {
	operands, err := c.all([]cosmossql.Expr{e.Operand, e.Low, e.High})
	if err != nil {
		return nil, err
	}
	x, low, high := operands[0].result(), operands[1].result(), operands[2].result()
	atLeast, atMost := orderings[">="], orderings["<="]
	return c.folded(&code{test: func(r row) value.Truth {
		v := x(r)
		t := value.And(value.Ordered(v, low(r), atLeast), value.Ordered(v, high(r), atMost))
		if e.Not {
			return t.Not()
		}
		return t
	}}, operands...)
}
