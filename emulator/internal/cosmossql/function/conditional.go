package cosmossql

import "errors"

// conditionalFunctions choose among their arguments.
var conditionalFunctions = []*Function{
	{
		Name: "IIF", Args: "condition, then, otherwise", least: 3, most: 3, total: true, list: iif,
		Help: "the second argument if the first is true, else the third",
	},
	{
		Name: "CHOOSE", Args: "position, value [, …]", least: 2, most: -1, list: choose,
		Help: "the argument at a position, counted from 1 after the position itself",
	},
}

// iif is undefined if the condition or the branch that is taken is undefined. It
// fails if only the other branch is undefined: by the rule for functions the result
// would be undefined, by the rule for conditionals it would be the branch taken.
func iif(_ string, args []Value) (Value, error) {
	taken, other := args[2], args[1]
	if args[0].condition() == isTrue {
		taken, other = other, taken
	}
	switch {
	case args[0].kind == Undefined || taken.kind == Undefined:
		return Value{}, nil
	case other.kind == Undefined:
		return Value{}, errors.New("IIF is called with an undefined value for the branch that is not taken, and the service does not document its result; write condition ? then : otherwise")
	default:
		return taken, nil
	}
}

func choose(_ string, args []Value) (Value, error) {
	n, ok := args[0].integer()
	if !ok || n < 1 || n >= int64(len(args)) {
		return Value{}, nil
	}
	return args[n], nil
}
