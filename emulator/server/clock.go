package server

import (
	"sync/atomic"
	"time"
)

// clock tells the time at which documents are written and expire, and by which
// request units are counted. It is ahead of that of the options by as much as a test has
// advanced it. It is safe for concurrent use.
type clock struct {
	of    func() time.Time
	ahead atomic.Int64 // nanoseconds
}

// notBefore advances the clock to a time, unless it is later already.
func (c *clock) notBefore(t time.Time) {
	if behind := t.Sub(c.now()); !t.IsZero() && behind > 0 {
		c.ahead.Add(int64(behind))
	}
}

func (c *clock) now() time.Time { return c.of().Add(time.Duration(c.ahead.Load())) }

// Advance moves the clock of the server forward, so that a test need not wait until
// documents expire or request units are available again. Signatures are still checked
// by the clock of the machine. A duration that is not positive does nothing: stored
// times never run backwards.
//
// With Options.Records, the clock of the next server begins no earlier than the latest
// write of a document.
func (s *Server) Advance(d time.Duration) {
	if d > 0 {
		s.clock.ahead.Add(int64(d))
	}
}

// Ahead is how far Advance has moved the clock of the server, with what the next server
// of the same records took over.
func (s *Server) Ahead() time.Duration { return time.Duration(s.clock.ahead.Load()) }
