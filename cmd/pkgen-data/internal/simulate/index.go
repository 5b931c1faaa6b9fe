package simulate

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/charge"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// index is a global secondary index of the container.
type index struct {
	place *place
	rate  float64 // of a physical partition
	first int32   // the number of its first physical partition among those of all indexes
}

// applier is a physical partition of an index. It applies the changes of its documents in order,
// and answers queries.
type applier struct {
	index   int8 // from 1
	number  int  // of the physical partition
	budget  charge.Budget
	changes []change
	next    int // the oldest waiting change
}

// change is a write of the container that an index has not yet applied.
type change struct {
	at    int64
	units float64
}

// applies is the first number of events that apply a change. Requests have lower numbers.
const applies = 1 << 30

// addIndexes adds the indexes of the scenario, and finds the queries that they answer.
func (e *engine) addIndexes(seed uint64) error {
	e.applying = rand.New(rand.NewPCG(seed, streamIndexes))
	for i, x := range e.s.Indexes {
		p, err := placeOf(e.s, "index", x.Layout, x.Partitions)
		if err != nil {
			return err
		}
		e.indexes = append(e.indexes, &index{p, x.Throughput / float64(x.Partitions), int32(len(e.appliers))})
		for n := range x.Partitions {
			e.appliers = append(e.appliers, applier{index: int8(i + 1), number: n})
		}
	}
	for i := range e.s.Operations {
		e.routes = append(e.routes, e.route(i))
	}
	return nil
}

// route returns the index that answers an operation, from 1, or 0 for the container. If a query
// would read several logical partitions of the container without a prefix, it is the first index
// whose key, or else whose first levels, the query knows.
func (e *engine) route(operation int) int8 {
	if r := e.place.reaches[operation]; e.s.Operations[operation].Method != methodQuery || r.levels > 0 && r.buckets == 1 {
		return 0
	}
	found := 0
	for i, x := range e.indexes {
		switch r := x.place.reaches[operation]; {
		case r.levels == 0 || r.buckets > 1:
		case r.levels == x.place.layout.Levels():
			return int8(i + 1)
		case found == 0:
			found = i + 1
		}
	}
	return int8(found)
}

// targets returns the physical partitions of an operation, and their index, from 1, or 0 for the
// container.
func (e *engine) targets(operation int, document []byte) ([]int, int8, error) {
	to, at := e.routes[operation], e.place
	if to > 0 {
		at = e.indexes[to-1].place
	}
	found, err := at.of(operation, document)
	return found, to, err
}

// budget returns the budget of a physical partition of an index, or of the container, and its RU/s.
func (e *engine) budget(to int8, partition int32) (*charge.Budget, float64) {
	if to == 0 {
		return &e.budgets[partition], e.rate
	}
	x := e.indexes[to-1]
	return &e.appliers[x.first+partition].budget, x.rate
}

// writes reports whether an operation writes a document.
func (o *Operation) writes() bool { return o.Method != methodGet && o.Method != methodQuery }

// house finds the physical partition of a call's document in each index.
func (e *engine) house(c int32, operation int, document []byte) error {
	if !e.s.Operations[operation].writes() {
		return nil
	}
	n := len(e.indexes)
	for len(e.homes) < n*len(e.calls) {
		e.homes = append(e.homes, 0)
	}
	for i, x := range e.indexes {
		found, err := x.place.of(operation, document)
		if err != nil {
			return err
		}
		e.homes[n*int(c)+i] = x.first + int32(found[0])
	}
	return nil
}

// written queues the write of a document in each index.
func (e *engine) written(r *request) error {
	if len(e.indexes) == 0 || !e.s.Operations[e.calls[r.call].operation].writes() {
		return nil
	}
	n := len(e.indexes)
	for _, home := range e.homes[n*int(r.call):][:n] {
		a := &e.appliers[home]
		a.changes = append(a.changes, change{e.now, r.charge})
		e.waiting++
		e.tally.indexes[a.index-1].changed(a.number, r.charge)
		if len(a.changes)-a.next == 1 { // otherwise an event applies the next one
			e.apply(home)
		}
	}
	if e.waiting > mostWaiting {
		return fmt.Errorf("layout %s: in second %d, more than %d changes wait for the indexes: write more throughput of indexes, lower rates, or fewer seconds",
			plain.Word(e.place.layout.String()), e.now/second, mostWaiting)
	}
	return nil
}

// apply applies the oldest change of a physical partition if it has request units left, and
// otherwise tries again when it has. Waiting changes are spaced at the rate of the physical
// partition, so that they spread a second's request units over the whole second, and queries get
// some of them.
func (e *engine) apply(n int32) {
	a := &e.appliers[n]
	rate := e.indexes[a.index-1].rate
	if wait := a.budget.Admit(e.clock(), rate); wait > 0 {
		e.after(int64(wait), applies+n)
		return
	}
	c := a.take()
	a.budget.Spend(c.units)
	e.waiting--
	e.tally.indexes[a.index-1].applied(a.number, c.units, e.now-c.at)
	if len(a.changes) > 0 {
		e.after(max(1, nanoseconds(c.units/rate)), applies+n)
	}
}

// take removes and returns the oldest change. There must be one.
func (a *applier) take() change {
	c := a.changes[a.next]
	a.next++
	if 2*a.next >= len(a.changes) {
		n := copy(a.changes, a.changes[a.next:])
		a.changes, a.next = a.changes[:n], 0
	}
	return c
}

// mark records the lags at the end of each second up to a time.
func (e *engine) mark(at int64) {
	for ; len(e.indexes) > 0 && e.marked+second <= at; e.marked += second {
		oldest := make([]int64, len(e.indexes))
		for i := range e.appliers {
			if a := &e.appliers[i]; len(a.changes) > 0 {
				oldest[a.index-1] = max(oldest[a.index-1], e.marked+second-a.changes[a.next].at)
			}
		}
		for i, age := range oldest {
			x := e.tally.indexes[i]
			x.oldest = append(x.oldest, float64(age/int64(time.Millisecond)))
		}
	}
}
