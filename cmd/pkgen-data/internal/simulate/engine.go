package simulate

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/charge"
)

// second is a second in the engine's unit, nanoseconds.
const second = int64(time.Second)

// engine runs a scenario under one layout.
type engine struct {
	s     *Scenario
	place *place
	tally *tally

	makers []maker
	draws  drawing
	ties   *rand.Rand
	order  *rand.Rand // for arrivals, and the choice of operations
	counts []int      // by operation: how many have begun, for regular arrivals

	now     int64
	end     int64
	start   time.Time // of virtual time
	trip    int64     // half of the latency
	queue   queue
	budgets []charge.Budget
	rate    float64 // of a physical partition

	indexes  []*index
	appliers []applier  // of all indexes
	routes   []int8     // by operation: the index that it reads, from 1, or 0
	applying *rand.Rand // for ties of changes; separate, so that indexes do not affect requests
	marked   int64      // the end of the last second whose lags are recorded

	// Operations and requests in progress. Free elements of these slices are reused.
	calls        []call
	requests     []request
	freeCalls    []int32
	freeRequests []int32
	homes        []int32 // by call: the physical partition of its document in each index
	waiting      int     // changes that wait for indexes
}

// call is an operation in progress.
type call struct {
	operation int32
	pending   int32 // requests without their last answer
	client    int32 // -1 without clients
	failed    bool
	index     int8 // the index that it reads, from 1, or 0 for the container
	start     int64
}

// request is a request of a call.
type request struct {
	call      int32
	partition int32
	attempt   int32
	answered  bool  // an answer is on its way to the client
	refused   bool  // the answer is a 429
	retry     int64 // the requested wait
	waited    int64 // in total
	charge    float64
}

// The streams of random numbers of one seed.
const (
	streamDocuments = iota + 1
	streamOrder
	streamTies
	streamIndexes
)

// newEngine returns the engine of a scenario and a layout.
func newEngine(s *Scenario, template string, makers []maker, seed uint64) (*engine, error) {
	p, err := newPlace(s, template)
	if err != nil {
		return nil, err
	}
	e := &engine{
		s: s, place: p, tally: newTally(s), makers: slices.Clone(makers),
		draws:   drawing{rand: rand.New(rand.NewPCG(seed, streamDocuments))},
		order:   rand.New(rand.NewPCG(seed, streamOrder)),
		ties:    rand.New(rand.NewPCG(seed, streamTies)),
		counts:  make([]int, len(s.Operations)),
		end:     int64(s.Seconds) * second,
		trip:    int64(*s.Latency * float64(time.Millisecond) / 2),
		budgets: make([]charge.Budget, s.Partitions),
		rate:    s.Throughput / float64(s.Partitions),
	}
	start, err := time.Parse(time.RFC3339, s.Start)
	if err != nil {
		return nil, err
	}
	e.start = start.UTC().Truncate(time.Second)
	return e, e.addIndexes(seed)
}

// run processes the events of the scenario.
func (e *engine) run(ctx context.Context) error {
	e.begin()
	for n := 0; len(e.queue) > 0; n++ {
		if n%(1<<16) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		next := e.queue.pop()
		if next.at >= e.end {
			break
		}
		e.mark(next.at)
		e.now = next.at
		switch {
		case next.what >= applies:
			e.apply(next.what - applies)
		case next.what < 0:
			if err := e.arrive(int(-1 - next.what)); err != nil {
				return err
			}
		case e.requests[next.what].answered:
			if err := e.answer(next.what); err != nil {
				return err
			}
		default:
			if err := e.serve(next.what); err != nil {
				return err
			}
		}
	}
	e.mark(e.end)
	return nil
}

// after schedules an event. Operations that begin at the same time do so in a fixed order, so that
// they are the same under every layout.
func (e *engine) after(wait int64, what int32) {
	tie := uint32(-1 - what)
	switch {
	case what >= applies:
		tie = e.applying.Uint32()
	case what >= 0:
		tie = e.ties.Uint32()
	}
	e.queue.push(event{e.now + wait, tie, what})
}

// serve makes a physical partition answer a request.
func (e *engine) serve(i int32) error {
	r := &e.requests[i]
	c := &e.calls[r.call]
	if c.failed && r.attempt > 0 {
		e.release(i) // it was never sent: its call failed while it waited
		return nil
	}
	budget, rate := e.budget(c.index, r.partition)
	wait := budget.Admit(e.clock(), rate)
	r.answered, r.refused = true, wait > 0
	if r.refused {
		// The service writes whole milliseconds into x-ms-retry-after-ms.
		r.retry = max(1, wait.Milliseconds()) * int64(time.Millisecond)
	} else {
		budget.Spend(r.charge)
	}
	e.tally.served(e.now, c, r)
	e.after(e.trip, i)
	if r.refused {
		return nil
	}
	return e.written(r)
}

// clock returns the virtual time.
func (e *engine) clock() time.Time { return e.start.Add(time.Duration(e.now)) }
