package cosmossql

import (
	"fmt"
	"slices"
	"strings"
)

// maxFixed is the largest number of arguments that are passed without allocation.
const maxFixed = 3

// Function is a system function. Each behaves as on the page of its name in
// Microsoft's reference "System functions". An argument of a wrong type makes the
// result undefined, and so does an undefined argument.
type Function struct {
	Name, Category, Args, Help string

	least, most int     // arguments; most is -1 if there is no limit
	defaults    []Value // of the arguments that may be left out, for fixed
	// total is set for functions that are defined for undefined arguments. Other
	// functions are not called with an undefined argument.
	total bool
	// volatile is set for functions whose result changes from call to call.
	volatile bool
	// aggregate is set for functions of many rows. They have none of the evaluations.
	aggregate aggregateOperator

	// One of these evaluates a call. fixed takes the arguments in an array, so that a
	// call allocates nothing. list is for functions of many arguments, and for
	// functions that can fail; name is that of the function. matcher is for functions
	// whose arguments after the first are constants: it makes a test of texts from
	// them.
	fixed   func(args [maxFixed]Value) Value
	list    func(name string, args []Value) (Value, error)
	matcher func(constants []string) (func(text string) bool, error)
}

// table holds all functions; functions holds them by name.
var (
	table     []*Function
	functions = map[string]*Function{}
)

func init() {
	for _, category := range []struct {
		name string
		list []*Function
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
		list := slices.SortedFunc(slices.Values(category.list), func(a, b *Function) int { return strings.Compare(a.Name, b.Name) })
		for _, f := range list {
			f.Category = category.name
			functions[f.Name] = f
		}
		table = append(table, list...)
	}
}

// Functions lists all functions, by category and name.
func Functions() []*Function { return table }

// lookup returns the function of a name in upper case.
func lookup(name string) (*Function, bool) {
	f, ok := functions[name]
	return f, ok
}

// arity says how many arguments f takes.
func (f *Function) arity() string {
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
