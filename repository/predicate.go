package repository

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/predicate"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// Predicate is a condition on documents of type D. Fields make them, such as
// VehicleEventFields.Speed.Gt(120), [And], [Or] and [Not] combine them, and
// [Query.Where] takes them. A predicate of another document type does not
// compile.
//
// A Predicate is an immutable value: it may be used in several queries and from
// several goroutines. It keeps what is wrong with it, such as a comparison with
// NaN, and the query returns that as its error.
//
// # Absent properties
//
// SQL has three outcomes: a comparison with an absent property is undefined, and
// so is its negation. A Predicate has two outcomes for every document, and Not
// swaps them:
//
//   - A comparison holds only if the property has a value of the compared type.
//     An absent property and null have no value, as a nil pointer in Go has none.
//     So Ne(v) holds only for another value; Not(Eq(v)) also holds without a
//     value.
//   - If Go leaves a zero value out, by omitempty or omitzero, an absent property
//     counts as zero: Eq(0) and Lt(1) hold for it, Ne(0) does not.
//   - IsDefined and IsNull look at the document alone: for them, an absent
//     property never counts as zero.
//
// A document that a Go program has written therefore matches exactly if the same
// condition on its fields is true in Go.
//
// # Fields
//
// Generated code declares the fields. A field is a string: the JSON pointer of
// the property (RFC 6901), such as "/speed" or "/meta/speed", after "?" if Go
// leaves the property out when it is zero: "?/speed". If a Go pointer leads to
// such a property, a number after the question mark says how many names lead to
// the last pointer: "?1/meta/speed" has no value where meta is nil, and counts as
// zero where meta lacks it. A property whose own Go type is a pointer has no
// question mark, since Go leaves out nil and not zero.
//
// Names after < are those that the first property had before, the newest first:
// "<fullName/name" is a name that old documents call fullName. See the word was of
// tags. A predicate then holds by the newest of these names that a document has.
//
// Fields are strings, so they convert: Number[Event, int](f) is f as a number, if
// the program knows more about a property than its type says.
type Predicate[D any] = documents.Predicate[D]

// And holds where all the predicates hold, everywhere if there are none.
func And[D any](predicates ...Predicate[D]) Predicate[D] { return documents.And(predicates...) }

// Or holds where at least one of the predicates holds, nowhere if there are
// none.
func Or[D any](predicates ...Predicate[D]) Predicate[D] { return documents.Or(predicates...) }

// Not holds for exactly the documents for which p does not hold. A document
// without the property that p compares is one of them: Not(Speed.Gt(120)) keeps
// the documents of Speed.Le(120) and those without a speed.
func Not[D any](p Predicate[D]) Predicate[D] { return documents.Not(p) }

// comparing returns the predicate of a comparison.
func comparing[D any](c *predicate.Comparison) Predicate[D] {
	return documents.PredicateOf[D](condition.Own{Of: c})
}

// comparison returns the comparison of a field's predicate, nil for one that is wrong.
func comparison[D any](p Predicate[D]) *predicate.Comparison {
	own, _ := p.Node().(condition.Own)
	c, _ := own.Of.(*predicate.Comparison) // a nil interface has none
	return c
}

// compareField returns the predicate that test holds for a field and values of
// the field's JSON type. Zero says whether test is true of V's zero value. Method
// is for errors.
func compareField[D, V any](field, method, test string, zero bool, values ...V) Predicate[D] {
	if _, aliases := text.Renamed(field); aliases != nil && slices.Contains(ranges, method) {
		return fails[D](field, method, text.ErrRenamed)
	}
	c := &predicate.Comparison{Field: field, Test: test, Zero: zero}
	for _, v := range values {
		data, typed, err := predicate.Encode(&v)
		switch {
		case err != nil:
		case typed == text.IsNull:
			err = errors.New("null compares with nothing: use IsNull")
		case c.Typed != "" && c.Typed != typed:
			err = errors.New("the values are of different types in JSON: join an Eq for each with Or")
		}
		if err != nil {
			return fails[D](field, method, err)
		}
		c.Typed = typed
		c.Values = append(c.Values, data)
	}
	return comparing[D](c)
}

// ranges are the methods that compare by an order.
var ranges = []string{"Lt", "Le", "Gt", "Ge", "Between"}

// different returns the predicate that a field has a value other than v.
func different[D any, V comparable](field string, v V) Predicate[D] {
	var zero V
	p := compareField[D](field, "Ne", "$ != @", v != zero, v)
	if c := comparison(p); c != nil {
		c.Strict = true
	}
	return p
}

// among returns the predicate that a field has one of the values.
func among[D any, V comparable](field string, values []V) Predicate[D] {
	if len(values) == 0 {
		return Or[D]()
	}
	var zero V
	test := "$ IN (@" + strings.Repeat(", @", len(values)-1) + ")"
	return compareField[D](field, "In", test, slices.Contains(values, zero), values...)
}

// testOf returns the predicate that test holds for a field. The test is true or
// false for every value, and never undefined.
func testOf[D any](field, test string) Predicate[D] {
	return comparing[D](&predicate.Comparison{Field: field, Test: test})
}

func definedTest[D any](field string) Predicate[D] { return testOf[D](field, "IS_DEFINED($)") }

func nullTest[D any](field string) Predicate[D] { return testOf[D](field, text.IsNull+"($)") }

// fails returns an invalid predicate with the error of a field's method.
func fails[D any](field, method string, err error) Predicate[D] {
	if pointer, aliases := text.Renamed(field); aliases != nil {
		field = pointer
	}
	return documents.PredicateOf[D](condition.Wrong{Err: fmt.Errorf("field %q: %s: %w", field, method, err)})
}
