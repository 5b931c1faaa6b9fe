package repository

import (
	"context"

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
