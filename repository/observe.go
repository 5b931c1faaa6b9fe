package repository

import (
	"context"
	"errors"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/tracing"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Meter adds up what the requests for documents cost under a context. The zero
// value is ready, and a Meter is safe for concurrent use.
type Meter struct{ counts wire.Meter }

// RequestUnits is the sum of the request charges, including those of failed
// requests.
func (m *Meter) RequestUnits() float64 { return m.counts.RequestUnits() }

// Requests is the number of requests sent, including retries.
func (m *Meter) Requests() int { return m.counts.Requests() }

// Retries is the number of requests that repeated an earlier one. Only clients
// made with [Configure] count them; for other clients it is 0.
func (m *Meter) Retries() int { return m.counts.Retries() }

// WithMeter returns a context under which m counts the requests for documents of
// every repository. Meters nest: those of parent contexts count as well. They do
// not count requests for metadata, which the SDK sends seldom and whose answers
// it keeps. A nil m counts nothing.
func WithMeter(ctx context.Context, m *Meter) context.Context {
	if m == nil {
		return ctx
	}
	return wire.WithMeter(ctx, &m.counts)
}

// Event describes a completed request for documents, with all its attempts: one
// point read or write, one transactional batch, one page of a query, or one call
// of the SDK's ReadManyItems or ReadChangeFeed.
type Event struct {
	// Op is the operation that the request belongs to, as in [Error].
	Op string

	// Type is the name of the document type.
	Type string

	// ID is the item id, empty for requests of several documents.
	ID string

	// PartitionKey is the partition key as JSON, empty for requests to several
	// logical partitions.
	PartitionKey string

	// Range is the id of the physical partition to which a request of a fan-out
	// went.
	Range string

	// RequestUnits is the charge of the last attempt.
	RequestUnits float64

	// Duration is the time from the start of the first attempt to the end of the
	// last, including the pauses between them.
	Duration time.Duration

	// Err is the error of the last attempt, nil if it succeeded. Its text holds
	// no value of a document. The text of the SDK's *azcore.ResponseError, which
	// errors.As finds in it, may hold such values.
	Err error
}

// WithObserver calls f after every request for documents, to log it or to measure
// it. Fan-outs, bulk operations and change feeds call f from several goroutines
// at once, and wait for it. Several observers are all called. With a nil f every
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

// WithTracing makes a span for each query, GetMany, FindInBuckets and iteration
// of Changes. The SDK's spans of its requests are children of that span. Give it
// the provider of the client's own options,
// azcosmos.ClientOptions.TracingProvider, which repositories do not see. The
// repository's spans show the type of a document, and neither its id nor its key.
// The SDK decides what its own spans show, such as URLs.
func WithTracing(p tracing.Provider) Option {
	return func(s *settings) {
		s.Tracer = p.NewTracer("github.com/cosmos-pkgen/pkgen/repository", "")
	}
}
