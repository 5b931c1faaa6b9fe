package query

import (
	"fmt"
	"slices"

	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// pageJobs returns the jobs that read a page. Each answers for a part of the key
// space, and no two of them for the same.
func (q Selection) pageJobs(jobs []job, strategy store.Strategy, from *position) ([]job, error) {
	if strategy != store.PerKey {
		return pieces(jobs, from), nil
	}
	// In the order that physical partitions have, where these are not known, too.
	values := list(q.Store, q.keys)
	if err := locateAll(values); err != nil {
		return nil, err
	}
	for i := range jobs {
		jobs[i].low, jobs[i].high = values[i].low, afterKey(values[i].low)
	}
	slices.SortFunc(jobs, func(a, b job) int { return partition.CompareEPK(a.low, b.low) })
	for i := range jobs[1:] {
		if partition.CompareEPK(jobs[i].low, jobs[i+1].low) == 0 {
			return nil, fmt.Errorf("query %s: two of its partition keys have one effective partition key: page over each of them", q.TypeName())
		}
	}
	return jobs, nil
}

// afterKey returns a bound above an effective partition key and below those of
// all other partition keys.
func afterKey(epk string) string { return epk + "1" }

// pieces cuts the jobs of physical partitions, so that a list of partition keys is
// one of a part of the key space. It does not cross the end of a stretch, so that
// the tokens of a position fit.
func pieces(jobs []job, from *position) []job {
	var all []job
	for len(jobs) > 0 {
		n := 1
		for n < len(jobs) && jobs[n].in.ID == jobs[0].in.ID && jobs[n].low == jobs[0].low {
			n++
		}
		all = append(all, cut(jobs[:n], from)...)
		jobs = jobs[n:]
	}
	return all
}

// cut cuts the jobs of one physical partition, which differ in their lists.
func cut(jobs []job, from *position) []job {
	whole := jobs[0]
	if whole.values == nil {
		return jobs[:1]
	}
	var values []Target
	for _, j := range jobs {
		values = append(values, j.values...)
	}
	sortValues(values)
	var all []job
	start, size, low := 0, 0, whole.low
	end := func(i int, high string) {
		part := whole
		part.values, part.name = values[start:i], ""
		part.low, part.high = low, high
		if len(part.values) == 1 {
			part.name = wire.NameOf(part.values[0].Value)
		}
		all = append(all, part)
		start, size, low = i, 0, high
	}
	for i, v := range values {
		if i > start {
			if bound := from.boundBetween(values[i-1].low, v.low); bound != "" {
				end(i, bound)
			} else if i-start == chunkValues || size > chunkBytes {
				end(i, v.low)
			}
		}
		size += len(wire.NameOf(v.Value))
	}
	end(len(values), whole.high)
	return all
}

// sortValues sorts values by their places in the key space.
func sortValues(values []Target) {
	slices.SortStableFunc(values, func(a, b Target) int { return partition.CompareEPK(a.low, b.low) })
}

// boundBetween returns the end of a stretch above low and not above high, or
// nothing.
func (p *position) boundBetween(low, high string) string {
	for _, s := range p.Stretches {
		if partition.CompareEPK(low, s.Max) < 0 && partition.CompareEPK(s.Max, high) <= 0 {
			return s.Max
		}
	}
	return ""
}

// listed returns the partition keys of the query from one place in the key space
// to below another: those that a query lists for all that lies there.
func (r *pageRun) listed(from, to string) ([]Target, error) {
	if r.values == nil {
		values := list(r.store, r.q.keys)
		if err := locateAll(values); err != nil {
			return nil, err
		}
		sortValues(values)
		r.values = values
	}
	var found []Target
	for _, v := range r.values {
		if v.within(route.Range{Min: from, Max: to}) {
			found = append(found, v)
		}
	}
	return found, nil
}
