package querytest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// TestExists asks each physical partition once, and for a logical partition one request.
func TestExists(t *testing.T) {
	t.Parallel()
	ctx, f := context.Background(), fleet.VehicleEventFields
	server, events, crowd := newWave(t, emulator.Options{Partitions: 5})
	for _, opts := range [][]repository.Option{nil, {repository.WithStrategy(repository.Gateway)}, {repository.WithStrategy(repository.PerKey)}} {
		events := fleet.NewVehicleEventRepository(server.Container(fleet.VehicleEventContainer().ID, repository.Configure(nil)), opts...)
		if found, err := events.ByDate(day).Exists(ctx); err != nil || found {
			t.Fatalf("%v, %v of an empty container", found, err)
		}
	}
	fill(t, events, 400)
	for name, test := range map[string]struct {
		q        repository.Query[fleet.VehicleEvent]
		found    bool
		requests int // at most
	}{
		"all":       {events.Scan(), true, 5},
		"none":      {events.Scan().Where(f.Speed.Gt(1000)), false, 5},
		"one":       {events.Scan().Where(f.VIN.Eq(event(7).VIN)), true, 5},
		"ordered":   {events.Scan().OrderBy(f.Speed.Desc()).Limit(7), true, 5},
		"one key":   {events.ByDateAndVIN(day, event(7).VIN), true, 1},
		"other key": {events.ByDateAndVIN("2000-01-01", "x"), false, 1},
	} {
		crowd.expect(0)
		found, err := test.q.Exists(ctx)
		n := crowd.sent // not the server's count, which may lack cancelled requests
		if err != nil || found != test.found || n > test.requests || !found && n != test.requests {
			t.Errorf("%s: %v, %v, %d requests, want %v of %d requests at most", name, found, err, n, test.found, test.requests)
		}
	}
	if _, err := (repository.Query[fleet.VehicleEvent]{}).Exists(ctx); err == nil {
		t.Error("the zero Query exists")
	}
	if _, err := events.Scan().WhereRaw("not SQL").Exists(ctx); err == nil {
		t.Error("no error of the service")
	}
}

// TestExistsStops ends at the first document: requests that answer later are cancelled.
func TestExistsStops(t *testing.T) {
	t.Parallel()
	server, events, _ := newWave(t, emulator.Options{Partitions: 5})
	fill(t, events, 400)
	if _, err := events.Scan().Exists(context.Background()); err != nil {
		t.Fatal(err)
	}
	for id := range 4 {
		server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Range: fmt.Sprint(id), Delay: time.Minute})
	}
	began := time.Now()
	if found, err := events.Scan().Exists(context.Background()); err != nil || !found || time.Since(began) > 30*time.Second {
		t.Errorf("%v, %v after %v", found, err, time.Since(began))
	}
}

// TestTakeWhile asks each physical partition for no further page than is needed.
func TestTakeWhile(t *testing.T) {
	t.Parallel()
	ctx, f := context.Background(), fleet.VehicleEventFields
	for _, partitions := range []int{1, 5, 20} {
		t.Run(fmt.Sprint(partitions), func(t *testing.T) {
			t.Parallel()
			server, _, _ := newWave(t, emulator.Options{Partitions: partitions})
			events := fleet.NewVehicleEventRepository(server.Container(fleet.VehicleEventContainer().ID, repository.Configure(nil)), repository.WithPageSize(3))
			fill(t, events, 280) // two of each speed
			if _, err := events.Scan().Count(ctx); err != nil {
				t.Fatal(err)
			}
			descending := events.Scan().OrderBy(f.Speed.Desc())
			all, err := descending.Collect(ctx)
			if err != nil {
				t.Fatal(err)
			}
			for _, above := range []int{139, 138, 100, 0, -1} {
				server.ResetRequests()
				tested := 0
				var got []string
				for e, err := range descending.TakeWhile(ctx, func(e *fleet.VehicleEvent) bool { tested++; return e.Speed > above }) {
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, e.ID)
				}
				var want []string
				for _, e := range all {
					if e.Speed > above {
						want = append(want, e.ID)
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("above %d: %d documents, want %d", above, len(got), len(want))
				}
				if tested != min(len(want)+1, len(all)) {
					t.Errorf("above %d: %d documents were tested, of %d", above, tested, len(want))
				}
				// A page of three for each physical partition, and one for each three that
				// were used.
				if n, most := server.Sent(emulator.OpQueryItems), partitions+len(want)/3; n > most || n < partitions {
					t.Errorf("above %d: %d requests, want %d to %d", above, n, partitions, most)
				}
			}
			limited := 0
			for _, err := range descending.Limit(5).TakeWhile(ctx, func(*fleet.VehicleEvent) bool { return true }) {
				if err != nil {
					t.Error(err)
				}
				limited++
			}
			if limited != 5 {
				t.Errorf("%d documents of a limit of 5", limited)
			}
			for _, err := range descending.TakeWhile(ctx, func(*fleet.VehicleEvent) bool { return true }) {
				if err != nil {
					t.Error(err)
				}
				break // goleak looks
			}
		})
	}
}

// TestTakeWhileSplit goes on in the order while physical partitions are split.
func TestTakeWhileSplit(t *testing.T) {
	t.Parallel()
	ctx, f := context.Background(), fleet.VehicleEventFields
	server, _, _ := newWave(t, emulator.Options{Partitions: 3})
	events := fleet.NewVehicleEventRepository(server.Container(fleet.VehicleEventContainer().ID, repository.Configure(nil)), repository.WithPageSize(5))
	fill(t, events, 280)
	n, last := 0, 1000
	for e, err := range events.Scan().OrderBy(f.Speed.Desc()).TakeWhile(ctx, func(e *fleet.VehicleEvent) bool { return e.Speed >= 20 }) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Speed > last {
			t.Fatalf("%d after %d", e.Speed, last)
		}
		last = e.Speed
		if n%40 == 10 {
			if err := server.Split("db", fleet.VehicleEventContainer().ID, fmt.Sprint(n/40)); err != nil && n < 100 {
				t.Fatal(err)
			}
		}
		n++
	}
	if n != 240 {
		t.Errorf("%d documents, want 240", n)
	}
}

// TestTakeWhileRefused needs an order, and returns errors of the service.
func TestTakeWhileRefused(t *testing.T) {
	t.Parallel()
	ctx, f := context.Background(), fleet.VehicleEventFields
	server, events, _ := newWave(t, emulator.Options{Partitions: 3})
	yes := func(*fleet.VehicleEvent) bool { return true }
	first := func(q repository.Query[fleet.VehicleEvent]) error {
		for _, err := range q.TakeWhile(ctx, yes) {
			return err
		}
		return errors.New("nothing")
	}
	if err := first(events.Scan()); err == nil || !strings.Contains(err.Error(), "call it after OrderBy") {
		t.Errorf("got %v", err)
	}
	if err := first(repository.Query[fleet.VehicleEvent]{}); err == nil || !strings.Contains(err.Error(), "zero Query") {
		t.Errorf("got %v", err)
	}
	server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Status: 400})
	err := first(events.Scan().OrderBy(f.Speed.Asc()))
	if own := (*repository.Error)(nil); !errors.As(err, &own) || own.Status != 400 {
		t.Errorf("got %v", err)
	}
}
