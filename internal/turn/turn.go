// Package turn has a lock that may be held while requests are in flight. Waiting for a sync.Mutex
// would stop the virtual time of testing/synctest, so that no answer arrives.
package turn

import (
	"context"
	"sync/atomic"
)

// A Turn is held by at most one goroutine. New makes it.
type Turn struct{ held atomic.Pointer[chan struct{}] }

// FeedRanges is held by the change feed that makes the SDK read physical partitions again; there is
// one at a time per process.
var FeedRanges = New()

// New returns a free turn.
func New() *Turn {
	t := &Turn{}
	t.Renew()
	return t
}

// Renew frees the turn, and binds it to the caller's bubble. It is for tests in virtual time, which
// a channel of another bubble stops.
func (t *Turn) Renew() {
	held := make(chan struct{}, 1)
	t.held.Store(&held)
}

// Hold waits until the turn is free. Call end to release it.
func (t *Turn) Hold() (end func()) {
	held := *t.held.Load()
	held <- struct{}{}
	return func() { <-held }
}

// Take waits until the turn is free, or returns the error of ctx once it ends. Call end to release
// the turn.
func (t *Turn) Take(ctx context.Context) (end func(), err error) {
	held := *t.held.Load()
	select {
	case held <- struct{}{}:
		return func() { <-held }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
