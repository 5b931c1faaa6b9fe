package value

import (
	"cmp"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// Compare orders two values as ORDER BY does: undefined, null, false, true,
// numbers, strings by their UTF-8 bytes, arrays, objects. Two arrays, and two
// objects, compare as equal: the service does not order them.
func Compare(a, b Value) int {
	if a.kind != b.kind {
		return cmp.Compare(a.kind, b.kind)
	}
	switch a.kind {
	case Bool, Number:
		return cmp.Compare(a.num, b.num)
	case String:
		return strings.Compare(a.str, b.str)
	default:
		return 0
	}
}

// Equal reports whether two values are the same: they have the same kind and the same content,
// at any depth. The order of an object's properties does not count. Two undefined values are
// equal here, although the operator = is undefined for them.
func Equal(a, b Value) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case Bool, Number:
		return a.num == b.num
	case String:
		return a.str == b.str
	case Array:
		return equalArrays(a.comp.items, b.comp.items)
	case Object:
		return equalObjects(a, b)
	default:
		return true
	}
}

func equalArrays(a, b []Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !Equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

func equalObjects(a, b Value) bool {
	if len(a.comp.fields) != len(b.comp.fields) {
		return false
	}
	for i := range a.comp.fields {
		f := &a.comp.fields[i]
		if !Equal(f.value, b.Get(f.name)) {
			return false
		}
	}
	return true
}

// Includes reports whether hay is an object that has every property of needle, with equal
// values. Other values must be equal. Only the outermost level of hay may have more
// properties, as in the reference interpreter of the .NET SDK's tests.
func Includes(needle, hay Value) bool {
	if needle.kind != Object {
		return Equal(needle, hay)
	}
	for i := range needle.comp.fields {
		f := &needle.comp.fields[i]
		if !Equal(f.value, hay.Get(f.name)) {
			return false
		}
	}
	return hay.kind == Object
}

// Equals is the operator =, which is undefined if an operand is.
func Equals(a, b Value) Truth {
	if a.kind == Undefined || b.kind == Undefined {
		return Unknown
	}
	return TruthOf(Equal(a, b))
}

// Ordered applies an ordering operator: holds is its test of the result of Compare. It is
// undefined for operands of different kinds, for undefined, and for arrays and objects.
func Ordered(a, b Value, holds func(order int) bool) Truth {
	if a.kind != b.kind || a.kind == Undefined || a.kind >= Array {
		return Unknown
	}
	if a.num != a.num || b.num != b.num { // NaN
		return False
	}
	return TruthOf(holds(Compare(a, b)))
}

// Key identifies a null, boolean, number or string in a map. Two values have the same key if
// and only if the operator = is true for them.
type Key struct {
	kind cosmossql.Kind
	num  float64
	str  string
}

// Key returns the map key of a scalar, and false for other values.
func (v Value) Key() (Key, bool) {
	switch v.kind {
	case Null:
		return Key{kind: Null}, true
	case Bool, Number:
		return Key{kind: v.kind, num: v.num}, true
	case String:
		return Key{kind: String, str: v.str}, true
	default:
		return Key{}, false
	}
}
