package write

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// maxThrottled bounds how often a bulk operation sends again what was throttled
// after the client's own retries.
const maxThrottled = 10

// throttledPause makes the pauses before that longer than those between writers
// who met.
const throttledPause = 3

// request lets send make a request for a number of operations, when the budget
// allows it, and returns what it was charged. The error says that it was not
// sent, since the context has ended.
func (r *bulkRun) request(operations int, send func(context.Context)) (units float64, err error) {
	reserved, err := r.Budget.reserve(r.ctx, operations)
	if err != nil {
		return 0, err
	}
	var m wire.Meter
	round := r.pace.begin()
	send(wire.WithMeter(r.ctx, &m))
	r.pace.end(round, m.Throttled())
	units = m.RequestUnits()
	r.Budget.settle(operations, reserved, units)
	return units, nil
}

// alone sends one item by itself. Unclear says that it was sent before and may
// have taken effect.
func (r *bulkRun) alone(item *BulkItem, unclear bool) {
	for attempt := 1; ; attempt++ {
		units, err := r.request(1, func(ctx context.Context) {
			if r.Around != nil {
				item.Err = r.aloneAround(ctx, item, unclear)
				return
			}
			item.ETag, item.Err = item.Send(ctx, unclear)
		})
		item.RequestUnits += units
		if err != nil {
			item.Err = r.givenUp(item, err, attempt > 1 || unclear)
			break
		}
		unclear = unclear || errors.Is(item.Err, wire.ErrUnclear)
		if !errors.Is(item.Err, wire.ErrThrottled) || attempt > maxThrottled {
			break
		}
		if err := r.cool(attempt, item.Err); err != nil {
			item.Err = r.givenUp(item, err, true)
			break
		}
	}
	if item.marking != nil && errors.Is(item.Err, wire.ErrDeleted) && r.isMarked(item) {
		item.Err = nil
	}
	item.Err = wire.StillUnclear(item.Err, unclear)
}

// givenUp is the error of an item that is not sent, or not again, since the
// context has ended.
func (r *bulkRun) givenUp(item *BulkItem, err error, before bool) error {
	if !before {
		return r.notSent(item, err)
	}
	return r.failure(item, errors.Join(item.Err, err))
}

// cool waits before something is sent again that was throttled, as long as the
// service asks for and some more.
func (r *bulkRun) cool(attempt int, err error) error {
	if err := backoff.Sleep(r.ctx, retryAfter(err)); err != nil {
		return err
	}
	return backoff.Pause(r.ctx, throttledPause+attempt)
}

// retryAfter returns how long the service asks to wait, 0 if it does not.
func retryAfter(err error) time.Duration {
	var response *azcore.ResponseError
	if !errors.As(err, &response) || response.RawResponse == nil {
		return 0
	}
	ms, err := strconv.Atoi(response.RawResponse.Header.Get("x-ms-retry-after-ms"))
	if err != nil {
		return 0
	}
	return time.Duration(ms) * time.Millisecond
}

// hasStatus reports whether a request failed with a status.
func hasStatus(err error, status int) bool {
	var response *azcore.ResponseError
	return errors.As(err, &response) && response.StatusCode == status
}

// isThrottled reports whether a request was throttled, also after the client's
// own retries.
func isThrottled(err error) bool { return hasStatus(err, http.StatusTooManyRequests) }
