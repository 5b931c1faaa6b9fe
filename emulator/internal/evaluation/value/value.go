package value

import (
	"iter"
	"strconv"

	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// The kinds of values.
const (
	Undefined = cosmossql.KindUndefined
	Null      = cosmossql.KindNull
	Bool      = cosmossql.KindBool
	Number    = cosmossql.KindNumber
	String    = cosmossql.KindString
	Array     = cosmossql.KindArray
	Object    = cosmossql.KindObject
)

// Value is a JSON value or undefined. The zero Value is undefined. Values are
// immutable and may be shared between goroutines.
//
// The methods that evaluations call most often have pointer receivers: where the compiler
// inlines a method of a Value, it copies the Value first.
type Value struct {
	kind cosmossql.Kind
	num  float64  // Number; for Bool 0 or 1; for others see Value.size
	str  string   // String; for a decoded Number its text
	comp *Members // for Array and Object
}

// Members is the content of an array or an object. A pointer to it takes less memory than a
// Value. The zero Members is empty.
type Members struct {
	raw    []byte // the JSON text it was decoded from; nil if a query made it
	items  []Value
	fields []field
	index  map[string]int // position in fields; nil if there are few
}

type field struct {
	name  string
	value Value
}

var (
	nullValue  = Value{kind: Null}
	falseValue = Value{kind: Bool}
	trueValue  = Value{kind: Bool, num: 1}
)

// OfNull returns null.
func OfNull() Value { return nullValue }

// OfBool returns a boolean.
func OfBool(b bool) Value {
	if b {
		return trueValue
	}
	return falseValue
}

// OfFloat returns a number. NaN and the infinities are numbers within a query,
// as IS_FINITE_NUMBER shows, but neither documents nor rows can hold them. Negative
// zero becomes zero.
func OfFloat(f float64) Value { return Value{kind: Number, num: f + 0} }

// OfString returns a string.
func OfString(s string) Value { return Value{kind: String, str: s} }

// Kind returns the type of v.
func (v *Value) Kind() cosmossql.Kind { return v.kind }

// Bool returns the value of a Bool, and false for every other kind.
func (v Value) Bool() bool { return v.kind == Bool && v.num != 0 }

// Float returns the value of a Number, and 0 for every other kind. Numbers are
// 64-bit floating point, as in the service.
func (v *Value) Float() float64 {
	if v.kind != Number {
		return 0
	}
	return v.num
}

// Text returns the characters of a String, and "" for every other kind.
func (v *Value) Text() string {
	if v.kind != String {
		return ""
	}
	return v.str
}

// Len returns the number of elements of an Array or of properties of an Object,
// and 0 for every other kind.
func (v Value) Len() int {
	if v.comp == nil {
		return 0
	}
	return len(v.comp.items) + len(v.comp.fields)
}

// At returns element i of an Array, counted from 0. It is undefined if v is not
// an array, or has no such element.
func (v Value) At(i int) Value {
	if v.kind != Array || i < 0 || i >= len(v.comp.items) {
		return Value{}
	}
	return v.comp.items[i]
}

// Items returns the elements of an Array, and nil for every other kind. The caller must
// not change them.
func (v Value) Items() []Value {
	if v.kind != Array {
		return nil
	}
	return v.comp.items
}

// Properties returns the properties of an Object in their order. Other kinds have
// none.
func (v Value) Properties() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if v.kind != Object {
			return
		}
		for _, f := range v.comp.fields {
			if !yield(f.name, f.value) {
				return
			}
		}
	}
}

// Position reads a value as the position of an array element or as a number of rows.
func (v Value) Position() (int, bool) {
	if v.kind != Number {
		return 0, false
	}
	return cosmossql.Position(v.num)
}

// Members returns the content of an Array or Object, and nil for every other kind.
func (v *Value) Members() *Members { return v.comp }

// Get returns the property name of an Object. It is undefined if v is not an object, or has no
// such property. If several properties have the name, the last one counts.
func (v Value) Get(name string) Value {
	if v.kind != Object {
		return Value{}
	}
	return v.comp.Get(name)
}

// Object returns the object with these properties.
func (c *Members) Object() Value { return Value{kind: Object, comp: c} }

// With returns a copy with a property, which replaces one of the same name. An undefined value
// removes the property from the copy. The text stays the text of c.
func (c *Members) With(name string, v Value) *Members {
	out := &Members{raw: c.raw, fields: make([]field, 0, len(c.fields)+1)}
	for _, f := range c.fields {
		if f.name != name {
			out.fields = append(out.fields, f)
		}
	}
	if v.kind != Undefined {
		out.fields = append(out.fields, field{name, v})
	}
	return out
}

// Get returns the property of a name, or undefined.
func (c *Members) Get(name string) Value {
	if c.index != nil {
		if i, ok := c.index[name]; ok {
			return c.fields[i].value
		}
		return Value{}
	}
	for i := range c.fields {
		if c.fields[i].name == name {
			return c.fields[i].value
		}
	}
	return Value{}
}

// JSON returns the JSON text of v, or nil if v is undefined. A decoded array or object returns
// the bytes from which it was decoded, not a copy: the caller must not change them.
func (v Value) JSON() []byte {
	if v.comp != nil && v.comp.raw != nil {
		return v.comp.raw
	}
	return v.AppendJSON(nil)
}

// AppendJSON appends the JSON text of v to dst and returns the longer slice. It
// appends nothing for an undefined value.
func (v Value) AppendJSON(dst []byte) []byte {
	switch v.kind {
	case Undefined:
		return dst
	case Null:
		return append(dst, "null"...)
	case Bool:
		return strconv.AppendBool(dst, v.num != 0)
	case Number:
		if v.str != "" {
			return append(dst, v.str...)
		}
		return cosmossql.AppendNumber(dst, v.num)
	case String:
		return cosmossql.AppendQuoted(dst, v.str)
	default:
		return v.appendComposite(dst)
	}
}

func (v Value) appendComposite(dst []byte) []byte {
	switch {
	case v.comp.raw != nil:
		return append(dst, v.comp.raw...)
	case v.kind == Array:
		dst = append(dst, '[')
		for i, item := range v.comp.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.AppendJSON(dst)
		}
		return append(dst, ']')
	default:
		dst = append(dst, '{')
		for i := range v.comp.fields {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(cosmossql.AppendQuoted(dst, v.comp.fields[i].name), ':')
			dst = v.comp.fields[i].value.AppendJSON(dst)
		}
		return append(dst, '}')
	}
}
