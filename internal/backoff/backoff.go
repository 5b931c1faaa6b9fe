// Package backoff waits between attempts, and slows down requests that the service throttles.
package backoff

import (
	"context"
	"errors"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/chance"
)

// Pause waits a random time before the next attempt, or until ctx ends. Its bound doubles from 2 to
// 512 ms. Randomness separates writers that collide.
func Pause(ctx context.Context, attempt int) error {
	return Sleep(ctx, chance.Below(time.Millisecond<<min(attempt, 9)))
}

// Settle waits for the service to finish a change, such as a split of a physical partition. The
// time is random, at least half of its bound, which doubles from 20 ms to 1 s.
func Settle(ctx context.Context, attempt int) error {
	bound := min(10*time.Millisecond<<min(attempt, 7), time.Second)
	return Sleep(ctx, bound/2+chance.Below(bound/2))
}

// Sleep waits for d, or returns the error of ctx once it ends.
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

// MaxAttempts limits restarts of an operation that loses to concurrent ones.
const MaxAttempts = 10

// Policy says how often a failed operation is repeated.
type Policy struct {
	Most  int                  // the maximum number of attempts, including the first
	Slow  int                  // added to the attempt number, so that pauses begin longer
	Again func(err error) bool // reports whether another attempt may succeed
}

// Do calls attempt until it succeeds, fails permanently, or reaches the limit of the policy. It
// returns the last error, joined with the error of ctx if ctx has ended.
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
