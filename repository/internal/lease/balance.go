package lease

import (
	"slices"
)

// Seen is what a balance knows of a lease.
type Seen struct {
	Lease   Lease
	Expired bool // its owner has not renewed it for an interval
}

// free reports whether nobody has the lease.
func (s Seen) free() bool { return s.Lease.Owner == "" || s.Expired }

// Take returns the leases that a worker should acquire now, by the rule of the SDKs
// for .NET (EqualPartitionsBalancingStrategy): each worker is to have as many leases
// as there are for each of those that have some and for itself, rounded up. A worker
// that has fewer takes leases that are free or have expired. If there are none, it
// steals one from the worker that has most, and then another while it may.
//
// Workers who look at the same time choose different leases: order, a permutation of
// n indexes, says in which order free ones are taken. It is rand.Perm outside tests.
func Take(all []Seen, worker string, steals int, order func(n int) []int) []Lease {
	if len(all) == 0 {
		return nil
	}
	counts := map[string]int{worker: 0}
	var free []Lease
	for _, s := range all {
		if s.free() {
			free = append(free, s.Lease)
		} else {
			counts[s.Lease.Owner]++
		}
	}
	target := (len(all) + len(counts) - 1) / len(counts)
	needed := target - counts[worker]
	switch {
	case needed <= 0:
		return nil
	case len(free) > 0:
		var taken []Lease
		for _, i := range order(len(free))[:min(needed, len(free))] {
			taken = append(taken, free[i])
		}
		return taken
	default:
		var stolen []Lease
		for range min(steals, needed) {
			one := steal(all, counts, stolen, worker, target, needed-len(stolen))
			if one == nil {
				break
			}
			stolen = append(stolen, *one)
			counts[one.Owner]--
		}
		return stolen
	}
}

// steal returns one lease of the worker that has most, if it has more than it should:
// more than target, or target itself where two leases are needed or more.
func steal(all []Seen, counts map[string]int, stolen []Lease, worker string, target, needed int) *Lease {
	fullest := ""
	for owner, n := range counts {
		if owner != worker && (fullest == "" || n > counts[fullest] || n == counts[fullest] && owner < fullest) {
			fullest = owner
		}
	}
	limit := target
	if needed > 1 {
		limit--
	}
	if fullest == "" || counts[fullest] <= limit {
		return nil
	}
	i := slices.IndexFunc(all, func(s Seen) bool {
		return s.Lease.Owner == fullest && !slices.ContainsFunc(stolen, func(l Lease) bool { return l.ID == s.Lease.ID })
	})
	return &all[i].Lease
}
