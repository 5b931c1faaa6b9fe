package documents

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/internal/meter"
)

// Meter adds up what the requests for documents cost that are sent under a context, in
// every API. The zero value is ready, and a Meter is safe for concurrent use. Clients that
// were not made with the Configure of their API may count less: its package says what.
type Meter struct{ inner meter.Meter }

// WithMeter returns a context under which m counts, as do the meters of the parent
// contexts. A nil m counts nothing. Requests for metadata, which SDKs send seldom and whose
// answers they keep, do not count.
func WithMeter(ctx context.Context, m *Meter) context.Context {
	if m == nil {
		return ctx
	}
	return meter.With(ctx, &m.inner)
}

// RequestUnits is the sum of the request charges, those of failed requests included. It is
// 0 where the service does not tell them: in MongoDB and in Azure Storage.
func (m *Meter) RequestUnits() float64 { return m.inner.RequestUnits() }

// Requests is the number of requests sent, retries included.
func (m *Meter) Requests() int { return m.inner.Requests() }

// Retries is the number of requests that repeated another one.
func (m *Meter) Retries() int { return m.inner.Retries() }
