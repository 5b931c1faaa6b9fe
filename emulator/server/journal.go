package server

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
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
	maxJournalBytes = 64 << 20 // of memory; a query can be long
)

// journal is a list of requests in the order in which they were answered. It is
// safe for concurrent use.
type journal struct {
	mu    sync.Mutex
	list  []Request
	bytes int
}

// lineSize is about what a request takes without its texts.
const lineSize = 256

// size is the memory that a request takes, in bytes. Operation is a constant.
func (r *Request) size() int {
	return lineSize + len(r.Path) + len(r.PartitionKey) + len(r.Range) + len(r.RangeHeader) + len(r.Query)
}

// maxRefusedText is how many bytes the journal keeps of each text of a request that was
// refused.
const maxRefusedText = 1 << 10

// shorten leaves out what a client without a valid signature has sent, except for the
// beginning of its path, and the ends of long texts of other refused requests. So nobody
// fills the memory by requests that come to nothing.
func (r *Request) shorten() {
	if r.Status < status.CodeBadRequest || r.Faulted {
		return
	}
	if r.Status == status.Unauthorized {
		r.PartitionKey, r.RangeHeader, r.Query = "", "", ""
	}
	for _, text := range []*string{&r.Path, &r.PartitionKey, &r.RangeHeader, &r.Query} {
		if len(*text) > maxRefusedText {
			*text = strings.Clone((*text)[:maxRefusedText])
		}
	}
}

func (j *journal) add(r Request) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if n := len(j.list); n > 0 && j.list[n-1].Path == r.Path {
		r.Path = j.list[n-1].Path // most requests follow others with the same path: one text for all
	}
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
