package table

import (
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
)

// Numeric are the Go types that tables store as numbers.
type Numeric interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 |
		~float32 | ~float64
}

// Number is a field of documents of type D that holds a number of type V, or a pointer to
// one. The string is the property's name; see [Predicate].
//
// A stored NaN is equal to nothing. Whether Ne finds it is the service's choice; Azurite
// does not find it.
type Number[D any, V Numeric] string

// Eq holds where the number is v.
func (f Number[D, V]) Eq(v V) Predicate[D] {
	return compare[D](string(f), "Eq", condition.Eq, v)
}

// Ne holds where there is a number other than v.
func (f Number[D, V]) Ne(v V) Predicate[D] {
	return compare[D](string(f), "Ne", condition.Ne, v)
}

// Lt holds where the number is less than v.
func (f Number[D, V]) Lt(v V) Predicate[D] {
	return compare[D](string(f), "Lt", condition.Lt, v)
}

// Le holds where the number is v or less.
func (f Number[D, V]) Le(v V) Predicate[D] {
	return compare[D](string(f), "Le", condition.Le, v)
}

// Gt holds where the number is greater than v.
func (f Number[D, V]) Gt(v V) Predicate[D] {
	return compare[D](string(f), "Gt", condition.Gt, v)
}

// Ge holds where the number is v or greater.
func (f Number[D, V]) Ge(v V) Predicate[D] {
	return compare[D](string(f), "Ge", condition.Ge, v)
}

// Between holds where the number is from low to high, both included: nowhere if low is
// greater than high.
func (f Number[D, V]) Between(low, high V) Predicate[D] {
	return compare[D](string(f), "Between", condition.Between, low, high)
}

// In holds where the number is one of values, nowhere if there are none.
func (f Number[D, V]) In(values ...V) Predicate[D] {
	return compare[D](string(f), "In", condition.In, values...)
}

// Exists holds where there is a value.
func (f Number[D, V]) Exists() Predicate[D] { return exists[D](string(f)) }

// Bool is a field of documents of type D that holds a bool of type V, or a pointer to
// one. The string is the property's name; see [Predicate].
type Bool[D any, V ~bool] string

// Eq holds where the value is v.
func (f Bool[D, V]) Eq(v V) Predicate[D] {
	return compare[D](string(f), "Eq", condition.Eq, v)
}

// Ne holds where there is a value other than v.
func (f Bool[D, V]) Ne(v V) Predicate[D] {
	return compare[D](string(f), "Ne", condition.Ne, v)
}

// Exists holds where there is a value.
func (f Bool[D, V]) Exists() Predicate[D] { return exists[D](string(f)) }

// Bytes is a field of documents of type D that holds bytes of type V. The string is the
// property's name; see [Predicate].
type Bytes[D any, V ~[]byte] string

// Eq holds where the bytes are those of v.
func (f Bytes[D, V]) Eq(v V) Predicate[D] {
	return compare[D](string(f), "Eq", condition.Eq, append([]byte{}, v...))
}

// Ne holds where there are other bytes than those of v.
func (f Bytes[D, V]) Ne(v V) Predicate[D] {
	return compare[D](string(f), "Ne", condition.Ne, append([]byte{}, v...))
}

// Exists holds where there are bytes. A nil slice is no value.
func (f Bytes[D, V]) Exists() Predicate[D] { return exists[D](string(f)) }

// Time is a field of documents of type D that holds a time.Time, or a pointer to one. The
// string is the property's name; see [Predicate].
//
// Stored times are of whole 100 ns: finer parts are cut off. Times that they are compared
// with need not be.
type Time[D any] string

// Eq holds where the time is t, in any zone.
func (f Time[D]) Eq(t time.Time) Predicate[D] {
	return compare[D](string(f), "Eq", condition.Eq, t)
}

// Ne holds where there is a time other than t.
func (f Time[D]) Ne(t time.Time) Predicate[D] {
	return compare[D](string(f), "Ne", condition.Ne, t)
}

// Lt holds where the time is before t.
func (f Time[D]) Lt(t time.Time) Predicate[D] {
	return compare[D](string(f), "Lt", condition.Lt, t)
}

// Le holds where the time is t or before it.
func (f Time[D]) Le(t time.Time) Predicate[D] {
	return compare[D](string(f), "Le", condition.Le, t)
}

// Gt holds where the time is after t.
func (f Time[D]) Gt(t time.Time) Predicate[D] {
	return compare[D](string(f), "Gt", condition.Gt, t)
}

// Ge holds where the time is t or after it.
func (f Time[D]) Ge(t time.Time) Predicate[D] {
	return compare[D](string(f), "Ge", condition.Ge, t)
}

// Between holds where the time is from first to last, both included: nowhere if first is
// after last.
func (f Time[D]) Between(first, last time.Time) Predicate[D] {
	return compare[D](string(f), "Between", condition.Between, first, last)
}

// In holds where the time is one of times, nowhere if there are none.
func (f Time[D]) In(times ...time.Time) Predicate[D] {
	return compare[D](string(f), "In", condition.In, times...)
}

// Exists holds where there is a time.
func (f Time[D]) Exists() Predicate[D] { return exists[D](string(f)) }

// Opaque is a field of documents of type D with values that are not compared. The string
// is the property's name; see [Predicate].
type Opaque[D any] string

// Exists holds where there is a value. A nil slice is not a value.
func (f Opaque[D]) Exists() Predicate[D] { return exists[D](string(f)) }
