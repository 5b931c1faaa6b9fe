package server

import (
	"slices"
	"sync"
	"time"
)

// Request is one line of the journal. Its fields are those of Request in package
// emulator, which describes them.
type Request struct {
	Method, Path      string
	Operation         string
	PartitionKey      string
	Range             string
	RangeHeader       string
	Query             string
	Items             int
	Status, Substatus int
	Charge            float64
	Faulted           bool
	Start             time.Time
	Duration          time.Duration
}

// Limits of the journal. It drops the oldest requests, so that the memory of a
// server that runs for days does not grow.
const (
	maxJournal      = 100_000  // requests
	maxJournalBytes = 64 << 20 // of their texts; a query can be long
)

// journal is a list of requests in the order in which they were answered. It is
// safe for concurrent use.
type journal struct {
	mu    sync.Mutex
	list  []Request
	bytes int
}

// size is the length of the texts of a request.
func (r *Request) size() int { return len(r.Path) + len(r.PartitionKey) + len(r.Query) }

func (j *journal) add(r Request) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.list = append(j.list, r)
	j.bytes += r.size()
	if len(j.list) >= 2*maxJournal || j.bytes > maxJournalBytes {
		j.forget()
	}
}

// forget drops the older half.
func (j *journal) forget() {
	j.list = slices.Clone(j.list[len(j.list)/2:])
	j.bytes = 0
	for i := range j.list {
		j.bytes += j.list[i].size()
	}
}

func (j *journal) all() []Request {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.list[max(0, len(j.list)-maxJournal):])
}

func (j *journal) reset() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.list, j.bytes = nil, 0
}
