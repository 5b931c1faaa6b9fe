package cosmossql

import (
	"fmt"
	"slices"
	"strings"
)

// Function describes a function of the language.
type Function struct {
	Name     string // in upper case; queries may write it in any case
	Category string // such as "String" or "Aggregate"
	Args     string // such as "text, prefix [, ignoreCase]"
	Help     string // its result, in one phrase
}

// Functions lists all functions, by category and name. It is made from the table
// that the parser uses, so that a test can compare the documentation with it.
func Functions() []Function {
	list := make([]Function, len(table))
	for i, f := range table {
		list[i] = Function{f.name, f.category, f.args, f.help}
	}
	return list
}

// maxFixed is the largest number of arguments that are passed without allocation.
const maxFixed = 3

// function is a system function. Each behaves as on the page of its name in
// Microsoft's reference "System functions". An argument of a wrong type makes the
// result undefined, and so does an undefined argument.
type function struct {
	name, category, args, help string

	least, most int     // arguments; most is -1 if there is no limit
	defaults    []Value // of the arguments that may be left out, for fixed
	// total is set for functions that are defined for undefined arguments. Other
	// functions are not called with an undefined argument.
	total bool
	// volatile is set for functions whose result changes from call to call.
	volatile bool
	// aggregate is set for functions of many rows, which have no evaluation of a call.
	aggregate bool

	// One of these evaluates a call. fixed passes the arguments in an array, so
	// that a call allocates nothing. list is for functions of many arguments, and
	// for functions that can fail.
	fixed func(args [maxFixed]Value) Value
	list  func(c *call, args []Value) Value
	bind  func(c *compiler, e *callExpr, args []*code) (*code, error)
}

// table holds all functions; functions holds them by name.
var (
	table     []*function
	functions = map[string]*function{}
)

func init() {
	for _, category := range []struct {
		name string
		list []*function
	}{
		{"Aggregate", aggregateFunctions},
		{"Array", arrayFunctions},
		{"Conditional", conditionalFunctions},
		{"Date and time", dateFunctions},
		{"Full text", fullTextFunctions},
		{"Integer", integerFunctions},
		{"Mathematical", mathFunctions},
		{"String", slices.Concat(textFunctions, searchFunctions, convertFunctions)},
		{"Type checking", typeFunctions},
	} {
		list := slices.SortedFunc(slices.Values(category.list), func(a, b *function) int { return strings.Compare(a.name, b.name) })
		for _, f := range list {
			f.category = category.name
			functions[f.name] = f
		}
		table = append(table, list...)
	}
}

// arity says how many arguments f takes.
func (f *function) arity() string {
	switch {
	case f.most < 0:
		return fmt.Sprintf("at least %d arguments", f.least)
	case f.most > f.least:
		return fmt.Sprintf("%d to %d arguments", f.least, f.most)
	case f.least == 1:
		return "1 argument"
	default:
		return fmt.Sprintf("%d arguments", f.least)
	}
}

// call is a call of a function while it is evaluated.
type call struct {
	frame *frame
	text  string
	token token
}

// fail ends the evaluation with an error about the call.
func (c *call) fail(format string, args ...any) Value {
	return c.frame.fail(newError(c.text, c.token.start, c.token.end, codeRun, format, args...))
}

// call compiles a call.
func (c *compiler) call(e *callExpr) (*code, error) {
	codes, err := c.all(e.args)
	if err != nil {
		return nil, err
	}
	f := e.function
	var result *code
	switch {
	case f.bind != nil:
		return f.bind(c, e, codes)
	case f.fixed != nil:
		for _, v := range f.defaults[len(codes)-f.least:] {
			codes = append(codes, constantCode(v))
		}
		result = callFixed(f, results(codes))
	default:
		c.framed = true
		result = callList(f, call{text: c.query.text, token: e.token}, results(codes))
	}
	if f.volatile {
		return result, nil
	}
	return c.folded(result, codes...)
}

func callFixed(f *function, args []func(row) Value) *code {
	return &code{eval: func(r row) Value {
		var values [maxFixed]Value
		for i, arg := range args {
			if values[i] = arg(r); values[i].kind == Undefined && !f.total {
				return Value{}
			}
		}
		return f.fixed(values)
	}}
}

func callList(f *function, at call, args []func(row) Value) *code {
	return &code{eval: func(r row) Value {
		values := make([]Value, len(args))
		for i, arg := range args {
			if values[i] = arg(r); values[i].kind == Undefined && !f.total {
				return Value{}
			}
		}
		at := at
		at.frame = r.frame
		return f.list(&at, values)
	}}
}

// conditionalFunctions choose among their arguments.
var conditionalFunctions = []*function{
	{
		name: "IIF", args: "condition, then, otherwise", least: 3, most: 3, total: true, list: iif,
		help: "the second argument if the first is true, else the third",
	},
	{
		name: "CHOOSE", args: "position, value [, …]", least: 2, most: -1, list: choose,
		help: "the argument at a position, counted from 1 after the position itself",
	},
}

// iif is undefined if the condition or the branch that is taken is undefined. It
// fails if only the other branch is undefined: by the rule for functions the result
// would be undefined, by the rule for conditionals it would be the branch taken.
func iif(c *call, args []Value) Value {
	taken, other := args[2], args[1]
	if args[0].condition() == isTrue {
		taken, other = other, taken
	}
	switch {
	case args[0].kind == Undefined || taken.kind == Undefined:
		return Value{}
	case other.kind == Undefined:
		return c.fail("IIF is called with an undefined value for the branch that is not taken, and the service does not document its result; write condition ? then : otherwise")
	default:
		return taken
	}
}

func choose(_ *call, args []Value) Value {
	n, ok := args[0].integer()
	if !ok || n < 1 || n >= int64(len(args)) {
		return Value{}
	}
	return args[n]
}
