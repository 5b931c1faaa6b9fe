package generated

import "github.com/cosmos-pkgen/pkgen/partition"

// Keys says which logical partitions a query reads. The zero value reads the
// whole container.
//
// A Keys is immutable and safe for concurrent use.
type Keys struct {
	values     int
	at         func(i int) any
	components []partition.Component
	filters    []Filter
}

// Filter is a property that the documents of a query have to have.
type Filter struct {
	Property string // JSON pointer, such as "/vin"
	Value    any    // what encoding/json writes as the property's value
}

// Partition is the one logical partition whose key is text. The components are
// what the text is made of; the query checks them before its first request.
func Partition(text string, components ...partition.Component) Keys {
	return one(text, components)
}

// Number is the one logical partition whose key is the number v.
func Number(v float64, components ...partition.Component) Keys {
	return one(v, components)
}

// Bool is the one logical partition whose key is the boolean v.
func Bool(v bool) Keys {
	return one(v, nil)
}

// Buckets is the logical partitions bucket(1) to bucket(n): all the suffixes of
// one base, which the components make up.
func Buckets(n int, bucket func(int) string, components ...partition.Component) Keys {
	return Keys{
		values:     n,
		at:         func(i int) any { return bucket(i + 1) },
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

// Where returns k for the documents alone whose property, given as a JSON
// pointer, has this value. A logical partition may hold others: those of every
// VIN that has the same bucket.
func (k Keys) Where(property string, value any) Keys {
	k.filters = append(k.filters[:len(k.filters):len(k.filters)], Filter{property, value})
	return k
}

// Filters returns what Where has added, in order. The caller does not change it.
func (k Keys) Filters() []Filter { return k.filters }

// All reports whether k stands for the whole container.
func (k Keys) All() bool { return k.values == 0 }

// Len is the number of logical partitions, 0 for the whole container.
func (k Keys) Len() int { return k.values }

// At returns the partition key value of logical partition i, counted from 0: a
// string, a float64 or a bool.
func (k Keys) At(i int) any { return k.at(i) }

// Check returns the first component that Cosmos DB would refuse, or a key that
// is too long, as a *partition.KeyError of the type typ, or nil.
func (k Keys) Check(typ string) error {
	if err := partition.Check(typ, k.components...); err != nil || k.All() {
		return err
	}
	if text, ok := k.At(k.values - 1).(string); ok { // the last bucket has the longest suffix
		return partition.Check(typ, partition.Key(text))
	}
	return nil
}
