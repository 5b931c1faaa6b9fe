package documents

import "time"

// Field is a field of documents of type D. Only the field types of this package implement it.
type Field[D any] interface {
	// path returns the path of the property. The parameter is only for type inference.
	path(D) string
}

// Valued is a field of documents of type D with a value of type V: a [Number], a [String], a
// [FullText], a [Text], a [Bool] or an [Instant].
type Valued[D, V any] interface {
	GroupField[D]
	of(V)
}

// GroupField is a field of documents of type D, with values of any type, that can be grouped
// and sorted.
type GroupField[D any] interface {
	Field[D]
	zero() any
}

// NumberField is a [Number] of documents of type D, of any type V.
type NumberField[D any] interface {
	GroupField[D]
	number()
}

// ListField is a [List] of documents of type D whose elements are of type V.
type ListField[D, V any] interface {
	Field[D]
	elements(V)
}

// PathOf returns the path of a field, with its marks. The packages of the APIs call it.
func PathOf[D any](f Field[D]) string {
	var document D
	return f.path(document)
}

// ZeroOf returns a pointer to the zero value of a field's type; for an [Instant], it returns
// the zero time itself. The packages of the APIs call it.
func ZeroOf[D any](f GroupField[D]) any { return f.zero() }

func (f Number[D, V]) path(D) string { return string(f) }
func (f Number[D, V]) zero() any     { return new(V) }
func (f Number[D, V]) of(V)          {}
func (f Number[D, V]) number()       {}
func (f String[D, V]) path(D) string { return string(f) }
func (f String[D, V]) zero() any     { return new(V) }
func (f String[D, V]) of(V)          {}
func (f Text[D, V]) path(D) string   { return string(f) }
func (f Text[D, V]) zero() any       { return new(V) }
func (f Text[D, V]) of(V)            {}
func (f Bool[D, V]) path(D) string   { return string(f) }
func (f Bool[D, V]) zero() any       { return new(V) }
func (f Bool[D, V]) of(V)            {}
func (f Instant[D]) path(D) string   { return string(f) }
func (f Instant[D]) zero() any       { return time.Time{} }
func (f Instant[D]) of(time.Time)    {}
func (f List[D, V]) path(D) string   { return string(f) }
func (f List[D, V]) elements(V)      {}
func (f Map[D, F]) path(D) string    { return string(f) }
func (f Object[D]) path(D) string    { return string(f) }
func (f Opaque[D]) path(D) string    { return string(f) }
func (f Vector[D, E]) path(D) string { return f.pointer() }
