package work

import (
	"context"
	"errors"
	"time"
)

// ErrTooMuch is the error for work that exceeds its time or its steps.
var ErrTooMuch = errors.New("the work takes too long")

// Limits bound work. A zero field bounds nothing.
type Limits struct {
	// Time is the maximum duration of the work, including its waits for turns.
	Time time.Duration
	// Steps is the maximum number of steps.
	Steps int
	// Turns schedules the work with other work.
	Turns *Turns
}

// Meter bounds the work of one goroutine. A nil meter bounds nothing.
//
// The worker calls Spend again and again. A step is a few nanoseconds: one comparison, or a
// dozen bytes read.
type Meter struct {
	ctx    context.Context
	limits Limits
	start  time.Time
	left   int // steps until the next check of the clock
	spent  int // steps before these
	late   bool
	err    error
	turn   turn
}

// glance is the number of steps between two checks of the clock: less than a millisecond.
const glance = 50_000

// NewMeter begins work that ends with a context. The caller calls Close after it.
func NewMeter(ctx context.Context, l Limits) *Meter {
	return &Meter{ctx: ctx, limits: l, start: time.Now(), left: glance}
}

// Spend counts steps, and reports whether the work may continue. It may wait for a turn.
func (m *Meter) Spend(steps int) bool {
	if m == nil {
		return true
	}
	if m.left -= steps; m.left > 0 {
		return true
	}
	return m.look()
}

// maxWhole is the maximum number of bytes for work that cannot be interrupted: some hundredths
// of a second.
const maxWhole = 32 << 20

// Whole counts the bytes of work that cannot be interrupted, and reports whether the work may
// begin.
func (m *Meter) Whole(bytes int) bool {
	if m == nil {
		return true
	}
	if bytes > maxWhole && m.err == nil {
		m.err, m.left = ErrTooMuch, 0
	}
	return m.Spend(bytes/16) && m.err == nil
}

// look decides whether the work may continue.
func (m *Meter) look() bool {
	if m.err != nil {
		return false
	}
	m.spent += glance - m.left
	m.left = glance
	now := time.Now()
	switch {
	case m.ctx.Err() != nil:
		m.err = m.ctx.Err()
	case m.limits.Time > 0 && now.Sub(m.start) > m.limits.Time, m.limits.Steps > 0 && m.spent > m.limits.Steps:
		m.err = ErrTooMuch
	case m.limits.Turns != nil:
		m.err = m.turn.take(m.ctx, m.limits.Turns, m.start, now, m.limits.Time)
	}
	m.late = m.limits.Time > 0 && time.Since(m.start) > m.limits.Time/2
	if m.err != nil {
		m.left = 0
	}
	return m.err == nil
}

// Wait waits for a turn before work that is certain to be long, and reports whether the work
// may continue.
func (m *Meter) Wait() bool {
	if m == nil {
		return true
	}
	m.turn.needed = true
	return m.look()
}

// Late reports whether more than half of the time is over. Work that can be divided should
// then pause.
func (m *Meter) Late() bool {
	return m != nil && (m.late || m.err != nil)
}

// Err returns nil as long as the work may continue, then [ErrTooMuch] or the error of the
// context.
func (m *Meter) Err() error {
	if m == nil {
		return nil
	}
	return m.err
}

// Close ends the work and releases its turn.
func (m *Meter) Close() {
	if m != nil {
		m.turn.give(m.limits.Turns)
	}
}
