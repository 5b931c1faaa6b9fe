package cosmossql

import (
	"fmt"
	"strings"
)

// convertFunctions turn values into text and text into values.
var convertFunctions = []*Function{
	{
		Name: "TOSTRING", Args: "value", least: 1, most: 1, Help: "the value as text, JSON for arrays and objects",
		list: func(_ string, args []Value) (Value, error) {
			if args[0].kind == String {
				return args[0], nil
			}
			text, ok := args[0].appendPlain(nil)
			if !ok {
				return Value{}, fmt.Errorf("TOSTRING: how the service writes numbers of this size, or that are not finite, is not documented")
			}
			return stringValue(string(text)), nil
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
func parse(name, help string, kind Kind) *Function {
	return textFunction(name, help, func(s string) Value {
		v, err := Decode([]byte(strings.TrimSpace(s)))
		if err != nil || v.kind != kind {
			return Value{}
		}
		return v
	})
}
