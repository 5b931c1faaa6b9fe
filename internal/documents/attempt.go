package documents

import (
	"context"
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
	maxUnanswered = 3
)

// Attempt sends a request that reads, and repeats it after answers that say nothing of
// what it asks: up to 10 times if the service was busy, up to 3 times if there was no
// answer.
func Attempt[R any](ctx context.Context, send func(context.Context) (R, error)) (R, error) {
	result, _, err := attempt(ctx, send)
	return result, err
}

// attempt is Attempt that also reports whether an attempt before the last one may have
// taken effect.
func attempt[R any](ctx context.Context, send func(context.Context) (R, error)) (result R, before bool, err error) {
	unanswered := 0
	for n := 1; ; n++ {
		sending := ctx
		if n > 1 {
			sending = meter.Repeating(ctx)
		}
		result, err = send(sending)
		if err == nil {
			return result, unanswered > 0, nil
		}
		answer := failure.AnswerOf(err)
		wait := answer.After
		switch {
		case ctx.Err() != nil || n == maxAttempts || wait > longest:
			return result, unanswered > 0, err
		case answer.Unsent:
		case answer.Unanswered:
			if unanswered++; unanswered == maxUnanswered {
				return result, true, err
			}
		default:
			return result, unanswered > 0, err
		}
		if wait > 0 {
			err = backoff.Sleep(ctx, wait)
		} else {
			err = backoff.Pause(ctx, n+3)
		}
		if err != nil {
			return result, unanswered > 0, answer
		}
	}
}
