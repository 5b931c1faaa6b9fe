package wire

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
)

// Meter adds up what the requests for documents cost that are sent under a
// context. The zero value is ready, and a meter is safe for concurrent use.
type Meter struct {
	mu       sync.Mutex
	units    float64
	requests int
	retries  int

	throttled bool // whether a response had status 429
}

// RequestUnits is the sum of the request charges, those of failed requests
// included.
func (m *Meter) RequestUnits() float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.units
}

// Requests is the number of requests sent, retries included.
func (m *Meter) Requests() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.requests
}

// Retries is the number of requests that repeated another one. It is known only
// under the policies, and 0 otherwise.
func (m *Meter) Retries() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.retries
}

// Throttled reports whether a request was answered with 429. Without the
// policies the last attempt alone is known.
func (m *Meter) Throttled() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.throttled
}

func (m *Meter) add(units float64, retry, throttled bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.units += units
	m.requests++
	if retry {
		m.retries++
	}
	m.throttled = m.throttled || throttled
}

type meterKey struct{}

// meters is what a context carries: the meters of it and of its parents.
type meters []*Meter

func (ms meters) add(units float64, retry, throttled bool) {
	for _, m := range ms {
		m.add(units, retry, throttled)
	}
}

// WithMeter returns a context under which m counts, as do the meters of the parent
// contexts.
func WithMeter(ctx context.Context, m *Meter) context.Context {
	outer, _ := ctx.Value(meterKey{}).(meters)
	if slices.Contains(outer, m) {
		return ctx
	}
	return context.WithValue(ctx, meterKey{}, append(outer[:len(outer):len(outer)], m))
}

// WithoutMeter returns a context whose requests m does not count.
func WithoutMeter(ctx context.Context, m *Meter) context.Context {
	outer, _ := ctx.Value(meterKey{}).(meters)
	if !slices.Contains(outer, m) {
		return ctx
	}
	return context.WithValue(ctx, meterKey{}, slices.DeleteFunc(slices.Clone(outer), func(o *Meter) bool { return o == m }))
}

// operation is what the context of one operation carries: its meters, and
// whether the policies have counted for them, so that nothing counts twice. Seen is
// nil without an observer.
type operation struct {
	meters  meters
	counted atomic.Bool
	seen    *observation
}

type operationKey struct{}

// measure prepares the context of one request of the SDK. The function that it
// returns is called with the request's outcome.
func measure(ctx context.Context) (context.Context, func(units float32, err error)) {
	ms, _ := ctx.Value(meterKey{}).(meters)
	if len(ms) == 0 {
		return ctx, func(float32, error) {}
	}
	return measureBy(ctx, &operation{meters: ms})
}

// measureBy is measure for an operation.
func measureBy(ctx context.Context, op *operation) (context.Context, func(units float32, err error)) {
	return context.WithValue(ctx, operationKey{}, op), func(units float32, err error) {
		if op.counted.Load() {
			return
		}
		throttled := false
		var response *azcore.ResponseError
		switch {
		case errors.As(err, &response):
			units = charge(response.RawResponse)
			throttled = response.StatusCode == http.StatusTooManyRequests
		case err != nil:
			return // nobody knows whether anything was sent
		}
		op.meters.add(float64(units), false, throttled)
	}
}

// meterCall and meterTry count within the client's pipeline, the only place
// where retries are seen: meterCall comes before the retries and gives each
// request a count of its tries, meterTry comes after them. Both refuse requests
// of drafts: a policy of its own would cost every request an allocation.
type (
	meterCall struct{}
	meterTry  struct{}
)

type tries struct{ n *int }

// Do implements policy.Policy.
func (meterCall) Do(r *policy.Request) (*http.Response, error) {
	if err := refuseDraft(r.Raw()); err != nil {
		return nil, err
	}
	r.SetOperationValue(tries{new(int)})
	o := observationOf(r.Raw())
	if o == nil {
		return r.Next()
	}
	asked := *r.Raw().URL // before the SDK chooses a region
	response, err := r.Next()
	o.ended(r.Raw(), &asked, response, err)
	return response, err
}

// Do implements policy.Policy.
func (meterTry) Do(r *policy.Request) (*http.Response, error) {
	if err := refuseDraft(r.Raw()); err != nil { // the SDK has chosen another endpoint
		return nil, err
	}
	response, err := r.Next()
	op, _ := r.Raw().Context().Value(operationKey{}).(*operation)
	if op == nil || !isDocumentRequest(r.Raw()) {
		return response, err
	}
	retry := false
	var t tries
	if r.OperationValue(&t) {
		*t.n++
		retry = *t.n > 1
	}
	op.counted.Store(true)
	throttled := response != nil && response.StatusCode == http.StatusTooManyRequests
	op.meters.add(float64(charge(response)), retry, throttled)
	if op.seen != nil {
		op.seen.tried(r.Raw(), response)
	}
	return response, err
}

// isDocumentRequest tells requests for documents from those for metadata:
// …/docs and …/docs/{id}.
func isDocumentRequest(r *http.Request) bool {
	path := r.URL.EscapedPath()
	return strings.HasSuffix(path, "/docs") || strings.Contains(path, "/docs/")
}

// charge reads the request units of a response, which may be nil.
func charge(response *http.Response) float32 {
	if response == nil {
		return 0
	}
	units, err := strconv.ParseFloat(response.Header.Get("x-ms-request-charge"), 32)
	if err != nil {
		return 0
	}
	return float32(units)
}
