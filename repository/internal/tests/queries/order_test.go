package queries

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestOneRequestAPhysicalPartition has 400 buckets on P physical partitions:
// every query takes P requests.
func TestOneRequestAPhysicalPartition(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, p := range []int{5, 1, 20}[:seeds.Few(3, 1)] {
		server, container := harness.NewContainer(t, emulator.Options{Partitions: p}, fleet.VehicleEventContainer(), repository.Configure(nil))
		events := fleet.NewVehicleEventRepository(container)
		kit.Fill(t, events, 300)
		if _, err := events.ByDate(kit.Day).Plan(ctx); err != nil { // reads the physical partitions
			t.Fatal(err)
		}
		for name, run := range map[string]func() (int, error){
			"filter": func() (int, error) {
				docs, err := events.ByDate(kit.Day).WhereRaw("c.speed > 130").Collect(ctx)
				return len(docs) - 18, err
			},
			"ordered top 10": func() (int, error) {
				docs, err := events.ByDate(kit.Day).OrderBy(fleet.VehicleEventFields.VIN.Desc()).Limit(10).Collect(ctx)
				for i, d := range docs {
					if d.ID != kit.Event(299-i).ID {
						return i, fmt.Errorf("document %d is %s", i, d.ID)
					}
				}
				return len(docs) - 10, err
			},
			"first": func() (int, error) {
				doc, err := events.Scan().OrderBy(fleet.VehicleEventFields.VIN.Asc()).First(ctx)
				return strings.Compare(doc.ID, kit.Event(0).ID), err
			},
			"count": func() (int, error) {
				n, err := events.ByDate(kit.Day).Count(ctx)
				return n - 300, err
			},
			"average": func() (int, error) {
				v, ok, err := repository.Avg(ctx, events.Scan().WhereRaw("c.speed < 3"), fleet.VehicleEventFields.Speed)
				if !ok || v != 1 {
					return 1, err
				}
				return 0, err
			},
		} {
			server.ResetRequests()
			if off, err := run(); err != nil || off != 0 {
				t.Errorf("%s on %d physical partitions is off by %d, %v", name, p, off, err)
			}
			ranges := map[string]bool{}
			for _, r := range server.Requests() {
				ranges[r.Range] = true
			}
			if n := len(server.Requests()); n != p || len(ranges) != p {
				t.Errorf("%s on %d physical partitions took %d requests to %d of them", name, p, n, len(ranges))
			}
		}
	}
}

func TestOrderedPagesAreReadAhead(t *testing.T) {
	t.Parallel()
	server, events := kit.NewFleet(t, repository.WithPageSize(10))
	kit.Fill(t, events, 300)
	server.ResetRequests()
	docs, err := events.ByDate(kit.Day).OrderBy(fleet.VehicleEventFields.VIN.Asc()).Collect(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	once(t, docs, 300)
	if n := server.Documents()[emulator.OpQueryItems]; n < 30 || n > 40 {
		t.Errorf("%d requests for 300 documents in pages of 10", n)
	}
	server.ResetRequests()
	for _, err := range events.ByDate(kit.Day).OrderBy(fleet.VehicleEventFields.VIN.Asc()).All(context.Background()) {
		if err != nil {
			t.Error(err)
		}
		break
	}
	// Of each physical partition one page to merge, and one ahead.
	if n := server.Documents()[emulator.OpQueryItems]; n > 10 {
		t.Errorf("%d requests for one document", n)
	}
}

func TestOrderedFanOutStops(t *testing.T) {
	for _, strategy := range []repository.Strategy{repository.Scoped, repository.PerKey} {
		server, events := kit.NewFleet(t, repository.WithConcurrency(4), repository.WithPageSize(3), repository.WithStrategy(strategy))
		kit.Fill(t, events, 100)
		q := events.ByDate(kit.Day).OrderBy(fleet.VehicleEventFields.VIN.Asc())
		t.Run(strategy.String()+", when the consumer does", func(t *testing.T) {
			for _, err := range q.All(context.Background()) {
				if err != nil {
					t.Fatal(err)
				}
				break
			}
			harness.Settled(t)
		})
		t.Run(strategy.String()+", when the context ends", func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			n := 0
			var last error
			for _, err := range q.All(ctx) {
				if last = err; err != nil {
					continue
				}
				if n++; n == 10 {
					cancel()
				}
			}
			var own *repository.Error
			if strategy == repository.Scoped && (!errors.Is(last, context.Canceled) || !errors.As(last, &own)) {
				t.Errorf("after %d documents the last error was %v", n, last)
			}
			harness.Settled(t)
		})
		t.Run(strategy.String()+", at a deadline", func(t *testing.T) {
			server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Delay: time.Minute, Count: -1})
			defer server.ClearFaults()
			ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
			defer cancel()
			start := time.Now()
			if _, err := q.Collect(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 20*time.Second {
				t.Errorf("after %v: %v", time.Since(start), err)
			}
			if _, err := q.Count(ctx); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("count: %v", err)
			}
			harness.Settled(t)
		})
		t.Run(strategy.String()+", at the first error", func(t *testing.T) {
			server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Skip: 3, Status: 403, Count: -1})
			defer server.ClearFaults()
			errs := 0
			for doc, err := range q.All(context.Background()) {
				if err == nil {
					continue
				}
				errs++
				var own *repository.Error
				if doc != nil || !errors.As(err, &own) || own.Status != 403 || own.Range+own.PartitionKey == "" {
					t.Errorf("got %v, %v", doc, err)
				}
			}
			if errs != 1 {
				t.Errorf("%d errors came, want 1", errs)
			}
			harness.Settled(t)
		})
	}
}

func TestOrderedFanOutAndARecreatedContainer(t *testing.T) {
	t.Parallel()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), repository.Configure(nil))
	events := fleet.NewVehicleEventRepository(container, repository.WithPageSize(5))
	ctx := context.Background()
	kit.Fill(t, events, 100)
	q := events.ByDate(kit.Day).OrderBy(fleet.VehicleEventFields.VIN.Asc())
	if n, err := q.Count(ctx); err != nil || n != 100 {
		t.Fatalf("%d documents, %v", n, err)
	}
	recreate := func() {
		t.Helper()
		if _, err := container.Delete(ctx, nil); err != nil {
			t.Fatal(err)
		}
		db := server.Database(nil)
		if _, err := db.CreateContainer(ctx, fleet.VehicleEventContainer(), nil); err != nil {
			t.Fatal(err)
		}
		kit.Fill(t, events, 50)
	}
	recreate()
	if n, err := q.Count(ctx); err != nil || n != 50 {
		t.Errorf("counted %d, %v", n, err)
	}
	recreate()
	docs, err := q.Collect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	once(t, docs, 50)

	n := 0
	var last error
	for _, err := range q.All(ctx) {
		if last = err; err != nil {
			break
		}
		if n++; n == 10 {
			recreate()
		}
	}
	if last == nil || !strings.Contains(last.Error(), "created again") && !strings.Contains(last.Error(), "does not exist") {
		t.Errorf("recreated after 10 documents, %d came: %v", n, last)
	}
}

// TestOrdersWithoutThePolicy has clients that cannot scope their queries.
func TestOrdersWithoutThePolicy(t *testing.T) {
	t.Parallel()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), nil)
	events := fleet.NewVehicleEventRepository(container)
	ctx := context.Background()
	kit.Fill(t, events, 60)
	q := events.ByDate(kit.Day).OrderBy(fleet.VehicleEventFields.VIN.Desc())
	plan, err := q.Plan(ctx)
	if err != nil || plan.Strategy != repository.PerKey || plan.Requests != 400 || !strings.Contains(plan.Why, "Configure") {
		t.Errorf("got %+v, %v", plan, err)
	}
	docs, err := q.Limit(7).Collect(ctx)
	if err != nil || len(docs) != 7 || docs[6].ID != kit.Event(53).ID {
		t.Errorf("%d documents, %v", len(docs), err)
	}
	if n, err := q.Count(ctx); err != nil || n != 60 {
		t.Errorf("counted %d, %v", n, err)
	}
	server.ResetRequests()
	if e, err := events.Scan().First(ctx); err != nil || e.Date != kit.Day {
		t.Errorf("first of the container: %v, %v", e, err)
	}
	if docs, err := events.Scan().Limit(30).Collect(ctx); err != nil || len(docs) != 30 {
		t.Errorf("%d documents, %v", len(docs), err)
	}
	if n := server.Documents()[emulator.OpQueryItems]; n > 8 {
		t.Errorf("%d queries for a few documents", n)
	}

	for name, run := range map[string]func() error{
		"order": func() error {
			_, err := events.Scan().OrderBy(fleet.VehicleEventFields.VIN.Asc()).Collect(ctx)
			return err
		},
		"plan": func() error {
			_, err := events.Scan().OrderBy(fleet.VehicleEventFields.VIN.Asc()).Plan(ctx)
			return err
		},
		"count": func() error { _, err := events.Scan().Count(ctx); return err },
		"minimum": func() error {
			_, _, err := repository.Min(ctx, events.Scan(), fleet.VehicleEventFields.Speed)
			return err
		},
	} {
		err := run()
		if err == nil || !strings.Contains(err.Error(), "Configure") || !strings.Contains(err.Error(), "the whole container") {
			t.Errorf("%s: %v", name, err)
		}
	}
	gateway := fleet.NewVehicleEventRepository(container, repository.WithStrategy(repository.Gateway))
	if _, err := gateway.ByDate(kit.Day).Count(ctx); err == nil || !strings.Contains(err.Error(), "gateway") {
		t.Errorf("count by the gateway: %v", err)
	}
	// One logical partition needs none of that.
	one := events.ByDateAndVIN(kit.Day, kit.Event(3).VIN)
	if n, err := one.Count(ctx); err != nil || n != 1 {
		t.Errorf("counted %d, %v", n, err)
	}
	if e, err := one.OrderBy(fleet.VehicleEventFields.Speed.Asc()).First(ctx); err != nil || e.ID != kit.Event(3).ID {
		t.Errorf("got %v, %v", e, err)
	}
}

func TestOrdersOfAPrefixWithoutThePolicy(t *testing.T) {
	c := kit.NewThings(t, emulator.Options{Partitions: 3}, nil, true)
	_, err := c.ByBase("x", false).OrderBy(kit.ThingA.Asc()).Collect(context.Background())
	if err == nil || !strings.Contains(err.Error(), "Configure") || !strings.Contains(err.Error(), "prefix") {
		t.Errorf("got %v", err)
	}
}

func TestLimit(t *testing.T) {
	t.Parallel()
	_, events := kit.NewFleet(t)
	ctx := context.Background()
	kit.Fill(t, events, 40)
	q := events.ByDate(kit.Day)
	for limit, want := range map[int]int{1: 1, 39: 39, 40: 40, 41: 40} {
		docs, err := q.Limit(limit).Collect(ctx)
		if err != nil || len(docs) != want {
			t.Errorf("limit %d gives %d documents, %v", limit, len(docs), err)
		}
	}
	if docs, err := q.Limit(7).Limit(3).Limit(5).Collect(ctx); err != nil || len(docs) != 3 {
		t.Errorf("of several limits: %d documents, %v", len(docs), err)
	}
	if docs, err := q.Collect(ctx); err != nil || len(docs) != 40 {
		t.Errorf("the base gives %d documents, %v", len(docs), err)
	}
	for _, n := range []int{0, -1} {
		if _, err := q.Limit(n).Collect(ctx); err == nil || !strings.Contains(err.Error(), "at least 1") {
			t.Errorf("limit %d: %v", n, err)
		}
	}
	if _, err := q.Limit(3).Count(ctx); err == nil || !strings.Contains(err.Error(), "Limit") {
		t.Errorf("count with a limit: %v", err)
	}
}

func TestOrderErrors(t *testing.T) {
	_, events := kit.NewFleet(t)
	ctx := context.Background()
	kit.Fill(t, events, 5)
	for want, q := range map[string]repository.Query[fleet.VehicleEvent]{
		"JSON pointer":          events.ByDate(kit.Day).OrderBy(documents.Number[fleet.VehicleEvent, int]("speed").Asc()),
		"declare it by orders=": events.ByDate(kit.Day).OrderBy(fleet.VehicleEventFields.VIN.Asc(), fleet.VehicleEventFields.Speed.Asc()),
	} {
		if _, err := q.Collect(ctx); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}

// TestOrdersBranch derives several queries from one, and none has the orders of
// another.
func TestOrdersBranch(t *testing.T) {
	t.Parallel()
	_, events := kit.NewFleet(t)
	ctx := context.Background()
	kit.Fill(t, events, 20)
	base := events.ByDate(kit.Day)
	up, down := base.OrderBy(fleet.VehicleEventFields.VIN.Asc()), base.OrderBy(fleet.VehicleEventFields.VIN.Desc())
	a, err := up.Collect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	b, err := down.Collect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(b)
	if !slices.EqualFunc(a, b, func(x, y *fleet.VehicleEvent) bool { return x.ID == y.ID }) {
		t.Error("the orders are not the reverse of each other")
	}
}

func TestTiesAreStable(t *testing.T) {
	t.Parallel()
	_, events := kit.NewFleet(t, repository.WithPageSize(3))
	kit.Fill(t, events, 280)
	q := events.ByDate(kit.Day).OrderBy(fleet.VehicleEventFields.Speed.Asc())
	var runs [2][]string
	for i := range runs {
		for e, err := range q.All(context.Background()) {
			if err != nil {
				t.Fatal(err)
			}
			runs[i] = append(runs[i], e.ID)
		}
	}
	if !slices.Equal(runs[0], runs[1]) {
		t.Error("two runs of one query differ")
	}
}

// TestRestartsEnd has a service that says for ever that a physical partition is
// gone.
func TestRestartsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, events := kit.NewFleet(t)
		kit.Fill(t, events, 20)
		server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Status: 410, Substatus: 1002, Count: -1})
		ctx := context.Background()
		for name, run := range map[string]func() error{
			"no order": func() error { _, err := events.ByDate(kit.Day).Collect(ctx); return err },
			"in order": func() error {
				_, err := events.ByDate(kit.Day).OrderBy(fleet.VehicleEventFields.VIN.Asc()).Collect(ctx)
				return err
			},
			"count": func() error { _, err := events.ByDate(kit.Day).Count(ctx); return err },
		} {
			var own *repository.Error
			if err := run(); !errors.As(err, &own) || own.Status != 410 || own.Range == "" {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
	harness.Settled(t)
}
