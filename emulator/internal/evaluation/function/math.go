package function

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
)

var mathFunctions = []*Function{
	numeric("ABS", math.Abs),
	numeric("ACOS", math.Acos),
	numeric("ASIN", math.Asin),
	numeric("ATAN", math.Atan),
	numeric2("ATN2", math.Atan2),
	numeric("CEILING", math.Ceil),
	numeric("COS", math.Cos),
	numeric("COT", func(x float64) float64 { return 1 / math.Tan(x) }),
	numeric("DEGREES", func(x float64) float64 { return 180 / math.Pi * x }),
	numeric("EXP", math.Exp),
	numeric("FLOOR", math.Floor),
	{
		Name: "LOG", Defaults: []value.Value{value.OfFloat(math.E)},

		Fixed: func(args [MaxFixed]value.Value) value.Value {
			if args[0].Kind() != value.Number || args[1].Kind() != value.Number {
				return value.Value{}
			}
			return value.OfFloat(logarithm(args[0].Float(), args[1].Float()))
		},
	},
	numeric("LOG10", math.Log10),
	{
		Name: "NUMBERBIN", Defaults: []value.Value{value.OfFloat(1)},

		Fixed: func(args [MaxFixed]value.Value) value.Value {
			if args[0].Kind() != value.Number || args[1].Kind() != value.Number || args[1].Float() == 0 {
				return value.Value{}
			}
			return value.OfFloat(math.Floor(args[0].Float()/args[1].Float()) * args[1].Float())
		},
	},
	{
		Name:  "PI",
		Fixed: func([MaxFixed]value.Value) value.Value { return value.OfFloat(math.Pi) },
	},
	numeric2("POWER", math.Pow),
	numeric("RADIANS", func(x float64) float64 { return math.Pi * x / 180 }),
	{
		Name:  "RAND",
		Fixed: func([MaxFixed]value.Value) value.Value { return value.OfFloat(rand.Float64()) },
	},
	numeric("ROUND", math.Round),
	numeric("SIGN", func(x float64) float64 {
		switch {
		case x > 0:
			return 1
		case x < 0:
			return -1
		default:
			return x
		}
	}),
	numeric("SIN", math.Sin),
	numeric("SQRT", math.Sqrt),
	numeric("SQUARE", func(x float64) float64 { return x * x }),
	numeric("TAN", math.Tan),
	numeric("TRUNC", math.Trunc),
}

func logarithm(x, base float64) float64 {
	switch base {
	case math.E:
		return math.Log(x)
	case 2:
		return math.Log2(x)
	case 10:
		return math.Log10(x)
	default:
		return math.Log(x) / math.Log(base)
	}
}

// numeric makes a function of one number.
func numeric(name string, f func(float64) float64) *Function {
	return &Function{
		Name: name,
		Fixed: func(args [MaxFixed]value.Value) value.Value {
			if args[0].Kind() != value.Number {
				return value.Value{}
			}
			return value.OfFloat(f(args[0].Float()))
		},
	}
}

// numeric2 makes a function of two numbers.
func numeric2(name string, f func(a, b float64) float64) *Function {
	return &Function{
		Name: name,
		Fixed: func(args [MaxFixed]value.Value) value.Value {
			if args[0].Kind() != value.Number || args[1].Kind() != value.Number {
				return value.Value{}
			}
			return value.OfFloat(f(args[0].Float(), args[1].Float()))
		},
	}
}

// integerFunctions calculate with whole numbers of 64 bits. They are undefined for
// other numbers.
var integerFunctions = []*Function{
	integral("INTADD", func(a, b int64) (int64, bool) { return a + b, (a+b > a) == (b > 0) }),
	integral("INTSUB", func(a, b int64) (int64, bool) { return a - b, (a-b < a) == (b > 0) }),
	integral("INTMUL", func(a, b int64) (int64, bool) {
		product := a * b
		return product, a == 0 || product/a == b && (a != -1 || b != math.MinInt64)
	}),
	integral("INTDIV", func(a, b int64) (int64, bool) {
		return a / b, a != math.MinInt64 || b != -1
	}),
	integral("INTMOD", func(a, b int64) (int64, bool) { return a % b, true }),
	integral("INTBITAND", func(a, b int64) (int64, bool) { return a & b, true }),
	integral("INTBITOR", func(a, b int64) (int64, bool) { return a | b, true }),
	integral("INTBITXOR", func(a, b int64) (int64, bool) { return a ^ b, true }),
	integral("INTBITLEFTSHIFT", func(a, b int64) (int64, bool) { return a << (b & 63), b >= 0 && b < 64 }),
	integral("INTBITRIGHTSHIFT", func(a, b int64) (int64, bool) { return a >> (b & 63), b >= 0 && b < 64 }),
	{
		Name: "INTBITNOT",
		Fixed: func(args [MaxFixed]value.Value) value.Value {
			a, ok := args[0].Integer()
			if !ok {
				return value.Value{}
			}
			return value.OfInt(^a)
		},
	},
}

// integral makes a function of two integers. f returns false if its result does not fit into
// 64 bits. The call then fails, because the service does not document its result.
func integral(name string, f func(a, b int64) (int64, bool)) *Function {
	return &Function{
		Name: name,
		List: func(name string, args []value.Value) (value.Value, error) {
			a, okA := args[0].Integer()
			b, okB := args[1].Integer()
			if !okA || !okB || b == 0 && (name == "INTDIV" || name == "INTMOD") {
				return value.Value{}, nil
			}
			result, ok := f(a, b)
			if !ok {
				return value.Value{}, fmt.Errorf("%s(%d, %d) is beyond 64 bits", name, a, b)
			}
			return value.OfInt(result), nil
		},
	}
}
