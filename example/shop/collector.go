package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"time"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	cosmosotel "github.com/cosmos-pkgen/pkgen/otel"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// An observer sends spans and metrics to an OpenTelemetry collector. The zero observer
// sends nothing, and adds nothing to a request.
type observer struct {
	tracers *sdktrace.TracerProvider
	meters  *metric.MeterProvider
}

// newObserver returns an observer that sends by OTLP over HTTP to the collector of
// OTEL_EXPORTER_OTLP_ENDPOINT, or the zero observer if that is not set. The exporters
// read the other variables of OpenTelemetry, such as OTEL_SERVICE_NAME.
func newObserver(ctx context.Context) (o observer, err error) {
	if os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") == "" {
		return o, nil
	}
	spans, err := otlptracehttp.New(ctx)
	if err != nil {
		return o, err
	}
	metrics, err := otlpmetrichttp.New(ctx)
	if err != nil {
		return o, err
	}
	service, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "shop")), resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return o, err
	}
	o.tracers = sdktrace.NewTracerProvider(sdktrace.WithBatcher(spans), sdktrace.WithResource(service))
	o.meters = metric.NewMeterProvider(metric.WithReader(metric.NewPeriodicReader(metrics)), metric.WithResource(service))
	return o, nil
}

// options make repositories tell the observer what they do.
func (o observer) options() []repository.Option {
	if o.tracers == nil {
		return nil
	}
	return cosmosotel.Options(cosmosotel.TracerProvider(o.tracers), cosmosotel.MeterProvider(o.meters))
}

// route makes a span of each request that a route serves. Paths have ids of customers
// and of orders in them, so the span has the route in place of the path. It is a part of
// the trace of its caller, who decides whether that is sampled: a service on the internet
// leaves out the propagator.
func (o observer) route(pattern string, serve http.HandlerFunc) http.Handler {
	if o.tracers == nil {
		return serve
	}
	_, path, _ := strings.Cut(pattern, " ")
	return otelhttp.NewHandler(serve, pattern,
		otelhttp.WithTracerProvider(o.tracers), otelhttp.WithMeterProvider(o.meters),
		otelhttp.WithPropagators(propagation.TraceContext{}),
		otelhttp.WithSpanOptions(trace.WithAttributes(attribute.String("url.path", path))))
}

// flush sends what has not been sent yet, also if ctx has ended. If the collector does not
// take it within limit, it is lost, which goes to the log. The observer has ended then.
func (o observer) flush(ctx context.Context, limit time.Duration) {
	if o.tracers == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	if err := errors.Join(o.tracers.Shutdown(ctx), o.meters.Shutdown(ctx)); err != nil {
		slog.WarnContext(ctx, "the collector does not have everything", "error", err)
	}
}
