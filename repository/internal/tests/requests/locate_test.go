package requests

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// seen is an observer that keeps the last event.
type seen struct {
	mu   sync.Mutex
	last repository.Event
}

func (s *seen) observe(_ context.Context, e repository.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = e
}

// observed is a container of five physical partitions, and its repository.
type observed struct {
	*testing.T
	*seen
	server *harness.Account
	events *fleet.VehicleEventRepository
}

// newObserved makes a container under another name for each test, since what is known
// of it outlives the test.
func newObserved(t *testing.T) *observed {
	t.Helper()
	options := harness.Impatient()
	options.Retry.MaxRetries = 1
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), repository.Configure(options))
	s := new(seen)
	return &observed{t, s, server, fleet.NewVehicleEventRepository(container, repository.WithObserver(s.observe))}
}

// vehicle is the nth document, each of a bucket of its own.
func vehicle(n int) *fleet.VehicleEvent {
	return &fleet.VehicleEvent{ID: fmt.Sprintf("e%d", n), Date: "2018-08-09", VIN: fmt.Sprintf("1HGCM82633A%06d", n)}
}

// read reads the nth document, and returns the physical partition that the observer was
// told, and the one that the emulator has in its journal.
func (o *observed) read(n int) (told, served string) {
	o.Helper()
	o.server.ResetRequests()
	if _, err := o.events.Get(context.Background(), vehicle(n).Key()); err != nil {
		o.Fatal(err)
	}
	requests := o.server.Requests()
	if len(requests) != 1 {
		o.Fatalf("%d requests for one point read: %+v", len(requests), requests)
	}
	return o.last.Range, requests[0].Range
}

// refused reads the nth document while all requests are throttled, and returns what the
// observer was told.
func (o *observed) refused(n int) repository.Event {
	o.Helper()
	o.server.Inject(emulator.Fault{Operation: emulator.OpReadItem, Status: http.StatusTooManyRequests, RetryAfter: time.Millisecond, Count: -1})
	defer o.server.ClearFaults()
	if _, err := o.events.Get(context.Background(), vehicle(n).Key()); err == nil {
		o.Fatal("a throttled read succeeded")
	}
	return o.last
}

func TestLocatePointOperations(t *testing.T) {
	o := newObserved(t)
	const n = 40
	// Answers name their physical partition before any map is known, and no request is
	// sent to learn one.
	served := map[string]int{}
	for i := range n {
		o.server.ResetRequests()
		if err := o.events.Create(context.Background(), vehicle(i)); err != nil {
			t.Fatal(err)
		}
		requests := o.server.Requests()
		if len(requests) != 1 || o.last.Range == "" || o.last.Range != requests[0].Range {
			t.Fatalf("the observer was told %q of %+v", o.last.Range, requests)
		}
		served[o.last.Range]++
	}
	if len(served) != 5 {
		t.Fatalf("the documents lie in %v", served)
	}
	e := o.last
	if e.Attempts != 1 || e.Throttled != 0 || e.Status != http.StatusCreated || e.Database != "db" || e.Host == "" {
		t.Errorf("told %+v", e)
	}

	// Throttled requests are answered without a token: nothing is known yet.
	e = o.refused(0)
	if e.Range != "" || e.Attempts != 2 || e.Throttled != 2 || e.Status != http.StatusTooManyRequests {
		t.Errorf("told %+v of a throttled read", e)
	}

	// A query learns what physical partitions there are.
	if found, err := o.events.ByDate("2018-08-09").Collect(context.Background()); err != nil || len(found) != n {
		t.Fatal(len(found), err)
	}
	for i := range n {
		told, served := o.read(i)
		if told != served {
			t.Errorf("read %d: told %q, served by %q", i, told, served)
		}
		if e := o.refused(i); e.Range != served {
			t.Errorf("throttled read %d: told %q, would be served by %q", i, e.Range, served)
		}
	}
}

func TestLocateAfterSplit(t *testing.T) {
	o := newObserved(t)
	ctx := context.Background()
	const n = 40
	inZero := -1
	for i := range n {
		if err := o.events.Create(ctx, vehicle(i)); err != nil {
			t.Fatal(err)
		}
		if o.last.Range == "0" {
			inZero = i
		}
	}
	query := func() {
		t.Helper()
		if found, err := o.events.ByDate("2018-08-09").Collect(ctx); err != nil || len(found) != n {
			t.Fatal(len(found), err)
		}
	}
	query()
	change := func(kind string, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		// Nothing contradicts the map yet.
		was := o.refused(inZero).Range
		told, served := o.read(inZero)
		if told != served || told == was {
			t.Errorf("after a %s: told %q, served by %q, before it was %q", kind, told, served, was)
		}
		// That answer has contradicted it.
		for i := range n {
			if e := o.refused(i); e.Range != "" {
				t.Errorf("after a %s, with a stale map: told %q", kind, e.Range)
			}
		}
		query() // finds out, and reads the physical partitions again
		for i := range n {
			told, served := o.read(i)
			if e := o.refused(i); told != served || e.Range != served {
				t.Errorf("after a %s: told %q and %q, served by %q", kind, told, e.Range, served)
			}
		}
	}
	change("split", o.server.Split("db", fleet.VehicleEventContainer().ID, "0"))
	change("merge", o.server.Merge("db", fleet.VehicleEventContainer().ID, "5", "6"))
}

func TestObservedQuery(t *testing.T) {
	o := newObserved(t)
	ctx := context.Background()
	for i := range 5 {
		if err := o.events.Create(ctx, vehicle(i)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := o.events.ByDateAndVIN("2018-08-09", vehicle(3).VIN).Collect(ctx); err != nil {
		t.Fatal(err)
	}
	if e := o.last; e.Rows != 1 || e.Range == "" || e.Status != http.StatusOK || e.Attempts != 1 {
		t.Errorf("told %+v of a query of one logical partition", e)
	}
	// Several logical partitions by one call of ReadManyItems have one physical
	// partition, or none is told.
	if _, err := o.events.GetMany(ctx, []fleet.VehicleEventKey{vehicle(1).Key(), vehicle(2).Key(), vehicle(3).Key()}); err != nil {
		t.Fatal(err)
	}
}
