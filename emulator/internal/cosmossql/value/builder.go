package cosmossql

import (
	"math"
	"strconv"
)

// Limits of the values that a query makes. They are our own: they bound the memory
// of a query whatever it concatenates, and are far above the 2 MB that a document
// may have.
const (
	maxMadeBytes = 16 << 20 // of JSON text
	maxMadeItems = 1 << 20  // of an array
)

// numberText makes a number that is written as text. Whole numbers that a float64
// cannot hold keep their text, for functions that count in 64 bits.
func numberText(f float64, text string) Value {
	v := numberValue(f)
	if math.Abs(f) > 1<<53 {
		if _, err := strconv.ParseInt(text, 10, 64); err == nil {
			v.str = text
		}
	}
	return v
}

// intValue makes a number of an integer, exactly.
func intValue(n int64) Value {
	v := numberValue(float64(n))
	if int64(v.num) != n || math.Abs(v.num) > 1<<53 {
		v.str = strconv.FormatInt(n, 10)
	}
	return v
}

// integer returns the value of a number that is whole and fits into 64 bits.
func (v Value) integer() (int64, bool) {
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

// odd reports whether v is, or holds, a number that JSON cannot hold.
func (v Value) odd() bool {
	if v.comp != nil {
		return v.num < 0
	}
	return v.kind == Number && (math.IsInf(v.num, 0) || math.IsNaN(v.num))
}

// size is about the length of the JSON text of v. An array or object that a query
// made keeps its size in num, negated if the value is odd, so that a decoded
// document needs no field for it.
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

// builder makes an array or an object of values. It leaves undefined values out.
type builder struct {
	comp composite
	size int
	odd  bool
}

func (b *builder) count(v Value, more int) {
	b.size += v.size() + more
	b.odd = b.odd || v.odd()
}

// add puts a value into an array.
func (b *builder) add(v Value) {
	if v.kind != Undefined {
		b.comp.items = append(b.comp.items, v)
		b.count(v, 1)
	}
}

// set sets a property of an object.
func (b *builder) set(name string, v Value) {
	if v.kind != Undefined {
		b.comp.set(name, v)
		b.count(v, len(name)+4)
	}
}

// full reports whether the value has grown too large.
func (b *builder) full() bool {
	return len(b.comp.items) > maxMadeItems || b.size > maxMadeBytes
}

func (b *builder) array() Value  { return b.value(Array) }
func (b *builder) object() Value { return b.value(Object) }

func (b *builder) value(kind Kind) Value {
	v := Value{kind: kind, num: float64(b.size + 2), comp: &b.comp}
	if b.odd {
		v.num = -v.num
	}
	return v
}
