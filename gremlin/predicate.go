package gremlin

import (
	"errors"
	"fmt"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/documents"
)

// Predicate is a condition on documents of type D. Fields make them, such as
// VehicleEventFields.Speed.Gt(120), [And], [Or] and [Not] combine them, and [Query.Where]
// takes them. A predicate of another document type does not compile.
//
// A Predicate is an immutable value: it may be used in several queries and from several
// goroutines. It keeps what is wrong with it, such as a comparison with NaN, and the
// query returns that as its error.
//
// Values are sent apart from the traversal, as bindings: no text can be taken for a part
// of it.
//
// # Absent properties
//
// A Predicate holds or does not hold for every document, and Not swaps the two. A
// comparison holds only if the property has a value: an absent property has none, as a nil
// pointer in Go has none. So Ne(v) holds only for another value; Not(Eq(v)) also holds
// without a value. Zero values are stored, also under omitempty.
//
// # Fields
//
// Generated code declares the fields. A field is a string: the name of the property.
type Predicate[D any] struct {
	node condition.Node // nil in the zero value
}

// And holds where all the predicates hold, everywhere if there are none.
func And[D any](predicates ...Predicate[D]) Predicate[D] {
	return Predicate[D]{condition.All(nodes(predicates))}
}

// Or holds where at least one of the predicates holds, nowhere if there are none.
func Or[D any](predicates ...Predicate[D]) Predicate[D] {
	return Predicate[D]{condition.Any(nodes(predicates))}
}

// Not holds for exactly the documents for which p does not hold. A document without the
// property that p compares is one of them: Not(Speed.Gt(120)) keeps the documents of
// Speed.Le(120) and those without a speed.
func Not[D any](p Predicate[D]) Predicate[D] {
	return Predicate[D]{condition.Not{Of: p.known()}}
}

var errZero = errors.New("the zero Predicate says nothing: make one from a field, or use And() for every document")

func (p Predicate[D]) known() condition.Node {
	if p.node == nil {
		return condition.Wrong{Err: errZero}
	}
	return p.node
}

func nodes[D any](predicates []Predicate[D]) []condition.Node {
	all := make([]condition.Node, len(predicates))
	for i, p := range predicates {
		all[i] = p.known()
	}
	return all
}

// Order sorts the documents of a query by a field, which makes it: Speed.Desc().
type Order[D any] struct{ order condition.Order }

// compare returns the predicate that compares a field with values. Zero says whether it
// holds for the zero value.
func compare[D, V any](field, method string, op condition.Op, zero bool, values ...V) Predicate[D] {
	c := &condition.Comparison{Property: field, Op: op, Zero: zero}
	for _, v := range values {
		value, err := documents.Value(v)
		if err == nil {
			value, err = operand(value)
		}
		if err != nil {
			return fails[D](field, method, err)
		}
		c.Values = append(c.Values, value)
	}
	return Predicate[D]{c}
}

func fails[D any](field, method string, err error) Predicate[D] {
	return Predicate[D]{condition.Wrong{Err: fmt.Errorf("field %q: %s: %w", field, method, err)}}
}

func exists[D any](field string) Predicate[D] {
	return compare[D, string](field, "Exists", condition.Exists, false)
}

func sorts[D any](field string, descending bool) Order[D] {
	return Order[D]{condition.Order{Property: field, Descending: descending}}
}
