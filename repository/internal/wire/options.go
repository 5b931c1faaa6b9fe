package wire

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// Options are what a context asks of the service for its requests; nil is what the
// account and the client have.
type Options struct {
	Consistency *azcosmos.ConsistencyLevel
	Priority    *azcosmos.PriorityLevel
	Bucket      *int32                                   // of throughput
	Cache       *azcosmos.DedicatedGatewayRequestOptions // of reads
}

type optionsKey struct{}

// OptionsOf returns the options of a context, zero if it has none.
func OptionsOf(ctx context.Context) Options {
	o, _ := ctx.Value(optionsKey{}).(Options)
	return o
}

// WithOptions returns a context whose requests have these options.
func WithOptions(ctx context.Context, o Options) context.Context {
	return context.WithValue(ctx, optionsKey{}, o)
}

// readOptions returns the options of the point read of an operation, nil for none. What a
// write reads does not come from the integrated cache: the write would find each time that
// the document has changed, and would learn nothing of an attempt whose answer was lost.
func readOptions(ctx context.Context, op string) *azcosmos.ItemOptions {
	o := OptionsOf(ctx)
	if o == (Options{}) {
		return nil
	}
	if o.Cache != nil && op != OpGet && op != OpGetMany {
		o.Cache = &azcosmos.DedicatedGatewayRequestOptions{BypassIntegratedCache: true}
	}
	return &azcosmos.ItemOptions{
		ConsistencyLevel: o.Consistency, PriorityLevel: o.Priority, ThroughputBucket: o.Bucket, DedicatedGatewayRequestOptions: o.Cache,
	}
}

// WriteOptions returns the options of a write, nil for none, since other options
// override those of the client.
func WriteOptions(ctx context.Context) *azcosmos.ItemOptions {
	o := OptionsOf(ctx)
	if o.Priority == nil && o.Bucket == nil {
		return nil
	}
	return &azcosmos.ItemOptions{PriorityLevel: o.Priority, ThroughputBucket: o.Bucket}
}

// IfMatch returns the options of a write on condition that the document has the ETag
// unchanged, or of a write without a condition if that is empty.
func IfMatch(ctx context.Context, unchanged azcore.ETag) *azcosmos.ItemOptions {
	if unchanged == "" {
		return WriteOptions(ctx)
	}
	o := OptionsOf(ctx)
	return &azcosmos.ItemOptions{IfMatchEtag: &unchanged, PriorityLevel: o.Priority, ThroughputBucket: o.Bucket}
}

// QueryOptions returns the options of a query.
func QueryOptions(ctx context.Context) azcosmos.QueryOptions {
	o := OptionsOf(ctx)
	return azcosmos.QueryOptions{
		ConsistencyLevel: o.Consistency, PriorityLevel: o.Priority, ThroughputBucket: o.Bucket, DedicatedGatewayRequestOptions: o.Cache,
		PopulateIndexMetrics: indexMetricsOf(ctx) != nil,
	}
}
