package function

import (
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
)

// convertFunctions turn values into text and text into values.
var convertFunctions = []*Function{
	{
		Name: "TOSTRING", Args: "value", Least: 1, Most: 1, Help: "the value as text, JSON for arrays and objects",
		List: func(_ string, args []value.Value) (value.Value, error) {
			if args[0].Kind() == value.String {
				return args[0], nil
			}
			text, ok := args[0].AppendPlain(nil)
			if !ok {
				return value.Value{}, fmt.Errorf("TOSTRING: how the service writes numbers of this size, or that are not finite, is not documented")
			}
			return value.OfString(string(text)), nil
		},
	},
	parse("STRINGTONUMBER", "the number that a text holds as JSON", value.Number),
	parse("STRINGTOBOOLEAN", "the boolean that a text holds as JSON", value.Bool),
	parse("STRINGTONULL", "null, if the text is that", value.Null),
	parse("STRINGTOARRAY", "the array that a text holds as JSON", value.Array),
	parse("STRINGTOOBJECT", "the object that a text holds as JSON", value.Object),
}

// parse makes a function that reads a value of one kind from JSON text. It is
// undefined for other texts.
func parse(name, help string, kind value.Kind) *Function {
	return textFunction(name, help, func(s string) value.Value {
		v, err := value.Decode([]byte(strings.TrimSpace(s)))
		if err != nil || v.Kind() != kind {
			return value.Value{}
		}
		return v
	})
}
