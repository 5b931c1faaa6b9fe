package repository

import (
	"encoding/json"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/internal/predicate"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// List is a field of documents of type D that holds a slice or array of V. The
// string is the property's JSON pointer; see [Predicate]. A []byte is no list:
// JSON has it as text, and its field is [Opaque].
type List[D, V any] string

// Contains holds where an element of the list is v: the same in JSON, whatever
// the order of an object's properties.
func (f List[D, V]) Contains(v V) Predicate[D] {
	data, _, err := predicate.Encode(v)
	if err != nil {
		return fails[D](string(f), "Contains", err)
	}
	return Predicate[D]{&predicate.Comparison{
		Field: string(f), Test: "ARRAY_CONTAINS($, @)", Typed: text.IsArray, Values: []json.RawMessage{data},
	}}
}

// IsEmpty holds where the list has no element: also where it is null or not
// there, which is how Go writes a nil slice.
func (f List[D, V]) IsEmpty() Predicate[D] { return testOf[D](string(f), "NOT IS_DEFINED($[0])") }

// IsDefined holds where the property is there, be it null.
func (f List[D, V]) IsDefined() Predicate[D] { return definedTest[D](string(f)) }

// IsNull holds where the property is null, as it is for a nil slice.
func (f List[D, V]) IsNull() Predicate[D] { return nullTest[D](string(f)) }

// Map is a field of documents of type D that holds a map whose values are fields
// of kind F: Map[D, Number[D, int]] is a map of int. The string is the
// property's JSON pointer; see [Predicate].
type Map[D any, F ~string] string

// Key returns the field of the value under a key, given as JSON writes it:
// Counters.Key("starts").Gt(3). A key that is not in the map is an absent
// property, also where Go's map would give zero.
func (f Map[D, F]) Key(key string) F {
	pointer := string(f)
	if i := strings.IndexByte(pointer, '/'); i > 0 {
		pointer = pointer[i:] // what is left out with the map is not zero
	}
	return F(pointer + "/" + text.Escape(key))
}

// IsDefined holds where the property is there, be it null.
func (f Map[D, F]) IsDefined() Predicate[D] { return definedTest[D](string(f)) }

// IsNull holds where the property is null, as it is for a nil map.
func (f Map[D, F]) IsNull() Predicate[D] { return nullTest[D](string(f)) }

// Object is a field of documents of type D that holds a struct, or a pointer to
// one. What the struct holds has fields of its own. The string is the property's
// JSON pointer; see [Predicate].
type Object[D any] string

// IsDefined holds where the property is there, be it null.
func (f Object[D]) IsDefined() Predicate[D] { return definedTest[D](string(f)) }

// IsNull holds where the property is null, as it is for a nil pointer.
func (f Object[D]) IsNull() Predicate[D] { return nullTest[D](string(f)) }

// Opaque is a field of documents of type D whose values queries cannot compare.
// The string is the property's JSON pointer; see [Predicate].
//
// A time.Time is one: its text has as many digits of a second as it needs, and
// any offset, so that neither the order of texts nor their equality is that of
// the instants. Use [Time] instead. Others are []byte, interfaces, and types that
// have a MarshalJSON and no MarshalText. Query.WhereRaw takes what SQL can do
// with them.
type Opaque[D any] string

// IsDefined holds where the property is there, be it null.
func (f Opaque[D]) IsDefined() Predicate[D] { return definedTest[D](string(f)) }

// IsNull holds where the property is null.
func (f Opaque[D]) IsNull() Predicate[D] { return nullTest[D](string(f)) }
