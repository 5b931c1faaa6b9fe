package function

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
)

var mathFunctions = []*Function{
	numeric("ABS", "the absolute value", math.Abs),
	numeric("ACOS", "the angle in radians whose cosine is x", math.Acos),
	numeric("ASIN", "the angle in radians whose sine is x", math.Asin),
	numeric("ATAN", "the angle in radians whose tangent is x", math.Atan),
	numeric2("ATN2", "y, x", "the angle in radians of the point (x, y)", math.Atan2),
	numeric("CEILING", "the smallest whole number that is not smaller", math.Ceil),
	numeric("COS", "the cosine of an angle in radians", math.Cos),
	numeric("COT", "the cotangent of an angle in radians", func(x float64) float64 { return 1 / math.Tan(x) }),
	numeric("DEGREES", "radians as degrees", func(x float64) float64 { return 180 / math.Pi * x }),
	numeric("EXP", "e to the power of x", math.Exp),
	numeric("FLOOR", "the largest whole number that is not larger", math.Floor),
	{
		Name: "LOG", Args: "x [, base]", Least: 1, Most: 2, Defaults: []value.Value{value.OfFloat(math.E)},
		Help: "the logarithm, natural without a base",
		Fixed: func(args [MaxFixed]value.Value) value.Value {
			if args[0].Kind() != value.Number || args[1].Kind() != value.Number {
				return value.Value{}
			}
			return value.OfFloat(logarithm(args[0].Float(), args[1].Float()))
		},
	},
	numeric("LOG10", "the logarithm to base 10", math.Log10),
	{
		Name: "NUMBERBIN", Args: "x [, size]", Least: 1, Most: 2, Defaults: []value.Value{value.OfFloat(1)},
		Help: "x rounded down to a multiple of size",
		Fixed: func(args [MaxFixed]value.Value) value.Value {
			if args[0].Kind() != value.Number || args[1].Kind() != value.Number || args[1].Float() == 0 {
				return value.Value{}
			}
			return value.OfFloat(math.Floor(args[0].Float()/args[1].Float()) * args[1].Float())
		},
	},
	{
		Name: "PI", Help: "the number pi",
		Fixed: func([MaxFixed]value.Value) value.Value { return value.OfFloat(math.Pi) },
	},
	numeric2("POWER", "x, y", "x to the power of y", math.Pow),
	numeric("RADIANS", "degrees as radians", func(x float64) float64 { return math.Pi * x / 180 }),
	{
		Name: "RAND", Help: "a random number from 0 to below 1", Volatile: true,
		Fixed: func([MaxFixed]value.Value) value.Value { return value.OfFloat(rand.Float64()) },
	},
	numeric("ROUND", "the nearest whole number, halves away from zero", math.Round),
	numeric("SIGN", "-1, 0 or 1", func(x float64) float64 {
		switch {
		case x > 0:
			return 1
		case x < 0:
			return -1
		default:
			return x
		}
	}),
	numeric("SIN", "the sine of an angle in radians", math.Sin),
	numeric("SQRT", "the square root", math.Sqrt),
	numeric("SQUARE", "the square", func(x float64) float64 { return x * x }),
	numeric("TAN", "the tangent of an angle in radians", math.Tan),
	numeric("TRUNC", "the whole part", math.Trunc),
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
func numeric(name, help string, f func(float64) float64) *Function {
	return &Function{
		Name: name, Args: "x", Help: help, Least: 1, Most: 1,
		Fixed: func(args [MaxFixed]value.Value) value.Value {
			if args[0].Kind() != value.Number {
				return value.Value{}
			}
			return value.OfFloat(f(args[0].Float()))
		},
	}
}

// numeric2 makes a function of two numbers.
func numeric2(name, args, help string, f func(a, b float64) float64) *Function {
	return &Function{
		Name: name, Args: args, Help: help, Least: 2, Most: 2,
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
	integral("INTADD", "the sum", func(a, b int64) (int64, bool) { return a + b, (a+b > a) == (b > 0) }),
	integral("INTSUB", "the difference", func(a, b int64) (int64, bool) { return a - b, (a-b < a) == (b > 0) }),
	integral("INTMUL", "the product", func(a, b int64) (int64, bool) {
		product := a * b
		return product, a == 0 || product/a == b && (a != -1 || b != math.MinInt64)
	}),
	integral("INTDIV", "the quotient without its fraction", func(a, b int64) (int64, bool) {
		return a / b, a != math.MinInt64 || b != -1
	}),
	integral("INTMOD", "the remainder of a division", func(a, b int64) (int64, bool) { return a % b, true }),
	integral("INTBITAND", "the bitwise AND", func(a, b int64) (int64, bool) { return a & b, true }),
	integral("INTBITOR", "the bitwise OR", func(a, b int64) (int64, bool) { return a | b, true }),
	integral("INTBITXOR", "the bitwise exclusive OR", func(a, b int64) (int64, bool) { return a ^ b, true }),
	integral("INTBITLEFTSHIFT", "a shifted left by b bits", func(a, b int64) (int64, bool) { return a << (b & 63), b >= 0 && b < 64 }),
	integral("INTBITRIGHTSHIFT", "a shifted right by b bits", func(a, b int64) (int64, bool) { return a >> (b & 63), b >= 0 && b < 64 }),
	{
		Name: "INTBITNOT", Args: "a", Least: 1, Most: 1, Help: "the bitwise complement",
		Fixed: func(args [MaxFixed]value.Value) value.Value {
			a, ok := args[0].Integer()
			if !ok {
				return value.Value{}
			}
			return value.OfInt(^a)
		},
	},
}

// integral makes a function of two integers. f returns false if its result does not
// fit into 64 bits; the call fails then, since it is not documented what the service
// does.
func integral(name, help string, f func(a, b int64) (int64, bool)) *Function {
	return &Function{
		Name: name, Args: "a, b", Help: help, Least: 2, Most: 2,
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
