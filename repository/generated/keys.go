package generated

import (
	"reflect"
	"slices"
	"time"

	"github.com/cosmos-pkgen/pkgen/partition"
)

// Keys are the logical partitions that a query reads. The zero value is the whole container.
//
// A Keys is immutable and safe for concurrent use. The run time calls [Keys.Resolve], which
// finds errors in it, when it makes the query.
type Keys struct {
	values     int
	list       []any // the values, if they are not those of a function
	at         func(i int) any
	span       *span // of Periods and PeriodBuckets, until it is resolved
	within     string
	prefix     string
	sorted     bool
	components []partition.Component
	filters    []Filter
	in         *in // of types with several containers; nil means all of them
}

// Value is a partition key value that generated code makes: a text, or the levels
// of a hierarchical key for [Levels] and [Prefix].
type Value interface{ string | []any }

// Partition is the logical partition whose key is text. The text is made of the components,
// which the query checks before its first request.
func Partition(text string, components ...partition.Component) Keys {
	return one(text, components)
}

// Number is the logical partition whose key is the number v.
func Number(v float64, components ...partition.Component) Keys {
	return one(v, components)
}

// Bool is the logical partition whose key is the boolean v.
func Bool(v bool) Keys {
	return one(v, nil)
}

// Levels is the logical partition whose hierarchical key has exactly these levels: a string, a
// float64 or a bool each.
func Levels(values []any, components ...partition.Component) Keys {
	return one(values, components)
}

// Prefix are all logical partitions whose hierarchical keys begin with these levels and have
// more: a string, a float64 or a bool each.
func Prefix(values []any, components ...partition.Component) Keys {
	return one(values, components)
}

// Buckets are the logical partitions, or prefixes, bucket(1) to bucket(n): all suffixes of one
// base, which is made of the components.
func Buckets[V Value](n int, bucket func(int) V, components ...partition.Component) Keys {
	return Keys{
		values:     n,
		at:         func(i int) any { return bucket(i + 1) },
		components: components,
	}
}

// AnyOf are the logical partitions, or prefixes, of values, which may have repetitions: all
// places that documents of one key may have while a number of buckets grows.
func AnyOf[V Value](values []V, components ...partition.Component) Keys {
	all := make([]any, len(values))
	for i, v := range values {
		all[i] = v
	}
	return listed(Keys{components: components}, distinct(nil, all))
}

// listed returns k with a list of keys.
func listed(k Keys, values []any) Keys {
	k.list = values
	k.values = len(values)
	k.at = func(i int) any { return values[i] }
	return k
}

// distinct appends the values that list does not have.
func distinct(list, values []any) []any {
	for _, v := range values {
		if !slices.ContainsFunc(list, func(known any) bool { return reflect.DeepEqual(known, v) }) {
			list = append(list, v)
		}
	}
	return list
}

// PeriodsAnyOf is Periods for documents that may each be in one of several logical partitions,
// as AnyOf is Partition for them. The function keys returns the same number of keys for each
// period.
func PeriodsAnyOf[V Value](from, to time.Time, layout string, n int, keys func(start time.Time) []V, components ...partition.Component) Keys {
	return Keys{
		span: &span{
			from: from, to: to, layout: layout, buckets: n,
			keys: func(start time.Time) []any {
				all := make([]any, 0, n)
				for _, v := range keys(start) {
					all = append(all, v)
				}
				return distinct(nil, all)
			},
		},
		components: components,
	}
}

// Periods are the logical partitions, or prefixes, of all periods that a range of time touches,
// including the period of its end. The periods are years, months, days or hours of UTC, by the
// layout of package time. The function key returns the key of the period that begins at start.
func Periods[V Value](from, to time.Time, layout string, key func(start time.Time) V, components ...partition.Component) Keys {
	return PeriodBuckets(from, to, layout, 1, func(start time.Time, _ int) V { return key(start) }, components...)
}

// PeriodBuckets is Periods for keys with a suffix: buckets 1 to n of every period.
func PeriodBuckets[V Value](from, to time.Time, layout string, n int, key func(start time.Time, bucket int) V, components ...partition.Component) Keys {
	return Keys{
		span: &span{
			from: from, to: to, layout: layout, buckets: n,
			key: func(start time.Time, bucket int) any { return key(start, bucket) },
		},
		components: components,
	}
}

func one(value any, components []partition.Component) Keys {
	return Keys{
		values:     1,
		at:         func(int) any { return value },
		components: components,
	}
}

// Prefix declares that k has all buckets of one base, and that few other keys of the container
// begin with this text: the base and the separator before the bucket. The base is an integer or
// a formatted time. A query may then select the keys that begin with the text, one range of the
// index, instead of a list of keys.
func (k Keys) Prefix(text string) Keys {
	k.prefix = text
	return k
}

// CommonPrefix returns the text set by Prefix, or "".
func (k Keys) CommonPrefix() string { return k.prefix }

// Sorted declares that k has the keys of a range of periods, and that few other keys of the
// container sort between the first and the last of them as texts. A query may then select all
// keys from the first to the last, one range of the index, instead of a long list.
func (k Keys) Sorted() Keys {
	k.sorted = true
	return k
}

// Within restricts k, the keys of a range of periods or those of Between, to documents whose
// property is in the range: at its start or later, and before its end. The property is a JSON
// pointer to a repository.Time, which is in UTC with seven digits of a second, so that its
// texts sort as times.
func (k Keys) Within(property string) Keys {
	k.within = property
	return k
}

// IsSorted reports whether Sorted was called.
func (k Keys) IsSorted() bool { return k.sorted }

// All reports whether k is the whole container.
func (k Keys) All() bool { return k.values == 0 && k.span == nil }

// Len is the number of logical partitions or prefixes, 0 for the whole container, and for
// periods before Resolve.
func (k Keys) Len() int { return k.values }

// At returns the partition key value of logical partition i, counted from 0: a
// string, a float64, a bool, or an []any of these for a hierarchical key.
func (k Keys) At(i int) any { return k.at(i) }
