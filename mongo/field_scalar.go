package mongo

import (
	"slices"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
)

// Numeric are the Go types that BSON has as numbers.
type Numeric interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 |
		~float32 | ~float64
}

// Number is a field of documents of type D that holds a number of type V, or a pointer to
// one. The string is the property's path; see [Predicate].
//
// MongoDB compares integers and floating-point numbers exactly. A query whose predicate
// compares with NaN, or with a uint64 above the greatest int64, returns an error.
type Number[D any, V Numeric] string

// Eq holds where the number is v.
func (f Number[D, V]) Eq(v V) Predicate[D] {
	return compare[D](string(f), "Eq", condition.Eq, v == 0, v)
}

// Ne holds where there is a number other than v.
func (f Number[D, V]) Ne(v V) Predicate[D] {
	return compare[D](string(f), "Ne", condition.Ne, v != 0, v)
}

// Lt holds where the number is less than v.
func (f Number[D, V]) Lt(v V) Predicate[D] {
	return compare[D](string(f), "Lt", condition.Lt, 0 < v, v)
}

// Le holds where the number is v or less.
func (f Number[D, V]) Le(v V) Predicate[D] {
	return compare[D](string(f), "Le", condition.Le, 0 <= v, v)
}

// Gt holds where the number is greater than v.
func (f Number[D, V]) Gt(v V) Predicate[D] {
	return compare[D](string(f), "Gt", condition.Gt, 0 > v, v)
}

// Ge holds where the number is v or greater.
func (f Number[D, V]) Ge(v V) Predicate[D] {
	return compare[D](string(f), "Ge", condition.Ge, 0 >= v, v)
}

// Between holds where the number is from low to high, both included: nowhere if low is
// greater than high.
func (f Number[D, V]) Between(low, high V) Predicate[D] {
	return compare[D](string(f), "Between", condition.Between, low <= 0 && 0 <= high, low, high)
}

// In holds where the number is one of values, nowhere if there are none.
func (f Number[D, V]) In(values ...V) Predicate[D] {
	return compare[D](string(f), "In", condition.In, slices.Contains(values, 0), values...)
}

// Exists holds where there is a value.
func (f Number[D, V]) Exists() Predicate[D] { return exists[D](string(f)) }

// Asc sorts the smallest number first, after documents without one.
func (f Number[D, V]) Asc() Order[D] { return sorts[D](string(f), false, signed[V]()) }

// Desc sorts the greatest number first, and documents without one last.
func (f Number[D, V]) Desc() Order[D] { return sorts[D](string(f), true, signed[V]()) }

// Bool is a field of documents of type D that holds a bool of type V, or a pointer to
// one. The string is the property's path; see [Predicate].
type Bool[D any, V ~bool] string

// Eq holds where the value is v.
func (f Bool[D, V]) Eq(v V) Predicate[D] {
	return compare[D](string(f), "Eq", condition.Eq, !bool(v), v)
}

// Ne holds where there is a value other than v.
func (f Bool[D, V]) Ne(v V) Predicate[D] {
	return compare[D](string(f), "Ne", condition.Ne, bool(v), v)
}

// Exists holds where there is a value.
func (f Bool[D, V]) Exists() Predicate[D] { return exists[D](string(f)) }

// Asc sorts false first, after documents without a value.
func (f Bool[D, V]) Asc() Order[D] { return sorts[D](string(f), false, false) }

// Desc sorts true first, and documents without a value last.
func (f Bool[D, V]) Desc() Order[D] { return sorts[D](string(f), true, false) }

// Time is a field of documents of type D that holds a time.Time, or a pointer to one. The
// string is the property's path; see [Predicate].
//
// Stored times are of whole milliseconds. Times that they are compared with need not be:
// Lt(t) holds for the whole millisecond before t. A query with a time more than 292 million
// years from 1970, which BSON cannot hold, returns an error.
type Time[D any] string

// Eq holds where the time is t, in any zone.
func (f Time[D]) Eq(t time.Time) Predicate[D] {
	return compare[D](string(f), "Eq", condition.Eq, t.IsZero(), t)
}

// Ne holds where there is a time other than t.
func (f Time[D]) Ne(t time.Time) Predicate[D] {
	return compare[D](string(f), "Ne", condition.Ne, !t.IsZero(), t)
}

// Lt holds where the time is before t.
func (f Time[D]) Lt(t time.Time) Predicate[D] {
	return compare[D](string(f), "Lt", condition.Lt, time.Time{}.Before(t), t)
}

// Le holds where the time is t or before it.
func (f Time[D]) Le(t time.Time) Predicate[D] {
	return compare[D](string(f), "Le", condition.Le, !time.Time{}.After(t), t)
}

// Gt holds where the time is after t.
func (f Time[D]) Gt(t time.Time) Predicate[D] {
	return compare[D](string(f), "Gt", condition.Gt, time.Time{}.After(t), t)
}

// Ge holds where the time is t or after it.
func (f Time[D]) Ge(t time.Time) Predicate[D] {
	return compare[D](string(f), "Ge", condition.Ge, !time.Time{}.Before(t), t)
}

// Between holds where the time is from first to last, both included: nowhere if first is
// after last.
func (f Time[D]) Between(first, last time.Time) Predicate[D] {
	zero := !first.After(time.Time{}) && !last.Before(time.Time{})
	return compare[D](string(f), "Between", condition.Between, zero, first, last)
}

// In holds where the time is one of times, nowhere if there are none.
func (f Time[D]) In(times ...time.Time) Predicate[D] {
	return compare[D](string(f), "In", condition.In, slices.ContainsFunc(times, time.Time.IsZero), times...)
}

// Exists holds where there is a time.
func (f Time[D]) Exists() Predicate[D] { return exists[D](string(f)) }

// Asc sorts the earliest time first, after documents without one.
func (f Time[D]) Asc() Order[D] { return sorts[D](string(f), false, false) }

// Desc sorts the latest time first, and documents without one last.
func (f Time[D]) Desc() Order[D] { return sorts[D](string(f), true, false) }

// Opaque is a field of documents of type D with values that are not compared: lists, maps,
// bytes. The string is the property's path; see [Predicate].
type Opaque[D any] string

// Exists holds where there is a value. A nil slice or map is not a value.
func (f Opaque[D]) Exists() Predicate[D] { return exists[D](string(f)) }
