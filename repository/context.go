package repository

import (
	"context"
	"math"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// WithConsistency returns a context under which point reads and queries of
// repositories have this consistency in place of the account's. It can only be
// weaker; the service refuses a stronger one with status 400. Reads of eventual,
// consistent-prefix and session consistency cost half as much as reads of strong
// and bounded-staleness consistency ("Request units as a throughput and
// performance currency in Azure Cosmos DB").
func WithConsistency(ctx context.Context, level azcosmos.ConsistencyLevel) context.Context {
	d := wire.OptionsOf(ctx)
	d.Consistency = &level
	return wire.WithOptions(ctx, d)
}

// WithPriority returns a context under which requests of repositories have this
// priority. If a container's throughput is used up, the service throttles
// requests of low priority first. An account without priority-based execution
// ignores it.
func WithPriority(ctx context.Context, level azcosmos.PriorityLevel) context.Context {
	d := wire.OptionsOf(ctx)
	d.Priority = &level
	return wire.WithOptions(ctx, d)
}

// WithThroughputBucket returns a context under which requests of repositories use this
// bucket of the container's throughput, from 1 to 5: each bucket has a share of the
// throughput that it may use at most, which an administrator sets, so that a job cannot
// starve the others. The service refuses other numbers with status 400.
func WithThroughputBucket(ctx context.Context, bucket int) context.Context {
	d := wire.OptionsOf(ctx)
	number := int32(min(max(bucket, math.MinInt32), math.MaxInt32))
	d.Bucket = &number
	return wire.WithOptions(ctx, d)
}

// WithIntegratedCache returns a context under which point reads and queries may be
// answered from the integrated cache of a dedicated gateway, if the answer is no older
// than staleness, which counts in milliseconds. Such an answer costs no request units.
// With a staleness of 0 each answer is read anew, and kept in the cache.
//
// It needs a client with the connection string of the dedicated gateway, and eventual or
// session consistency; elsewhere it has no effect. Without this function the service takes
// a staleness of 5 minutes. The answer to a read may be older than a write of a moment ago
// by another client: a [Session] reads its own writes, others do not. What Update and other
// writes read first does not come from the cache.
func WithIntegratedCache(ctx context.Context, staleness time.Duration) context.Context {
	d := wire.OptionsOf(ctx)
	staleness = max(staleness, 0)
	d.Cache = &azcosmos.DedicatedGatewayRequestOptions{MaxIntegratedCacheStaleness: &staleness}
	return wire.WithOptions(ctx, d)
}

// WithoutIntegratedCache returns a context under which no answer comes from the integrated
// cache, or is kept in it.
func WithoutIntegratedCache(ctx context.Context) context.Context {
	d := wire.OptionsOf(ctx)
	d.Cache = &azcosmos.DedicatedGatewayRequestOptions{BypassIntegratedCache: true}
	return wire.WithOptions(ctx, d)
}

// WithExcludedRegions returns a context whose requests do not go to the regions of these names,
// such as "West Europe", in place of those of an outer context; without names, none is excluded.
// They go to the other regions of the client's PreferredRegions in their order, or of the
// account if it has none, also after a failure. Names that the account does not have are
// ignored, and case and spaces do not matter.
//
// If none remains, requests go to the primary region, as in the SDKs for .NET and Java. In an
// account with one write region, writes go there, whatever is excluded. Reads of the account
// itself are not affected. The client must be made with [Configure]; with another client every
// operation returns an error. It costs nothing, but that the first operation on a container reads
// its physical partitions, by up to three requests for metadata.
func WithExcludedRegions(ctx context.Context, names ...string) context.Context {
	return wire.WithExcludedRegions(ctx, names)
}

// IndexMetrics keeps what the service tells of the indexes that queries have used, and of
// those that would help, and what its query advisor recommends. The zero value is ready, and
// it is safe for concurrent use.
type IndexMetrics struct{ metrics wire.IndexMetrics }

// Texts returns the different texts that came, in the order in which they came. Each is
// JSON of the service's own form: "Indexing metrics in Azure Cosmos DB" explains it. The
// physical partitions of a query mostly tell the same.
func (m *IndexMetrics) Texts() []string { return m.metrics.Texts() }

// Advice returns the different recommendations that came, in the order in which they came.
// The service gives them with the first page of a query alone. There are none with a client
// that [Configure] has not made.
func (m *IndexMetrics) Advice() []Advice {
	var all []Advice
	for _, e := range m.metrics.Advice() {
		all = append(all, Advice(e))
	}
	return all
}

// Advice is a recommendation of the service's query advisor.
type Advice struct {
	// Rule is the id of the rule, such as "QA1002". It is empty if the service has answered
	// in a form that this release does not read: Message is the answer then.
	Rule string
	// Message says what to do. Of a rule that this release does not know, it is the JSON of
	// the service.
	Message string
	// Link is the page that explains the rule.
	Link string
}

// WithIndexMetrics returns a context whose queries and pages ask the service for metrics of
// indexes and for advice, which m keeps, in place of those of an outer context; with a nil m
// they ask for neither. It makes queries dearer and slower: use it to look for a slow query,
// and not for each request. An answer that cannot be read is never an error of the query.
func WithIndexMetrics(ctx context.Context, m *IndexMetrics) context.Context {
	if m == nil {
		return wire.WithIndexMetrics(ctx, nil)
	}
	return wire.WithIndexMetrics(ctx, &m.metrics)
}

// Session lets a program read its own writes, and nothing older than it has read
// before, in an account of session consistency. It keeps the session tokens that
// the service returns, one for each physical partition, and sends them with point
// reads and queries. The SDK sends none: without a Session, a replica may answer
// a read before it has the write of a moment ago.
//
// A Session is for one flow of work, such as the requests of one user, and may
// cover several repositories and containers. The zero value is ready. A Session
// is safe for concurrent use, and must not be copied after its first use. It
// grows with the number of physical partitions that its operations reach.
type Session struct{ tokens wire.Session }

// WithSession returns a context under which all operations of repositories belong
// to s, and to no session of an outer context. The client must be made with
// [Configure]; with another client every operation returns an error.
//
// The first operation on a container reads its physical partitions, once a
// process, by up to three requests for metadata. Queries over several physical
// partitions need the same requests.
func WithSession(ctx context.Context, s *Session) context.Context {
	if s == nil {
		return wire.WithSession(ctx, nil)
	}
	return wire.WithSession(ctx, &s.tokens)
}
