package repository

import (
	"fmt"

	"github.com/cosmos-pkgen/pkgen/repository/internal/predicate"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// Text is a field of documents of type D that holds a V, or a pointer to one. V
// writes itself as a text, by a MarshalText: a UUID, an address. The string is
// the property's JSON pointer, with a question mark before it if Go leaves the
// zero V out; see [Predicate].
//
// Queries compare the texts. Values that differ in Go and have one text are equal
// here. If V's MarshalJSON writes something else than a text, the query returns
// an error.
//
// Eq and In go straight to a place in the index. There is no order, because texts
// seldom sort as their values do. If they do, convert the field to a [String].
type Text[D any, V comparable] string

// Eq holds where the text is that of v.
func (f Text[D, V]) Eq(v V) Predicate[D] {
	var zero V
	return f.written("Eq", compareField[D](string(f), "Eq", "$ = @", v == zero, v))
}

// Ne holds where there is a text other than that of v.
func (f Text[D, V]) Ne(v V) Predicate[D] {
	return f.written("Ne", different[D](string(f), v))
}

// In holds where the text is that of one of the values, nowhere if there are
// none.
func (f Text[D, V]) In(values ...V) Predicate[D] {
	return f.written("In", among[D](string(f), values))
}

// IsDefined holds where the property is present, even as null.
func (f Text[D, V]) IsDefined() Predicate[D] { return definedTest[D](string(f)) }

// IsNull holds where the property is null.
func (f Text[D, V]) IsNull() Predicate[D] { return nullTest[D](string(f)) }

// written returns p, or an invalid predicate if V is not written as a text in
// JSON.
func (f Text[D, V]) written(method string, p Predicate[D]) Predicate[D] {
	if c, ok := p.condition.(*predicate.Comparison); ok && c.Typed != text.IsString {
		var v V
		return fails[D](string(f), method, fmt.Errorf("%T is not a text in JSON: use WhereRaw", v))
	}
	return p
}
