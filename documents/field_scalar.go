package documents

import (
	"slices"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
)

// Numeric are the Go types that are stored as numbers.
type Numeric interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 |
		~float32 | ~float64
}

// Number is a field of documents of type D with a number of type V, or a pointer to one. The
// string is the property's path; see [Predicate].
//
// A query that compares with NaN, or with a number that the API cannot represent, returns an
// error: in MongoDB a uint64 above the greatest int64, in NoSQL and Gremlin an infinity or an
// integer beyond 2^53, which Cosmos DB would round to a neighbour.
type Number[D any, V Numeric] string

// Eq holds where the number is v.
func (f Number[D, V]) Eq(v V) Predicate[D] {
	return compare[D](string(f), condition.Eq, v == 0, v)
}

// Ne holds where there is a number other than v.
func (f Number[D, V]) Ne(v V) Predicate[D] {
	return compare[D](string(f), condition.Ne, v != 0, v)
}

// Lt holds where the number is less than v.
func (f Number[D, V]) Lt(v V) Predicate[D] {
	return compare[D](string(f), condition.Lt, 0 < v, v)
}

// Le holds where the number is v or less.
func (f Number[D, V]) Le(v V) Predicate[D] {
	return compare[D](string(f), condition.Le, 0 <= v, v)
}

// Gt holds where the number is greater than v.
func (f Number[D, V]) Gt(v V) Predicate[D] {
	return compare[D](string(f), condition.Gt, 0 > v, v)
}

// Ge holds where the number is v or greater.
func (f Number[D, V]) Ge(v V) Predicate[D] {
	return compare[D](string(f), condition.Ge, 0 >= v, v)
}

// Between holds where the number is from low to high, inclusive, and nowhere if low is greater
// than high.
func (f Number[D, V]) Between(low, high V) Predicate[D] {
	return compare[D](string(f), condition.Between, low <= 0 && 0 <= high, low, high)
}

// In holds where the number is one of values, and nowhere if there are none.
func (f Number[D, V]) In(values ...V) Predicate[D] {
	return compare[D](string(f), condition.In, slices.Contains(values, 0), values...)
}

// HasValue holds where there is a value.
func (f Number[D, V]) HasValue() Predicate[D] { return hasValue[D](string(f)) }

// Asc sorts the smallest number first. MongoDB sorts documents without one first.
func (f Number[D, V]) Asc() Order[D] { return sorts[D](string(f), false, signed[V]()) }

// Desc sorts the greatest number first. MongoDB sorts documents without one last.
func (f Number[D, V]) Desc() Order[D] { return sorts[D](string(f), true, signed[V]()) }

// Bool is a field of documents of type D with a bool of type V, or a pointer to one. The string
// is the property's path; see [Predicate].
type Bool[D any, V ~bool] string

// Eq holds where the value is v.
func (f Bool[D, V]) Eq(v V) Predicate[D] {
	return compare[D](string(f), condition.Eq, !bool(v), v)
}

// Ne holds where there is a value other than v.
func (f Bool[D, V]) Ne(v V) Predicate[D] {
	return compare[D](string(f), condition.Ne, bool(v), v)
}

// HasValue holds where there is a value.
func (f Bool[D, V]) HasValue() Predicate[D] { return hasValue[D](string(f)) }

// Asc sorts false first. MongoDB sorts documents without a value first.
func (f Bool[D, V]) Asc() Order[D] { return sorts[D](string(f), false, false) }

// Desc sorts true first. MongoDB sorts documents without a value last.
func (f Bool[D, V]) Desc() Order[D] { return sorts[D](string(f), true, false) }

// Instant is a field of documents of type D with a time.Time, in NoSQL a repository.Time, or a
// pointer to one. The string is the property's path; see [Predicate].
//
// Stored times are whole milliseconds in MongoDB, and whole 100 ns in the other APIs. Times
// compared with them may be more precise, except in Gremlin, where the query returns an error.
// In NoSQL and Gremlin, a year without exactly four digits is also an error.
type Instant[D any] string

// Eq holds where the time is t, in any zone.
func (f Instant[D]) Eq(t time.Time) Predicate[D] {
	return compare[D](string(f), condition.Eq, t.IsZero(), t)
}

// Ne holds where there is a time other than t.
func (f Instant[D]) Ne(t time.Time) Predicate[D] {
	return compare[D](string(f), condition.Ne, !t.IsZero(), t)
}

// Lt holds where the time is before t.
func (f Instant[D]) Lt(t time.Time) Predicate[D] {
	return compare[D](string(f), condition.Lt, time.Time{}.Before(t), t)
}

// Le holds where the time is t or before it.
func (f Instant[D]) Le(t time.Time) Predicate[D] {
	return compare[D](string(f), condition.Le, !time.Time{}.After(t), t)
}

// Gt holds where the time is after t.
func (f Instant[D]) Gt(t time.Time) Predicate[D] {
	return compare[D](string(f), condition.Gt, time.Time{}.After(t), t)
}

// Ge holds where the time is t or after it.
func (f Instant[D]) Ge(t time.Time) Predicate[D] {
	return compare[D](string(f), condition.Ge, !time.Time{}.Before(t), t)
}

// Between holds where the time is from first to last, inclusive, and nowhere if first is after
// last.
func (f Instant[D]) Between(first, last time.Time) Predicate[D] {
	zero := !first.After(time.Time{}) && !last.Before(time.Time{})
	return compare[D](string(f), condition.Between, zero, first, last)
}

// In holds where the time is one of times, and nowhere if there are none.
func (f Instant[D]) In(times ...time.Time) Predicate[D] {
	return compare[D](string(f), condition.In, slices.ContainsFunc(times, time.Time.IsZero), times...)
}

// HasValue holds where there is a time.
func (f Instant[D]) HasValue() Predicate[D] { return hasValue[D](string(f)) }

// Asc sorts the earliest time first. MongoDB sorts documents without one first.
func (f Instant[D]) Asc() Order[D] { return sorts[D](string(f), false, false) }

// Desc sorts the latest time first. MongoDB sorts documents without one last.
func (f Instant[D]) Desc() Order[D] { return sorts[D](string(f), true, false) }

// Opaque is a field of documents of type D with values that are not compared, such as bytes.
// The string is the property's path; see [Predicate].
//
// Except in NoSQL, lists and maps are opaque. In NoSQL, a time.Time is opaque: its text has as
// many digits of a second as it needs, and any offset, so comparing texts does not compare
// instants; use repository.Time. An interface, and a type with a MarshalJSON but no
// MarshalText, are also opaque. WhereRaw of a query can compare them in SQL.
type Opaque[D any] string

// HasValue holds where there is a value. A nil slice or map is not a value.
func (f Opaque[D]) HasValue() Predicate[D] { return hasValue[D](string(f)) }
