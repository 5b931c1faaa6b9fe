package function

import (
	"math"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
)

// typeFunctions are the type checks, false and not undefined for undefined.
var typeFunctions = []*Function{
	kindTest("IS_DEFINED", "whether a value is defined", value.Null, value.Bool, value.Number, value.String, value.Array, value.Object),
	kindTest("IS_NULL", "whether a value is null", value.Null),
	kindTest("IS_BOOL", "whether a value is a boolean", value.Bool),
	kindTest("IS_BOOLEAN", "another name of IS_BOOL, which SDKs use", value.Bool),
	kindTest("IS_NUMBER", "whether a value is a number", value.Number),
	kindTest("IS_STRING", "whether a value is a string", value.String),
	kindTest("IS_ARRAY", "whether a value is an array", value.Array),
	kindTest("IS_OBJECT", "whether a value is an object", value.Object),
	kindTest("IS_PRIMITIVE", "whether a value is null, a boolean, a number or a string", value.Null, value.Bool, value.Number, value.String),
	valueTest("IS_FINITE_NUMBER", "whether a value is a number and finite", func(v value.Value) bool {
		return v.Kind() == value.Number && !v.NonFinite()
	}),
	valueTest("IS_INTEGER", "whether a value is a whole number of at most 64 bits", func(v value.Value) bool {
		return v.Kind() == value.Number && v.Float() == math.Trunc(v.Float()) && math.Abs(v.Float()) <= 1<<63
	}),
	valueTest("IS_DATETIME", "whether a value is a date and time in ISO 8601", func(v value.Value) bool {
		_, ok := parseTime(v)
		return ok
	}),
}

func kindTest(name, help string, kinds ...value.Kind) *Function {
	var is [value.Object + 1]bool
	for _, k := range kinds {
		is[k] = true
	}
	return valueTest(name, help, func(v value.Value) bool { return is[v.Kind()] })
}

func valueTest(name, help string, test func(value.Value) bool) *Function {
	return &Function{
		Name: name, Args: "value", Help: help, Least: 1, Most: 1, Total: true,
		Fixed: func(args [MaxFixed]value.Value) value.Value { return value.OfBool(test(args[0])) },
	}
}
