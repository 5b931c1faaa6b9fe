package repository

import (
	"context"
	"math"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// WithConsistency returns a context under which point reads and queries of repositories use
// this consistency level instead of the account's. It can only be weaker; the service refuses a
// stronger one with status 400. Reads with eventual, consistent-prefix or session consistency
// cost half as much as reads with strong or bounded-staleness consistency ("Request units as a
// throughput and performance currency in Azure Cosmos DB").
func WithConsistency(ctx context.Context, level azcosmos.ConsistencyLevel) context.Context {
	d := wire.OptionsOf(ctx)
	d.Consistency = &level
	return wire.WithOptions(ctx, d)
}

// WithPriority returns a context under which requests of repositories have this priority. When
// a container's throughput is used up, the service throttles low-priority requests first. An
// account without priority-based execution ignores it.
func WithPriority(ctx context.Context, level azcosmos.PriorityLevel) context.Context {
	d := wire.OptionsOf(ctx)
	d.Priority = &level
	return wire.WithOptions(ctx, d)
}

// WithThroughputBucket returns a context under which requests of repositories use this bucket
// of the container's throughput, from 1 to 5. An administrator limits the share of throughput
// of each bucket, so that one job cannot starve the others. The service refuses other numbers
// with status 400.
func WithThroughputBucket(ctx context.Context, bucket int) context.Context {
	d := wire.OptionsOf(ctx)
	number := int32(min(max(bucket, math.MinInt32), math.MaxInt32))
	d.Bucket = &number
	return wire.WithOptions(ctx, d)
}

// WithIntegratedCache returns a context under which the integrated cache of a dedicated gateway
// may answer point reads and queries, with answers no older than staleness, which is cut to
// milliseconds. An answer from the cache costs no request units. With a staleness of 0, every
// answer is read anew and stored in the cache. Without WithIntegratedCache, the service uses a
// staleness of 5 minutes.
//
// It requires a client with the connection string of the dedicated gateway, and eventual or
// session consistency; otherwise it has no effect. An answer may predate a recent write by
// another client; within a [Session], reads include that session's own writes. Update and other
// writes that read first bypass the cache.
func WithIntegratedCache(ctx context.Context, staleness time.Duration) context.Context {
	d := wire.OptionsOf(ctx)
	staleness = max(staleness, 0)
	d.Cache = &azcosmos.DedicatedGatewayRequestOptions{MaxIntegratedCacheStaleness: &staleness}
	return wire.WithOptions(ctx, d)
}

// WithoutIntegratedCache returns a context under which the integrated cache neither answers
// requests nor stores their answers.
func WithoutIntegratedCache(ctx context.Context) context.Context {
	d := wire.OptionsOf(ctx)
	d.Cache = &azcosmos.DedicatedGatewayRequestOptions{BypassIntegratedCache: true}
	return wire.WithOptions(ctx, d)
}

// WithExcludedRegions returns a context whose requests avoid the named regions, such as "West
// Europe". The list replaces that of an outer context; an empty one excludes no region.
// Requests, and their retries, go to the client's remaining PreferredRegions in order, or to
// the account's regions if the client has none. Unknown names are ignored, and case and spaces
// do not matter.
//
// If no region remains, requests go to the primary region, as in the SDKs for .NET and Java. In
// an account with one write region, writes always go there. Reads of the account itself are not
// affected. The client must be made with [Configure]; with another client every operation
// returns an error. The only cost is that the first operation on a container reads its physical
// partitions, with up to three metadata requests.
func WithExcludedRegions(ctx context.Context, names ...string) context.Context {
	return wire.WithExcludedRegions(ctx, names)
}

// IndexMetrics collects the service's metrics of the indexes that queries used or could have
// used, and the recommendations of its query advisor. The zero value is ready, and it is safe
// for concurrent use.
type IndexMetrics struct{ metrics wire.IndexMetrics }

// Texts returns the distinct metrics in the order in which they arrived. Each is JSON of the
// service's own form: "Indexing metrics in Azure Cosmos DB" explains it. The physical
// partitions of a query mostly report the same metrics.
func (m *IndexMetrics) Texts() []string { return m.metrics.Texts() }

// Advice returns the distinct recommendations in the order in which they arrived. The service
// sends them only with the first page of a query. A client that was not made by [Configure]
// gets none.
func (m *IndexMetrics) Advice() []Advice {
	var all []Advice
	for _, e := range m.metrics.Advice() {
		all = append(all, Advice(e))
	}
	return all
}

// Advice is a recommendation of the service's query advisor.
type Advice struct {
	// Rule is the id of the rule, such as "QA1002". It is empty if this release cannot parse
	// the service's answer, which is then in Message.
	Rule string
	// Message is the advice. For a rule that this release does not have, it is the service's
	// JSON.
	Message string
	// Link is the page that explains the rule.
	Link string
}

// WithIndexMetrics returns a context whose queries and pages request index metrics and advice
// from the service and store them in m, instead of in that of an outer context. A nil m
// requests nothing. Metrics make queries slower and more expensive: use them to investigate a
// slow query, not for every request. Metrics that cannot be read never fail the query.
func WithIndexMetrics(ctx context.Context, m *IndexMetrics) context.Context {
	if m == nil {
		return wire.WithIndexMetrics(ctx, nil)
	}
	return wire.WithIndexMetrics(ctx, &m.metrics)
}

// Session lets a program read its own writes, and never an older state than it has already
// read, in an account of session consistency. It stores the session tokens that the service
// returns, one per physical partition, and sends them with point reads and queries. The SDK
// sends none: without a Session, a replica may answer a read before it has a recent write.
//
// A Session is for one flow of work, such as the requests of one user, and may span several
// repositories and containers. The zero value is ready. A Session is safe for concurrent use,
// and must not be copied after first use. It grows with the number of physical partitions that
// its operations reach.
type Session struct{ tokens wire.Session }

// WithSession returns a context under which all operations of repositories belong to s, instead
// of to the session of an outer context. The client must be made with [Configure]; with another
// client every operation returns an error.
//
// The first operation on a container in a process reads its physical partitions, with up to
// three metadata requests. Queries over several physical partitions need the same requests.
func WithSession(ctx context.Context, s *Session) context.Context {
	if s == nil {
		return wire.WithSession(ctx, nil)
	}
	return wire.WithSession(ctx, &s.tokens)
}
