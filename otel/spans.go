package cosmosotel

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/tracing"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/cosmos-pkgen/pkgen/repository"
)

// telemetry makes the spans and metrics of repositories.
type telemetry struct {
	config
	tracer      trace.Tracer
	instruments *instruments
	always      []attribute.KeyValue // of each span
}

// operation is an operation of a repository in progress.
type operation struct {
	span  trace.Span
	start time.Time

	mu    sync.Mutex
	ended bool
	outcome
	failed bool
}

type operationKey struct{ *telemetry }

// provider returns the tracing provider of repositories.
func (t *telemetry) provider() tracing.Provider {
	return tracing.NewProvider(func(string, string) tracing.Tracer { return tracing.NewTracer(t.begin, nil) }, nil)
}

// begin starts the span of an operation. Its name is the operation and the type, such as "get
// many Order".
func (t *telemetry) begin(ctx context.Context, name string, _ *tracing.SpanOptions) (context.Context, tracing.Span) {
	o := &operation{start: time.Now()}
	op := name
	if i := strings.LastIndexByte(name, ' '); i >= 0 {
		op, o.typeName = name[:i], name[i+1:]
	}
	o.name = nameOf(op)
	ctx, o.span = t.start(ctx, &o.outcome, o.start)
	ctx = context.WithValue(ctx, operationKey{t}, o)
	// The text of a status names no document.
	return ctx, tracing.NewSpan(tracing.SpanImpl{
		End:       func() { t.end(ctx, o) },
		SetStatus: o.setStatus,
	})
}

// start starts a span with its known attributes.
func (t *telemetry) start(ctx context.Context, o *outcome, at time.Time) (context.Context, trace.Span) {
	attributes := append(make([]attribute.KeyValue, 0, len(t.always)+2), t.always...)
	attributes = append(attributes, attribute.String("db.operation.name", o.name), attribute.String("pkgen.type", o.typeName))
	return t.tracer.Start(ctx, o.spanName(), trace.WithSpanKind(trace.SpanKindClient), trace.WithTimestamp(at), trace.WithAttributes(attributes...)) //nolint:spancheck // the caller ends it
}

// setStatus records that the operation failed, with the reason.
func (o *operation) setStatus(status tracing.SpanStatus, why string) {
	if status != tracing.SpanStatusError {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.failed = true
	o.span.SetStatus(codes.Error, why)
}

// end ends an operation.
func (t *telemetry) end(ctx context.Context, o *operation) {
	now := time.Now()
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ended {
		return
	}
	o.ended = true
	if o.failed {
		if o.failure == "" && o.refused.failure != "" { // a refused write reads the document
			o.answered = o.refused
		}
		if o.errorType = o.failure; o.errorType == "" {
			o.errorType = other
		}
	}
	t.finish(ctx, o.span, &o.outcome, o.start, now)
}

// finish ends a span, and counts it.
func (t *telemetry) finish(ctx context.Context, span trace.Span, o *outcome, start, now time.Time) {
	if span.IsRecording() {
		span.SetName(o.spanName())
		span.SetAttributes(o.attributes(nil)...)
	}
	span.End(trace.WithTimestamp(now))
	t.instruments.record(ctx, o, now.Sub(start))
}

// observe adds a request to the operation of its context. A request without an operation is an
// operation of its own.
func (t *telemetry) observe(ctx context.Context, e repository.Event) {
	now := time.Now()
	if e.WriteRegions != "" {
		trace.SpanFromContext(ctx).AddEvent("write regions", trace.WithTimestamp(now), trace.WithAttributes(attribute.String("pkgen.write_regions", e.WriteRegions)))
		return
	}
	if o, ok := ctx.Value(operationKey{t}).(*operation); ok && o.add(&e, t.keys, now) {
		return
	}
	alone := outcome{name: nameOf(e.Op), typeName: e.Type}
	alone.outcomeOf(&e)
	start := now.Add(-e.Duration)
	ctx, span := t.start(ctx, &alone, start)
	if e.Err != nil {
		span.SetStatus(codes.Error, e.Err.Error())
	}
	if t.keys && span.IsRecording() {
		span.SetAttributes(named(&e)...)
	}
	t.finish(ctx, span, &alone, start, now)
}

// outcomeOf is the outcome of one request.
func (o *outcome) outcomeOf(e *repository.Event) {
	o.add(e)
	o.errorType = o.failure
}

// add adds a request, and reports whether the operation is still in progress.
func (o *operation) add(e *repository.Event, keys bool, now time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ended {
		return false
	}
	o.outcome.add(e)
	if !o.span.IsRecording() {
		return true
	}
	one := outcome{}
	one.add(e)
	attributes := []attribute.KeyValue{
		attribute.String("pkgen.operation", e.Op),
		attribute.Float64("azure.cosmosdb.operation.request_charge", e.RequestUnits),
		attribute.Float64("pkgen.duration", e.Duration.Seconds()),
		attribute.Int("pkgen.attempts", e.Attempts),
	}
	attributes = one.codes(attributes)
	if e.Range != "" {
		attributes = append(attributes, attribute.String("pkgen.physical_partition", e.Range))
	}
	if e.Region != "" {
		attributes = append(attributes, attribute.String("pkgen.region", e.Region))
	}
	if e.Hedge {
		attributes = append(attributes, attribute.Bool("pkgen.hedge", true))
	}
	if e.Rows > 0 {
		attributes = append(attributes, attribute.Int("db.response.returned_rows", e.Rows))
	}
	if one.failure != "" {
		attributes = append(attributes, attribute.String("error.type", one.failure))
	}
	if keys {
		attributes = append(attributes, named(e)...)
	}
	o.span.AddEvent("request", trace.WithTimestamp(now), trace.WithAttributes(attributes...))
	return true
}

// named returns the attributes that identify a document.
func named(e *repository.Event) []attribute.KeyValue {
	var all []attribute.KeyValue
	for _, a := range []attribute.KeyValue{
		attribute.String("pkgen.id", e.ID), attribute.String("pkgen.partition_key", e.PartitionKey), attribute.String("pkgen.tenant", e.Tenant),
	} {
		if a.Value.AsString() != "" {
			all = append(all, a)
		}
	}
	return all
}
