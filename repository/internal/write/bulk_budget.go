package write

import (
	"context"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
)

// budget is a bucket into which request units flow, and out of which requests
// take them: an estimate before they are sent, and what is missing to their real
// charge afterwards. A request goes when there is no debt. A nil budget is no
// limit; others are safe for concurrent use.
type budget struct {
	perSecond float64
	turn      chan struct{} // has an element while somebody waits for units

	mu        sync.Mutex
	units     float64 // that are there, negative for a debt
	at        time.Time
	operation float64 // estimate of the charge of an operation
}

const (
	// firstEstimate is what an operation is taken to cost before one has shown it:
	// a write of 2 KB, by the 5 request units for 1 KB of "Optimize request cost in
	// Azure Cosmos DB".
	firstEstimate = 10

	// estimateWeight is what the last request counts in the estimate.
	estimateWeight = 0.2

	// savedSeconds is for how long units are saved up that nobody takes. The
	// service counts by seconds, so that it has to be much less than one.
	savedSeconds = 0.1
)

func newBudget(perSecond float64) *budget {
	return &budget{perSecond: perSecond, turn: make(chan struct{}, 1), at: time.Now(), operation: firstEstimate}
}

// reserve waits until operations may be sent and returns what it has taken for
// them, or the error of a context that ends before.
func (b *budget) reserve(ctx context.Context, operations int) (taken float64, err error) {
	if b == nil {
		return 0, ctx.Err()
	}
	select {
	case b.turn <- struct{}{}:
		defer func() { <-b.turn }()
	case <-ctx.Done():
	}
	for ctx.Err() == nil {
		taken, wait := b.take(time.Now(), operations)
		if wait == 0 {
			return taken, nil
		}
		if err := backoff.Sleep(ctx, wait); err != nil {
			return 0, err
		}
	}
	return 0, ctx.Err()
}

// take takes what operations are likely to be charged, or says how long to wait
// until the debt is paid off.
func (b *budget) take(now time.Time, operations int) (taken float64, wait time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	passed := now.Sub(b.at).Seconds()
	b.at = now
	b.units = min(b.units+passed*b.perSecond, savedSeconds*b.perSecond)
	if b.units < 0 {
		return 0, max(time.Duration(-b.units/b.perSecond*float64(time.Second)), time.Millisecond)
	}
	taken = b.operation * float64(operations)
	b.units -= taken
	return taken, 0
}

// settle takes what a request was charged more than was taken for it, or gives
// back what it was charged less.
func (b *budget) settle(operations int, taken, units float64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.units += taken - units
	b.operation += estimateWeight * (units/float64(operations) - b.operation)
}

// Wait waits until the debt is paid off, or returns the error of a context that ends
// before.
func (b *budget) Wait(ctx context.Context) error {
	_, err := b.reserve(ctx, 0)
	return err
}

// Spend takes what other requests were charged.
func (b *budget) Spend(units float64) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.units -= units
}
