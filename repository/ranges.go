package repository

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cosmos-pkgen/pkgen/partition"
)

// keyRange is a physical partition: the documents whose effective partition key
// is at least Min and below Max.
type keyRange struct {
	ID      string   `json:"id"`
	Min     string   `json:"minInclusive"`
	Max     string   `json:"maxExclusive"`
	Parents []string `json:"parents"`
}

// The bounds of the key space, as the service writes them.
const (
	firstKey = ""
	lastKey  = "FF"
)

// rangeMap is the physical partitions of a container at one time: all of the
// key space, without gaps. It is immutable.
type rangeMap struct {
	rid    string // of the container, which another one of that name does not share
	ranges []keyRange
}

// newRangeMap makes a map of the ranges that the service has reported, in any
// order, those that have been split or merged since among them. It returns an
// error if what remains does not cover the key space, each key once: documents
// in a gap would be lost in silence, and those in an overlap come twice.
func newRangeMap(rid string, reported []keyRange) (*rangeMap, error) {
	gone := map[string]bool{}
	for _, r := range reported {
		for _, parent := range r.Parents {
			gone[parent] = true
		}
	}
	byID := map[string]keyRange{} // the latest report of a range counts
	for _, r := range reported {
		if !gone[r.ID] {
			byID[r.ID] = r
		}
	}
	ranges := make([]keyRange, 0, len(byID))
	for _, r := range byID {
		ranges = append(ranges, r)
	}
	slices.SortFunc(ranges, func(a, b keyRange) int {
		return cmp.Or(partition.CompareEPK(a.Min, b.Min), cmp.Compare(a.ID, b.ID))
	})
	next := firstKey
	for _, r := range ranges {
		if partition.CompareEPK(r.Min, next) != 0 {
			return nil, fmt.Errorf("physical partition %s begins at %q, not at %q", r.ID, r.Min, next)
		}
		next = r.Max
	}
	if next != lastKey {
		return nil, fmt.Errorf("the physical partitions end at %q, not at %q", next, lastKey)
	}
	return &rangeMap{rid: rid, ranges: ranges}, nil
}

// find returns the physical partition that holds an effective partition key.
func (m *rangeMap) find(epk string) keyRange {
	i, exact := slices.BinarySearchFunc(m.ranges, epk, func(r keyRange, epk string) int {
		return partition.CompareEPK(r.Min, epk)
	})
	if !exact {
		i--
	}
	return m.ranges[i]
}

// overlapping returns the physical partitions that hold some of the keys from
// low to below high.
func (m *rangeMap) overlapping(low, high string) []keyRange {
	var found []keyRange
	for _, r := range m.ranges {
		if partition.CompareEPK(r.Min, high) < 0 && partition.CompareEPK(low, r.Max) < 0 {
			found = append(found, r)
		}
	}
	return found
}
