package server

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"
)

// Fault says which requests fail, and how. The fields of the first group
// select; an empty one selects every request. The fields of the second group
// act, and may be combined.
type Fault struct {
	// Operation is one of the Op constants.
	Operation string
	// Method is the HTTP method.
	Method string
	// Path is a fragment of the escaped URL path.
	Path string
	// PartitionKey is the value of the partition key header, as JSON: `["a"]`.
	// White space and the way of escaping do not matter.
	PartitionKey string
	// Range is the id of the partition key range that the request names in its
	// header, or that holds the partition key of its header.
	Range string
	// Probability selects a request at random, if it is more than 0 and less than
	// 1. Faults with the same Seed select the same requests of a sequence.
	Probability float64
	Seed        uint64
	// Skip lets that many selected requests pass first.
	Skip int
	// Count is how many requests fail: 0 means one, a negative number all.
	Count int

	// Status is the status of the answer, 400 to 599, such as 429, 449 or 503;
	// 0 leaves the answer alone.
	Status int
	// Substatus goes with Status.
	Substatus int
	// RetryAfter is the header x-ms-retry-after-ms, which a 429 always has: at least 1 ms.
	RetryAfter time.Duration
	// Delay is a wait before the request is looked at, or until the client gives up.
	Delay time.Duration
	// Drop closes the connection instead of answering.
	Drop bool
	// Body makes the body that is sent of the one that the answer has, which is
	// not empty: nil loses it, and half of it cuts it off. Status and headers are
	// those of the whole answer, but for Content-Length. Errors, and answers that
	// have no body, stay as they are. It may be called by several goroutines.
	Body func(body []byte) []byte
	// After lets the request take effect before it fails: what the client sees
	// is the same, and what the server holds is not.
	After bool
}

// faults is the list of faults that wait for their requests. It is safe for
// concurrent use.
type faults struct {
	mu   sync.Mutex
	list []*pending
}

// pending is a fault and the state of its dice.
type pending struct {
	Fault
	dice *rand.Rand
}

// add appends a fault. When several select one request, the first one acts. It
// panics on a status that is not one of an error.
func (l *faults) add(f Fault) {
	if f.Status != 0 && (f.Status < 400 || f.Status > 599) {
		panic(fmt.Sprintf("emulator: a fault cannot have the status %d: use one from 400 to 599", f.Status))
	}
	if f.Count == 0 {
		f.Count = 1
	}
	if k, err := parseKey(f.PartitionKey); err == nil && k != nil {
		f.PartitionKey = k.text
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, &pending{f, rand.New(rand.NewPCG(f.Seed, 0))})
}

// clear forgets all faults.
func (l *faults) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = nil
}

// take returns the fault that acts on a request, or nil, and counts it. The range
// that serves the request is asked for only if a fault wants to know it.
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

// selects reports whether a request is one of those that f is about.
func (f *Fault) selects(r *Request) bool {
	return (f.Operation == "" || f.Operation == r.Operation) &&
		(f.Method == "" || f.Method == r.Method) &&
		strings.Contains(r.Path, f.Path) &&
		(f.PartitionKey == "" || f.PartitionKey == r.PartitionKey)
}
