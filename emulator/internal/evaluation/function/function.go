package function

import (
	"fmt"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/work"
)

// MaxFixed is the largest number of arguments that are passed without allocation.
const MaxFixed = 3

// Function is a system function. Each behaves as on the page of its name in
// Microsoft's reference "System functions". An argument of a wrong type makes the
// result undefined, and so does an undefined argument.
type Function struct {
	Name     string // in upper case; queries may write it in any case
	Category string // such as "String" or "Aggregate"
	Args     string // such as "text, prefix [, ignoreCase]"
	Help     string // its result, in one phrase

	Least, Most int           // arguments; Most is -1 if there is no limit
	Defaults    []value.Value // of the arguments that may be left out, for Fixed
	// Total is set for functions that are defined for undefined arguments. Other
	// functions are not called with an undefined argument.
	Total bool
	// Volatile is set for functions whose result changes from call to call.
	Volatile bool
	// operator is set for functions of many rows. They have none of the evaluations.
	operator aggregateOperator

	// One of these evaluates a call. Fixed takes the arguments in an array, so that a
	// call allocates nothing. List is for functions of many arguments, and for
	// functions that can fail; name is that of the function. Matcher is for functions
	// whose arguments after the first are constants: it makes a test of texts from
	// them, and the meter bounds its work.
	Fixed   func(args [MaxFixed]value.Value) value.Value
	List    func(name string, args []value.Value) (value.Value, error)
	Matcher func(m *work.Meter, constants []string) (func(text string) bool, error)
}

// Arity says how many arguments f takes.
func (f *Function) Arity() string {
	switch {
	case f.Most < 0:
		return fmt.Sprintf("at least %d arguments", f.Least)
	case f.Most > f.Least:
		return fmt.Sprintf("%d to %d arguments", f.Least, f.Most)
	case f.Least == 1:
		return "1 argument"
	default:
		return fmt.Sprintf("%d arguments", f.Least)
	}
}
