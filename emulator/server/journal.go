package server

import (
	"slices"
	"sync"
	"time"
)

// Request is one line of the journal: a request and what became of it.
type Request struct {
	// Method and Path are as the client sent them; the path is escaped.
	Method, Path string
	// Operation is one of the Op constants, or empty for a path that means nothing.
	Operation string
	// PartitionKey is the partition key header as canonical JSON, such as
	// `["a"]`, or empty when the request has none.
	PartitionKey string
	// Range is the id of the partition key range that served the request; for a
	// query across partitions the one that this page comes from. It is empty for
	// requests that no range serves.
	Range string
	// RangeHeader is the id by which the client scoped the request to one range.
	RangeHeader string
	// Query is the SQL text of a query.
	Query string
	// Items is the number of documents in the answer of a query or feed.
	Items int
	// Status and Substatus are those of the answer. A dropped connection has
	// status 0.
	Status, Substatus int
	// Charge is the request charge in request units.
	Charge float64
	// Faulted is true when an injected fault acted on the request.
	Faulted bool
	// Start is when the request arrived, and Duration how long it took.
	Start    time.Time
	Duration time.Duration
}

// What the journal holds at most; older requests are forgotten, so that a server
// that runs for days does not grow.
const (
	maxJournal      = 100_000  // requests
	maxJournalBytes = 64 << 20 // of their texts, of which queries can be long
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
