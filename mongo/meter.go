package mongo

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/internal/meter"
)

// Meter counts the requests for documents that are sent under a context, by clients of
// [Configure]. The zero value is ready, and a Meter is safe for concurrent use. It counts
// no request units, which the API does not tell with an answer.
type Meter struct{ inner meter.Meter }

// WithMeter returns a context under which m counts, as do the meters of the parent
// contexts.
func WithMeter(ctx context.Context, m *Meter) context.Context {
	return meter.With(ctx, &m.inner)
}

// Requests is the number of requests sent, repeats and further batches included.
func (m *Meter) Requests() int { return m.inner.Requests() }

// Retries is the number of requests that repeated another one.
func (m *Meter) Retries() int { return m.inner.Retries() }
