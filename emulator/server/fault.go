package server

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
)

// Fault selects requests and makes them fail. Its fields are those of Fault in
// package emulator, which describes them.
type Fault struct {
	Operation    string
	Method       string
	Path         string
	PartitionKey string
	Range        string
	Probability  float64
	Seed         uint64
	Skip         int
	Count        int

	Status     int
	Substatus  int
	RetryAfter time.Duration
	Delay      time.Duration
	Drop       bool
	Body       func(body []byte) []byte
	After      bool
}

// faults is the list of faults that wait for their requests. It is safe for
// concurrent use.
type faults struct {
	mu     sync.Mutex
	list   []*pending
	nextID uint64
}

// pending is a fault and its source of random numbers.
type pending struct {
	Fault
	dice *rand.Rand
	id   uint64 // from 1
}

// add appends a fault. If several faults select one request, the first one acts. It
// panics on a status that is not an error.
func (l *faults) add(f Fault) {
	if f.Status != 0 && (f.Status < 400 || f.Status > 599) {
		panic(fmt.Sprintf("emulator: a fault cannot have the status %d: use one from 400 to 599", f.Status))
	}
	if f.Count == 0 {
		f.Count = 1
	}
	if k, err := store.ParseKey(f.PartitionKey); err == nil && k != nil {
		f.PartitionKey = k.Text
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.nextID++
	l.list = append(l.list, &pending{f, rand.New(rand.NewPCG(f.Seed, 0)), l.nextID})
}

// all returns copies of the faults in the order in which they were added.
func (l *faults) all() []pending {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := make([]pending, len(l.list))
	for i, f := range l.list {
		list[i] = *f
	}
	return list
}

// remove forgets one fault.
func (l *faults) remove(id uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = slices.DeleteFunc(l.list, func(f *pending) bool { return f.id == id })
}

// clear forgets all faults.
func (l *faults) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = nil
}

// take returns the fault that acts on a request, or nil, and counts it. It calls
// served, which returns the range that serves the request, only if a fault depends on
// it.
func (l *faults) take(r *Request, served func() string) *Fault {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, f := range l.list {
		if !f.selects(r) || f.Range != "" && f.Range != r.RangeHeader && f.Range != served() {
			continue
		}
		if f.Probability > 0 && f.dice.Float64() >= f.Probability {
			continue
		}
		if f.Skip > 0 {
			f.Skip--
			continue
		}
		hit := f.Fault
		if f.Count > 0 {
			f.Count--
			if f.Count == 0 {
				l.list = append(l.list[:i:i], l.list[i+1:]...)
			}
		}
		return &hit
	}
	return nil
}

// selects reports whether f is about a request, apart from its range.
func (f *Fault) selects(r *Request) bool {
	return (f.Operation == "" || f.Operation == r.Operation) &&
		(f.Method == "" || f.Method == r.Method) &&
		strings.Contains(r.Path, f.Path) &&
		(f.PartitionKey == "" || f.PartitionKey == r.PartitionKey)
}
