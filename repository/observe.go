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

// Meter adds up what the requests for documents cost under a context: see
// [documents.Meter]. Only clients made with [Configure] count every attempt; other clients
// count the last one, and no retries.
type Meter = documents.Meter

// WithMeter returns a context under which m counts the requests for documents of
// every repository: see [documents.WithMeter].
func WithMeter(ctx context.Context, m *Meter) context.Context { return documents.WithMeter(ctx, m) }

// Event describes a completed request for documents, with all its attempts: one
// point read or write, one transactional batch, one page of a query, or one call
// of the SDK's ReadManyItems or ReadChangeFeed. One kind of event is no request: see
// WriteRegions.
type Event struct {
	// Op is the operation that the request belongs to, as in [Error].
	Op string

	// Type is the name of the document type.
	Type string

	// Tenant is the tenant whose repository sent the request, as its text: see
	// [Tenant]. It is empty for requests of other repositories.
	Tenant string

	// Database is the name of the database. Like Attempts, Throttled, Status, Rows,
	// Host and Region, it is known of clients made with [Configure], and zero for others.
	Database string

	// Container is the id of the container.
	Container string

	// ID is the item id, empty for requests of several documents.
	ID string

	// PartitionKey is the partition key as JSON, empty for requests to several
	// logical partitions.
	PartitionKey string

	// Range is the id of the physical partition to which the request went. A request of
	// a fan-out is sent to one. For others, such as point reads and writes, the client
	// has to be made with [Configure]: then it is the one that the answer names, or, for
	// an answer that names none, such as most of status 429, the one that owns the
	// effective partition key. That is computed here, and no request is sent to learn
	// what physical partitions there are: Range is empty while no query or change feed
	// of this process has learnt it, once an answer has shown that they were split or
	// merged since, in a container of version 1, and if a request went to several.
	Range string

	// RequestUnits is the charge of the last attempt.
	RequestUnits float64

	// Duration is the time from the start of the first attempt to the end of the
	// last, including the pauses between them.
	Duration time.Duration

	// Attempts is how often the request was sent, and Throttled how many of these
	// attempts had status 429.
	Attempts  int
	Throttled int

	// Status is the HTTP status of the last answer, 0 if there was none.
	Status int

	// Rows is how many rows the pages of a query or of a change feed had.
	Rows int

	// Host is the host, and the port if it is not 443, of the last attempt, and Region
	// the name of its region, such as "West Europe", empty if the account does not list
	// the host.
	Host   string
	Region string

	// Hedge says that this is the second request of a hedged read: see [WithHedging]. It
	// has answered the read if Err is nil. The first request is an event of its own; if
	// the second has answered, its Err matches context.Canceled, or is why it has failed.
	Hedge bool

	// Err is the error of the last attempt, nil if it succeeded. Its text holds
	// no value of a document. The text of the SDK's *azcore.ResponseError, which
	// errors.As finds in it, may hold such values.
	Err error

	// WriteRegions, unless it is empty, says that this is no request: the account takes writes
	// in these several regions since the last request of the repository, such as "West Europe
	// and North Europe", or in this one again. Op is "write regions", and only Type and
	// Container are set besides. From then on, operations that rely on one write region return
	// [ErrSeveralWriteRegions]; all others go on. An observer has the event once for each such
	// change, of one of its repositories. It comes with the first request after the SDK has
	// read the account, which it does every five minutes. Only clients made with [Configure]
	// see it.
	WriteRegions string
}

// WithObserver calls f after every request for documents, to log it or to measure
// it. Fan-outs, bulk operations and change feeds call f from several goroutines
// at once, and wait for it. Several observers are all called. With a nil f every
// operation returns an error.
func WithObserver(f func(context.Context, Event)) Option {
	var regions atomic.Pointer[string] // that f was last told
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
// transaction, bulk operation and query, GetMany, FindInBuckets, and iteration of
// Changes. The SDK's spans of its requests are children of that span. Give it
// the provider of the client's own options,
// azcosmos.ClientOptions.TracingProvider, which repositories do not see. The
// repository's spans show the type of a document, and neither its id nor its key.
// The SDK decides what its own spans show, such as URLs.
func WithTracing(p tracing.Provider) Option {
	return func(s *untyped.Settings) {
		s.Tracer = p.NewTracer("github.com/cosmos-pkgen/pkgen/repository", "")
	}
}
