package route

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cosmos-pkgen/pkgen/partition"
)

// Range is a physical partition: the documents whose effective partition key
// is at least Min and below Max.
type Range struct {
	ID      string   `json:"id"`
	Min     string   `json:"minInclusive"`
	Max     string   `json:"maxExclusive"`
	Parents []string `json:"parents"`
}

// The bounds of the key space, as the service writes them.
const (
	FirstKey = ""
	LastKey  = "FF"
)

// Map is the physical partitions of a container at one time. They cover the key
// space without gaps or overlaps, in its order. A Map is immutable.
type Map struct {
	RID    string // of the container; no other container of its name has it
	Ranges []Range
}

// newMap makes a map of the ranges that the service has reported, in any order.
// Some of these may have been split or merged since. It returns an error if the
// others do not cover each key once: documents in a gap would be lost in silence,
// and documents in an overlap would come twice.
func newMap(rid string, reported []Range) (*Map, error) {
	gone := map[string]bool{}
	for _, r := range reported {
		for _, parent := range r.Parents {
			gone[parent] = true
		}
	}
	byID := map[string]Range{} // the latest report of a range counts
	for _, r := range reported {
		if !gone[r.ID] {
			byID[r.ID] = r
		}
	}
	ranges := make([]Range, 0, len(byID))
	for _, r := range byID {
		ranges = append(ranges, r)
	}
	slices.SortFunc(ranges, func(a, b Range) int {
		return cmp.Or(partition.CompareEPK(a.Min, b.Min), cmp.Compare(a.ID, b.ID))
	})
	next := FirstKey
	for _, r := range ranges {
		if partition.CompareEPK(r.Min, next) != 0 {
			return nil, fmt.Errorf("physical partition %s begins at %q, not at %q", r.ID, r.Min, next)
		}
		next = r.Max
	}
	if next != LastKey {
		return nil, fmt.Errorf("the physical partitions end at %q, not at %q", next, LastKey)
	}
	return &Map{RID: rid, Ranges: ranges}, nil
}

// Find returns the physical partition that holds the documents of an effective partition key.
func (m *Map) Find(epk string) Range {
	i, exact := slices.BinarySearchFunc(m.Ranges, epk, func(r Range, epk string) int {
		return partition.CompareEPK(r.Min, epk)
	})
	if !exact {
		i--
	}
	return m.Ranges[i]
}

// Overlapping returns the physical partitions that hold some of the keys from
// low to below high.
func (m *Map) Overlapping(low, high string) []Range {
	var found []Range
	for _, r := range m.Ranges {
		if partition.CompareEPK(r.Min, high) < 0 && partition.CompareEPK(low, r.Max) < 0 {
			found = append(found, r)
		}
	}
	return found
}

// Knows reports whether m has the physical partition of this id, or one that was
// split or merged from it.
func (m *Map) Knows(id string) bool {
	return slices.ContainsFunc(m.Ranges, func(r Range) bool {
		return r.ID == id || slices.Contains(r.Parents, id)
	})
}

// Contains reports whether all of r is from low to below high.
func Contains(low, high string, r Range) bool {
	return partition.CompareEPK(low, r.Min) <= 0 && partition.CompareEPK(r.Max, high) <= 0
}
