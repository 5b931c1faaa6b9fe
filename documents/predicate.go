package documents

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/jsonvalue"
)

// Predicate is a condition on documents of type D. Fields make predicates, such as
// VehicleEventFields.Speed.Gt(120), [And], [Or] and [Not] combine them, and [Query.Where]
// applies them. A predicate of another document type does not compile.
//
// A Predicate is an immutable value: it may be used in several queries and from several
// goroutines. If it is invalid, such as a comparison with NaN, the query returns the error.
//
// Values are sent separately from the query, or as literals with escaped quotes: no text can
// become a part of the query.
//
// # Absent properties
//
// A Predicate has two outcomes for every document, and Not swaps them:
//
//   - A comparison holds only if the property has a value. An absent property and null have
//     none, like a nil pointer in Go. So Ne(v) holds only for another value; Not(Eq(v)) also
//     holds without a value.
//   - If a zero value is left out, by omitempty in BSON, an absent property counts as zero:
//     Eq(0) and Lt(1) hold for it, Ne(0) does not. Tables and graphs store zeros.
//   - HasValue considers only the document: an absent property never counts as zero.
//
// A document written by a Go program therefore matches exactly if the same condition on its
// fields is true in Go.
//
// # Fields
//
// Generated code declares the fields. A field is a string: the path of the property, such as
// "speed" or "meta.speed", after "?" if the property is left out when it is zero. Fields are
// strings, so they convert: Number[Event, int](f) is f as a number, if the program knows more
// about a property than its type says.
//
// In NoSQL the path is a JSON pointer (RFC 6901), such as "/speed" or "/meta/speed". If a Go
// pointer leads to a property that is left out when it is zero, a number after the question
// mark is the number of names that lead to the last pointer: "?1/meta/speed" has no value where
// meta is nil, and counts as zero where meta lacks it. A property whose own Go type is a
// pointer has no question mark, since Go leaves out nil, not zero. Names after < are former
// names of the first property, from the word was of tags, the newest first: "<fullName/name" is
// a name that old documents call fullName. A predicate then uses the newest of these names that
// a document has.
type Predicate[D any] struct {
	node condition.Node // nil in the zero value
}

// PredicateOf returns the predicate of a condition. The packages of the APIs call it.
func PredicateOf[D any](n condition.Node) Predicate[D] { return Predicate[D]{n} }

// Node returns the condition of p, for the packages of the APIs, which translate it into the
// language of their service. That of the zero Predicate is invalid.
func (p Predicate[D]) Node() condition.Node {
	if p.node == nil {
		return condition.Wrong{Err: errZero}
	}
	return p.node
}

// String returns p for display, such as speed > 120. For a predicate that is invalid in every
// API it returns the error's text.
func (p Predicate[D]) String() string { return condition.Text(p.Node()) }

// And holds where all predicates hold, and everywhere if there are none.
func And[D any](predicates ...Predicate[D]) Predicate[D] {
	if len(predicates) == 1 {
		return predicates[0]
	}
	return Predicate[D]{condition.All(Conditions(predicates))}
}

// Or holds where at least one predicate holds, and nowhere if there are none.
func Or[D any](predicates ...Predicate[D]) Predicate[D] {
	if len(predicates) == 1 {
		return predicates[0]
	}
	return Predicate[D]{condition.Any(Conditions(predicates))}
}

// Not holds for exactly the documents for which p does not hold, including those without the
// property that p compares: Not(Speed.Gt(120)) keeps the documents of Speed.Le(120) and those
// without a speed.
func Not[D any](p Predicate[D]) Predicate[D] {
	if n, ok := p.node.(condition.Not); ok {
		return Predicate[D]{n.Of}
	}
	return Predicate[D]{condition.Not{Of: p.Node()}}
}

var errZero = errors.New("the zero Predicate has no condition: make one from a field, or use And() for every document")

// Conditions returns the conditions of predicates.
func Conditions[D any](predicates []Predicate[D]) []condition.Node {
	all := make([]condition.Node, len(predicates))
	for i, p := range predicates {
		all[i] = p.Node()
	}
	return all
}

// Order sorts the documents of a query by a field, as in Speed.Desc().
//
// In NoSQL, documents without the property sort first, then null, false, true, numbers, and
// texts by their UTF-8 bytes. A zero that Go leaves out sorts as an absent property, and so
// before negative numbers. Desc is the reverse.
type Order[D any] struct {
	order condition.Order
	err   error
}

// String returns o for display, such as speed DESC.
func (o Order[D]) String() string {
	if o.order.Descending {
		return condition.Shown(o.order.Property) + " DESC"
	}
	return condition.Shown(o.order.Property) + " ASC"
}

// Node returns the property and the direction of o, for the packages of the APIs.
func (o Order[D]) Node() condition.Order { return o.order }

var errNaN = errors.New("NaN is not less than, equal to or greater than any number")

// parse returns the path of a field, and whether its zero value is left out. In NoSQL the path
// keeps its marks.
func parse(field string) (path string, omitted bool) {
	if condition.IsPointer(field) {
		return field, false
	}
	path, omitted = strings.CutPrefix(field, "?")
	return path, omitted
}

// compare returns the predicate that compares a field with values. zero is whether it holds
// for the zero value.
func compare[D, V any](field string, op condition.Op, zero bool, values ...V) Predicate[D] {
	path, omitted := parse(field)
	c := &condition.Comparison{Property: path, Omitted: omitted, Op: op, Zero: zero}
	if condition.IsPointer(field) {
		for _, v := range values {
			if err := add(c, &v); err != nil {
				return fails[D](field, op, err)
			}
		}
		return Predicate[D]{c}
	}
	for _, v := range values {
		value, err := api.Value(v)
		if f, ok := value.(float64); ok && math.IsNaN(f) {
			err = errNaN
		}
		if err != nil {
			return fails[D](field, op, err)
		}
		c.Values = append(c.Values, value)
	}
	return Predicate[D]{c}
}

// add adds the value that p points to, as NoSQL stores it, to those of a comparison. It refuses
// a value whose JSON type is not the one of its Go type, which the service would compare
// differently.
func add(c *condition.Comparison, p any) error {
	if t, ok := p.(*time.Time); ok && !c.Text && c.Op != condition.HasElement {
		c.Values = append(c.Values, *t)
		return jsonvalue.CheckTime(*t)
	}
	data, err := jsonvalue.Encode(p)
	if err != nil {
		return err
	}
	kind, own := jsonvalue.KindOf(data), reflect.TypeOf(p).Elem()
	ordered := condition.Lt <= c.Op && c.Op <= condition.Between
	switch {
	case c.Op == condition.HasElement:
	case kind == jsonvalue.Null:
		return errors.New("null compares with nothing: use IsNull")
	case len(c.Values) > 0 && jsonvalue.KindOf(c.Values[0].(json.RawMessage)) != kind:
		return errors.New("the values are of different types in JSON: join an Eq for each with Or")
	case c.Text && kind != jsonvalue.String:
		return fmt.Errorf("%v is not a text in JSON: use WhereRaw", own)
	case ordered && own.Kind() == reflect.String && kind != jsonvalue.String:
		return fmt.Errorf("%v is not a text in JSON, so the service cannot order it: use Eq or In", own)
	case ordered && own.Kind() != reflect.String && kind != jsonvalue.Number:
		return fmt.Errorf("%v is not a number in JSON, so the service cannot order it: use Eq or In", own)
	}
	c.Values = append(c.Values, data)
	return nil
}

func fails[D any](field string, op condition.Op, err error) Predicate[D] {
	return Predicate[D]{condition.Wrong{Err: condition.Failed(field, op, err)}}
}

func hasValue[D any](field string) Predicate[D] {
	return compare[D, string](field, condition.Exists, false)
}

// sorts returns an order of a field. MongoDB sorts absent values first, which is right for an
// omitted zero only if no value is less than zero.
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
