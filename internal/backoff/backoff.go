// Package backoff waits between attempts, and slows down what the service throttles.
package backoff

import (
	"context"
	"errors"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/chance"
)

// Pause waits before the next attempt, a random time whose bound doubles from 2
// to 512 ms, so that writers who meet once do not meet for ever.
func Pause(ctx context.Context, attempt int) error {
	return Sleep(ctx, chance.Below(time.Millisecond<<min(attempt, 9)))
}

// Settle waits for the service to finish a change, such as the split of a physical
// partition: a random time, at least half of its bound, which doubles from 20 ms to 1 s.
func Settle(ctx context.Context, attempt int) error {
	bound := min(10*time.Millisecond<<min(attempt, 7), time.Second)
	return Sleep(ctx, bound/2+chance.Below(bound/2))
}

// Sleep waits for d, or until ctx ends, whose error it returns then.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// MaxAttempts bounds how often something is begun anew that others get ahead of.
const MaxAttempts = 10

// Policy says how often something that fails is done again.
type Policy struct {
	Most  int                  // attempts, with the first
	Slow  int                  // added to the number of an attempt for its pause, so that pauses begin longer
	Again func(err error) bool // reports whether the next attempt may succeed
}

// Do calls attempt until it succeeds, fails for a reason that lasts, or has been called as often
// as the policy says. It returns the last error, with that of ctx if this has ended.
func (p Policy) Do(ctx context.Context, attempt func() error) error {
	for n := 1; ; n++ {
		err := attempt()
		if err == nil || n >= p.Most || !p.Again(err) {
			return err
		}
		if ended := Pause(ctx, p.Slow+n); ended != nil {
			if !errors.Is(err, ended) {
				err = errors.Join(err, ended)
			}
			return err
		}
	}
}
