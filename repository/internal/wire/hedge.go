package wire

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	azruntime "github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"

	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
)

// Hedge is the time without an answer after which a read is also sent to another region.
type Hedge struct{ After time.Duration }

// leg is one of the two requests of a hedged read.
type leg struct {
	only string               // the host of the second request; "" means the first request, whose host azcosmos chooses
	sent atomic.Pointer[sent] // set by the policy; nil until an attempt is sent
}

// sent has the regions that are left for the second request after an attempt of the first. It
// leaves out regions whose circuits are open.
type sent struct{ left []region }

// hedgedAnswer is the answer of one of two regions.
type hedgedAnswer[A any] struct {
	answer A
	err    error
	second bool
}

// Hedged sends a read, and sends it to another region as well if the first request has no
// answer after a while, or fails. The first answer counts, and the other request is cancelled;
// an answer of the second region counts only if accepts returns true for it. Both requests
// have ended when Hedged returns. Without another region there is no second request. If the
// second request fails, the first one continues.
//
// Hedged calls send in one goroutine for each request, with a context that names the region.
func Hedged[A any](ctx context.Context, h *Hedge, send func(ctx context.Context, second bool) (A, error), accepts func(A) bool) (A, error) {
	ctx, cancel := context.WithCancel(ctx)
	answers := make(chan hedgedAnswer[A], 2) // so that no sender waits
	under := 0
	defer func() {
		cancel()
		for ; under > 0; under-- {
			<-answers
		}
	}()
	start := func(l *leg) {
		under++
		go func() {
			answer, err := send(withLeg(ctx, l), l.only != "")
			answers <- hedgedAnswer[A]{answer, err, l.only != ""}
		}()
	}
	var first leg
	start(&first)
	asked := false
	ask := func() {
		if s := first.sent.Load(); !asked && s != nil {
			if asked = true; len(s.left) > 0 {
				start(&leg{only: s.left[0].host})
			}
		}
	}
	timer := time.NewTimer(h.After)
	defer timer.Stop()
	var failed *hedgedAnswer[A] // the failed answer of the first request
	for {
		select {
		case <-timer.C:
			if ask(); !asked { // azcosmos is still reading the account's regions
				timer.Reset(max(h.After, time.Millisecond))
			}
		case a := <-answers:
			under--
			switch {
			case a.second && a.err == nil && accepts(a.answer):
				return a.answer, nil
			case a.second && failed != nil:
				return failed.answer, failed.err
			case a.second:
				continue // the first region may still answer
			case a.err == nil && first.sent.Load() == nil:
				return a.answer, fmt.Errorf("WithHedging cannot work: %w", route.ErrNotConfigured)
			case a.err == nil || !unanswered(ctx, a.err):
				return a.answer, a.err
			}
			failed = &a
			if ask(); under == 0 {
				return a.answer, a.err
			}
		}
	}
}

// Hedging returns when a program's reads are hedged, or nil for never. Reads of documents that
// move are not hedged.
func (c *Container) Hedging() *Hedge {
	if c.Moving {
		return nil
	}
	return c.Hedge
}

// hedges reports whether a read by key is hedged. Reads that are part of a write are not.
func (c *Container) hedges(op string) bool {
	return c.Hedging() != nil && (op == OpGet || op == OpGetMany)
}

// anywhere is Anywhere for a read by key that a program requested. It excludes documents that
// move.
func (c *Container) anywhere(ctx context.Context, op string) context.Context {
	if c.Moving || op != OpGet && op != OpGetMany {
		return ctx
	}
	return Anywhere(ctx)
}

// unanswered reports whether a read has failed for a reason that another region may not have:
// there was no answer, or a broken one, or the service was busy, or lagged the session.
func unanswered(ctx context.Context, err error) bool {
	if ctx.Err() != nil || isUntrusted(err) { // an attempt may have a deadline of its own
		return false
	}
	var answer *azcore.ResponseError
	if !errors.As(err, &answer) {
		return true
	}
	return answer.StatusCode == http.StatusTooManyRequests || isOutage(answer.StatusCode) || isSessionNotAvailable(err)
}

// onceError ends the second request of a hedged read, which is sent only once: the first one
// is under way with all its retries, and azcosmos would repeat the second in the same region.
type onceError struct{ err error }

// Error returns the error of the attempt.
func (e *onceError) Error() string { return e.err.Error() }

// As finds the answer of the service. It hides the kinds of broken connections after which
// azcosmos repeats a request.
func (e *onceError) As(target any) bool {
	answer, ok := target.(**azcore.ResponseError)
	return ok && errors.As(e.err, answer)
}

// NonRetriable tells the pipeline not to repeat the request.
func (*onceError) NonRetriable() {}

// once converts the failure of an attempt to an error that is not repeated.
func once(response *http.Response, err error) (*http.Response, error) {
	switch {
	case err != nil:
		return nil, &onceError{err}
	case Retried(response.StatusCode) || response.StatusCode == http.StatusForbidden ||
		response.StatusCode == http.StatusNotFound && response.Header.Get(headerSubstatus) != "":
		return nil, &onceError{azruntime.NewResponseError(response)}
	default:
		return response, nil
	}
}
