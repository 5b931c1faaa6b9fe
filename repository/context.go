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
