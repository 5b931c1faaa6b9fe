package querytest

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// headers is a policy that keeps the headers of requests for documents.
type headers struct {
	mu   sync.Mutex
	sent []http.Header
}

func (h *headers) Do(r *policy.Request) (*http.Response, error) {
	if strings.Contains(r.Raw().URL.Path, "/docs") {
		h.mu.Lock()
		h.sent = append(h.sent, r.Raw().Header.Clone())
		h.mu.Unlock()
	}
	return r.Next()
}

func (h *headers) take() []http.Header {
	h.mu.Lock()
	defer h.mu.Unlock()
	sent := h.sent
	h.sent = nil
	return sent
}

// TestContextOptions finds in each request what its context asks for, and in others
// nothing.
func TestContextOptions(t *testing.T) {
	t.Parallel()
	h := &headers{}
	o := repository.Configure(nil)
	o.PerRetryPolicies = append(o.PerRetryPolicies, h)
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 3}, fleet.VehicleEventContainer(), o)
	events := fleet.NewVehicleEventRepository(container)
	fill(t, events, 20)
	const bucket, staleness, bypass, metrics, advised = "x-ms-cosmos-throughput-bucket", "x-ms-dedicatedgateway-max-age", "x-ms-dedicatedgateway-bypass-cache", "x-ms-cosmos-populateindexmetrics", "x-ms-cosmos-populatequeryadvice"
	n := 100
	operations := map[string]struct {
		reads, queries bool
		run            func(context.Context) error
	}{
		"get": {true, false, func(ctx context.Context) error { _, err := events.Get(ctx, event(1).Key()); return err }},
		"get many": {true, true, func(ctx context.Context) error {
			_, err := events.GetMany(ctx, []fleet.VehicleEventKey{event(1).Key(), event(2).Key()})
			return err
		}},
		"query":  {true, true, func(ctx context.Context) error { _, err := events.Scan().Collect(ctx); return err }},
		"count":  {true, true, func(ctx context.Context) error { _, err := events.Scan().Count(ctx); return err }},
		"page":   {true, true, func(ctx context.Context) error { _, err := events.Scan().Page(ctx, "", 5); return err }},
		"create": {false, false, func(ctx context.Context) error { n++; return events.Create(ctx, event(n)) }},
		"upsert": {false, false, func(ctx context.Context) error { return events.Upsert(ctx, event(1)) }},
	}
	check := func(name, key, want string, wanted bool) {
		t.Helper()
		sent := h.take()
		if len(sent) == 0 {
			t.Errorf("%s: nothing was sent", name)
		}
		if !wanted {
			want = ""
		}
		for _, header := range sent {
			if got := header.Get(key); got != want {
				t.Errorf("%s: %s is %q, want %q", name, key, got, want)
			}
		}
	}
	ctx := context.Background()
	h.take()
	for name, o := range operations {
		var m repository.IndexMetrics
		for _, test := range []struct {
			ctx       context.Context
			key, want string
			wanted    bool
		}{
			{ctx, bucket, "", true},
			{ctx, staleness, "", true},
			{ctx, metrics, "", true},
			{repository.WithThroughputBucket(ctx, 3), bucket, "3", true},
			{repository.WithIntegratedCache(ctx, 90*time.Second+time.Microsecond), staleness, "90000", o.reads},
			{repository.WithIntegratedCache(ctx, -time.Second), staleness, "0", o.reads},
			{repository.WithoutIntegratedCache(ctx), bypass, "true", o.reads},
			{repository.WithIndexMetrics(ctx, &m), metrics, "true", o.queries},
			{repository.WithIndexMetrics(repository.WithIndexMetrics(ctx, &m), nil), metrics, "", true},
			{ctx, advised, "", true},
			{repository.WithIndexMetrics(ctx, &m), advised, "true", o.queries},
			{repository.WithIndexMetrics(repository.WithIndexMetrics(ctx, &m), nil), advised, "", true},
			{repository.WithThroughputBucket(repository.WithIntegratedCache(ctx, time.Second), 2), bucket, "2", true},
			{repository.WithThroughputBucket(repository.WithIntegratedCache(ctx, time.Second), 2), staleness, "1000", o.reads},
		} {
			if err := o.run(test.ctx); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			check(name, test.key, test.want, test.wanted)
		}
		texts := m.Texts()
		if o.queries != (len(texts) == 1) {
			t.Errorf("%s: %q", name, texts)
		}
		if o.queries && !json.Valid([]byte(texts[0])) {
			t.Errorf("%s: %s is not JSON", name, texts[0])
		}
	}
}

// TestWritesReadPastTheCache looks at the reads that writes do first, under a context whose
// reads may be answered from the integrated cache: these may not.
func TestWritesReadPastTheCache(t *testing.T) {
	t.Parallel()
	h := &headers{}
	o := repository.Configure(nil)
	o.PerRetryPolicies = append(o.PerRetryPolicies, h)
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 3}, fleet.VehicleEventContainer(), o)
	events := fleet.NewVehicleEventRepository(container)
	fill(t, events, 2)
	h.take()
	ctx := repository.WithIntegratedCache(context.Background(), time.Minute)
	if err := events.Update(ctx, event(1).Key(), func(e *fleet.VehicleEvent) error { e.Speed++; return nil }); err != nil {
		t.Fatal(err)
	}
	sent := h.take()
	if len(sent) != 2 || sent[0].Get("x-ms-dedicatedgateway-max-age") != "" || sent[0].Get("x-ms-dedicatedgateway-bypass-cache") != "true" {
		t.Errorf("sent %v", sent)
	}
}

// adviser is a policy that answers queries with advice.
type adviser struct{ header string }

func (a *adviser) Do(r *policy.Request) (*http.Response, error) {
	response, err := r.Next()
	if err == nil {
		if a.header != "of the emulator" {
			response.Header.Set("x-ms-cosmos-query-advice", a.header)
		}
	}
	return response, err
}

// TestQueryAdvice reads the advice of the service, of rules that are known and of others, and
// keeps the text of answers in other forms. None is an error of the query.
func TestQueryAdvice(t *testing.T) {
	t.Parallel()
	a := &adviser{}
	o := repository.Configure(nil)
	o.PerRetryPolicies = append(o.PerRetryPolicies, a)
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 3}, fleet.VehicleEventContainer(), o)
	events := fleet.NewVehicleEventRepository(container)
	fill(t, events, 20)
	const prefix = "https://aka.ms/CosmosDB/QueryAdvisor/"
	for _, test := range []struct {
		header string
		want   []repository.Advice // the messages are those of the table of rules, or begin with these
	}{
		{"", nil},
		{"%5B%7B%22Id%22%3A%22QA1002%22%2C%22Params%22%3A%5B%5D%7D%2C%7B%22Id%22%3A%22QA1007%22%7D%5D",
			[]repository.Advice{{Rule: "QA1002", Message: "CONTAINS reads", Link: prefix + "QA1002"}, {Rule: "QA1007", Message: "GetCurrentDateTime in WHERE", Link: prefix + "QA1007"}}},
		{"%5B%7B%22Id%22%3A%22QA9999%22%2C%22Params%22%3A%5B%22c.x%22%5D%7D%5D",
			[]repository.Advice{{Rule: "QA9999", Message: `{"Id":"QA9999","Params":["c.x"]}`, Link: prefix + "QA9999"}}},
		{"%5B%7B", []repository.Advice{{Message: "[{"}}},
		{"%ZZ", []repository.Advice{{Message: "%ZZ"}}},
	} {
		a.header = test.header
		var m repository.IndexMetrics
		ctx := repository.WithIndexMetrics(context.Background(), &m)
		found, err := events.Scan().Collect(ctx) // three physical partitions advise the same
		if err != nil || len(found) != 20 {
			t.Fatalf("%s: %d documents, %v", test.header, len(found), err)
		}
		if _, err := events.Scan().Page(ctx, "", 3); err != nil {
			t.Fatal(err)
		}
		got := m.Advice()
		if len(got) != len(test.want) {
			t.Fatalf("%s: %+v", test.header, got)
		}
		for i, want := range test.want {
			if got[i].Rule != want.Rule || got[i].Link != want.Link || !strings.HasPrefix(got[i].Message, want.Message) {
				t.Errorf("%s: %+v, want %+v", test.header, got[i], want)
			}
		}
	}

	a.header = "of the emulator"
	for raw, want := range map[string]string{"CONTAINS(c.id, @part)": "QA1002", "STARTSWITH(c.id, @part)": ""} {
		var m repository.IndexMetrics
		if _, err := events.Scan().WhereRaw(raw, azcosmos.QueryParameter{Name: "@part", Value: "1"}).Collect(repository.WithIndexMetrics(t.Context(), &m)); err != nil {
			t.Fatal(err)
		}
		var rules []string
		for _, advice := range m.Advice() {
			rules = append(rules, advice.Rule)
		}
		if got := strings.Join(rules, " "); got != want {
			t.Errorf("%s has the advice %q", raw, got)
		}
	}
}
