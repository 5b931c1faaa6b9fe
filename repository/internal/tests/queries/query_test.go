package queries

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// once fails the test unless docs are the events 0 to n-1, each once.
func once(t *testing.T, docs []*fleet.VehicleEvent, n int) {
	t.Helper()
	seen := map[string]int{}
	for _, d := range docs {
		seen[d.ID]++
	}
	for i := range n {
		if id := kit.Event(i).ID; seen[id] != 1 {
			t.Errorf("event %s came %d times", id, seen[id])
		}
		delete(seen, kit.Event(i).ID)
	}
	if len(seen) != 0 {
		t.Errorf("foreign events came: %v", seen)
	}
}

func TestFanOutGivesEveryDocumentOnce(t *testing.T) {
	t.Parallel()
	for _, strategy := range []repository.Strategy{repository.Automatic, repository.Gateway, repository.PerKey} {
		for _, pageSize := range []int32{0, 7}[:seeds.Few(2, 1)] {
			t.Run(fmt.Sprintf("%s, pages of %d", strategy, pageSize), func(t *testing.T) {
				server, events := kit.NewFleet(t, repository.WithPageSize(pageSize), repository.WithStrategy(strategy))
				n := seeds.Few(300, 60)
				kit.Fill(t, events, n)
				other := kit.Event(n)
				other.Date = "2018-08-10"
				if err := events.Create(context.Background(), other); err != nil {
					t.Fatal(err)
				}
				if _, err := events.ByDate("2018-08-11").Collect(context.Background()); err != nil {
					t.Fatal(err)
				}
				server.ResetRequests()
				docs, err := events.ByDate(kit.Day).Collect(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				once(t, docs, n)
				ranges := map[string]bool{}
				for _, r := range server.Requests() {
					ranges[r.Range] = true
				}
				if len(ranges) != 5 {
					t.Errorf("the documents came from %d physical partitions, want 5", len(ranges))
				}
				want := map[repository.Strategy]int{repository.Automatic: 5, repository.Gateway: 5, repository.PerKey: 400}[strategy]
				if queries := server.Documents()[emulator.OpQueryItems]; pageSize == 0 && queries != want {
					t.Errorf("%d queries for 400 logical partitions, want %d", queries, want)
				}
			})
		}
	}
}

func TestOnePartition(t *testing.T) {
	server, events := kit.NewFleet(t, repository.WithPageSize(2))
	ctx := context.Background()
	for i := range 5 {
		e := kit.Event(i)
		e.VIN = "1HGCM82633A004352"
		if err := events.Create(ctx, e); err != nil {
			t.Fatal(err)
		}
	}
	kit.Fill(t, events, 5) // other vehicles, the same ids
	neighbour := kit.Event(9)
	// Another vehicle, the same bucket.
	for n := 0; neighbour.PartitionKey() != "2018-08-09.126"; n++ {
		neighbour.VIN = fmt.Sprintf("N%016d", n)
	}
	if err := events.Create(ctx, neighbour); err != nil {
		t.Fatal(err)
	}
	server.ResetRequests()
	docs, err := events.ByDateAndVIN(kit.Day, "1HGCM82633A004352").Collect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	once(t, docs, 5)
	for _, r := range server.Requests() {
		if r.Operation == emulator.OpQueryItems && r.PartitionKey != `["2018-08-09.126"]` {
			t.Errorf("a query went to partition %q", r.PartitionKey)
		}
	}
	all, err := events.Scan().Collect(ctx)
	if err != nil || len(all) != 11 {
		t.Errorf("Scan gave %d documents, %v", len(all), err)
	}
}

func TestWhereRaw(t *testing.T) {
	t.Parallel()
	_, events := kit.NewFleet(t)
	ctx := context.Background()
	kit.Fill(t, events, 50)
	base := events.ByDate(kit.Day)
	above := func(speed int) repository.Query[fleet.VehicleEvent] {
		return base.WhereRaw("c.speed > @limit", azcosmos.QueryParameter{Name: "@limit", Value: speed})
	}
	// Three queries from one base, run at once: none sees another's condition.
	var wg sync.WaitGroup
	for speed, q := range map[int]repository.Query[fleet.VehicleEvent]{
		10: above(10), 20: above(20), 30: above(30).WhereRaw("c.speed < 1 OR true"),
	} {
		wg.Go(func() {
			docs, err := q.Collect(ctx)
			if err != nil || len(docs) != 49-speed {
				t.Errorf("above %d: %d documents, %v", speed, len(docs), err)
			}
		})
	}
	wg.Wait()
	if docs, err := base.Collect(ctx); err != nil || len(docs) != 50 {
		t.Errorf("the base gives %d documents, %v", len(docs), err)
	}

	for name, q := range map[string]repository.Query[fleet.VehicleEvent]{
		"are taken":         base.WhereRaw("true", azcosmos.QueryParameter{Name: "@pkgen0"}),
		"must begin with @": base.WhereRaw("c.x = x", azcosmos.QueryParameter{Name: "x"}),
		"given twice":       above(1).WhereRaw("c.y = @limit", azcosmos.QueryParameter{Name: "@limit", Value: 2}),
		"400":               base.WhereRaw("c.speed >"),
		"zero Query":        {},
	} {
		if _, err := q.Collect(ctx); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("want an error with %q, got %v", name, err)
		}
	}
}

func TestFirst(t *testing.T) {
	_, events := kit.NewFleet(t)
	ctx := context.Background()
	kit.Fill(t, events, 20)
	if e, err := events.ByDate(kit.Day).First(ctx); err != nil || e.Date != kit.Day {
		t.Errorf("got %v, %v", e, err)
	}
	if _, err := events.ByDate("2018-08-10").First(ctx); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("First of nothing: %v", err)
	}
}

func TestFanOutStops(t *testing.T) {
	server, events := kit.NewFleet(t, repository.WithConcurrency(8), repository.WithStrategy(repository.PerKey))
	kit.Fill(t, events, 300)
	t.Run("when the consumer does", func(t *testing.T) {
		server.ResetRequests()
		for _, err := range events.ByDate(kit.Day).All(context.Background()) {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
		if n := server.Documents()[emulator.OpQueryItems]; n > 100 {
			t.Errorf("%d of 400 queries were sent for one document", n)
		}
		harness.Settled(t)
	})
	t.Run("when the context ends", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		n := 0
		var last error
		for _, err := range events.ByDate(kit.Day).All(ctx) {
			if last = err; err != nil {
				continue
			}
			if n++; n == 10 {
				cancel()
			}
		}
		if !errors.Is(last, context.Canceled) {
			t.Errorf("after %d documents the last error was %v", n, last)
		}
		harness.Settled(t)
	})
	t.Run("at a deadline", func(t *testing.T) {
		server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Delay: time.Minute, Count: -1})
		defer server.ClearFaults()
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		start := time.Now()
		_, err := events.ByDate(kit.Day).Collect(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 20*time.Second {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		harness.Settled(t)
	})
	t.Run("at the first error", func(t *testing.T) {
		server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Skip: 50, Status: 400, Count: -1})
		defer server.ClearFaults()
		errs := 0
		for doc, err := range events.ByDate(kit.Day).All(context.Background()) {
			if err == nil {
				continue
			}
			errs++
			var own *repository.Error
			if doc != nil || !errors.As(err, &own) || own.Status != 400 || !strings.HasPrefix(own.PartitionKey, `"2018-08-09.`) {
				t.Errorf("got %v, %v", doc, err)
			}
		}
		if errs != 1 {
			t.Errorf("%d errors came, want 1", errs)
		}
		harness.Settled(t)
	})
}

func TestFanOutBoundsConcurrency(t *testing.T) {
	t.Parallel()
	server, events := kit.NewFleet(t, repository.WithConcurrency(3), repository.WithStrategy(repository.PerKey))
	server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Delay: time.Millisecond, Count: -1})
	for name, q := range map[string]repository.Query[fleet.VehicleEvent]{
		"no order": events.ByDate(kit.Day),
		"in order": events.ByDate(kit.Day).OrderBy(fleet.VehicleEventFields.VIN.Asc()),
	} {
		server.ResetRequests()
		if _, err := q.Collect(context.Background()); err != nil {
			t.Fatal(err)
		}
		if most := mostAtOnce(server); most > 3 || most < 2 {
			t.Errorf("%s: %d requests were under way at once, want at most 3", name, most)
		}
	}
}

// mostAtOnce returns how many queries were under way at once.
func mostAtOnce(server *harness.Account) int {
	type edge struct {
		at    time.Time
		delta int
	}
	var edges []edge
	for _, r := range server.Requests() {
		if r.Operation == emulator.OpQueryItems {
			edges = append(edges, edge{r.Start, 1}, edge{r.Start.Add(r.Duration), -1})
		}
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.delta, b.delta)) })
	most, now := 0, 0
	for _, e := range edges {
		now += e.delta
		most = max(most, now)
	}
	return most
}

func TestFanOutSurvivesThrottling(t *testing.T) {
	seeds.Long(t)
	t.Parallel()
	synctest.Test(t, testThrottling) // requests wait equally long, so that none meets more faults than it repeats
}

func testThrottling(t *testing.T) {
	server, events := kit.NewFleet(t, repository.WithPageSize(5))
	kit.Fill(t, events, 200)
	server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Skip: 5, Status: 429, Substatus: 3200, RetryAfter: time.Millisecond, Count: 20})
	server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Skip: 10, Drop: true, Count: 3})
	docs, err := events.ByDate(kit.Day).Collect(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	once(t, docs, 200)
}
