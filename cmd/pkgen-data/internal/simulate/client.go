package simulate

import (
	"fmt"
	"sort"

	"github.com/cosmos-pkgen/pkgen/internal/charge"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// begin schedules the start of clients, or of the first operations.
func (e *engine) begin() {
	if e.s.Clients == 0 {
		for i := range e.s.Operations {
			e.after(e.interval(i), int32(-1-i))
		}
		return
	}
	// Clients begin one after another within the duration of a request.
	for i := range e.s.Clients {
		e.after(2*e.trip*int64(i)/int64(e.s.Clients), int32(-1-i))
	}
}

// interval returns the time until operation i arrives next.
func (e *engine) interval(i int) int64 {
	rate := e.s.Operations[i].Rate
	if e.s.Arrivals == arrivalsRandom {
		return nanoseconds(exponential(e.order) / rate)
	}
	e.counts[i]++
	return nanoseconds(float64(e.counts[i])/rate) - e.now
}

// arrive begins an operation: number i, or the next one of client i.
func (e *engine) arrive(i int) error {
	if e.s.Clients > 0 {
		return e.call(e.choose(), int32(i))
	}
	e.after(e.interval(i), int32(-1-i))
	return e.call(i, -1)
}

// choose draws the next operation of a client, by the rates.
func (e *engine) choose() int {
	sums := e.tally.rates
	at := e.order.Float64() * sums[len(sums)-1]
	return min(len(sums)-1, sort.Search(len(sums), func(i int) bool { return sums[i] > at }))
}

// call begins an operation, and sends its requests.
func (e *engine) call(operation int, client int32) error {
	e.draws.number++
	e.draws.now = e.clock()
	document := e.makers[operation].document(&e.draws)
	targets, index, err := e.targets(operation, document)
	if err != nil {
		return err
	}
	if err := e.bounded(len(targets)); err != nil {
		return err
	}
	c := take(&e.calls, &e.freeCalls)
	e.calls[c] = call{operation: int32(operation), pending: int32(len(targets)), client: client, index: index, start: e.now}
	if err := e.house(c, operation, document); err != nil {
		return err
	}
	units := e.s.charge(operation, len(targets))
	e.tally.began(e.now, operation, index)
	for _, partition := range targets {
		i := take(&e.requests, &e.freeRequests)
		e.requests[i] = request{call: c, partition: int32(partition), charge: units}
		e.tally.demanded(index, partition, units)
		e.after(e.trip, i)
	}
	return nil
}

// bounded refuses another operation if too many have begun, or too many requests would be in
// flight.
func (e *engine) bounded(requests int) error {
	switch second := e.now / second; {
	case e.draws.number > mostOperations:
		return fmt.Errorf("layout %s: by second %d, the clients have begun more than %d operations: write fewer clients, fewer seconds, or retries that wait longer",
			plain.Word(e.place.layout.String()), second, mostOperations)
	case len(e.requests)-len(e.freeRequests)+requests > mostRequests:
		return fmt.Errorf("layout %s: in second %d, more than %d requests are under way, and most wait after a 429: write lower rates, fewer clients, or more throughput",
			plain.Word(e.place.layout.String()), second, mostRequests)
	}
	return nil
}

// charge returns the cost of each of n requests of an operation.
func (s *Scenario) charge(operation, n int) float64 {
	switch o := s.Operations[operation]; {
	case o.Charge > 0:
		return o.Charge
	case o.Method == methodGet:
		return charge.Read(s.DocumentBytes)
	case o.Method == methodQuery:
		return charge.Page(1, o.Results*s.DocumentBytes/n)
	default:
		return charge.Write(s.DocumentBytes)
	}
}

// answer passes an answer to the client, which repeats a refused request.
func (e *engine) answer(i int32) error {
	r := &e.requests[i]
	c := &e.calls[r.call]
	r.answered = false
	if r.refused && !c.failed && e.patient(r) {
		r.attempt++
		r.waited += r.retry
		e.after(r.retry+e.trip, i)
		return nil
	}
	over := !c.failed && (r.refused || c.pending == 1) // after a failure, the other answers are ignored
	client := c.client
	if over && r.refused {
		c.failed = true
		e.tally.failed(e.now, c)
	} else if over {
		e.tally.completed(e.now, c)
	}
	e.release(i)
	if over && client >= 0 {
		return e.call(e.choose(), client)
	}
	return nil
}

// release frees a request, and its call after the last one.
func (e *engine) release(i int32) {
	c := e.requests[i].call
	e.freeRequests = append(e.freeRequests, i)
	if e.calls[c].pending--; e.calls[c].pending == 0 {
		e.freeCalls = append(e.freeCalls, c)
	}
}

// patient reports whether a client repeats a refused request, by the rules of azcore.
func (e *engine) patient(r *request) bool {
	t := e.s.Retries
	if int(r.attempt) >= *t.Most || r.retry > nanoseconds(*t.Longest) {
		return false
	}
	return t.Total == 0 || r.waited+r.retry <= nanoseconds(t.Total)
}

// never is later than every event, and can be added to any time.
const never = 1 << 60

// nanoseconds converts seconds to nanoseconds, at most never.
func nanoseconds(seconds float64) int64 { return int64(min(seconds*float64(second), never)) }

// take returns the index of a free element of a slice.
func take[T any](all *[]T, free *[]int32) int32 {
	if n := len(*free); n > 0 {
		i := (*free)[n-1]
		*free = (*free)[:n-1]
		return i
	}
	var zero T
	*all = append(*all, zero)
	return int32(len(*all) - 1)
}
