package work

import (
	"context"
	"runtime"
	"time"
)

// Turns lets a limited number of works run at once; the others wait in the order of their
// arrival. Only work that takes longer than [grace] needs a turn. It is safe for concurrent
// use.
type Turns struct{ places chan struct{} }

const (
	// grace is how long work runs without a turn. Most queries need less.
	grace = 2 * time.Millisecond
	// slice is how long work keeps a turn before it queues again.
	slice = 20 * time.Millisecond
)

// NewTurns returns turns that leave one processor free, if there are two or more.
func NewTurns() *Turns {
	return &Turns{make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1))}
}

// turn is the turn of one piece of work.
type turn struct {
	needed bool // whether the work waits for it before it starts
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
