package repository

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// demands is what a context asks of the service.
type demands struct {
	consistency *azcosmos.ConsistencyLevel
	priority    *azcosmos.PriorityLevel
}

type demandsKey struct{}

// demandsOf returns those of a context, zero if it asks for nothing.
func demandsOf(ctx context.Context) demands {
	d, _ := ctx.Value(demandsKey{}).(demands)
	return d
}

// WithConsistency returns a context under which point reads and queries of
// repositories have this consistency in place of the account's. It can only be
// weaker; the service refuses a stronger one with status 400. Reads of eventual,
// consistent-prefix and session consistency cost half of what those of strong
// and bounded-staleness consistency do ("Request units as a throughput and
// performance currency in Azure Cosmos DB").
func WithConsistency(ctx context.Context, level azcosmos.ConsistencyLevel) context.Context {
	d := demandsOf(ctx)
	d.consistency = &level
	return context.WithValue(ctx, demandsKey{}, d)
}

// WithPriority returns a context under which requests of repositories have this
// priority: where a container's throughput is spent, the service throttles those
// of low priority first. The account must have priority-based execution switched
// on; others take no notice.
func WithPriority(ctx context.Context, level azcosmos.PriorityLevel) context.Context {
	d := demandsOf(ctx)
	d.priority = &level
	return context.WithValue(ctx, demandsKey{}, d)
}

// readOptions returns the options of a point read, nil for none.
func readOptions(ctx context.Context) *azcosmos.ItemOptions {
	d := demandsOf(ctx)
	if d == (demands{}) {
		return nil
	}
	return &azcosmos.ItemOptions{ConsistencyLevel: d.consistency, PriorityLevel: d.priority}
}

// writeOptions returns the options of a write, nil for none, since other options
// override those of the client.
func writeOptions(ctx context.Context) *azcosmos.ItemOptions {
	d := demandsOf(ctx)
	if d.priority == nil {
		return nil
	}
	return &azcosmos.ItemOptions{PriorityLevel: d.priority}
}

// ifMatch returns the options of a write on condition that the document has the
// ETag unchanged, or of any write if that is empty.
func ifMatch(ctx context.Context, unchanged azcore.ETag) *azcosmos.ItemOptions {
	if unchanged == "" {
		return writeOptions(ctx)
	}
	return &azcosmos.ItemOptions{IfMatchEtag: &unchanged, PriorityLevel: demandsOf(ctx).priority}
}

// readManyOptions returns the options of ReadManyItems.
func (s *store) readManyOptions(ctx context.Context) *azcosmos.ReadManyItemsOptions {
	d := demandsOf(ctx)
	concurrency := int32(min(s.settings.concurrency, chunkValues))
	return &azcosmos.ReadManyItemsOptions{ConsistencyLevel: d.consistency, PriorityLevel: d.priority, MaxConcurrency: &concurrency}
}
