package repository

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Meter adds up what the requests for documents cost that are sent under a
// context. The zero value is ready, and a Meter is safe for concurrent use.
type Meter struct{ counts wire.Meter }

// RequestUnits is the sum of the request charges, those of failed requests
// included.
func (m *Meter) RequestUnits() float64 { return m.counts.RequestUnits() }

// Requests is the number of requests sent, retries included.
func (m *Meter) Requests() int { return m.counts.Requests() }

// Retries is the number of requests that repeated another one. It is known only
// to clients made with [Configure], and 0 otherwise.
func (m *Meter) Retries() int { return m.counts.Retries() }

// WithMeter returns a context under which m counts the requests for documents
// of every repository. Meters nest: those of parent contexts count as well.
// Requests for metadata, which the SDK sends seldom and keeps, are not counted. A
// nil m counts nothing.
func WithMeter(ctx context.Context, m *Meter) context.Context {
	if m == nil {
		return ctx
	}
	return wire.WithMeter(ctx, &m.counts)
}
