package store

import (
	"sync/atomic"
	"time"
)

// tick is the unit of the times that documents are stamped with.
const tick = 100 * time.Nanosecond

// last is the latest time that Now has returned, in ticks.
var last atomic.Int64

// Now is the present time in units of 100 nanoseconds. It returns no time twice in one
// process, so that the time of a document tells which write has stored it.
func Now() time.Time {
	for {
		before := last.Load()
		now := max(time.Now().UnixNano()/int64(tick), before+1)
		if last.CompareAndSwap(before, now) {
			return time.Unix(0, now*int64(tick))
		}
	}
}
