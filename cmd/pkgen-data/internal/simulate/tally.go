package simulate

import "time"

// tally counts the events under one layout.
type tally struct {
	scenario  *Scenario
	rates     []float64 // cumulative rates of the operations
	methods   []count
	latencies []times // by operation: of completed ones
	seconds   []count
	physical  [][]share // by second and physical partition
	demand    []float64 // by physical partition: RU of requests, however often they are sent
	indexes   []*indexTally
}

// count counts operations and requests.
type count struct {
	began, completed, failed int
	refused                  int
	units                    float64
}

// share is the work of a physical partition in a second.
type share struct {
	served, refused int
	units           float64
}

// newTally returns an empty tally.
func newTally(s *Scenario) *tally {
	t := &tally{
		scenario:  s,
		methods:   make([]count, len(s.Operations)),
		latencies: make([]times, len(s.Operations)),
		seconds:   make([]count, s.Seconds),
		physical:  make([][]share, s.Seconds),
		demand:    make([]float64, s.Partitions),
	}
	sum := 0.0
	for _, o := range s.Operations {
		sum += o.Rate
		t.rates = append(t.rates, sum)
	}
	for i := range t.latencies {
		t.latencies[i] = make(times)
	}
	for i := range t.physical {
		t.physical[i] = make([]share, s.Partitions)
	}
	for i := range s.Indexes {
		t.indexes = append(t.indexes, newIndexTally(&s.Indexes[i]))
	}
	return t
}

// began counts the beginning of an operation, at an index, from 1, or at the container.
func (t *tally) began(now int64, operation int, index int8) {
	t.methods[operation].began++
	t.seconds[now/second].began++
	if index > 0 {
		t.indexes[index-1].queries.began++
	}
}

// demanded counts a request to an index, from 1, or to the container.
func (t *tally) demanded(index int8, partition int, units float64) {
	demand := t.demand
	if index > 0 {
		demand = t.indexes[index-1].demand
	}
	demand[partition] += units
}

// served counts an answer of a physical partition.
func (t *tally) served(now int64, c *call, r *request) {
	m := &t.methods[c.operation]
	if c.index > 0 {
		t.indexes[c.index-1].served(m, r)
		return
	}
	s, p := &t.seconds[now/second], &t.physical[now/second][r.partition]
	if r.refused {
		m.refused++
		s.refused++
		p.refused++
		return
	}
	m.units += r.charge
	s.units += r.charge
	p.serve(r.charge)
}

// failed counts an operation that ends with an error.
func (t *tally) failed(now int64, c *call) {
	t.methods[c.operation].failed++
	t.seconds[now/second].failed++
	if c.index > 0 {
		t.indexes[c.index-1].queries.failed++
	}
}

// completed counts a successful operation.
func (t *tally) completed(now int64, c *call) {
	t.methods[c.operation].completed++
	t.seconds[now/second].completed++
	t.latencies[c.operation].add((now-c.start)/int64(time.Microsecond), 1)
	if c.index > 0 {
		t.indexes[c.index-1].queries.completed++
	}
}
