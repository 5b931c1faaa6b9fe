package table

import (
	"errors"
	"fmt"
	"math"

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
// Values are sent as literals of OData, so that a text with quotes is a text.
//
// # What the service decides
//
// A filter of OData cannot say that a property is absent. So Not and Exists are not sent:
// the query reads what the rest of its conditions select, and decides them itself. Where
// the rest selects everything, a query reads its logical partitions whole. And
// decides what the service may answer differently, so that a query gives the same
// documents whatever the service.
//
// # Absent properties
//
// A Predicate holds or does not hold for every document, and Not swaps the two: a
// comparison holds only if the property has a value. A nil pointer has none, nor has a
// document from before the property was added. So Ne(v) holds only for another value;
// Not(Eq(v)) also holds without a value.
//
// # Cost
//
// Azure Storage has an index of the partition key and the row key alone, and Cosmos DB
// indexes every property. Azure Storage takes at most 15 comparisons in one filter: In
// counts once for each value. A filter is a part of the URL, of which servers take few
// bytes: a query whose filter has more than 12 KiB there returns an error that says how
// many values of an In fit, some 350 of ten letters, and nothing is sent.
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
// Speed.Le(120) and those without a speed. The service is not asked for it; see
// [Predicate].
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

var errNaN = errors.New("NaN is not less than, equal to or greater than any number")

// compare returns the predicate that compares a field with values.
func compare[D, V any](field, method string, op condition.Op, values ...V) Predicate[D] {
	c := &condition.Comparison{Property: field, Op: op}
	for _, v := range values {
		value, err := documents.Value(v)
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
	return Predicate[D]{condition.Wrong{Err: fmt.Errorf("field %q: %s: %w", field, method, err)}}
}

func exists[D any](field string) Predicate[D] {
	return compare[D, string](field, "Exists", condition.Exists)
}
