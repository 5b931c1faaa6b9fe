package cosmossql

import "math"

// typeFunctions are the type checks, false and not undefined for undefined.
var typeFunctions = []*Function{
	kindTest("IS_DEFINED", "whether a value is defined", Null, Bool, Number, String, Array, Object),
	kindTest("IS_NULL", "whether a value is null", Null),
	kindTest("IS_BOOL", "whether a value is a boolean", Bool),
	kindTest("IS_NUMBER", "whether a value is a number", Number),
	kindTest("IS_STRING", "whether a value is a string", String),
	kindTest("IS_ARRAY", "whether a value is an array", Array),
	kindTest("IS_OBJECT", "whether a value is an object", Object),
	kindTest("IS_PRIMITIVE", "whether a value is null, a boolean, a number or a string", Null, Bool, Number, String),
	valueTest("IS_FINITE_NUMBER", "whether a value is a number and finite", func(v Value) bool {
		return v.kind == Number && !v.odd()
	}),
	valueTest("IS_INTEGER", "whether a value is a whole number of at most 64 bits", func(v Value) bool {
		return v.kind == Number && v.num == math.Trunc(v.num) && math.Abs(v.num) <= 1<<63
	}),
	valueTest("IS_DATETIME", "whether a value is a date and time in ISO 8601", func(v Value) bool {
		_, ok := parseTime(v)
		return ok
	}),
}

func kindTest(name, help string, kinds ...Kind) *Function {
	var is [Object + 1]bool
	for _, k := range kinds {
		is[k] = true
	}
	return valueTest(name, help, func(v Value) bool { return is[v.kind] })
}

func valueTest(name, help string, test func(Value) bool) *Function {
	return &Function{
		Name: name, Args: "value", Help: help, least: 1, most: 1, total: true,
		fixed: func(args [maxFixed]Value) Value { return boolValue(test(args[0])) },
	}
}
