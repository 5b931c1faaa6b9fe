package rekey

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/processor"
)

// lookEvery is the pause between two looks at whether all changes are handled.
const lookEvery = time.Second

// errCaughtUp is why a processor ends that has nothing left to do.
var errCaughtUp = errors.New("all changes are handled")

// Share runs a processor, whose handler is Changed, until no process has changes left.
func (r *Rekey) Share(ctx context.Context, p *processor.Processor) error {
	defer r.changes.Count()
	return UntilCaughtUp(r.changes.Context(ctx), p)
}

// UntilCaughtUp runs a processor until no process has changes left.
func UntilCaughtUp(ctx context.Context, p *processor.Processor) error {
	ctx, cancel := context.WithCancelCause(ctx)
	var looking sync.WaitGroup
	defer looking.Wait()
	defer cancel(nil)
	ended := map[string]bool{}
	looking.Go(func() {
		for ctx.Err() == nil {
			if caughtUp(ctx, p, ended) {
				cancel(errCaughtUp)
			}
			_ = backoff.Sleep(ctx, lookEvery) // the loop looks at ctx
		}
	})
	err := p.Run(ctx)
	if errors.Is(context.Cause(ctx), errCaughtUp) {
		return nil
	}
	return err
}

// caughtUp notes which leases are at the end of the changes, and reports whether all of
// them have been there once. While programs write, they are not all there at one time.
func caughtUp(ctx context.Context, p *processor.Processor, ended map[string]bool) bool {
	lags, err := p.Lag(ctx)
	all := err == nil && len(lags) > 0
	for _, l := range lags {
		ended[l.Lease] = ended[l.Lease] || l.Changes <= 0
		all = all && ended[l.Lease]
	}
	return all
}
