package lease

import (
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
)

// Watch tells which leases have expired: those whose document has not changed while
// this process was looking for one interval, by its own monotonic clock. The clocks
// of other machines do not matter, nor does the program that owns the lease: each
// writes its leases several times in an interval. A Watch is used by one goroutine.
type Watch struct {
	interval time.Duration
	seen     map[string]sighting // by id
}

// sighting is an ETag, and when it was known for the first time.
type sighting struct {
	tag   azcore.ETag
	since time.Time // with the reading of the monotonic clock
}

// NewWatch returns a watch of leases that expire after an interval.
func NewWatch(interval time.Duration) *Watch {
	return &Watch{interval: interval, seen: map[string]sighting{}}
}

// Look notes leases that were asked for at one time and answered at another, and
// returns what a balance needs. Leases that are no more are forgotten.
//
// A lease never expires early: its owner wrote it before the first answer that had
// its ETag, and the service still had that ETag after the last question.
func (w *Watch) Look(leases []Lease, asked, answered time.Time) []Seen {
	seen := make(map[string]sighting, len(leases))
	all := make([]Seen, len(leases))
	for i, l := range leases {
		before, known := w.seen[l.ID]
		if !known || before.tag != l.ETag {
			before = sighting{l.ETag, answered}
		}
		seen[l.ID] = before
		all[i] = Seen{Lease: l, Expired: l.Owner != "" && asked.Sub(before.since) >= w.interval}
	}
	w.seen = seen
	return all
}
