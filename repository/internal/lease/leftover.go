package lease

import (
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/partition"
)

// leftovers divides leases in those that are needed and those that are left over
// after a division: other leases, of smaller ranges, cover their range, or one by range
// has taken its place after a merge. A worker that
// crashes leaves one before it removes what it has divided. A worker that was stopped
// in the middle, and goes on after another has divided the same lease and its
// successors, brings one back.
func leftovers(all []Seen) (needed, left []Seen) {
	of := map[Prefix][]Seen{} // leases of one container, by how their ids begin
	for _, s := range all {
		of[s.Lease.prefix()] = append(of[s.Lease.prefix()], s)
	}
	for _, s := range all {
		all := of[s.Lease.prefix()]
		if s.Lease.Range != nil && (coveredBySmaller(all, *s.Lease.Range) || renamed(all, s.Lease)) {
			left = append(left, s)
		} else {
			needed = append(needed, s)
		}
	}
	return needed, left
}

// prefix is what the ids of all leases of one container begin with.
func (l Lease) prefix() Prefix {
	prefix, _, _ := strings.Cut(l.ID, "..")
	return Prefix(prefix)
}

// renamed reports whether there is a lease by range in place of one by the id of a
// physical partition, which was merged.
func renamed(all []Seen, l Lease) bool {
	return !l.byRange && slices.ContainsFunc(all, func(s Seen) bool {
		return s.Lease.byRange && s.Lease.Range != nil && l.Range.within(*s.Lease.Range) && s.Lease.Range.within(*l.Range)
	})
}

// coveredBySmaller reports whether leases of smaller ranges cover r.
func coveredBySmaller(all []Seen, r Range) bool {
	var smaller []Range
	for _, s := range all {
		if other := s.Lease.Range; other != nil && other.within(r) && !r.within(*other) {
			smaller = append(smaller, *other)
		}
	}
	return uncovered(smaller, r) == nil
}

// uncovered returns the first part of r that no range covers, nil if there is none.
func uncovered(ranges []Range, r Range) *Range {
	ranges = slices.SortedFunc(slices.Values(ranges), func(a, b Range) int { return partition.CompareEPK(a.Min, b.Min) })
	next := r.Min
	for _, other := range ranges {
		if partition.CompareEPK(other.Min, next) > 0 {
			if partition.CompareEPK(other.Min, r.Max) > 0 {
				break
			}
			return &Range{next, other.Min}
		}
		if partition.CompareEPK(other.Max, next) > 0 {
			next = other.Max
		}
		if partition.CompareEPK(next, r.Max) >= 0 {
			return nil
		}
	}
	return &Range{next, r.Max}
}
