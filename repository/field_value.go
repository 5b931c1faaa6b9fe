package repository

import (
	"fmt"

	"github.com/cosmos-pkgen/pkgen/repository/internal/predicate"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// Valued is a field of documents of type D that holds a value of type V: a
// [Number], a [String], a [Text], a [Bool] or an [Instant]. No other types
// implement it.
type Valued[D, V any] interface {
	// of returns the field. Its parameters are for type inference alone.
	of(D, V) string
}

func (f Number[D, V]) of(D, V) string  { return string(f) }
func (f String[D, V]) of(D, V) string  { return string(f) }
func (f Text[D, V]) of(D, V) string    { return string(f) }
func (f Bool[D, V]) of(D, V) string    { return string(f) }
func (f Instant[D]) of(D, Time) string { return string(f) }

// valuedField is a field in terms of SQL, for aggregates and for Values. As with
// predicates, a document has a value if the property has the type that V has in
// JSON, or if Go has left a zero out.
type valuedField struct {
	property string
	typed    string // the SQL function that recognizes values of V's type
	omitted  bool   // whether an absent property counts as zero
	where    string // holds for the documents that have a value
	zero     []byte // JSON of V's zero value
}

func fieldOf[D, V any](f Valued[D, V]) (valuedField, error) {
	var document D
	var zero V
	p, err := text.ParseField(f.of(document, zero))
	if err != nil {
		return valuedField{}, err
	}
	field := valuedField{property: p.Property, omitted: p.Omitted}
	if field.zero, field.typed, err = predicate.Encode(&zero); err != nil {
		return valuedField{}, fmt.Errorf("field %s: %w", p.Property, err)
	}
	field.where = field.typed + "(" + p.Property + ")"
	if p.Omitted {
		field.where += " OR " + p.Absent()
	}
	return field, nil
}
