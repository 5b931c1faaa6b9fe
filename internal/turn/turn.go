// Package turn has a lock that is held while requests are under way. A goroutine that waits for a
// sync.Mutex stops the virtual time of testing/synctest, so that no answer would come.
package turn

import (
	"context"
	"sync/atomic"
)

// A Turn is held by one goroutine. New makes it.
type Turn struct{ held atomic.Pointer[chan struct{}] }

// FeedRanges is held by the one change feed of the process that makes the SDK read physical
// partitions again.
var FeedRanges = New()

// New returns a turn that is free.
func New() *Turn {
	t := &Turn{}
	t.Renew()
	return t
}

// Renew makes the turn free, and new for the bubble of the caller. It is for tests in virtual
// time: a channel of another bubble stops it.
func (t *Turn) Renew() {
	held := make(chan struct{}, 1)
	t.held.Store(&held)
}

// Hold waits until the turn is free. The function that it returns ends the turn.
func (t *Turn) Hold() (end func()) {
	held := *t.held.Load()
	held <- struct{}{}
	return func() { <-held }
}

// Take waits until the turn is free, or ctx ends, whose error it returns. The function that it
// returns ends the turn.
func (t *Turn) Take(ctx context.Context) (end func(), err error) {
	held := *t.held.Load()
	select {
	case held <- struct{}{}:
		return func() { <-held }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
