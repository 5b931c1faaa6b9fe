package value

import (
	"math"
	"strconv"

	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// Limits of the values that a query makes. They are our own: they bound the memory of a query
// that concatenates values, and are far above the 2 MB of a document.
const (
	MaxBytes = 16 << 20 // of JSON text
	MaxItems = 1 << 20  // of an array
)

// OfLiteral makes the value of a constant. Whole numbers that a float64 cannot hold keep
// their text, for functions that count in 64 bits.
func OfLiteral(l *cosmossql.Literal) Value {
	v := Value{kind: l.Kind}
	switch l.Kind {
	case Bool:
		return OfBool(l.Bool)
	case String:
		v.str = l.Text
	case Number:
		v = OfFloat(l.Number)
		if l.Long() {
			v.str = l.Text
		}
	}
	return v
}

// OfInt makes a number of an integer, exactly.
func OfInt(n int64) Value {
	v := OfFloat(float64(n))
	if int64(v.num) != n || math.Abs(v.num) > 1<<53 {
		v.str = strconv.FormatInt(n, 10)
	}
	return v
}

// Integer returns the value of a number that is whole and fits into 64 bits.
func (v Value) Integer() (int64, bool) {
	if v.kind != Number {
		return 0, false
	}
	if n, err := strconv.ParseInt(v.str, 10, 64); err == nil {
		return n, true
	}
	if v.num != math.Trunc(v.num) || v.num < math.MinInt64 || v.num >= math.MaxInt64 {
		return 0, false
	}
	return int64(v.num), true
}

// NonFinite reports whether v is, or holds, a number that JSON cannot hold.
func (v Value) NonFinite() bool {
	if v.comp != nil {
		return v.num < 0
	}
	return v.kind == Number && (math.IsInf(v.num, 0) || math.IsNaN(v.num))
}

// size returns the approximate length of the JSON text of v. An array or object that a query
// made stores its size in num, negated if it holds a number that is not finite, so that a
// decoded document needs no field for it.
func (v Value) size() int {
	switch {
	case v.comp != nil && v.comp.raw != nil:
		return len(v.comp.raw)
	case v.comp != nil:
		return int(math.Abs(v.num))
	case v.kind == Number:
		return max(len(v.str), 8)
	default:
		return len(v.str) + 6
	}
}

// Builder makes an array or an object of values. It leaves undefined values out.
type Builder struct {
	comp Members
	size int
	odd  bool
}

func (b *Builder) count(v Value, more int) {
	b.size += v.size() + more
	b.odd = b.odd || v.NonFinite()
}

// Add puts a value into an array.
func (b *Builder) Add(v Value) {
	if v.kind != Undefined {
		b.comp.items = append(b.comp.items, v)
		b.count(v, 1)
	}
}

// Set sets a property of an object.
func (b *Builder) Set(name string, v Value) {
	if v.kind != Undefined {
		b.comp.set(name, v)
		b.count(v, len(name)+4)
	}
}

// Full reports whether the value exceeds the limits.
func (b *Builder) Full() bool {
	return len(b.comp.items) > MaxItems || b.size > MaxBytes
}

// Array returns the array of the values that were added.
func (b *Builder) Array() Value { return b.value(Array) }

// Object returns the object of the properties that were set.
func (b *Builder) Object() Value { return b.value(Object) }

func (b *Builder) value(kind cosmossql.Kind) Value {
	v := Value{kind: kind, num: float64(b.size + 2), comp: &b.comp}
	if b.odd {
		v.num = -v.num
	}
	return v
}

// Bytes returns the approximate length of the JSON text of v. It takes constant time.
func (v *Value) Bytes() int { return v.size() }
