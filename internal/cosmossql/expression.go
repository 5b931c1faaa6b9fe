package cosmossql

import (
	"slices"
)

// Expr is a node of a scalar expression. At returns the token to report in errors.
type Expr interface{ At() Token }

type (
	// Parameter is a parameter; its Word is the name with the @.
	Parameter struct{ Token }

	// Alias is a name of FROM. Its Binding is set once the declaring select is parsed.
	Alias struct {
		Token
		Binding *Binding
	}

	// Access follows properties and elements from a base: c.a["b"][0].
	Access struct {
		Base  Expr
		Steps []AccessStep
		Token // the token of Base
	}

	// Unary is NOT, -, + or ~ before an expression; its Word is the operator.
	Unary struct {
		Operand Expr
		Token
	}

	// Binary is an operator of two operands, other than AND and OR.
	Binary struct {
		Left, Right Expr
		Token
	}

	// Logical is a flat chain of AND or of OR, at least two terms.
	Logical struct {
		Or    bool
		Terms []Expr
		Token
	}

	// Coalesce is a flat chain of ??, at least two terms.
	Coalesce struct {
		Terms []Expr
		Token
	}

	// Conditional is condition ? then : otherwise.
	Conditional struct {
		Condition, Then, Otherwise Expr
		Token
	}

	// In is x [NOT] IN (items).
	In struct {
		Operand Expr
		Items   []Expr
		Not     bool
		Token
	}

	// Between is x [NOT] BETWEEN low AND high.
	Between struct {
		Operand, Low, High Expr
		Not                bool
		Token
	}

	// Like is x [NOT] LIKE pattern [ESCAPE escape]; Escape is 0 without one.
	Like struct {
		Operand, Pattern Expr
		Escape           rune
		Not              bool
		Token
	}

	// Array is an array constructor.
	Array struct {
		Items []Expr
		Token
	}

	// Object is an object constructor.
	Object struct {
		Names  []string
		Values []Expr
		Token
	}

	// Call is a call of a scalar function, with all its optional arguments.
	Call struct {
		Function *Function
		Args     []Expr
		Token
	}

	// Aggregate is a call of an aggregate function; Slot is its number in the query.
	Aggregate struct {
		Function *Function
		Arg      Expr
		Slot     int
		Token
	}

	// Subquery is a subquery as a value: EXISTS(…), ARRAY(…) or (SELECT …).
	Subquery struct {
		Kind  SubqueryKind
		Query *Select
		Token
	}
)

// SubqueryKind says which value a subquery has.
type SubqueryKind uint8

// Kinds of subqueries.
const (
	SubqueryScalar SubqueryKind = iota // its only row
	SubqueryExists                     // whether it has rows
	SubqueryArray                      // all rows
)

// AccessStep is a property with a fixed name or, if Index is not nil, an index in brackets whose
// value is known when parameters are bound.
type AccessStep struct {
	Name  string
	Index Expr
	token Token
}

// operands returns the operands of e. It returns nil for a subquery, which has a scope of its own.
func operands(e Expr) []Expr {
	switch e := e.(type) {
	case *Access:
		list := []Expr{e.Base}
		for _, s := range e.Steps {
			if s.Index != nil {
				list = append(list, s.Index)
			}
		}
		return list
	case *Unary:
		return []Expr{e.Operand}
	case *Binary:
		return []Expr{e.Left, e.Right}
	case *Logical:
		return e.Terms
	case *Coalesce:
		return e.Terms
	case *Conditional:
		return []Expr{e.Condition, e.Then, e.Otherwise}
	case *In:
		return append([]Expr{e.Operand}, e.Items...)
	case *Between:
		return []Expr{e.Operand, e.Low, e.High}
	case *Like:
		return []Expr{e.Operand, e.Pattern}
	case *Array:
		return e.Items
	case *Object:
		return e.Values
	case *Call:
		return e.Args
	case *Aggregate:
		return []Expr{e.Arg}
	default:
		return nil
	}
}

// HasAggregate reports whether an expression is or contains an aggregate.
func HasAggregate(e Expr) bool {
	if _, ok := e.(*Aggregate); ok {
		return true
	}
	return slices.ContainsFunc(operands(e), HasAggregate)
}
