// Package meter adds up the cost of requests under a context, for every API.
package meter

import (
	"context"
	"slices"
	"sync"
)

// Meter adds up the cost of the requests for documents under a context. The zero value is ready to
// use. It is safe for concurrent use.
type Meter struct {
	mu       sync.Mutex
	units    float64
	requests int
	retries  int

	throttled bool // a request was throttled
}

// RequestUnits returns the sum of request charges, including failed requests. It is 0 if the
// service does not report charges.
func (m *Meter) RequestUnits() float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.units
}

// Requests returns the number of requests sent, including retries.
func (m *Meter) Requests() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.requests
}

// Retries returns the number of requests that repeated another one.
func (m *Meter) Retries() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.retries
}

// Throttled reports whether a request was throttled. It is false in APIs other than NoSQL.
func (m *Meter) Throttled() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.throttled
}

// Add records a request.
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
	metersKey struct{} // the context key of meters, including those of parents
	retryKey  struct{} // marks contexts of repeated requests
)

// With returns a context under which m counts, as do the meters of the parent contexts. A repeated
// meter counts once.
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

// Of returns the meters of a context and its parents.
func Of(ctx context.Context) []*Meter {
	all, _ := ctx.Value(metersKey{}).([]*Meter)
	return all
}

// Count adds a request and its charge to the meters of ctx. A driver calls it once per request,
// answered or not; units is 0 if the charge is not known.
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
