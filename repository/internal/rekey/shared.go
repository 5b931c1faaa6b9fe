package rekey

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/processor"
)

// lookEvery is the pause between two looks at how far the leases are, at least. Looks take
// a fifth of the time at most, since their requests wait for the budget of the work.
const (
	lookEvery = time.Second
	lookShare = 5
)

// errCaughtUp is why a processor ends that has nothing left to do.
var errCaughtUp = errors.New("all changes are handled")

// Share runs a processor, whose handler is Changed, until all that was written before has
// been handled.
func (r *Rekey) Share(ctx context.Context, p *processor.Processor) error {
	defer r.changes.Count()
	return UntilCaughtUp(r.changes.Context(ctx), p, func(unread int64, slow bool) {
		r.mu.Lock()
		r.summary.Unread, r.summary.TooSlow = unread, slow
		r.mu.Unlock()
		r.tell(false)
	})
}

// UntilCaughtUp runs a processor until this process or others have handled all changes
// that there were when it began. It ends while programs write, however fast: what they
// write meanwhile is left to the caller. Looked is told of each look at the leases: how
// many changes are unread, and whether these grow.
func UntilCaughtUp(ctx context.Context, p *processor.Processor, looked func(unread int64, slow bool)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	var looking sync.WaitGroup
	defer looking.Wait()
	defer cancel(nil)
	looking.Go(func() {
		c := catchUp{ended: map[string]bool{}, until: map[string]int64{}}
		for ctx.Err() == nil {
			began := time.Now()
			lags, err := p.LagExcept(ctx, func(lease string) bool { return c.ended[lease] })
			if err == nil {
				if c.note(lags) {
					cancel(errCaughtUp)
				}
				looked(c.unread, c.grown >= slowAfter)
			}
			_ = backoff.Sleep(ctx, max(lookEvery, (lookShare-1)*time.Since(began))) // the loop looks at ctx
		}
	})
	err := p.Run(ctx)
	if errors.Is(context.Cause(ctx), errCaughtUp) {
		return nil
	}
	return err
}

// slowAfter is how many looks in a row find more unread changes than the one before,
// until programs count as faster.
const slowAfter = 5

// catchUp is what looks at leases have found.
type catchUp struct {
	ended map[string]bool  // leases that have passed the changes that there were
	until map[string]int64 // the last change that there was at the first look, by lease

	unread int64 // of the leases that have not ended
	grown  int   // how many looks in a row have found more
}

// note notes how far leases are, and reports whether all have ended. The lease of a
// physical partition that was split or merged gives way to others, which begin anew.
func (c *catchUp) note(lags []processor.Lag) bool {
	all, unread := len(lags) > 0, int64(0)
	for _, l := range lags {
		if c.ended[l.Lease] {
			continue
		}
		until, seen := c.until[l.Lease]
		if !seen && l.Last > 0 {
			c.until[l.Lease] = l.Last
		}
		if l.Changes <= 0 || seen && l.Next > until {
			c.ended[l.Lease] = true
			continue
		}
		all, unread = false, unread+l.Changes
	}
	if c.grown++; unread <= c.unread {
		c.grown = 0
	}
	c.unread = unread
	return all
}
