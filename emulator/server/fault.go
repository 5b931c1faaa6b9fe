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

// Fault selects requests and makes them fail. The fields from Operation to Count select; an
// empty field selects every request. The other fields act, and may be combined.
type Fault struct {
	// Operation is one of the Op constants.
	Operation string
	// Method is the HTTP method.
	Method string
	// Path is a fragment of the escaped URL path.
	Path string
	// PartitionKey is the value of the partition key header, as JSON: `["a"]`. White space and
	// escaping do not matter.
	PartitionKey string
	// Range is the id of a partition key range: the one in the request's header, or the one
	// that has the partition key in the header.
	Range string
	// Region is the name of the region that the request reaches, in an account with several
	// regions.
	Region string
	// Probability selects a request at random, if it is between 0 and 1. Faults with the same
	// Seed select the same requests of a sequence.
	Probability float64
	Seed        uint64
	// Skip is the number of selected requests that pass first.
	Skip int
	// Count is the number of requests that fail: 0 means one, a negative number all.
	Count int

	// Status is the status of the response, 400 to 599, such as 429, 449 or 503. 0 leaves the
	// response unchanged.
	Status int
	// Substatus is the substatus of the response, with Status.
	Substatus int
	// RetryAfter is the header x-ms-retry-after-ms, which a 429 always has: at least 1 ms.
	RetryAfter time.Duration
	// Delay is a wait before the request is served. It ends early if the client gives up.
	Delay time.Duration
	// Drop closes the connection without a response.
	Drop bool
	// Body returns the body to send instead of the response's body: nil for an empty body, or
	// half of it for a truncated one. Status and headers are those of the whole response,
	// except for Content-Length. Body is not called for errors and for responses without a
	// body. Several goroutines may call it at once.
	Body func(body []byte) []byte
	// After lets the request take effect before it fails: the client sees the same failure, but
	// the server has executed the request.
	After bool
}

// faults is the list of pending faults. It is safe for concurrent use.
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

// add appends a fault. If several faults select one request, the first one acts. It panics on a
// status that is not an error.
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

// take returns the fault that acts on a request, or nil, and counts it. It calls served, which
// returns the range that serves the request, only if a fault depends on it.
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

// selects reports whether f selects a request, apart from its range.
func (f *Fault) selects(r *Request) bool {
	return (f.Operation == "" || f.Operation == r.Operation) &&
		(f.Method == "" || f.Method == r.Method) &&
		(f.Region == "" || f.Region == r.Region) &&
		strings.Contains(r.Path, f.Path) &&
		(f.PartitionKey == "" || f.PartitionKey == r.PartitionKey)
}
