package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	collectmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	collecttrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/shop/documents"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// A collector takes what is sent by OTLP over HTTP, as that of OpenTelemetry does.
type collector struct {
	t       *testing.T
	waits   chan struct{} // if not nil, answers wait until it is closed
	mu      sync.Mutex
	spans   []*tracepb.Span
	metrics map[string]*metricspb.Metric
	text    strings.Builder // all that was sent
}

// collect starts a collector, and lets observers find it.
func collect(t *testing.T, waits chan struct{}) *collector {
	c := &collector{t: t, waits: waits, metrics: map[string]*metricspb.Metric{}}
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", server.URL)
	return c
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		c.t.Error(err)
	}
	if c.waits != nil {
		<-c.waits
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var sent proto.Message
	switch r.Method + " " + r.URL.Path {
	case "POST /v1/traces":
		spans := new(collecttrace.ExportTraceServiceRequest)
		sent, err = spans, proto.Unmarshal(body, spans)
		for _, resource := range spans.GetResourceSpans() {
			for _, scope := range resource.GetScopeSpans() {
				c.spans = append(c.spans, scope.GetSpans()...)
			}
		}
	case "POST /v1/metrics":
		metrics := new(collectmetrics.ExportMetricsServiceRequest)
		sent, err = metrics, proto.Unmarshal(body, metrics)
		for _, resource := range metrics.GetResourceMetrics() {
			for _, scope := range resource.GetScopeMetrics() {
				for _, m := range scope.GetMetrics() { // each has what happened since the start
					c.metrics[m.GetName()] = m
				}
			}
		}
	default:
		err = fmt.Errorf("%s %s", r.Method, r.URL.Path)
	}
	if err != nil {
		c.t.Error(err)
	}
	fmt.Fprintln(&c.text, sent)
	w.Header().Set("Content-Type", "application/x-protobuf") // an empty message: all is well
}

// of returns attributes as text.
func of(attributes []*commonpb.KeyValue) map[string]string {
	found := map[string]string{}
	for _, a := range attributes {
		switch v := a.GetValue().GetValue().(type) {
		case *commonpb.AnyValue_StringValue:
			found[a.GetKey()] = v.StringValue
		case *commonpb.AnyValue_IntValue:
			found[a.GetKey()] = fmt.Sprint(v.IntValue)
		case *commonpb.AnyValue_DoubleValue:
			found[a.GetKey()] = fmt.Sprint(v.DoubleValue)
		default:
			found[a.GetKey()] = a.GetValue().String()
		}
	}
	return found
}

// has compares some attributes.
func has(t *testing.T, name string, got map[string]string, want ...string) {
	t.Helper()
	for i := 0; i < len(want); i += 2 {
		if got[want[i]] != want[i+1] {
			t.Errorf("%s: %s is %q, want %q", name, want[i], got[want[i]], want[i+1])
		}
	}
}

// TestCollector looks at what a collector gets of requests: a span of each, the spans of
// the repositories below it, metrics, and nobody's data.
func TestCollector(t *testing.T) {
	sent := collect(t, nil)
	told, err := newObserver(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c, s := serveOn(t, emulator.New(t, emulator.Options{Partitions: 5}), told)
	stop := project(t, s)
	c.tenant, c.user = "tenant-secret", "user-secret"
	order := tea(2)
	order.ID = documents.OrderIDPrefix + "secret"
	const mine = "/customers/customer-secret/orders"
	placed := c.must("POST", mine, "", order, nil)
	c.must("GET", mine+"/"+order.ID, "", nil, nil)
	c.must("PATCH", mine+"/"+order.ID, placed.etag, `{"status": "paid"}`, nil)
	c.must("GET", "/orders?status=paid", "", nil, nil)
	c.refused("GET", mine+"/o-secret-too", "", nil, http.StatusNotFound, "there is none")
	c.must("POST", "/users", "", `{"email": "secret@example.com", "name": "secret"}`, nil)
	c.must("GET", "/users?email=secret@example.com", "", nil, nil)
	c.must("POST", "/devices/device-secret/readings", "", `{"id": "secret", "at": "2026-11-22T07:00:00Z", "celsius": 7}`, nil)
	balances, err := s.balances.For(c.tenant), repository.ErrNotFound
	for deadline := time.Now().Add(30 * time.Second); err != nil && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		_, err = balances.Get(t.Context(), balances.Key("customer-secret")) // not by HTTP: requests are counted
	}
	if err != nil {
		t.Fatal(err)
	}
	stop()
	told.flush(t.Context(), time.Minute)

	const one = mine + "/{id}"
	route := strings.NewReplacer("customer-secret", "{customer}")
	for _, want := range []struct {
		span   string
		status string
		below  []string
	}{
		{"POST " + mine, "201", []string{"execute_batch orders"}},
		{"GET " + one, "200", []string{"read_item orders"}},
		{"PATCH " + one, "200", []string{"execute_batch orders"}},
		{"GET /orders", "200", []string{"query_items orders"}},
		{"GET " + one, "404", []string{"read_item orders"}},
		{"POST /users", "201", []string{"create_item users"}},
		{"GET /users", "200", []string{"read_item users", "read_item users"}},
		{"POST /devices/{device}/readings", "200", []string{"upsert_item readings"}},
	} {
		want.span = route.Replace(want.span)
		method, path, _ := strings.Cut(want.span, " ")
		i := slices.IndexFunc(sent.spans, func(s *tracepb.Span) bool {
			return s.GetName() == want.span && of(s.GetAttributes())["http.response.status_code"] == want.status
		})
		if i < 0 {
			t.Errorf("no span %s with status %s", want.span, want.status)
			continue
		}
		server := sent.spans[i]
		if server.GetKind() != tracepb.Span_SPAN_KIND_SERVER || len(server.GetParentSpanId()) != 0 {
			t.Errorf("%s: %v", want.span, server)
		}
		has(t, want.span, of(server.GetAttributes()), "http.request.method", method, "http.route", path, "url.path", path)
		var below []string
		for _, s := range sent.spans {
			if string(s.GetParentSpanId()) != string(server.GetSpanId()) {
				continue
			}
			below = append(below, s.GetName())
			operation, container, _ := strings.Cut(s.GetName(), " ")
			got := of(s.GetAttributes())
			has(t, s.GetName(), got, "db.system.name", "azure.cosmosdb", "db.operation.name", operation, "db.collection.name", container,
				"db.namespace", "shop", "azure.resource_provider.namespace", "Microsoft.DocumentDB", "server.address", "127.0.0.1")
			failed := s.GetStatus().GetCode() == tracepb.Status_STATUS_CODE_ERROR
			if want.status == "404" {
				has(t, s.GetName(), got, "db.response.status_code", "404", "error.type", "404")
			}
			if s.GetKind() != tracepb.Span_SPAN_KIND_CLIENT || string(s.GetTraceId()) != string(server.GetTraceId()) || failed != (want.status == "404") ||
				got["azure.cosmosdb.operation.request_charge"] == "" || got["pkgen.requests"] == "" {
				t.Errorf("below %s: %v", want.span, s)
			}
		}
		if !slices.Equal(below, want.below) {
			t.Errorf("below %s are %v, want %v", want.span, below, want.below)
		}
	}
	sent.measured(t)
	for _, key := range []string{"secret", "unique-", "2026-11"} { // of documents, of reservations, of readings
		if text := sent.text.String(); strings.Contains(text, key) {
			i := strings.Index(text, key)
			t.Errorf("the collector gets a key: %s", text[max(0, i-200):i+len(key)])
		}
	}
}

// measured compares the metrics with the spans.
func (c *collector) measured(t *testing.T) {
	t.Helper()
	spans, units := 0, 0.0
	for _, s := range c.spans {
		if s.GetKind() == tracepb.Span_SPAN_KIND_CLIENT {
			spans++
			for _, a := range s.GetAttributes() {
				if a.GetKey() == "azure.cosmosdb.operation.request_charge" {
					units += a.GetValue().GetDoubleValue()
				}
			}
		}
	}
	for name, unit := range map[string]string{"db.client.operation.duration": "s", "azure.cosmosdb.client.operation.request_charge": "{request_unit}", "http.server.request.duration": "s"} {
		m, n, sum := c.metrics[name], 0, 0.0
		for _, p := range m.GetHistogram().GetDataPoints() {
			n, sum = n+int(p.GetCount()), sum+p.GetSum()
		}
		switch {
		case m.GetUnit() != unit || sum <= 0:
			t.Errorf("%s: %v", name, m)
		case name == "http.server.request.duration" && n != 8, name == "db.client.operation.duration" && n != spans:
			t.Errorf("%s has %d operations, there are %d spans", name, n, spans)
		case unit == "{request_unit}" && (sum < units-0.01 || sum > units+0.01):
			t.Errorf("%s: %g RU, the spans have %g", name, sum, units)
		}
	}
}

// TestCallersTrace has a caller that makes spans, too.
func TestCallersTrace(t *testing.T) {
	sent := collect(t, nil)
	told, err := newObserver(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c, _ := serveOn(t, emulator.New(t, emulator.Options{}), told)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.url+"/orders", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"X-Tenant": {"contoso"}, "Traceparent": {"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	told.flush(t.Context(), time.Minute)
	traces := map[string]bool{}
	for _, s := range sent.spans {
		traces[fmt.Sprintf("%x", s.GetTraceId())] = true
		if s.GetKind() == tracepb.Span_SPAN_KIND_SERVER && fmt.Sprintf("%x", s.GetParentSpanId()) != "b7ad6b7169203331" {
			t.Errorf("the caller's span is %x", s.GetParentSpanId())
		}
	}
	if len(traces) != 1 || !traces["0af7651916cd43dd8448eb211c80319c"] {
		t.Errorf("the traces are %v", traces)
	}
}

// TestSlowCollector ends while the collector does not answer.
func TestSlowCollector(t *testing.T) {
	waits := make(chan struct{})
	collect(t, waits)
	told, err := newObserver(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c, _ := serveOn(t, emulator.New(t, emulator.Options{}), told)
	c.must("GET", "/orders", "", nil, nil)
	start := time.Now()
	told.flush(t.Context(), 100*time.Millisecond)
	took := time.Since(start)
	close(waits)
	if took < 100*time.Millisecond || took > 20*time.Second {
		t.Errorf("the end took %s", took)
	}
}

// TestNoCollector sends nothing where there is no collector.
func TestNoCollector(t *testing.T) {
	sent := collect(t, nil)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "")
	told, err := newObserver(t.Context())
	if err != nil || told != (observer{}) || told.options() != nil {
		t.Fatal(told, err)
	}
	c, _ := serveOn(t, emulator.New(t, emulator.Options{}), told)
	c.must("GET", "/orders", "", nil, nil)
	told.flush(t.Context(), time.Minute)
	if text := sent.text.String(); text != "" {
		t.Errorf("the collector got %s", text)
	}
}

// TestRun runs the whole shop until it is interrupted: the collector has its metrics then,
// which are sent each minute otherwise.
func TestRun(t *testing.T) {
	sent := collect(t, nil)
	account := emulator.New(t, emulator.Options{})
	t.Setenv("COSMOS_CONNECTION_STRING", account.ConnectionString())
	t.Setenv("SHOP_ADDRESS", "localhost:0")
	ctx, interrupt := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx) }()
	asked := func(r emulator.Request) bool {
		return strings.Contains(r.Path, "/colls/leases/docs") && r.Operation == emulator.OpCreateItem
	}
	for deadline := time.Now().Add(30 * time.Second); !slices.ContainsFunc(account.Requests(), asked) && time.Now().Before(deadline); {
		time.Sleep(20 * time.Millisecond)
	}
	interrupt()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if m := sent.metrics["db.client.operation.duration"]; len(m.GetHistogram().GetDataPoints()) == 0 || len(sent.spans) == 0 {
		t.Errorf("the collector got %s", sent.text.String())
	}
}
