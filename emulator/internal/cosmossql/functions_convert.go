package cosmossql

import (
	"math"
	"strings"
)

// convertFunctions turn values into text and text into values.
var convertFunctions = []*function{
	{
		name: "TOSTRING", args: "value", least: 1, most: 1, help: "the value as text, JSON for arrays and objects",
		list: func(c *call, args []Value) Value {
			if args[0].kind == String {
				return args[0]
			}
			text, ok := appendPlain(nil, args[0])
			if !ok {
				return c.fail("TOSTRING: how the service writes numbers of this size, or that are not finite, is not documented")
			}
			return stringValue(string(text))
		},
	},
	parse("STRINGTONUMBER", "the number that a text holds as JSON", Number),
	parse("STRINGTOBOOLEAN", "the boolean that a text holds as JSON", Bool),
	parse("STRINGTONULL", "null, if the text is that", Null),
	parse("STRINGTOARRAY", "the array that a text holds as JSON", Array),
	parse("STRINGTOOBJECT", "the object that a text holds as JSON", Object),
}

// parse makes a function that reads a value of one kind from JSON text. It is
// undefined for other texts.
func parse(name, help string, kind Kind) *function {
	return textFunction(name, help, func(s string) Value {
		v, err := Decode([]byte(strings.TrimSpace(s)))
		if err != nil || v.kind != kind {
			return Value{}
		}
		return v
	})
}

// appendPlain writes a value as JSON without white space. It returns false for
// numbers that need an exponent: the service writes them in a form of its own, such
// as 2.0495371758495027e+018 (a comment in the .NET SDK's reference interpreter).
func appendPlain(dst []byte, v Value) ([]byte, bool) {
	ok := true
	switch v.kind {
	case Number:
		abs := math.Abs(v.num)
		return appendNumber(dst, v.num), abs == 0 || abs >= 1e-4 && abs < 1e15
	case Array:
		dst = append(dst, '[')
		for i, item := range v.comp.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			var fine bool
			dst, fine = appendPlain(dst, item)
			ok = ok && fine
		}
		return append(dst, ']'), ok
	case Object:
		dst = append(dst, '{')
		for i := range v.comp.fields {
			f := &v.comp.fields[i]
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendString(dst, f.name), ':')
			var fine bool
			dst, fine = appendPlain(dst, f.value)
			ok = ok && fine
		}
		return append(dst, '}'), ok
	default:
		return v.AppendJSON(dst), true
	}
}
