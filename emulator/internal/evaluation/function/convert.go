package function

import (
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// convertFunctions turn values into text and text into values.
var convertFunctions = []*Function{
	{
		Name: "TOSTRING",
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
	parse("STRINGTONUMBER", value.Number),
	parse("STRINGTOBOOLEAN", value.Bool),
	parse("STRINGTONULL", value.Null),
	parse("STRINGTOARRAY", value.Array),
	parse("STRINGTOOBJECT", value.Object),
}

// parse makes a function that reads a value of one kind from JSON text. It is
// undefined for other texts.
func parse(name string, kind cosmossql.Kind) *Function {
	return textFunction(name, func(s string) value.Value {
		v, err := value.Decode([]byte(strings.TrimSpace(s)))
		if err != nil || v.Kind() != kind {
			return value.Value{}
		}
		return v
	})
}
