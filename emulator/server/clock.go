package server

import (
	"sync/atomic"
	"time"
)

// clock tells the time at which documents are written and expire, and by which
// request units are counted. It is ahead of the clock of the machine by as much as a
// test has advanced it. The zero value is ready, and safe for concurrent use.
type clock struct {
	ahead  atomic.Int64 // nanoseconds
	frozen time.Time    // if not zero, replaces the clock of the machine; tests set it before any request
}

func (c *clock) now() time.Time {
	base := c.frozen
	if base.IsZero() {
		base = time.Now()
	}
	return base.Add(time.Duration(c.ahead.Load()))
}

// Advance moves the clock of the server forward, so that a test need not wait until
// documents expire or request units are available again. Signatures are still checked
// by the clock of the machine. A duration that is not positive does nothing: stored
// times never run backwards.
func (s *Server) Advance(d time.Duration) {
	if d > 0 {
		s.clock.ahead.Add(int64(d))
	}
}
