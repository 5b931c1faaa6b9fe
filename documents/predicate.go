package documents

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/condition"
)

// Predicate is a condition on documents of type D. Fields make them, such as
// VehicleEventFields.Speed.Gt(120), [And], [Or] and [Not] combine them, and [Query.Where]
// takes them. A predicate of another document type does not compile.
//
// A Predicate is an immutable value: it may be used in several queries and from several
// goroutines. It keeps what is wrong with it, such as a comparison with NaN, and the
// query returns that as its error.
//
// Values are sent apart from the query, or as literals in which quotes are escaped: no text
// can be taken for a part of the query.
//
// # Absent properties
//
// A Predicate holds or does not hold for every document, and Not swaps the two:
//
//   - A comparison holds only if the property has a value. An absent property and null
//     have none, as a nil pointer in Go has none. So Ne(v) holds only for another value;
//     Not(Eq(v)) also holds without a value.
//   - If a zero value is left out, by omitempty in BSON, an absent property counts as zero:
//     Eq(0) and Lt(1) hold for it, Ne(0) does not. In tables and graphs zeros are stored.
//   - HasValue looks at the document alone: an absent property never counts as zero.
//
// A document that a Go program has written therefore matches exactly if the same
// condition on its fields is true in Go.
//
// # Fields
//
// Generated code declares the fields. A field is a string: the path of the property, such
// as "speed" or "meta.speed", after "?" if the property is left out when it is zero.
type Predicate[D any] struct {
	node condition.Node // nil in the zero value
}

// PredicateOf returns the predicate of a condition. The packages of the APIs call it.
func PredicateOf[D any](n condition.Node) Predicate[D] { return Predicate[D]{n} }

// Node returns the condition of p, for the packages of the APIs, which write it in the
// language of their service. That of the zero Predicate is wrong.
func (p Predicate[D]) Node() condition.Node {
	if p.node == nil {
		return condition.Wrong{Err: errZero}
	}
	return p.node
}

// String returns p for people to read: in NoSQL as SQL with values in place of parameters, such
// as c["speed"] > 120, and else such as speed > 120. For an invalid predicate it says what is
// wrong.
func (p Predicate[D]) String() string { return condition.Text(p.Node()) }

// And holds where all the predicates hold, everywhere if there are none.
func And[D any](predicates ...Predicate[D]) Predicate[D] {
	if len(predicates) == 1 {
		return predicates[0]
	}
	return Predicate[D]{condition.All(Conditions(predicates))}
}

// Or holds where at least one of the predicates holds, nowhere if there are none.
func Or[D any](predicates ...Predicate[D]) Predicate[D] {
	if len(predicates) == 1 {
		return predicates[0]
	}
	return Predicate[D]{condition.Any(Conditions(predicates))}
}

// Not holds for exactly the documents for which p does not hold. A document without the
// property that p compares is one of them: Not(Speed.Gt(120)) keeps the documents of
// Speed.Le(120) and those without a speed.
func Not[D any](p Predicate[D]) Predicate[D] {
	if n, ok := p.node.(condition.Not); ok {
		return Predicate[D]{n.Of}
	}
	return Predicate[D]{condition.Not{Of: p.Node()}}
}

var errZero = errors.New("the zero Predicate says nothing: make one from a field, or use And() for every document")

// Conditions returns the conditions of predicates.
func Conditions[D any](predicates []Predicate[D]) []condition.Node {
	all := make([]condition.Node, len(predicates))
	for i, p := range predicates {
		all[i] = p.Node()
	}
	return all
}

// Order sorts the documents of a query by a field, which makes it: Speed.Desc().
type Order[D any] struct {
	order condition.Order
	err   error
}

var errNaN = errors.New("NaN is not less than, equal to or greater than any number")

// parse returns the path of a field, and whether its zero value is left out.
func parse(field string) (path string, omitted bool) {
	path, omitted = strings.CutPrefix(field, "?")
	return path, omitted
}

// compare returns the predicate that compares a field with values. Zero says whether it
// holds for the zero value.
func compare[D, V any](field, method string, op condition.Op, zero bool, values ...V) Predicate[D] {
	path, omitted := parse(field)
	c := &condition.Comparison{Property: path, Omitted: omitted, Op: op, Zero: zero}
	for _, v := range values {
		value, err := api.Value(v)
		if f, ok := value.(float64); ok && math.IsNaN(f) {
			err = errNaN
		}
		if err != nil {
			return fails[D](field, method, err)
		}
		c.Values = append(c.Values, value)
	}
	return Predicate[D]{c}
}

func fails[D any](field, method string, err error) Predicate[D] {
	return Predicate[D]{condition.Wrong{Err: fmt.Errorf("field %q: %s: %w", strings.TrimPrefix(field, "?"), method, err)}}
}

func hasValue[D any](field string) Predicate[D] {
	return compare[D, string](field, "HasValue", condition.Exists, false)
}

// sorts returns an order of a field. MongoDB sorts absent values first: that is where the
// zero is if no value is less than zero.
func sorts[D any](field string, descending, signed bool) Order[D] {
	path, omitted := parse(field)
	o := Order[D]{order: condition.Order{Property: path, Omitted: omitted, Descending: descending}}
	if omitted && signed {
		o.err = fmt.Errorf("field %q: documents may lack it where it is zero, and the service sorts these before negative numbers: write the zeros into all documents, and remove omitempty or later from the tags", path)
	}
	return o
}

// signed reports whether V has values less than zero.
func signed[V any]() bool {
	switch reflect.TypeFor[V]().Kind() {
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return false
	}
	return true
}
