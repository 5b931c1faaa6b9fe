package gremlin

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/internal/meter"
)

// Meter adds up what the requests for documents cost that are sent under a context. The
// zero value is ready, and a Meter is safe for concurrent use.
type Meter struct{ inner meter.Meter }

// WithMeter returns a context under which m counts, as do the meters of the parent
// contexts.
func WithMeter(ctx context.Context, m *Meter) context.Context {
	return meter.With(ctx, &m.inner)
}

// RequestUnits is the sum of the request charges, those of failed requests included: of the
// attributes x-ms-total-request-charge. It is 0 if the server is not Cosmos DB.
func (m *Meter) RequestUnits() float64 { return m.inner.RequestUnits() }

// Requests is the number of requests sent, repeats included.
func (m *Meter) Requests() int { return m.inner.Requests() }

// Retries is the number of requests that repeated another one.
func (m *Meter) Retries() int { return m.inner.Retries() }
