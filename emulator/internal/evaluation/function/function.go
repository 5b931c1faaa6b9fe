package function

import (
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/work"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// MaxFixed is the largest number of arguments that are passed without allocation.
const MaxFixed = 3

// Function evaluates the calls of a system function.
type Function struct {
	Name string // of a [cosmossql.Function]

	Defaults []value.Value // values of omitted arguments, for Fixed
	// Total is set for functions that are defined for undefined arguments. Other
	// functions are not called with an undefined argument.
	Total bool

	// One of these evaluates a call. Fixed takes the arguments in an array, so that a call
	// allocates nothing. List is for functions of many arguments, and for functions that can
	// fail; name is the name of the function. Search is a List that follows the container's
	// rules for words. Matcher is for functions whose arguments after the first are constants:
	// it makes a test of texts from them, and the meter bounds its work.
	Fixed   func(args [MaxFixed]value.Value) value.Value
	List    func(name string, args []value.Value) (value.Value, error)
	Search  func(s Search, name string, args []value.Value) (value.Value, error)
	Matcher func(m *work.Meter, constants []string) (func(text string) bool, error)
}

// Of returns the evaluation of a scalar function. It returns nil for functions of shapes, and for
// functions that score vectors and texts: they depend on the container, so the compiler evaluates
// them.
func Of(f *cosmossql.Function) *Function { return byName[f.Name] }
