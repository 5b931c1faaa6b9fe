package cosmossql

import (
	"fmt"
	"strings"
)

// maxArgs is the largest number of arguments of a function in the table.
const maxArgs = 3

// function is a scalar system function. Its arguments are passed in an array, so
// that a call allocates nothing.
type function struct {
	required int     // arguments that must be given
	defaults []Value // the values of those that may be left out
	// total is set for functions that are defined for undefined arguments. The
	// others are not called with one; their result is undefined.
	total bool
	eval  func(args [maxArgs]Value) Value
}

// arity says how many arguments f takes.
func (f *function) arity() string {
	switch most := f.required + len(f.defaults); {
	case most > f.required:
		return fmt.Sprintf("%d to %d arguments", f.required, most)
	case f.required == 1:
		return "1 argument"
	default:
		return fmt.Sprintf("%d arguments", f.required)
	}
}

// functions are the system functions by their names in upper case; queries may
// write them in any case. Each behaves as on the page of its name in Microsoft's
// reference "System functions". An argument of a wrong type makes the string and
// array functions undefined.
var functions = map[string]*function{
	"STARTSWITH":   stringTest(strings.HasPrefix),
	"ENDSWITH":     stringTest(strings.HasSuffix),
	"CONTAINS":     stringTest(strings.Contains),
	"STRINGEQUALS": stringTest(func(a, b string) bool { return a == b }),

	"LOWER":  stringFunction(func(s string) Value { return stringValue(strings.ToLower(s)) }),
	"UPPER":  stringFunction(func(s string) Value { return stringValue(strings.ToUpper(s)) }),
	"LENGTH": stringFunction(func(s string) Value { return numberValue(float64(utf16Len(s))) }),

	"ARRAY_CONTAINS": {required: 2, defaults: []Value{falseValue}, eval: arrayContains},

	"IS_DEFINED":   kindTest(Null, Bool, Number, String, Array, Object),
	"IS_NULL":      kindTest(Null),
	"IS_BOOL":      kindTest(Bool),
	"IS_NUMBER":    kindTest(Number),
	"IS_STRING":    kindTest(String),
	"IS_ARRAY":     kindTest(Array),
	"IS_OBJECT":    kindTest(Object),
	"IS_PRIMITIVE": kindTest(Null, Bool, Number, String),
}

// stringTest makes a test of two strings with an optional third argument that
// ignores case.
func stringTest(test func(a, b string) bool) *function {
	return &function{required: 2, defaults: []Value{falseValue}, eval: func(args [maxArgs]Value) Value {
		a, b, fold := args[0], args[1], args[2]
		if a.kind != String || b.kind != String || fold.kind != Bool {
			return Value{}
		}
		if fold.Bool() {
			return boolValue(test(strings.ToLower(a.str), strings.ToLower(b.str)))
		}
		return boolValue(test(a.str, b.str))
	}}
}

// stringFunction makes a function of one string.
func stringFunction(f func(string) Value) *function {
	return &function{required: 1, eval: func(args [maxArgs]Value) Value {
		if args[0].kind != String {
			return Value{}
		}
		return f(args[0].str)
	}}
}

// kindTest makes a type check, which is false and not undefined for undefined.
func kindTest(kinds ...Kind) *function {
	var is [Object + 1]bool
	for _, k := range kinds {
		is[k] = true
	}
	return &function{required: 1, total: true, eval: func(args [maxArgs]Value) Value {
		return boolValue(is[args[0].kind])
	}}
}

// arrayContains looks for an element. Its third argument allows an object to
// match one that has further properties.
func arrayContains(args [maxArgs]Value) Value {
	array, needle, partial := args[0], args[1], args[2]
	if array.kind != Array || partial.kind != Bool {
		return Value{}
	}
	match := Equal
	if partial.Bool() {
		match = contained
	}
	for _, item := range array.comp.items {
		if match(needle, item) {
			return trueValue
		}
	}
	return falseValue
}

// utf16Len counts UTF-16 code units, as the reference interpreter in the .NET
// SDK's tests does.
func utf16Len(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}
