package simulate

import "time"

// indexTally counts the events of an index.
type indexTally struct {
	queries  count
	writes   count     // changes that began, and that were applied
	lags     times     // of applied changes
	oldest   []float64 // by second: the age of the oldest change at its end, in ms
	physical []share
	demand   []float64 // by physical partition: RU of changes and requests
}

// newIndexTally returns an empty tally.
func newIndexTally(x *Index) *indexTally {
	return &indexTally{lags: make(times), physical: make([]share, x.Partitions), demand: make([]float64, x.Partitions)}
}

// served counts an answer to a query.
func (t *indexTally) served(m *count, r *request) {
	p := &t.physical[r.partition]
	if r.refused {
		m.refused++
		t.queries.refused++
		p.refused++
		return
	}
	m.units += r.charge
	t.queries.units += r.charge
	p.serve(r.charge)
}

// changed counts a change to apply.
func (t *indexTally) changed(partition int, units float64) {
	t.writes.began++
	t.demand[partition] += units
}

// applied counts a change and its wait, in milliseconds: in microseconds there would be too many
// different lags.
func (t *indexTally) applied(partition int, units float64, waited int64) {
	t.writes.completed++
	t.writes.units += units
	t.physical[partition].serve(units)
	t.lags.add(waited/int64(time.Millisecond)*1000, 1)
}

// serve counts what a physical partition serves.
func (p *share) serve(units float64) {
	p.served++
	p.units += units
}

// result returns the report of an index.
func (t *indexTally) result(x *Index, layout string) IndexResult {
	return IndexResult{
		Layout: layout, Throughput: x.Throughput,
		Changes: t.writes.began, Applied: t.writes.completed, Waiting: t.writes.began - t.writes.completed,
		Lag: t.lags.latency(), Oldest: t.oldest[len(t.oldest)-1], LagBySecond: t.oldest,
		Queries: t.queries.began, Completed: t.queries.completed, Failed: t.queries.failed, Throttled: t.queries.refused,
		ApplyingUnits: rounded(t.writes.units), QueryUnits: rounded(t.queries.units),
		Physical: byPartition(t.demand, [][]share{t.physical}),
	}
}
