package repository

import (
	"errors"

	"github.com/cosmos-pkgen/pkgen/repository/internal/predicate"
)

// Predicate is a condition on documents of type D. Fields make them, such as
// VehicleEventFields.Speed.Gt(120), [And], [Or] and [Not] combine them, and
// [Query.Where] takes them. A predicate of another document type does not
// compile there.
//
// A Predicate is an immutable value: it may be used in several queries and from
// several goroutines. What is wrong with it, such as a NaN to compare with, is
// kept in it and returned by whatever runs the query.
//
// # Absent properties
//
// SQL has three outcomes: a comparison with a property that is not there is
// undefined, and so is its negation. Here there are two, for every document and
// every predicate, and Not swaps them:
//
//   - A comparison holds only if the property has a value of the type that it is
//     compared with. An absent property and null have none, as a nil pointer in
//     Go, so Ne(v) asks for another value; Not(Eq(v)) also holds without one.
//   - Where Go leaves a zero value out, for omitempty or omitzero, an absent
//     property counts as zero: Eq(0) and Lt(1) hold for it, Ne(0) does not.
//   - IsDefined and IsNull ask what stands in the document, whatever counts as
//     zero.
//
// Documents that a Go program has written therefore match exactly if the same
// condition on their fields is true in Go.
//
// # Fields
//
// Generated code declares the fields. A field is a string: the JSON pointer of
// the property (RFC 6901), such as "/speed" or "/meta/speed", after "?" if Go
// leaves the property out when it is zero: "?/speed". Of a property behind a Go
// pointer, a number says how many names lead to the last such pointer:
// "?1/meta/speed" has no value where meta is nil, and counts as zero where meta
// lacks it. A property whose own Go type is a pointer is not marked, since what
// is left out then is nil and not zero.
//
// Being strings, fields convert: Number[Event, int](f) is f as a number, for a
// property about which the program knows more than its type says.
type Predicate[D any] struct {
	condition predicate.Condition // nil in the zero value
}

// And holds where all the predicates hold, everywhere if there are none.
func And[D any](predicates ...Predicate[D]) Predicate[D] {
	return joined("AND", predicates)
}

// Or holds where at least one of the predicates holds, nowhere if there are
// none.
func Or[D any](predicates ...Predicate[D]) Predicate[D] {
	return joined("OR", predicates)
}

// Not holds for exactly the documents for which p does not. Those without the
// property that p compares are among them: Not(Speed.Gt(120)) keeps what
// Speed.Le(120) does and the documents that have no speed.
func Not[D any](p Predicate[D]) Predicate[D] {
	if n, ok := p.condition.(*predicate.Negation); ok {
		return Predicate[D]{n.Term}
	}
	return Predicate[D]{&predicate.Negation{Term: p.known()}}
}

// String returns p as SQL in which values stand where a query has parameters,
// for people to read: Speed.Gt(120) is c["speed"] > 120. For a predicate that
// cannot be run it says why.
func (p Predicate[D]) String() string {
	text, err := predicate.Literal(p.known())
	if err != nil {
		return "invalid: " + err.Error()
	}
	return text
}

// known returns p's condition; the zero Predicate has one that fails.
func (p Predicate[D]) known() predicate.Condition {
	if p.condition == nil {
		return predicate.Invalid{Err: errors.New("the zero Predicate says nothing: make one from a field, or use And() for every document")}
	}
	return p.condition
}

func joined[D any](operator string, predicates []Predicate[D]) Predicate[D] {
	if len(predicates) == 1 {
		return predicates[0]
	}
	j := &predicate.Junction{Operator: operator, Terms: make([]predicate.Condition, len(predicates))}
	for i, p := range predicates {
		j.Terms[i] = p.known()
	}
	return Predicate[D]{j}
}
