package server

import (
	"sync/atomic"
	"time"
)

// clock is the time of writes, expiry and request units. It is ahead of Options.Clock by the
// sum of Advance. It is safe for concurrent use.
type clock struct {
	of    func() time.Time
	ahead atomic.Int64 // nanoseconds
}

// notBefore advances the clock to a time, unless it is already later.
func (c *clock) notBefore(t time.Time) {
	if behind := t.Sub(c.now()); !t.IsZero() && behind > 0 {
		c.ahead.Add(int64(behind))
	}
}

func (c *clock) now() time.Time { return c.of().Add(time.Duration(c.ahead.Load())) }

// Advance moves the clock of the server forward, so that a test need not wait until documents
// expire or request units are available again. Signatures are still checked by the clock of the
// machine. A duration that is not positive does nothing: stored times never run backwards.
//
// With Options.Records, the clock of the next server starts no earlier than the latest write of
// a document.
func (s *Server) Advance(d time.Duration) {
	if d > 0 {
		s.clock.ahead.Add(int64(d))
	}
}

// Ahead is how far Advance has moved the clock of the server, including earlier servers of the
// same records.
func (s *Server) Ahead() time.Duration { return time.Duration(s.clock.ahead.Load()) }
