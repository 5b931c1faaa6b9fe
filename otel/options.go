package cosmosotel

import (
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/cosmos-pkgen/pkgen/repository"
)

// scope is the name of the tracer and of the meter.
const scope = "github.com/cosmos-pkgen/pkgen/otel"

// Option is an option of [Options].
type Option func(*config)

type config struct {
	tracers  trace.TracerProvider
	meters   metric.MeterProvider
	clientID string
	keys     bool
}

// TracerProvider makes spans by p instead of the global provider.
func TracerProvider(p trace.TracerProvider) Option { return func(c *config) { c.tracers = p } }

// MeterProvider makes metrics by p instead of the global provider.
func MeterProvider(p metric.MeterProvider) Option { return func(c *config) { c.meters = p } }

// ClientID sets azure.client.id of spans, which distinguishes the clients of a program.
func ClientID(id string) Option { return func(c *config) { c.clientID = id } }

// Keys adds the id, the partition key and the tenant of the document to the events of spans:
// pkgen.id, pkgen.partition_key and pkgen.tenant. These are data of your users. Metrics never
// have them.
func Keys() Option { return func(c *config) { c.keys = true } }

// Options returns the options of a repository that make its spans and metrics. They replace
// [repository.WithTracing], and may be combined with other observers. Repositories may share
// them. An operation costs 56 allocations and some tens of microseconds, 40 allocations if its
// span is not sampled. If the meter provider refuses an instrument, the global error handler of
// OpenTelemetry gets the error.
func Options(opts ...Option) []repository.Option {
	c := config{tracers: otel.GetTracerProvider(), meters: otel.GetMeterProvider()}
	for _, o := range opts {
		o(&c)
	}
	t := &telemetry{config: c, tracer: c.tracers.Tracer(scope), instruments: newInstruments(c.meters.Meter(scope))}
	t.always = []attribute.KeyValue{
		attribute.String("db.system.name", "azure.cosmosdb"),
		attribute.String("azure.resource_provider.namespace", "Microsoft.DocumentDB"),
	}
	if c.clientID != "" {
		t.always = append(t.always, attribute.String("azure.client.id", c.clientID))
	}
	return []repository.Option{repository.WithTracing(t.provider()), repository.WithObserver(t.observe)}
}
