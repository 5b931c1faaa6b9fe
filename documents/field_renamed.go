package documents

import (
	"slices"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
)

// Renamed is a field of documents of type D with a number or a bool of type V, or a pointer to
// one, that is stored under several names, since its tag has was= or next=. The string is the
// property's path; see [Predicate].
//
// The service cannot sort two properties as one, compare their order or add them up. So the
// field has no such methods until the documents are rewritten and the words are removed. The
// same holds for [RenamedString], [RenamedText] and [RenamedInstant].
type Renamed[D any, V comparable] string

// Eq holds where the value is v.
func (f Renamed[D, V]) Eq(v V) Predicate[D] {
	return compare[D](string(f), condition.Eq, v == *new(V), v)
}

// Ne holds where there is a value other than v.
func (f Renamed[D, V]) Ne(v V) Predicate[D] {
	return compare[D](string(f), condition.Ne, v != *new(V), v)
}

// In holds where the value is one of values, and nowhere if there are none.
func (f Renamed[D, V]) In(values ...V) Predicate[D] {
	return compare[D](string(f), condition.In, slices.Contains(values, *new(V)), values...)
}

// HasValue holds where there is a value.
func (f Renamed[D, V]) HasValue() Predicate[D] { return hasValue[D](string(f)) }

// RenamedString is a [String] that is stored under several names; see [Renamed].
type RenamedString[D any, V ~string] string

// Eq holds where the text is v.
func (f RenamedString[D, V]) Eq(v V) Predicate[D] { return String[D, V](f).Eq(v) }

// Ne holds where there is a text other than v.
func (f RenamedString[D, V]) Ne(v V) Predicate[D] { return String[D, V](f).Ne(v) }

// In holds where the text is one of values, and nowhere if there are none.
func (f RenamedString[D, V]) In(values ...V) Predicate[D] { return String[D, V](f).In(values...) }

// EqualFold holds where the text is v if case is ignored; see [String.EqualFold].
func (f RenamedString[D, V]) EqualFold(v V) Predicate[D] { return String[D, V](f).EqualFold(v) }

// StartsWith holds where the text begins with prefix.
func (f RenamedString[D, V]) StartsWith(prefix string) Predicate[D] {
	return String[D, V](f).StartsWith(prefix)
}

// EndsWith holds where the text ends with suffix.
func (f RenamedString[D, V]) EndsWith(suffix string) Predicate[D] {
	return String[D, V](f).EndsWith(suffix)
}

// Contains holds where the text contains part.
func (f RenamedString[D, V]) Contains(part string) Predicate[D] {
	return String[D, V](f).Contains(part)
}

// HasValue holds where there is a text.
func (f RenamedString[D, V]) HasValue() Predicate[D] { return hasValue[D](string(f)) }

// RenamedText is a [Text] that is stored under several names; see [Renamed].
type RenamedText[D any, V comparable] string

// Eq holds where the text is v's.
func (f RenamedText[D, V]) Eq(v V) Predicate[D] { return Text[D, V](f).Eq(v) }

// Ne holds where there is a text other than v's.
func (f RenamedText[D, V]) Ne(v V) Predicate[D] { return Text[D, V](f).Ne(v) }

// In holds where the text is that of one of values, and nowhere if there are none.
func (f RenamedText[D, V]) In(values ...V) Predicate[D] { return Text[D, V](f).In(values...) }

// HasValue holds where there is a text.
func (f RenamedText[D, V]) HasValue() Predicate[D] { return hasValue[D](string(f)) }

// RenamedInstant is an [Instant] that is stored under several names; see [Renamed].
type RenamedInstant[D any] string

// Eq holds where the time is t, in any zone.
func (f RenamedInstant[D]) Eq(t time.Time) Predicate[D] { return Instant[D](f).Eq(t) }

// Ne holds where there is a time other than t.
func (f RenamedInstant[D]) Ne(t time.Time) Predicate[D] { return Instant[D](f).Ne(t) }

// In holds where the time is one of times, and nowhere if there are none.
func (f RenamedInstant[D]) In(times ...time.Time) Predicate[D] { return Instant[D](f).In(times...) }

// HasValue holds where there is a time.
func (f RenamedInstant[D]) HasValue() Predicate[D] { return hasValue[D](string(f)) }

func (f Renamed[D, V]) path(D) string       { return string(f) }
func (f RenamedString[D, V]) path(D) string { return string(f) }
func (f RenamedText[D, V]) path(D) string   { return string(f) }
func (f RenamedInstant[D]) path(D) string   { return string(f) }
