package repository

import (
	"fmt"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/jsonvalue"
	"github.com/cosmos-pkgen/pkgen/repository/internal/predicate"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// Predicate is a condition on documents of type D, for [Query.Where]: see
// [documents.Predicate].
//
// SQL has three outcomes: a comparison with an absent property is undefined, and so is its
// negation. A Predicate has two outcomes for every document, and Not swaps them.
type Predicate[D any] = documents.Predicate[D]

// Order is a field to sort by, and the direction: see [documents.Order].
type Order[D any] = documents.Order[D]

// And holds where all predicates hold, and everywhere if there are none.
func And[D any](predicates ...Predicate[D]) Predicate[D] { return documents.And(predicates...) }

// Or holds where at least one predicate holds, and nowhere if there are none.
func Or[D any](predicates ...Predicate[D]) Predicate[D] { return documents.Or(predicates...) }

// Not holds for exactly the documents for which p does not hold, including those without the
// property that p compares: Not(Speed.Gt(120)) keeps the documents of Speed.Le(120) and those
// without a speed.
func Not[D any](p Predicate[D]) Predicate[D] { return documents.Not(p) }

// IsDefined holds where the property of a field is present, even as null. An absent property
// never counts as zero here.
func IsDefined[D any](f documents.Field[D]) Predicate[D] { return ask(f, condition.Defined) }

// IsNull holds where the property of a field is null, such as a nil pointer, slice or map that
// is not left out.
func IsNull[D any](f documents.Field[D]) Predicate[D] { return ask(f, condition.Null) }

func ask[D any](f documents.Field[D], op condition.Op) Predicate[D] {
	return documents.PredicateOf[D](&condition.Comparison{Property: documents.PathOf(f), Op: op})
}

// valuedField is the SQL of a field, for aggregates, groups and Values. As with predicates, a
// document has a value if the property has the field's JSON type, or if Go has left a zero out.
type valuedField struct {
	property string
	typed    string // the SQL function that recognizes values of the field's type
	omitted  bool   // whether an absent property counts as zero
	held     bool   // in a struct that may be nil, and then there is no zero
	absent   string // SQL that is true where Go has left a zero out
	where    string // holds for the documents that have a value
	zero     []byte // JSON of the zero of this type
	instant  bool   // stored as a Time, and a time.Time in Go
}

// fieldOf returns the SQL of a field.
func fieldOf[D any](f documents.GroupField[D]) (valuedField, error) {
	p, err := text.ParseField(documents.PathOf[D](f))
	if err != nil {
		return valuedField{}, err
	}
	if p.Aliases != nil {
		return valuedField{}, fmt.Errorf("field %s: %w", p.Property, text.ErrRenamed)
	}
	own := valuedField{property: p.Property, omitted: p.Omitted, held: p.Holder != "", absent: p.Absent()}
	zero := documents.ZeroOf(f)
	if _, own.instant = zero.(time.Time); own.instant {
		zero = &Time{}
	}
	if own.zero, err = jsonvalue.Encode(zero); err != nil {
		return own, fmt.Errorf("field %s: %w", p.Property, err)
	}
	own.typed = predicate.Typed(own.zero)
	own.where = own.typed + "(" + p.Property + ")"
	if p.Omitted {
		own.where += " OR " + own.absent
	}
	return own, nil
}
