package repository

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/tracing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/internal/usage"
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
// of the SDK's ReadManyItems or ReadChangeFeed.
type Event struct {
	// Op is the operation that the request belongs to, as in [Error].
	Op string

	// Type is the name of the document type.
	Type string

	// Tenant is the tenant whose repository sent the request, as its text: see
	// [Tenant]. It is empty for requests of other repositories.
	Tenant string

	// Database is the name of the database. Like Attempts, Throttled, Status, Rows and
	// Host, it is known of clients made with [Configure], and zero for others.
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

	// Host is the host, and the port if it is not 443, of the last attempt. It tells
	// the region of an account with several.
	Host string

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

// WithTracing makes a span for each operation: each read, write, patch, update, move,
// transaction, bulk operation and query, GetMany, FindInBuckets, and iteration of
// Changes. The SDK's spans of its requests are children of that span. Give it
// the provider of the client's own options,
// azcosmos.ClientOptions.TracingProvider, which repositories do not see. The
// repository's spans show the type of a document, and neither its id nor its key.
// The SDK decides what its own spans show, such as URLs.
func WithTracing(p tracing.Provider) Option {
	return func(s *settings) {
		s.Tracer = p.NewTracer("github.com/cosmos-pkgen/pkgen/repository", "")
	}
}

// mostTenants is how many tenants a TenantMeter knows if it is not told: about 2 MB.
const mostTenants = 10_000

// TenantMeter adds up which tenants use how many request units. Give its method Observe
// to the repositories of types with the tag tenant:
//
//	meter := new(repository.TenantMeter)
//	orders := NewOrderRepository(container, repository.WithObserver(meter.Observe))
//	…
//	err := json.NewEncoder(file).Encode(meter.Take()) // once an hour
//
// The command "pkgen-data analyze -usage FILE" reads such a file, and says which tenants
// should get a container of their own. The zero value is ready, and a TenantMeter is
// safe for concurrent use. A request costs less than a microsecond.
type TenantMeter struct {
	// Tenants is how many tenants are known at once, 10,000 if it is 0, at about 200
	// bytes each; one that uses several containers counts for each. If there are more, those that use least are forgotten, and the
	// figures of the others are exact within [TenantUsage.Error]. It is set before the
	// first use.
	Tenants int

	mu     sync.Mutex
	from   time.Time
	units  float64
	others float64 // request units of no tenant
	totals *usage.Totals
}

// Usage says what the tenants used from one time to another.
type Usage struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`

	// RequestUnits is the sum of all requests.
	RequestUnits float64 `json:"requestUnits"`

	// Unscoped is the part of it of requests that were not sent for one tenant.
	Unscoped float64 `json:"unscoped"`

	// Forgotten is the most that a tenant may have used that is not among Tenants: 0
	// if all tenants are.
	Forgotten float64 `json:"forgotten,omitempty"`

	// Tenants has those that used most first.
	Tenants []TenantUsage `json:"tenants"`
}

// TenantUsage says what a tenant used in a container. A tenant that was in several has
// one for each.
type TenantUsage struct {
	Tenant    string `json:"tenant"`
	Container string `json:"container"`

	// RequestUnits is the sum of its charges, as [Event] has them.
	RequestUnits float64 `json:"requestUnits"`

	// Error is by how much RequestUnits may be too high, never too low: 0 unless there
	// were more tenants than [TenantMeter.Tenants].
	Error float64 `json:"error,omitempty"`

	// Requests is how many requests the tenant sent, and Throttled how many of them
	// failed with status 429 in the end. With an Error, both are those since the tenant
	// was known again.
	Requests  int64 `json:"requests"`
	Throttled int64 `json:"throttled,omitempty"`

	// Peak is the rate of its busiest minute, in request units a second.
	Peak float64 `json:"peakRequestUnitsPerSecond"`
}

// Observe adds a request. It is a function for [WithObserver].
func (m *TenantMeter) Observe(_ context.Context, e Event) {
	now := time.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.begin(now)
	m.units += e.RequestUnits
	if e.Tenant == "" {
		m.others += e.RequestUnits
		return
	}
	m.totals.Add(usage.Key{Tenant: e.Tenant, Container: e.Container}, e.RequestUnits, isThrottled(e.Err), now)
}

// isThrottled reports whether a request ended with status 429.
func isThrottled(err error) bool {
	var refused *azcore.ResponseError
	return errors.As(err, &refused) && refused.StatusCode == http.StatusTooManyRequests
}

// begin begins to count, unless the meter does already.
func (m *TenantMeter) begin(now time.Time) {
	if m.totals != nil {
		return
	}
	most := m.Tenants
	if most <= 0 {
		most = mostTenants
	}
	m.from, m.units, m.others, m.totals = now, 0, 0, usage.New(most)
}

// Usage returns what tenants have used since the first request, or since the last Take.
func (m *TenantMeter) Usage() Usage { return m.usage(false) }

// Take returns what Usage returns, and begins again: what one call returns, no other call
// does. Several processes may write what it returns into one file, a line each.
func (m *TenantMeter) Take() Usage { return m.usage(true) }

func (m *TenantMeter) usage(again bool) Usage {
	now := time.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.begin(now)
	u := Usage{
		From: m.from.UTC(), To: now.UTC(), RequestUnits: m.units, Unscoped: m.others,
		Forgotten: m.totals.Forgotten(), Tenants: []TenantUsage{},
	}
	for _, t := range m.totals.Tenants() {
		u.Tenants = append(u.Tenants, TenantUsage{
			Tenant: t.Tenant, Container: t.Container, RequestUnits: t.Units, Error: t.Error,
			Requests: t.Requests, Throttled: t.Throttled, Peak: t.Peak(),
		})
	}
	if again {
		m.totals = nil
		m.begin(now)
	}
	return u
}
