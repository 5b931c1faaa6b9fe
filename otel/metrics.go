package cosmosotel

import (
	"context"
	"sync"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"
)

// The boundaries of histograms, from the conventions: database-metrics.md and cosmosdb.md.
var (
	durationBounds = []float64{0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10}
	chargeBounds   = []float64{1, 5, 10, 25, 50, 100, 250, 500, 1000}
	rowBounds      = []float64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000}
)

// mostCollections is the number of containers that metrics distinguish.
const mostCollections = 200

// instruments are the metrics.
type instruments struct {
	duration, charge metric.Float64Histogram
	rows             metric.Int64Histogram

	mu          sync.Mutex
	collections map[string]bool
}

func newInstruments(m metric.Meter) *instruments {
	i := &instruments{collections: map[string]bool{}}
	var err error
	told := func(err error) bool {
		if err != nil {
			otel.Handle(err)
		}
		return err != nil
	}
	i.duration, err = m.Float64Histogram("db.client.operation.duration", metric.WithUnit("s"),
		metric.WithDescription("Duration of database client operations."), metric.WithExplicitBucketBoundaries(durationBounds...))
	if told(err) {
		i.duration = noop.Float64Histogram{}
	}
	i.charge, err = m.Float64Histogram("azure.cosmosdb.client.operation.request_charge", metric.WithUnit("{request_unit}"),
		metric.WithDescription("Request units consumed by the operation."), metric.WithExplicitBucketBoundaries(chargeBounds...))
	if told(err) {
		i.charge = noop.Float64Histogram{}
	}
	i.rows, err = m.Int64Histogram("db.client.response.returned_rows", metric.WithUnit("{row}"),
		metric.WithDescription("The actual number of records returned by the database operation."), metric.WithExplicitBucketBoundaries(rowBounds...))
	if told(err) {
		i.rows = noop.Int64Histogram{}
	}
	return i
}

// collection returns the name of a container in metrics.
func (i *instruments) collection(name string) string {
	i.mu.Lock()
	defer i.mu.Unlock()
	if !i.collections[name] {
		if len(i.collections) >= mostCollections {
			return other
		}
		i.collections[name] = true
	}
	return name
}

// record counts an operation that has ended.
func (i *instruments) record(ctx context.Context, o *outcome, took time.Duration) {
	attributes := make([]attribute.KeyValue, 0, 10)
	attributes = append(attributes, attribute.String("db.system.name", "azure.cosmosdb"), attribute.String("db.operation.name", o.name))
	if o.container != "" {
		attributes = append(attributes, attribute.String("db.collection.name", i.collection(o.container)))
	}
	attributes = o.server(attributes)
	if o.errorType != "" {
		attributes = append(o.codes(attributes), attribute.String("error.type", o.errorType))
	}
	set := metric.WithAttributeSet(attribute.NewSet(attributes...))
	i.duration.Record(ctx, took.Seconds(), set)
	if o.requests == 0 {
		return // no request was sent, so nothing was charged
	}
	i.charge.Record(ctx, o.units, set)
	if o.errorType == "" && (o.name == opQuery || o.name == opChanges || o.name == opMany || o.name == opFind) {
		i.rows.Record(ctx, int64(o.rows), set)
	}
}
