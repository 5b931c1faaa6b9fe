package emulator

import (
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
)

// Fault selects requests and makes them fail. The fields of the first group, from
// Operation to Count, select; an empty field selects every request. The fields of
// the second group act, and may be combined.
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
	// Range is the id of a partition key range: of the range that the request names
	// in its header, or of the range that holds the partition key of its header.
	Range string
	// Probability selects a request at random, if it is more than 0 and less than
	// 1. Faults with the same Seed select the same requests of a sequence.
	Probability float64
	Seed        uint64
	// Skip lets that many selected requests pass first.
	Skip int
	// Count is how many requests fail: 0 means one, a negative number all.
	Count int

	// Status is the status of the answer, 400 to 599, such as 429, 449 or 503.
	// 0 leaves the answer unchanged.
	Status int
	// Substatus goes with Status.
	Substatus int
	// RetryAfter is the header x-ms-retry-after-ms, which a 429 always has: at least 1 ms.
	RetryAfter time.Duration
	// Delay is a wait before the request is served. It ends early if the client gives
	// up.
	Delay time.Duration
	// Drop closes the connection instead of answering.
	Drop bool
	// Body returns the body to send in place of the answer's body: nil for an empty
	// body, half of it for one that is cut off. Status and headers stay those of the
	// whole answer, except for Content-Length. Body is not called for errors and for
	// answers without a body. Several goroutines may call it at once.
	Body func(body []byte) []byte
	// After lets the request take effect before it fails: the client sees the same
	// failure, but the server has done what was asked.
	After bool
}

// Inject adds a fault. The fault waits for the requests that it selects. If several
// faults select one request, the oldest acts. Inject panics on a Status that is
// neither 0 nor from 400 to 599, which is a mistake in the calling test.
func (s *Server) Inject(f Fault) { s.account.Inject(server.Fault(f)) }

// ClearFaults forgets the faults that have not acted yet.
func (s *Server) ClearFaults() { s.account.ClearFaults() }
