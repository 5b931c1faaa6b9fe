package cosmosotel

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
)

const day = "2018-08-09"

// watched is a repository on an emulator, with what it has told.
type watched struct {
	testing.TB
	server  *emulator.Server
	events  *fleet.VehicleEventRepository
	tracers *sdktrace.TracerProvider
	spans   *tracetest.InMemoryExporter
	reader  *metric.ManualReader
}

func newWatched(t testing.TB, opts ...Option) *watched {
	t.Helper()
	w := &watched{TB: t, server: emulator.New(t, emulator.Options{Partitions: 5}), spans: tracetest.NewInMemoryExporter(), reader: metric.NewManualReader()}
	w.tracers = sdktrace.NewTracerProvider(sdktrace.WithSyncer(w.spans))
	meters := metric.NewMeterProvider(metric.WithReader(w.reader))
	opts = append([]Option{TracerProvider(w.tracers), MeterProvider(meters)}, opts...)
	client := w.server.Client(repository.Configure(&azcosmos.ClientOptions{ClientOptions: policy.ClientOptions{Retry: policy.RetryOptions{MaxRetries: 2, RetryDelay: time.Millisecond}}}))
	ctx := context.Background()
	if _, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "fleet-db"}, nil); err != nil {
		t.Fatal(err)
	}
	db, err := client.NewDatabase("fleet-db")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.CreateContainer(ctx, fleet.VehicleEventContainer(), nil); err != nil {
		t.Fatal(err)
	}
	container, err := db.NewContainer(fleet.VehicleEventContainer().ID)
	if err != nil {
		t.Fatal(err)
	}
	w.events = fleet.NewVehicleEventRepository(container, Options(opts...)...)
	return w
}

// vehicle is the nth document.
func vehicle(n int) *fleet.VehicleEvent {
	return &fleet.VehicleEvent{ID: fmt.Sprintf("id-secret-%d", n), Date: day, VIN: fmt.Sprintf("1HGCM82633A%06d", n), Speed: n}
}

func (w *watched) fill(n int) {
	w.Helper()
	for i := range n {
		if err := w.events.Create(context.Background(), vehicle(i)); err != nil {
			w.Fatal(err)
		}
	}
	w.spans.Reset()
}

// one returns the one span that was told.
func (w *watched) one() tracetest.SpanStub {
	w.Helper()
	spans := w.spans.GetSpans()
	w.spans.Reset()
	if len(spans) != 1 {
		w.Fatalf("%d spans: %+v", len(spans), spans)
	}
	return spans[0]
}

// values returns attributes as text.
func values(all []attribute.KeyValue) map[string]string {
	found := map[string]string{}
	for _, a := range all {
		found[string(a.Key)] = fmt.Sprint(a.Value.AsInterface())
	}
	return found
}

// TestSpans looks at the span of each operation.
func TestSpans(t *testing.T) {
	w := newWatched(t, ClientID("client-1"))
	w.fill(20)
	query := w.events.ByDate(day)
	if _, err := query.Plan(context.Background()); err != nil { // learns the physical partitions
		t.Fatal(err)
	}
	w.spans.Reset()
	key := func(n int) fleet.VehicleEventKey { return vehicle(n).Key() }
	for _, test := range []struct {
		name     string
		run      func(context.Context) error
		requests int
		want     map[string]string
	}{
		{"create_item", func(ctx context.Context) error { return w.events.Create(ctx, vehicle(100)) }, 1, map[string]string{"db.response.status_code": "201"}},
		{"read_item", func(ctx context.Context) error { _, err := w.events.Get(ctx, key(1)); return err }, 1, map[string]string{"db.response.status_code": "200"}},
		{"upsert_item", func(ctx context.Context) error { return w.events.Upsert(ctx, vehicle(2)) }, 1, nil},
		{"replace_item", func(ctx context.Context) error { return w.events.Replace(ctx, vehicle(2)) }, 1, nil},
		{"patch_item", func(ctx context.Context) error {
			return w.events.Patch(ctx, key(3), fleet.VehicleEventPatch.Speed.Increment(1))
		}, 1, nil},
		{"update_item", func(ctx context.Context) error {
			return w.events.Update(ctx, key(3), func(e *fleet.VehicleEvent) error { e.Speed++; return nil })
		}, 2, nil},
		{"delete_item", func(ctx context.Context) error { return w.events.Delete(ctx, key(4)) }, 1, map[string]string{"db.response.status_code": "204"}},
		{"query_items", func(ctx context.Context) error { _, err := query.Collect(ctx); return err }, 5, map[string]string{"db.response.returned_rows": "20"}},
		{"query_items", func(ctx context.Context) error { _, err := query.Count(ctx); return err }, 5, nil},
		{"read_many_items", func(ctx context.Context) error {
			_, err := w.events.GetMany(ctx, []fleet.VehicleEventKey{key(1)})
			return err
		}, 1, nil},
		{"execute_bulk", func(ctx context.Context) error {
			_, err := w.events.UpsertAll(documents.Items(vehicle(5), vehicle(6), vehicle(7))).Collect(ctx)
			return err
		}, 3, nil},
		{"query_change_feed", func(ctx context.Context) error {
			for _, err := range feed.Changes(ctx, w.events.Documents, feed.FromBeginning()) {
				return err
			}
			return nil
		}, -1, nil},
	} {
		ctx, parent := w.tracers.Tracer("test").Start(context.Background(), "handler")
		if err := test.run(ctx); err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		span := w.one()
		if want := test.name + " vehicle-event"; span.Name != want || span.SpanKind != trace.SpanKindClient || span.Status.Code != codes.Unset {
			t.Errorf("span %q, kind %v, status %v, want %q", span.Name, span.SpanKind, span.Status, want)
		}
		if span.Parent.SpanID() != parent.SpanContext().SpanID() || span.SpanContext.TraceID() != parent.SpanContext().TraceID() {
			t.Errorf("%s hangs under %v", test.name, span.Parent)
		}
		got := values(span.Attributes)
		for name, want := range map[string]string{
			"db.system.name": "azure.cosmosdb", "db.operation.name": test.name, "db.collection.name": "vehicle-event",
			"db.namespace": "fleet-db", "azure.resource_provider.namespace": "Microsoft.DocumentDB", "azure.client.id": "client-1",
			"server.address": "127.0.0.1", "pkgen.type": "VehicleEvent",
		} {
			if got[name] != want {
				t.Errorf("%s: %s is %q, want %q", test.name, name, got[name], want)
			}
		}
		for name, want := range test.want {
			if got[name] != want {
				t.Errorf("%s: %s is %q, want %q", test.name, name, got[name], want)
			}
		}
		if got["azure.cosmosdb.operation.request_charge"] == "" || got["azure.cosmosdb.operation.request_charge"] == "0" || got["server.port"] == "" || got["error.type"] != "" {
			t.Errorf("%s: %v", test.name, got)
		}
		if test.requests >= 0 && (got["pkgen.requests"] != fmt.Sprint(test.requests) || len(span.Events) != test.requests) {
			t.Errorf("%s: %s requests, %d events, want %d", test.name, got["pkgen.requests"], len(span.Events), test.requests)
		}
		if (got["pkgen.physical_partition"] != "") != (test.requests == 1 || test.requests == 2) {
			t.Errorf("%s: physical partition %q", test.name, got["pkgen.physical_partition"])
		}
		if text := fmt.Sprint(span.Attributes, span.Events); strings.Contains(text, "secret") || strings.Contains(text, day) {
			t.Errorf("%s tells a key: %s", test.name, text)
		}
	}
}

func TestKeys(t *testing.T) {
	w := newWatched(t, Keys())
	w.fill(1)
	if _, err := w.events.Get(context.Background(), vehicle(0).Key()); err != nil {
		t.Fatal(err)
	}
	got := values(w.one().Events[0].Attributes)
	if got["pkgen.id"] != "id-secret-0" || !strings.HasPrefix(got["pkgen.partition_key"], `"`+day) {
		t.Errorf("got %v", got)
	}
}

// TestFailures has operations that fail, and one that succeeds after retries.
func TestFailures(t *testing.T) {
	w := newWatched(t)
	w.fill(2)
	ctx := context.Background()
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	own := errors.New("an error with id-secret")
	for _, test := range []struct {
		name, class, status string
		fault               *emulator.Fault
		run                 func() error
	}{
		{"not found", "404", "404", nil, func() error { _, err := w.events.Get(ctx, vehicle(9).Key()); return err }},
		{"conflict", "409", "409", nil, func() error { return w.events.Create(ctx, vehicle(1)) }},
		{"throttled", "429", "429", &emulator.Fault{Operation: emulator.OpReadItem, Status: http.StatusTooManyRequests, Substatus: 3200, RetryAfter: time.Millisecond, Count: -1}, func() error { _, err := w.events.Get(ctx, vehicle(1).Key()); return err }},
		{"canceled", "canceled", "", nil, func() error { _, err := w.events.Get(canceled, vehicle(1).Key()); return err }},
		{"bad key", "_OTHER", "", nil, func() error { _, err := w.events.Get(ctx, fleet.VehicleEventKey{}); return err }},
		{"own", "_OTHER", "200", nil, func() error {
			return w.events.Update(ctx, vehicle(1).Key(), func(*fleet.VehicleEvent) error { return own })
		}},
	} {
		if test.fault != nil {
			w.server.Inject(*test.fault)
		}
		err := test.run()
		w.server.ClearFaults()
		if err == nil {
			t.Fatalf("%s: no error", test.name)
		}
		span := w.one()
		got := values(span.Attributes)
		if span.Status.Code != codes.Error || got["error.type"] != test.class || got["db.response.status_code"] != test.status {
			t.Errorf("%s: status %+v, %v", test.name, span.Status, got)
		}
		if text := fmt.Sprint(span.Status, span.Attributes, span.Events); strings.Contains(text, "secret") || strings.Contains(text, day) {
			t.Errorf("%s tells a key: %s", test.name, text)
		}
		if test.name == "throttled" && (got["azure.cosmosdb.response.sub_status_code"] != "3200" || got["pkgen.throttled"] != "3" || got["pkgen.retries"] != "2") {
			t.Errorf("throttled: %v", got)
		}
	}
	w.server.Inject(emulator.Fault{Operation: emulator.OpReadItem, Status: http.StatusTooManyRequests, RetryAfter: time.Millisecond, Count: 1})
	if _, err := w.events.Get(ctx, vehicle(1).Key()); err != nil {
		t.Fatal(err)
	}
	span := w.one()
	if got := values(span.Attributes); span.Status.Code != codes.Unset || got["pkgen.retries"] != "1" || got["pkgen.throttled"] != "1" || got["error.type"] != "" {
		t.Errorf("after a retry: %v %v", span.Status, got)
	}
}

// TestMetrics reads the histograms.
func TestMetrics(t *testing.T) {
	w := newWatched(t)
	w.fill(20)
	ctx := context.Background()
	for range 3 {
		if _, err := w.events.ByDate(day).Collect(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.events.Get(ctx, vehicle(99).Key()); err == nil {
		t.Fatal("found")
	}
	var all metricdata.ResourceMetrics
	if err := w.reader.Collect(ctx, &all); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{} // what the histograms have, by their names and operations
	for _, m := range all.ScopeMetrics[0].Metrics {
		add := func(attributes attribute.Set, count uint64, sum float64) {
			got := values(attributes.ToSlice())
			if got["db.collection.name"] != "vehicle-event" || got["db.namespace"] != "fleet-db" || got["server.address"] != "127.0.0.1" || strings.Contains(fmt.Sprint(got), "secret") {
				t.Errorf("%s: %v", m.Name, got)
			}
			text := fmt.Sprintf("%d %v %s", count, sum > 0, got["error.type"])
			if m.Name == "db.client.response.returned_rows" {
				text = fmt.Sprintf("%d %v", count, sum)
			}
			found[m.Name+" "+m.Unit+" "+got["db.operation.name"]] = text
		}
		switch data := m.Data.(type) {
		case metricdata.Histogram[float64]:
			for _, p := range data.DataPoints {
				add(p.Attributes, p.Count, p.Sum)
			}
		case metricdata.Histogram[int64]:
			for _, p := range data.DataPoints {
				add(p.Attributes, p.Count, float64(p.Sum))
			}
		}
	}
	for name, want := range map[string]string{
		"db.client.operation.duration s create_item":                                "20 true ",
		"db.client.operation.duration s query_items":                                "3 true ",
		"db.client.operation.duration s read_item":                                  "1 true 404",
		"azure.cosmosdb.client.operation.request_charge {request_unit} create_item": "20 true ",
		"azure.cosmosdb.client.operation.request_charge {request_unit} query_items": "3 true ",
		"azure.cosmosdb.client.operation.request_charge {request_unit} read_item":   "1 true 404",
		"db.client.response.returned_rows {row} query_items":                        "3 60",
	} {
		if found[name] != want {
			t.Errorf("%s: %q, want %q", name, found[name], want)
		}
		delete(found, name)
	}
	if len(found) != 0 {
		t.Errorf("there are also %v", found)
	}
}

// TestCollectionsBounded has a container for each tenant.
func TestCollectionsBounded(t *testing.T) {
	i := newInstruments(metric.NewMeterProvider().Meter("test"))
	for n := range 3 * mostCollections {
		want := other
		if n < mostCollections {
			want = fmt.Sprint("c", n)
		}
		if got := i.collection(fmt.Sprint("c", n)); got != want {
			t.Errorf("container %d is %s", n, got)
		}
	}
	if got := i.collection("c7"); got != "c7" {
		t.Errorf("a known container is %s", got)
	}
}

// TestAlone has requests without an operation.
func TestAlone(t *testing.T) {
	spans := tracetest.NewInMemoryExporter()
	tel := &telemetry{config: config{keys: true}, tracer: sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans)).Tracer(scope), instruments: newInstruments(metric.NewMeterProvider().Meter(scope))}
	tel.observe(context.Background(), repository.Event{Op: "take lease", Type: "T", ID: "l", Container: "leases", Duration: time.Second, RequestUnits: 2, Status: 200, Host: "h.documents.azure.com"})
	tel.observe(context.Background(), repository.Event{Op: "take lease", Type: "T", Container: "leases", Err: context.DeadlineExceeded})
	found := spans.GetSpans()
	if len(found) != 2 || found[0].Name != "take_lease leases" || found[0].EndTime.Sub(found[0].StartTime) != time.Second {
		t.Fatalf("got %+v", found)
	}
	got := values(found[0].Attributes)
	if got["server.address"] != "h.documents.azure.com" || got["server.port"] != "" || got["pkgen.id"] != "l" || got["azure.cosmosdb.operation.request_charge"] != "2" {
		t.Errorf("got %v", got)
	}
	if got := values(found[1].Attributes); got["error.type"] != "timeout" || found[1].Status.Code != codes.Error {
		t.Errorf("got %v", got)
	}
}

// TestWriteRegions: other write regions of the account are an event of the span that is under
// way, and no operation.
func TestWriteRegions(t *testing.T) {
	spans := tracetest.NewInMemoryExporter()
	tel := &telemetry{tracer: sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans)).Tracer(scope), instruments: newInstruments(metric.NewMeterProvider().Meter(scope))}
	ctx, span := tel.tracer.Start(context.Background(), "caller")
	tel.observe(ctx, repository.Event{Op: "write regions", Type: "T", Container: "c", WriteRegions: "West Europe and North Europe"})
	span.End()
	found := spans.GetSpans()
	if len(found) != 1 || len(found[0].Events) != 1 || values(found[0].Events[0].Attributes)["pkgen.write_regions"] != "West Europe and North Europe" {
		t.Errorf("got %+v", found)
	}
}

// TestPropagation checks that the SDK's requests are sent in the span's context.
func TestPropagation(t *testing.T) {
	var seen []trace.SpanContext
	w := newWatched(t)
	w.fill(1)
	w.events = nil // made again, with a policy that looks
	client := w.server.Client(repository.Configure(&azcosmos.ClientOptions{ClientOptions: policy.ClientOptions{PerCallPolicies: []policy.Policy{looks(func(ctx context.Context) {
		seen = append(seen, trace.SpanContextFromContext(ctx))
	})}}}))
	container, err := client.NewContainer("fleet-db", fleet.VehicleEventContainer().ID)
	if err != nil {
		t.Fatal(err)
	}
	events := fleet.NewVehicleEventRepository(container, Options(TracerProvider(w.tracers))...)
	if _, err := events.Get(context.Background(), vehicle(0).Key()); err != nil {
		t.Fatal(err)
	}
	if span := w.one(); len(seen) == 0 || seen[len(seen)-1].SpanID() != span.SpanContext.SpanID() {
		t.Errorf("the request was sent in %v, the span is %v", seen, span.SpanContext)
	}
}

// looks is a policy that is shown the context of requests.
type looks func(context.Context)

func (l looks) Do(r *policy.Request) (*http.Response, error) {
	l(r.Raw().Context())
	return r.Next()
}

// BenchmarkGet is a point read without, with, and with a span that is not sampled.
func BenchmarkGet(b *testing.B) {
	w := newWatched(b)
	w.fill(1)
	client := w.server.Client(repository.Configure(nil))
	container, err := client.NewContainer("fleet-db", fleet.VehicleEventContainer().ID)
	if err != nil {
		b.Fatal(err)
	}
	meters := MeterProvider(metric.NewMeterProvider(metric.WithReader(metric.NewManualReader())))
	for _, c := range []struct {
		name string
		opts []repository.Option
	}{
		{"off", nil},
		{"unsampled", Options(TracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSampler(sdktrace.NeverSample()))), meters)},
		{"on", Options(TracerProvider(sdktrace.NewTracerProvider()), meters)},
	} {
		b.Run(c.name, func(b *testing.B) {
			events := fleet.NewVehicleEventRepository(container, c.opts...)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := events.Get(context.Background(), vehicle(0).Key()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
