// Package meter adds up what requests cost under a context, in every API.
package meter

import (
	"context"
	"slices"
	"sync"
)

// Meter adds up what the requests for documents cost that are sent under a context. The
// zero value is ready, and a meter is safe for concurrent use.
type Meter struct {
	mu       sync.Mutex
	units    float64
	requests int
	retries  int

	throttled bool // whether the service was too busy for a request
}

// RequestUnits is the sum of the request charges, those of failed requests included. It
// is 0 if the service does not say what a request costs.
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

// Retries is the number of requests that repeated another one.
func (m *Meter) Retries() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.retries
}

// Throttled reports whether the service was too busy for a request, of the NoSQL API.
func (m *Meter) Throttled() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.throttled
}

// Add counts a request that was sent.
func (m *Meter) Add(units float64, retry, throttled bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.units += units
	m.requests++
	if retry {
		m.retries++
	}
	m.throttled = m.throttled || throttled
}

type (
	metersKey struct{} // of the meters of a context and of its parents
	retryKey  struct{} // of contexts of requests that repeat another one
)

// With returns a context under which m counts, as do the meters of the parent contexts.
// A meter that is given twice counts once.
func With(ctx context.Context, m *Meter) context.Context {
	outer := Of(ctx)
	if m == nil || slices.Contains(outer, m) {
		return ctx
	}
	return context.WithValue(ctx, metersKey{}, append(outer[:len(outer):len(outer)], m))
}

// Without returns a context whose requests m does not count.
func Without(ctx context.Context, m *Meter) context.Context {
	outer := Of(ctx)
	if !slices.Contains(outer, m) {
		return ctx
	}
	return context.WithValue(ctx, metersKey{}, slices.DeleteFunc(slices.Clone(outer), func(o *Meter) bool { return o == m }))
}

// Of returns the meters of a context and of its parents.
func Of(ctx context.Context) []*Meter {
	all, _ := ctx.Value(metersKey{}).([]*Meter)
	return all
}

// Count adds a request that was sent, and what it was charged, to the meters of ctx. A
// driver calls it once for each request, answered or not; units is 0 if the charge is not
// known.
func Count(ctx context.Context, units float64) {
	meters := Of(ctx)
	if len(meters) == 0 {
		return
	}
	retry := ctx.Value(retryKey{}) != nil
	for _, m := range meters {
		m.Add(units, retry, false)
	}
}

// Repeating returns a context whose requests count as retries.
func Repeating(ctx context.Context) context.Context {
	if _, metered := ctx.Value(metersKey{}).([]*Meter); !metered {
		return ctx
	}
	return context.WithValue(ctx, retryKey{}, true)
}
