package simulate

import (
	"math"
	"slices"
)

// result returns the report of a layout.
func (t *tally) result(layout string, indexes []*index) Result {
	r := Result{Layout: layout, Methods: t.byMethod(), Physical: byPartition(t.demand, t.physical), BySeconds: t.bySecond()}
	units := 0.0
	for _, m := range t.methods {
		r.Operations += m.began
		r.Completed += m.completed
		r.Failed += m.failed
		r.Throttled += m.refused
		units += m.units
	}
	for i, x := range t.indexes {
		// The container's figures exclude its indexes.
		r.Throttled -= x.queries.refused
		units -= x.queries.units
		r.Indexes = append(r.Indexes, x.result(&t.scenario.Indexes[i], indexes[i].place.layout.String()))
	}
	r.Unfinished = r.Operations - r.Completed - r.Failed
	r.RequestUnits = rounded(units)
	r.PerSecond = rounded(float64(r.Completed) / float64(t.scenario.Seconds))
	all := make(times)
	for _, l := range t.latencies {
		for took, n := range l {
			all.add(took, n)
		}
	}
	r.Latency = all.latency()
	t.ceiling(&r)
	return r
}

// ceiling sets the operations that the busiest physical partition allows: when it is at its limit,
// the others do less, in proportion to their shares of the operations.
func (t *tally) ceiling(r *Result) {
	total, busiest := sum(t.demand), slices.Max(t.demand)
	if total == 0 {
		return
	}
	r.BusiestShare = rounded(busiest / total)
	r.Effective = rounded(total / busiest)
	rate := t.scenario.Throughput / float64(t.scenario.Partitions)
	r.Sustainable = rounded(rate / busiest * float64(r.Operations))
}

// byMethod returns the figures of each operation of the scenario.
func (t *tally) byMethod() []Method {
	all := make([]Method, len(t.methods))
	for i, m := range t.methods {
		all[i] = Method{
			Name: t.scenario.Operations[i].Name, Operations: m.began, Completed: m.completed, Failed: m.failed,
			Throttled: m.refused, RequestUnits: rounded(m.units), Latency: t.latencies[i].latency(),
		}
	}
	return all
}

// byPartition returns the figures of each physical partition, from its demand and what it served in
// each second.
func byPartition(demand []float64, physical [][]share) []Physical {
	total := sum(demand)
	all := make([]Physical, len(demand))
	for i := range all {
		p := &all[i]
		p.Physical = i
		if total > 0 {
			p.Share = rounded(demand[i] / total)
		}
		units := 0.0
		for _, second := range physical {
			p.Requests += second[i].served
			p.Throttled += second[i].refused
			units += second[i].units
		}
		p.RequestUnits = rounded(units)
	}
	return all
}

// bySecond returns the figures of each second.
func (t *tally) bySecond() []Second {
	all := make([]Second, len(t.seconds))
	for i, s := range t.seconds {
		all[i] = Second{
			Second: i, Operations: s.began, Completed: s.completed, Failed: s.failed,
			Throttled: s.refused, RequestUnits: rounded(s.units),
		}
		for _, p := range t.physical[i] {
			all[i].Units = append(all[i].Units, rounded(p.units))
			all[i].Refused = append(all[i].Refused, p.refused)
		}
	}
	return all
}

// sum adds numbers in order.
func sum(numbers []float64) float64 {
	total := 0.0
	for _, n := range numbers {
		total += n
	}
	return total
}

// rounded rounds a figure to four decimals.
func rounded(f float64) float64 { return math.Round(f*1e4) / 1e4 }
