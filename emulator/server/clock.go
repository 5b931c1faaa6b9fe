package server

import (
	"sync/atomic"
	"time"
)

// clock is the time by which documents are stamped and expire, and by which
// request units are counted. It runs with the clock of the machine, ahead of it
// by as much as a test has advanced it. The zero value is ready and safe for
// concurrent use.
type clock struct {
	ahead  atomic.Int64 // nanoseconds
	frozen time.Time    // unless zero, the time that it is ahead of: for tests, before any request
}

func (c *clock) now() time.Time {
	base := c.frozen
	if base.IsZero() {
		base = time.Now()
	}
	return base.Add(time.Duration(c.ahead.Load()))
}

// Advance moves the clock of the server forward, so that a test need not wait
// for a time to live to pass or for a budget of request units to be renewed.
// Signatures are still checked by the clock of the machine. A duration that is
// not positive does nothing: stored times never run backwards.
func (s *Server) Advance(d time.Duration) {
	if d > 0 {
		s.clock.ahead.Add(int64(d))
	}
}
