package work

import (
	"context"
	"runtime"
	"time"
)

// Turns lets some works run at once, and others wait, in the order in which they came.
// Only work that takes longer than [grace] needs a turn. It is safe for concurrent use.
type Turns struct{ places chan struct{} }

const (
	// grace is how long work runs without a turn. Most queries need less.
	grace = 2 * time.Millisecond
	// slice is how long work keeps a turn before it lines up again.
	slice = 20 * time.Millisecond
)

// NewTurns returns turns that leave one processor to everything else, if there are two.
func NewTurns() *Turns {
	return &Turns{make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1))}
}

// turn is the part of one work in turns.
type turn struct {
	needed bool // from the beginning
	held   bool
	since  time.Time
}

// take waits for a turn if the work needs one.
func (t *turn) take(ctx context.Context, all *Turns, start, now time.Time, most time.Duration) error {
	if !t.needed && now.Sub(start) < grace || t.held && now.Sub(t.since) < slice {
		return nil
	}
	t.give(all)
	var timeout <-chan time.Time
	if most > 0 {
		timer := time.NewTimer(most - now.Sub(start))
		defer timer.Stop()
		timeout = timer.C
	}
	select {
	case all.places <- struct{}{}:
		t.held, t.since = true, time.Now()
		return nil
	case <-timeout:
		return ErrTooMuch
	case <-ctx.Done():
		return ctx.Err()
	}
}

// give ends a turn.
func (t *turn) give(all *Turns) {
	if t.held {
		<-all.places
		t.held = false
	}
}
