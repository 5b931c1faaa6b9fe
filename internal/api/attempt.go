package api

import (
	"context"
	"errors"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/meter"
)

// Bounds of repeating a request: as many attempts as repository.Configure sets for
// fan-outs, and as long pauses.
const (
	maxAttempts = 10
	longest     = 30 * time.Second

	// maxUnanswered is how often a request is sent whose outcome is unknown.
	maxUnanswered = 4

	// FirstPause makes the first pause a random one of up to 16 ms.
	FirstPause = 3
)

// Attempt sends a request that reads, and repeats it after answers that say nothing of
// what it asks: up to 10 attempts if the service was busy, up to 4 if there was no answer,
// unless the failure is final.
// It sends nothing if ctx has ended.
func Attempt[R any](ctx context.Context, send func(context.Context) (R, error)) (R, error) {
	result, _, err := AttemptWrite(ctx, send)
	return result, err
}

// AttemptWrite is Attempt of a request that may be sent twice. It also reports whether any attempt that failed, the last one
// included, may have taken effect.
func AttemptWrite[R any](ctx context.Context, send func(context.Context) (R, error)) (result R, unclear bool, err error) {
	if err := ctx.Err(); err != nil {
		return result, false, &failure.Answer{Unsent: true, Err: err}
	}
	unanswered := 0
	for n := 1; ; n++ {
		sending := ctx
		if n > 1 {
			sending = meter.Repeating(ctx)
		}
		if result, err = send(sending); err == nil {
			return result, unclear, nil
		}
		answer := failure.AnswerOf(err)
		again := answer.Unsent
		if answer.Unanswered && !answer.Unsent {
			unclear = true
			unanswered++
			again = unanswered < maxUnanswered && !answer.Final
		}
		if answer.Unsent {
			slow(ctx)
		}
		if !again || n == maxAttempts || answer.After > longest {
			return result, unclear, err
		}
		ended := ctx.Err()
		switch {
		case ended != nil:
		case answer.After > 0:
			ended = backoff.Sleep(ctx, answer.After)
		default:
			ended = backoff.Pause(ctx, n+FirstPause)
		}
		if ended != nil {
			stopped := *answer
			stopped.Err = errors.Join(answer.Err, ended)
			return result, unclear, &stopped
		}
	}
}

// slowKey is the key of the function of a context that is told of each request which was
// throttled.
type slowKey struct{}

// Slowing returns a context under which told is called for each request that the service
// was too busy for.
func Slowing(ctx context.Context, told func()) context.Context {
	return context.WithValue(ctx, slowKey{}, told)
}

// slow tells the bulk operation of ctx, if any, that it sends too much.
func slow(ctx context.Context) {
	if told, ok := ctx.Value(slowKey{}).(func()); ok {
		told()
	}
}
