package api

import (
	"context"
	"errors"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/meter"
)

// Limits on attempts. They equal the ones that repository.Configure sets for fan-outs.
const (
	maxAttempts = 10
	longest     = 30 * time.Second

	// maxUnanswered is the maximum number of attempts whose outcome is unknown.
	maxUnanswered = 4

	// FirstPause bounds the first random pause to 16 ms.
	FirstPause = 3
)

// Attempt sends a read and repeats it after temporary failures: up to 10 attempts if the service
// was busy, up to 4 if there was no answer, unless the failure is final. It sends nothing if ctx
// has ended.
func Attempt[R any](ctx context.Context, send func(context.Context) (R, error)) (R, error) {
	result, _, err := AttemptWrite(ctx, send)
	return result, err
}

// AttemptWrite is Attempt for a request that may be sent twice. Unclear reports whether a failed
// attempt, including the last, may have taken effect.
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

// slowKey is the context key of the function that is called for each throttled request.
type slowKey struct{}

// Slowing returns a context under which told is called for each throttled request.
func Slowing(ctx context.Context, told func()) context.Context {
	return context.WithValue(ctx, slowKey{}, told)
}

// slow reports a throttled request to the bulk operation of ctx, if there is one.
func slow(ctx context.Context) {
	if told, ok := ctx.Value(slowKey{}).(func()); ok {
		told()
	}
}
