package repository

import (
	"context"
	"errors"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/tracing"

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

// Event describes a request for documents that has ended: one point read or
// write, one transactional batch, one page of a query, or one call of the SDK's
// ReadManyItems or ReadChangeFeed, with all its attempts.
type Event struct {
	// Op is the operation that the request belongs to, as in [Error].
	Op string

	// Type is the name of the document type.
	Type string

	// ID is the item id, empty for requests of several documents.
	ID string

	// PartitionKey is the partition key as JSON would show it, empty for requests
	// to several logical partitions.
	PartitionKey string

	// Range is the id of the physical partition of a query of a fan-out.
	Range string

	// RequestUnits is the charge of the last attempt.
	RequestUnits float64

	// Duration is the time from before the first attempt to behind the last one,
	// pauses included.
	Duration time.Duration

	// Err is why the last attempt failed, nil if it did not. Its text holds no value
	// of a document; errors.As finds the SDK's *azcore.ResponseError, whose text may.
	Err error
}

// WithObserver calls f after every request for documents, to log it or to measure
// it. Fan-outs, bulk operations and change feeds call it from several goroutines at
// once, and wait for it. Several observers are all called. Of a nil f, every
// operation returns an error.
func WithObserver(f func(context.Context, Event)) Option {
	return func(s *settings) {
		if f == nil {
			s.wrong = errors.New("the function of WithObserver is nil")
			return
		}
		before := s.observe
		s.observe = func(ctx context.Context, e wire.Event) {
			if before != nil {
				before(ctx, e)
			}
			f(ctx, Event(e))
		}
	}
}

// WithTracing makes a span for each query, GetMany, FindInBuckets and iteration of Changes,
// under which the SDK's spans of all its requests hang. The provider is the one of
// the client's own options, azcosmos.ClientOptions.TracingProvider, which
// repositories do not see. Of a document, the repository's spans tell its type, and
// neither its id nor its key; what the SDK's tell, such as URLs, is up to that.
func WithTracing(p tracing.Provider) Option {
	return func(s *settings) {
		s.Tracer = p.NewTracer("github.com/cosmos-pkgen/pkgen/repository", "")
	}
}
