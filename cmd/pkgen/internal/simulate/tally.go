package simulate

import (
	"slices"
	"time"
)

// tally counts what happens under one layout.
type tally struct {
	scenario  *Scenario
	rates     []float64 // the sums of the operations' rates
	methods   []count
	latencies [][]uint32 // of each operation: of the completed ones, in microseconds
	seconds   []count
	physical  [][]share // of each second: of each physical partition
	demand    []float64 // of each physical partition: RU of requests, however often they are sent
}

// count counts operations and requests.
type count struct {
	began, completed, failed int
	refused                  int
	units                    float64
}

// share is what a physical partition does in a second.
type share struct {
	served, refused int
	units           float64
}

// newTally returns a tally of nothing.
func newTally(s *Scenario) *tally {
	t := &tally{
		scenario:  s,
		methods:   make([]count, len(s.Operations)),
		latencies: make([][]uint32, len(s.Operations)),
		seconds:   make([]count, s.Seconds),
		physical:  make([][]share, s.Seconds),
		demand:    make([]float64, s.Partitions),
	}
	sum := 0.0
	for _, o := range s.Operations {
		sum += o.Rate
		t.rates = append(t.rates, sum)
	}
	for i := range t.physical {
		t.physical[i] = make([]share, s.Partitions)
	}
	return t
}

// began counts an operation that begins.
func (t *tally) began(now int64, operation int) {
	t.methods[operation].began++
	t.seconds[now/second].began++
}

// demanded counts a request that will be sent.
func (t *tally) demanded(partition int, units float64) { t.demand[partition] += units }

// served counts an answer of a physical partition.
func (t *tally) served(now int64, operation int32, r *request) {
	m, s, p := &t.methods[operation], &t.seconds[now/second], &t.physical[now/second][r.partition]
	if r.refused {
		m.refused++
		s.refused++
		p.refused++
		return
	}
	m.units += r.charge
	s.units += r.charge
	p.served++
	p.units += r.charge
}

// failed counts an operation that ends with an error.
func (t *tally) failed(now int64, operation int32) {
	t.methods[operation].failed++
	t.seconds[now/second].failed++
}

// completed counts an operation that ends well.
func (t *tally) completed(now int64, operation int32, took int64) {
	t.methods[operation].completed++
	t.seconds[now/second].completed++
	t.latencies[operation] = append(t.latencies[operation], uint32(took/int64(time.Microsecond)))
}

// finish makes the tally ready for reports.
func (t *tally) finish() {
	for _, l := range t.latencies {
		slices.Sort(l)
	}
}

// latency returns the percentiles of sorted times.
func latency(sorted []uint32) Latency {
	if len(sorted) == 0 {
		return Latency{}
	}
	// The nearest rank: the smallest time that so many per cent do not exceed.
	at := func(percent int) float64 {
		rank := (len(sorted)*percent + 99) / 100
		return float64(sorted[max(rank, 1)-1]) / 1000
	}
	return Latency{P50: at(50), P90: at(90), P99: at(99), Max: at(100)}
}
