package repository

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// WithConsistency returns a context under which point reads and queries of
// repositories have this consistency in place of the account's. It can only be
// weaker; the service refuses a stronger one with status 400. Reads of eventual,
// consistent-prefix and session consistency cost half of what those of strong
// and bounded-staleness consistency do ("Request units as a throughput and
// performance currency in Azure Cosmos DB").
func WithConsistency(ctx context.Context, level azcosmos.ConsistencyLevel) context.Context {
	d := wire.OptionsOf(ctx)
	d.Consistency = &level
	return wire.WithOptions(ctx, d)
}

// WithPriority returns a context under which requests of repositories have this
// priority: where a container's throughput is spent, the service throttles those
// of low priority first. The account must have priority-based execution switched
// on; others take no notice.
func WithPriority(ctx context.Context, level azcosmos.PriorityLevel) context.Context {
	d := wire.OptionsOf(ctx)
	d.Priority = &level
	return wire.WithOptions(ctx, d)
}

// Session lets a program read its own writes, and what it has read before, in an
// account of session consistency: it keeps the session tokens that the service
// returns, one for each physical partition, and sends them with point reads and
// queries. The SDK does not do it: without a Session, a read may be served by a
// replica that does not have the write of a moment ago.
//
// A Session is for one flow of work, such as the requests of one user, and may
// cover several repositories and containers. The zero value is ready, a Session
// is safe for concurrent use, and it is not copied after its first use. It grows
// with the physical partitions that it has met.
type Session struct{ tokens wire.Session }

// WithSession returns a context under which all operations of repositories belong
// to s, and to no session of an outer context. Their client has to be made with
// [Configure]; the error of every operation says so otherwise.
//
// The first operation on a container reads its physical partitions, up to three
// requests for metadata that queries over several of them need as well, once a
// process.
func WithSession(ctx context.Context, s *Session) context.Context {
	if s == nil {
		return wire.WithSession(ctx, nil)
	}
	return wire.WithSession(ctx, &s.tokens)
}
