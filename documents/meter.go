package documents

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/internal/meter"
)

// Meter adds up the costs of requests for documents under a context, in every API. The zero
// value is ready, and a Meter is safe for concurrent use. With a client that was not made with
// the Configure of its API, it may count less, as the API's package documents.
type Meter struct{ inner meter.Meter }

// WithMeter returns a context under which m counts, as do the meters of the parent contexts. A
// nil m counts nothing. Requests for metadata, which SDKs send rarely and cache, do not count.
func WithMeter(ctx context.Context, m *Meter) context.Context {
	if m == nil {
		return ctx
	}
	return meter.With(ctx, &m.inner)
}

// RequestUnits is the sum of the request charges, including those of failed requests. It is 0
// in MongoDB and in Azure Storage, which do not report charges.
func (m *Meter) RequestUnits() float64 { return m.inner.RequestUnits() }

// Requests is the number of requests sent, retries included.
func (m *Meter) Requests() int { return m.inner.Requests() }

// Retries is the number of requests that repeated another one.
func (m *Meter) Retries() int { return m.inner.Retries() }
