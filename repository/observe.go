package repository

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/tracing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Meter adds up the costs of requests for documents under a context: see [documents.Meter].
// Only clients made with [Configure] count every attempt; with other clients it counts only the
// last.
type Meter = documents.Meter

// WithMeter returns a context under which m counts the requests for documents of
// every repository: see [documents.WithMeter].
func WithMeter(ctx context.Context, m *Meter) context.Context { return documents.WithMeter(ctx, m) }

// Event describes a completed request for documents, with all its attempts: one point read or
// write, one transactional batch, one page of a query, or one call of the SDK's ReadManyItems
// or ReadChangeFeed. An event with WriteRegions is not a request.
type Event struct {
	// Op is the operation of the request, as in [Error].
	Op string

	// Type is the name of the document type.
	Type string

	// Tenant is the tenant whose repository sent the request, as text: see [Tenant]. It is
	// empty for requests of other repositories.
	Tenant string

	// Database is the name of the database. Database, Attempts, Throttled, Status, Rows, Host
	// and Region are zero unless the client was made with [Configure].
	Database string

	// Container is the id of the container.
	Container string

	// ID is the item id, empty for requests of several documents.
	ID string

	// PartitionKey is the partition key as JSON, empty for requests to several
	// logical partitions.
	PartitionKey string

	// Range is the id of the physical partition to which the request went. A request of a
	// fan-out goes to one. For other requests, such as point reads and writes, the client must
	// be made with [Configure]. Range is then the physical partition named in the response or,
	// if it names none, as in most responses with status 429, the one that owns the effective
	// partition key. The latter is computed without a request. Range is empty until a query or
	// change feed of this process has read the physical partitions, after a response has shown
	// that they were split or merged since, in a container of version 1, and if a request went
	// to several.
	Range string

	// RequestUnits is the charge of the last attempt.
	RequestUnits float64

	// Duration is the time from the start of the first attempt to the end of the
	// last, including the pauses between them.
	Duration time.Duration

	// Attempts is the number of times the request was sent, and Throttled the number of these
	// attempts with status 429.
	Attempts  int
	Throttled int

	// Status is the HTTP status of the last response, 0 if there was none.
	Status int

	// Rows is the number of rows in the pages of a query or a change feed.
	Rows int

	// Host is the host, and the port if it is not 443, of the last attempt. Region is the name
	// of its region, such as "West Europe", empty if the account does not list the host.
	Host   string
	Region string

	// Hedge is set for the second request of a hedged read: see [WithHedging]. If Err is nil,
	// this request answered the read. The first request is an event of its own; if the second
	// answered, Err of the first matches context.Canceled, or is the reason why it failed.
	Hedge bool

	// Err is the error of the last attempt, nil if it succeeded. Its text has no values of a
	// document. The SDK's *azcore.ResponseError, which errors.As finds in it, may contain such
	// values.
	Err error

	// WriteRegions, if not empty, marks an event that is not a request: since the last request
	// of the repository, the account's write regions have changed to these, such as "West
	// Europe and North Europe", or back to one. Op is "write regions", and only Type and
	// Container are also set. From then on, with several regions, operations that rely on one
	// write region return [ErrSeveralWriteRegions]; all others still work. An observer gets the
	// event once per change, from one of its repositories. It comes with the first request
	// after the SDK has read the account, which it does every five minutes. Only clients made
	// with [Configure] report it.
	WriteRegions string
}

// WithObserver calls f after every request for documents, for logs and metrics. Fan-outs, bulk
// operations and change feeds call f from several goroutines at once, and wait for it. Several
// observers are all called. With a nil f every operation returns an error.
func WithObserver(f func(context.Context, Event)) Option {
	var regions atomic.Pointer[string] // last passed to f
	return func(s *untyped.Settings) {
		if f == nil {
			s.Wrong = errors.New("the function of WithObserver is nil")
			return
		}
		before := s.Observe
		s.Observe = func(ctx context.Context, e wire.Event) {
			if before != nil {
				before(ctx, e)
			}
			if e.WriteRegions != "" {
				if last := regions.Swap(&e.WriteRegions); last != nil && *last == e.WriteRegions {
					return
				}
			}
			f(ctx, Event(e))
		}
	}
}

// WithTracing makes a span for each operation: each read, write, patch, update, move,
// transaction, bulk operation and query, GetMany, FindInBuckets, and iteration of Changes. The
// SDK's spans of its requests are children of that span. Pass the provider of the client's
// options, azcosmos.ClientOptions.TracingProvider, which repositories cannot see. The
// repository's spans have the type of a document, but neither its id nor its key. The SDK
// decides the content of its own spans, such as URLs.
func WithTracing(p tracing.Provider) Option {
	return func(s *untyped.Settings) {
		s.Tracer = p.NewTracer("github.com/cosmos-pkgen/pkgen/repository", "")
	}
}
