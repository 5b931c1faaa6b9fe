package query

import (
	"errors"

	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Target is a partition key value, or a prefix of levels, and where it is.
type Target struct {
	Value     any
	ID        string // of the one document that is meant; empty means all
	prefix    bool   // whether levels are left out
	low, high string // effective partition keys, once located: of one value, low alone
}

// longList is the number of values above which a range replaces the list of them, if
// few other values are in that range.
const longList = 50

// Bounds of the list of values in one query. The service takes 512 KB of query
// text and parameters; the number keeps evaluation cheap.
const (
	chunkValues = 1000
	chunkBytes  = 200_000
)

// list returns the targets of keys, and nil for the whole container.
func list(s *store.Store, keys generated.Keys) []Target {
	if keys.All() {
		return nil
	}
	values := make([]Target, keys.Len())
	for i := range values {
		values[i] = unlocated(s, keys.At(i))
	}
	return values
}

// unlocated is a partition key value, or a prefix of levels, before it is located.
func unlocated(s *store.Store, value any) Target {
	levels, ok := value.([]any)
	return Target{Value: value, prefix: ok && len(levels) < len(s.Paths)}
}

// locateAll computes the effective partition keys of values.
func locateAll(values []Target) error {
	one := make([]any, 1)
	for i := range values {
		v := &values[i]
		levels, ok := v.Value.([]any)
		if !ok {
			one[0] = v.Value
			levels = one
		}
		var err error
		if v.low, err = partition.EPK(levels...); err != nil {
			return err
		}
		if v.prefix {
			v.high = v.low + route.LastKey // above every key that begins with these levels
		}
	}
	return nil
}

// Locate returns the document at p as a target.
func Locate(s *store.Store, p wire.Place) (Target, error) {
	if p.ID == "" {
		return Target{}, errors.New("the id is empty")
	}
	one := []Target{unlocated(s, p.Value)}
	err := locateAll(one)
	one[0].ID = p.ID
	return one[0], err
}

// within reports whether r holds some of v.
func (v Target) within(r route.Range) bool {
	if !v.prefix {
		return partition.CompareEPK(r.Min, v.low) <= 0 && partition.CompareEPK(v.low, r.Max) < 0
	}
	return partition.CompareEPK(r.Min, v.high) < 0 && partition.CompareEPK(v.low, r.Max) < 0
}

// chunks divides values into lists that one query can hold.
func chunks(values []Target) [][]Target {
	var all [][]Target
	start, size := 0, 0
	for i, v := range values {
		length := len(wire.NameOf(v.Value)) + len(v.ID)
		size += length
		if i-start == chunkValues || size > chunkBytes && i > start {
			all = append(all, values[start:i])
			start, size = i, length
		}
	}
	if start < len(values) {
		all = append(all, values[start:])
	}
	return all
}
