package repository

import (
	"encoding/json"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/internal/predicate"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// List is a field of documents of type D that holds a slice or array of V. The
// string is the property's JSON pointer; see [Predicate]. A []byte is not a list:
// JSON writes it as text, and its field is [Opaque].
type List[D, V any] string

// Contains holds where an element of the list is v. Both are compared as JSON,
// where the order of an object's properties does not matter.
func (f List[D, V]) Contains(v V) Predicate[D] {
	data, _, err := predicate.Encode(&v)
	if err != nil {
		return fails[D](string(f), "Contains", err)
	}
	return Predicate[D]{&predicate.Comparison{
		Field: string(f), Test: "ARRAY_CONTAINS($, @)", Typed: text.IsArray, Values: []json.RawMessage{data},
	}}
}

// IsEmpty holds where the list has no element. A list that is null or absent has
// none: Go writes a nil slice so.
func (f List[D, V]) IsEmpty() Predicate[D] { return testOf[D](string(f), "NOT IS_DEFINED($[0])") }

// IsDefined holds where the property is there, be it null.
func (f List[D, V]) IsDefined() Predicate[D] { return definedTest[D](string(f)) }

// IsNull holds where the property is null, as it is for a nil slice.
func (f List[D, V]) IsNull() Predicate[D] { return nullTest[D](string(f)) }

// Map is a field of documents of type D that holds a map whose values are fields
// of kind F: Map[D, Number[D, int]] is a map of int. The string is the
// property's JSON pointer; see [Predicate].
type Map[D any, F ~string] string

// Key returns the field of the value under a key, such as
// Counters.Key("starts").Gt(3). The key is spelled as in JSON. A key that is not
// in the map is an absent property, although Go's map would return zero.
func (f Map[D, F]) Key(key string) F {
	pointer := string(f)
	if i := strings.IndexByte(pointer, '/'); i > 0 {
		pointer = pointer[i:] // a value is not zero because the map was left out
	}
	return F(pointer + "/" + text.Escape(key))
}

// IsDefined holds where the property is there, be it null.
func (f Map[D, F]) IsDefined() Predicate[D] { return definedTest[D](string(f)) }

// IsNull holds where the property is null, as it is for a nil map.
func (f Map[D, F]) IsNull() Predicate[D] { return nullTest[D](string(f)) }

// Object is a field of documents of type D that holds a struct, or a pointer to
// one. The properties of the struct have fields of their own. The string is the
// property's JSON pointer; see [Predicate].
type Object[D any] string

// IsDefined holds where the property is there, be it null.
func (f Object[D]) IsDefined() Predicate[D] { return definedTest[D](string(f)) }

// IsNull holds where the property is null, as it is for a nil pointer.
func (f Object[D]) IsNull() Predicate[D] { return nullTest[D](string(f)) }

// Opaque is a field of documents of type D whose values queries cannot compare.
// The string is the property's JSON pointer; see [Predicate].
//
// A time.Time is opaque: its text has as many digits of a second as it needs, and
// any offset. Comparing such texts does not compare the instants. Use [Time]
// instead. A []byte, an interface, and a type with a MarshalJSON and no
// MarshalText are opaque, too. [Query.WhereRaw] compares them in SQL.
type Opaque[D any] string

// IsDefined holds where the property is there, be it null.
func (f Opaque[D]) IsDefined() Predicate[D] { return definedTest[D](string(f)) }

// IsNull holds where the property is null.
func (f Opaque[D]) IsNull() Predicate[D] { return nullTest[D](string(f)) }
