package requests

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/clickstream"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// headers is a policy that notes two headers of requests for documents.
type headers struct {
	mu   sync.Mutex
	seen map[[2]string]int // consistency and priority
}

func (h *headers) Do(r *policy.Request) (*http.Response, error) {
	if strings.Contains(r.Raw().URL.Path, "/docs") {
		h.mu.Lock()
		h.seen[[2]string{r.Raw().Header.Get("x-ms-consistency-level"), r.Raw().Header.Get("x-ms-cosmos-priority-level")}]++
		h.mu.Unlock()
	}
	return r.Next()
}

func TestConsistencyAndPriority(t *testing.T) {
	h := &headers{seen: map[[2]string]int{}}
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), repository.Configure(harness.PerRetry(h)))
	events := fleet.NewVehicleEventRepository(container)
	plain := context.Background()
	kit.Fill(t, events, 50)
	if got := maps.Clone(h.seen); len(got) != 1 || got[[2]string{}] != 50 {
		t.Errorf("writes had %v", got)
	}
	ctx := repository.WithPriority(repository.WithConsistency(plain, azcosmos.ConsistencyLevelEventual), azcosmos.PriorityLevelLow)
	other := server.Container(fleet.VehicleEventContainer().ID, nil)
	for name, test := range map[string]struct {
		run         func() error
		consistency string
	}{
		"get":      {func() error { _, err := events.Get(ctx, kit.Event(0).Key()); return err }, "Eventual"},
		"query":    {func() error { _, err := events.ByDate(kit.Day).Collect(ctx); return err }, "Eventual"},
		"count":    {func() error { _, err := events.ByDate(kit.Day).Count(ctx); return err }, "Eventual"},
		"get many": {func() error { _, err := events.GetMany(ctx, kit.EventKeys(40)); return err }, "Eventual"},
		"upsert":   {func() error { return events.Upsert(ctx, kit.Event(1)) }, ""},
		"replace":  {func() error { return events.Replace(ctx, kit.Event(2)) }, ""},
		"delete":   {func() error { return events.Delete(ctx, kit.Event(3).Key()) }, ""},
		"create":   {func() error { return events.Create(ctx, kit.Event(99)) }, ""},
	} {
		clear(h.seen)
		if err := test.run(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := [2]string{test.consistency, "Low"}
		if len(h.seen) != 1 || h.seen[want] == 0 {
			t.Errorf("%s had %v, want %v", name, h.seen, want)
		}
	}
	// An inner context changes one and keeps the other.
	clear(h.seen)
	inner := repository.WithConsistency(ctx, azcosmos.ConsistencyLevelSession)
	if _, err := events.Get(inner, kit.Event(0).Key()); err != nil || h.seen[[2]string{"Session", "Low"}] != 1 {
		t.Errorf("had %v, %v", h.seen, err)
	}
	if _, err := fleet.NewVehicleEventRepository(other).GetMany(ctx, kit.EventKeys(3)); err != nil {
		t.Error(err)
	}
}

func TestObserver(t *testing.T) {
	var mu sync.Mutex
	var seen []repository.Event
	type mark struct{}
	observe := func(ctx context.Context, e repository.Event) {
		mu.Lock()
		defer mu.Unlock()
		if ctx.Value(mark{}) == nil {
			t.Error("the observer has another context")
		}
		seen = append(seen, e)
	}
	calls := 0
	server, events := kit.NewFleet(t, repository.WithObserver(observe), repository.WithObserver(func(context.Context, repository.Event) {
		mu.Lock()
		defer mu.Unlock()
		calls++
	}))
	ctx := context.WithValue(context.Background(), mark{}, true)
	e := kit.Event(0)
	if err := events.Create(ctx, e); err != nil {
		t.Fatal(err)
	}
	if _, err := events.Get(ctx, kit.Event(7).Key()); !errors.Is(err, repository.ErrNotFound) {
		t.Fatal(err)
	}
	if len(seen) != 2 {
		t.Fatalf("seen %+v", seen)
	}
	first, second := seen[0], seen[1]
	if first.Op != "create" || first.Type != "VehicleEvent" || first.ID != e.ID || first.PartitionKey != `"`+e.PartitionKey()+`"` ||
		first.RequestUnits <= 0 || first.Duration <= 0 || first.Err != nil {
		t.Errorf("seen %+v", first)
	}
	if second.Op != "get" || second.Err == nil || second.RequestUnits <= 0 {
		t.Errorf("seen %+v", second)
	}
	seen = nil
	var meter repository.Meter
	server.ResetRequests()
	if _, err := events.ByDate(kit.Day).Collect(repository.WithMeter(ctx, &meter)); err != nil {
		t.Fatal(err)
	}
	ranges, units := map[string]int{}, 0.0
	for _, e := range seen {
		ranges[e.Range]++
		units += e.RequestUnits
	}
	if want := map[string]int{"0": 1, "1": 1, "2": 1, "3": 1, "4": 1}; !maps.Equal(ranges, want) {
		t.Errorf("seen %v, want %v", ranges, want)
	}
	if n := server.Documents()[emulator.OpQueryItems]; meter.Requests() != n || n != 5 || units != meter.RequestUnits() {
		t.Errorf("%d requests of %v units were sent, the meter has %d and %v", n, units, meter.Requests(), meter.RequestUnits())
	}
	if calls != 7 {
		t.Errorf("the second observer was called %d times", calls)
	}
}

func TestTracing(t *testing.T) {
	t.Parallel()
	s := &kit.Spans{Parents: map[string][]string{}, Failures: map[string]string{}}
	var o azcosmos.ClientOptions
	o.TracingProvider = s.Provider()
	o.Retry = policy.RetryOptions{MaxRetries: -1}
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), repository.Configure(&o))
	events := fleet.NewVehicleEventRepository(container, repository.WithTracing(s.Provider()))
	ctx := context.WithValue(context.Background(), kit.SpanKey{}, "handler")
	kit.Fill(t, events, 100)
	if _, err := events.ByDate(kit.Day).Plan(ctx); err != nil { // asks the SDK for what it has to know
		t.Fatal(err)
	}
	const sdk = "query_items vehicle-event" // what azcosmos calls a page
	for name, test := range map[string]struct {
		run  func() error
		want string
	}{
		"query":    {func() error { _, err := events.ByDate(kit.Day).Collect(ctx); return err }, "query VehicleEvent"},
		"ordered":  {func() error { _, err := events.ByDate(kit.Day).OrderBy(kit.EventVIN.Asc()).Collect(ctx); return err }, "query VehicleEvent"},
		"count":    {func() error { _, err := events.ByDate(kit.Day).Count(ctx); return err }, "query VehicleEvent"},
		"page":     {func() error { _, err := events.ByDate(kit.Day).Page(ctx, "", 10); return err }, "query VehicleEvent"},
		"get many": {func() error { _, err := events.GetMany(ctx, kit.EventKeys(100)); return err }, "get many VehicleEvent"},
	} {
		clear(s.Parents)
		if err := test.run(); err != nil {
			t.Fatal(err)
		}
		if got := s.Parents[test.want]; !slices.Equal(got, []string{"handler"}) {
			t.Errorf("%s: %q hangs under %q", name, test.want, got)
		}
		if got := s.Parents[sdk]; !slices.Equal(got, slices.Repeat([]string{test.want}, 5)) {
			t.Errorf("%s: the pages hang under %q; there are %v", name, got, s.Parents)
		}
	}
	if len(s.Failures) != 0 {
		t.Errorf("failed: %v", s.Failures)
	}
	server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Status: http.StatusForbidden, Count: -1})
	_, err := events.ByDate(kit.Day).Collect(ctx)
	if err == nil || s.Failures["query VehicleEvent"] != err.Error() {
		t.Errorf("got %v, the span says %q", err, s.Failures["query VehicleEvent"])
	}
	for _, err := range events.ByDate(kit.Day).All(ctx) {
		if err == nil {
			t.Error("no error")
		}
		break
	}
	if s.Open != 0 {
		t.Errorf("%d spans have not ended", s.Open)
	}
}

func TestTracingOfFind(t *testing.T) {
	s := &kit.Spans{Parents: map[string][]string{}, Failures: map[string]string{}}
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, clickstream.ClickContainer(), repository.Configure(nil))
	clicks := clickstream.NewClickRepository(container, repository.WithTracing(s.Provider()))
	if _, err := clicks.FindInBuckets(context.Background(), "1", kit.Day); !errors.Is(err, repository.ErrNotFound) || s.Failures["find Click"] != "find Click: document not found" {
		t.Errorf("got %v, the span says %v", err, s.Failures)
	}
}
