package function

import (
	"errors"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
)

// conditionalFunctions choose among their arguments.
var conditionalFunctions = []*Function{
	{
		Name: "IIF", Total: true, List: iif,
	},
	{
		Name: "CHOOSE", List: choose,
	},
}

// iif is undefined if the condition or the selected branch is undefined. It fails if only the
// other branch is undefined: by the rule for functions the result would be undefined, and by
// the rule for conditionals it would be the selected branch.
func iif(_ string, args []value.Value) (value.Value, error) {
	taken, other := args[2], args[1]
	if args[0].Condition() == value.True {
		taken, other = other, taken
	}
	switch {
	case args[0].Kind() == value.Undefined || taken.Kind() == value.Undefined:
		return value.Value{}, nil
	case other.Kind() == value.Undefined:
		return value.Value{}, errors.New("IIF is called with an undefined value for the branch that is not taken, and the service does not document its result; write condition ? then : otherwise")
	default:
		return taken, nil
	}
}

func choose(_ string, args []value.Value) (value.Value, error) {
	n, ok := args[0].Integer()
	if !ok || n < 1 || n >= int64(len(args)) {
		return value.Value{}, nil
	}
	return args[n], nil
}
