package function

import (
	"math"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// typeFunctions are the type checks. For undefined they are false, not undefined.
var typeFunctions = []*Function{
	kindTest("IS_DEFINED", value.Null, value.Bool, value.Number, value.String, value.Array, value.Object),
	kindTest("IS_NULL", value.Null),
	kindTest("IS_BOOL", value.Bool),
	kindTest("IS_BOOLEAN", value.Bool),
	kindTest("IS_NUMBER", value.Number),
	kindTest("IS_STRING", value.String),
	kindTest("IS_ARRAY", value.Array),
	kindTest("IS_OBJECT", value.Object),
	kindTest("IS_PRIMITIVE", value.Null, value.Bool, value.Number, value.String),
	valueTest("IS_FINITE_NUMBER", func(v value.Value) bool {
		return v.Kind() == value.Number && !v.NonFinite()
	}),
	valueTest("IS_INTEGER", func(v value.Value) bool {
		return v.Kind() == value.Number && v.Float() == math.Trunc(v.Float()) && math.Abs(v.Float()) <= 1<<63
	}),
	valueTest("IS_DATETIME", func(v value.Value) bool {
		_, ok := parseTime(v)
		return ok
	}),
}

func kindTest(name string, kinds ...cosmossql.Kind) *Function {
	var is [value.Object + 1]bool
	for _, k := range kinds {
		is[k] = true
	}
	return valueTest(name, func(v value.Value) bool { return is[v.Kind()] })
}

func valueTest(name string, test func(value.Value) bool) *Function {
	return &Function{
		Name: name, Total: true,
		Fixed: func(args [MaxFixed]value.Value) value.Value { return value.OfBool(test(args[0])) },
	}
}
