package queries

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

func TestPlan(t *testing.T) {
	server, events := kit.NewFleet(t)
	ctx := context.Background()
	for name, test := range map[string]struct {
		q    repository.Query[fleet.VehicleEvent]
		want repository.Plan
	}{
		"all buckets": {events.ByDate(kit.Day), repository.Plan{
			Strategy: repository.Scoped, LogicalPartitions: 400, PhysicalPartitions: 5, Requests: 5, RequestUnits: 14,
		}},
		"one key": {events.ByDateAndVIN(kit.Day, "v"), repository.Plan{
			Strategy: repository.PerKey, LogicalPartitions: 1, Requests: 1, RequestUnits: 2.8,
		}},
		"container": {events.Scan(), repository.Plan{
			Strategy: repository.Scoped, PhysicalPartitions: 5, Requests: 5, RequestUnits: 14,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := test.q.Plan(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if got.Why == "" {
				t.Error("the plan does not say why")
			}
			got.Why = ""
			if got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
	for _, r := range server.Requests() {
		if r.Operation == emulator.OpQueryItems {
			t.Errorf("a plan sent the query %s", r.Query)
		}
	}
	if _, err := events.ByDate("").Plan(ctx); err == nil {
		t.Error("a bad query has a plan")
	}
}

func TestPlanSaysWhatIsRead(t *testing.T) {
	_, events := kit.NewFleet(t)
	for what, q := range map[string]repository.Query[fleet.VehicleEvent]{
		"scoped: 400 logical partitions, 5 requests": events.ByDate(kit.Day),
		"scoped: the whole container, 5 requests":    events.Scan(),
	} {
		if plan, err := q.Plan(context.Background()); err != nil || !strings.HasPrefix(plan.String(), what) {
			t.Errorf("the plan is %s, %v; want %s", plan, err, what)
		}
	}
}

// splitting runs q, splits every physical partition that is known by then after
// the first documents, and returns all documents.
func splitting(t *testing.T, server *harness.Account, q repository.Query[fleet.VehicleEvent], times int) []*fleet.VehicleEvent {
	t.Helper()
	var docs []*fleet.VehicleEvent
	next := 0 // the emulator numbers ranges
	for doc, err := range q.All(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, doc)
		if times > 0 && len(docs)%20 == 0 {
			times--
			for i := range 5 {
				if err := server.Split("db", fleet.VehicleEventContainer().ID, fmt.Sprint(next+i)); err != nil && next == 0 {
					t.Fatal(err)
				}
			}
			next += 5
		}
	}
	return docs
}

func TestFanOutSurvivesSplits(t *testing.T) {
	t.Parallel()
	for _, what := range []string{"keys", "container"} {
		t.Run(what, func(t *testing.T) {
			server, events := kit.NewFleet(t, repository.WithPageSize(5), repository.WithConcurrency(3))
			kit.Fill(t, events, 400)
			q := events.ByDate(kit.Day)
			if what == "container" {
				q = events.Scan()
			}
			once(t, splitting(t, server, q, 3), 400)
			gone := 0
			for _, r := range server.Requests() {
				if r.Status == 410 {
					gone++
				}
			}
			if gone == 0 {
				t.Error("no request met a split")
			}
			// The next query knows the new physical partitions.
			server.ResetRequests()
			docs, err := q.Collect(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			once(t, docs, 400)
			for _, r := range server.Requests() {
				if r.Status == 410 {
					t.Errorf("the next query met %d", r.Status)
				}
			}
		})
	}
}

func TestFanOutAndARecreatedContainer(t *testing.T) {
	t.Parallel()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), repository.Configure(nil))
	events := fleet.NewVehicleEventRepository(container, repository.WithPageSize(5))
	ctx := context.Background()
	kit.Fill(t, events, 100)
	if docs, err := events.ByDate(kit.Day).Collect(ctx); err != nil || len(docs) != 100 {
		t.Fatalf("%d documents, %v", len(docs), err)
	}
	again := func() {
		t.Helper()
		server.Recreate(container, fleet.VehicleEventContainer())
		kit.Fill(t, events, 100)
	}
	again()
	docs, err := events.ByDate(kit.Day).Collect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	once(t, docs, 100)

	n := 0
	var last error
	for _, err := range events.ByDate(kit.Day).All(ctx) {
		if last = err; err != nil {
			break
		}
		if n++; n == 60 {
			again()
		}
	}
	// A request may also meet the moment in which there is no container.
	if last == nil || !strings.Contains(last.Error(), "created again") && !strings.Contains(last.Error(), "does not exist") {
		t.Errorf("recreated after %d documents: %v", n, last)
	}
}

func TestFanOutWithoutThePolicy(t *testing.T) {
	t.Parallel()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), nil)
	events := fleet.NewVehicleEventRepository(container)
	ctx := context.Background()
	kit.Fill(t, events, 100)
	plan, err := events.ByDate(kit.Day).Plan(ctx)
	if err != nil || plan.Strategy != repository.Gateway || !strings.Contains(plan.Why, "Configure") {
		t.Errorf("got %+v, %v", plan, err)
	}
	server.ResetRequests()
	docs, err := events.ByDate(kit.Day).Collect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	once(t, docs, 100)
	if n := server.Documents()[emulator.OpQueryItems]; n != 5 {
		t.Errorf("%d queries", n)
	}

	// A gateway that refuses to walk is not asked again.
	server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Status: 400, Substatus: 1004})
	server.ResetRequests()
	if docs, err = events.ByDate(kit.Day).Collect(ctx); err != nil {
		t.Fatal(err)
	}
	once(t, docs, 100)
	if n := server.Documents()[emulator.OpQueryItems]; n != 401 {
		t.Errorf("%d queries after a refusal", n)
	}
	if plan, err = events.ByDate(kit.Day).Plan(ctx); err != nil || plan.Strategy != repository.PerKey {
		t.Errorf("got %+v, %v", plan, err)
	}

	scoped := fleet.NewVehicleEventRepository(container, repository.WithStrategy(repository.Scoped))
	if _, err := scoped.ByDate(kit.Day).Collect(ctx); err == nil || !strings.Contains(err.Error(), "Configure") {
		t.Errorf("scoped without the policy: %v", err)
	}
}

func TestFanOutReportsTheRange(t *testing.T) {
	server, events := kit.NewFleet(t)
	kit.Fill(t, events, 50)
	server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Status: 403, Count: -1})
	_, err := events.ByDate(kit.Day).Collect(context.Background())
	var own *repository.Error
	if !errors.As(err, &own) || own.Status != 403 || !strings.Contains(err.Error(), "physical partition") {
		t.Errorf("got %v", err)
	}
}
