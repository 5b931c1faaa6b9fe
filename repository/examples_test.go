package repository_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestPatchOnAnETag patches only the version that was read.
func TestPatchOnAnETag(t *testing.T) {
	_, events := kit.NewFleet(t)
	ctx := context.Background()
	e := kit.Event(1)
	if err := events.Create(ctx, e); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(exampleAndGet(ctx, events, e.Key()), examplePatchOnAnETag(ctx, events, e.Key())); err != nil {
		t.Error(err)
	}
	err := events.PatchIf(ctx, e.Key(), fleet.VehicleEventFields.ETag.Eq(e.ETag), fleet.VehicleEventPatch.Speed.Set(1))
	if !errors.Is(err, repository.ErrPreconditionFailed) {
		t.Errorf("a patch of an older version: %v", err)
	}
}

func TestExamplesOfConditionalWrites(t *testing.T) {
	_, events := kit.NewFleet(t)
	ctx := context.Background()
	e := kit.Event(1)
	if err := events.Create(ctx, e); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "move.json")
	key := e.Key()
	moved := key
	moved.Date = kit.NextDay
	last := key
	last.Date = "2018-08-11"
	departure := fleet.VehicleEventKey{ID: "departure", Date: kit.Day, VIN: "1HGCM82633A004352"}
	for _, step := range []struct {
		name string
		run  func() error
	}{
		{"update", func() error { return exampleUpdate(ctx, events, key) }},
		{"move", func() error { return exampleMove(ctx, events, key) }},
		{"resume", func() error { return exampleResumeMove(ctx, events, moved, file) }},
		{"resume in another process", func() error { return exampleResumeMoves(ctx, events, file) }},
		{"delete", func() error { return exampleDeleteIfMatch(ctx, events, last) }},
		{"replace", func() error { return exampleReplace(ctx, events) }},
		{"delete it", func() error { return events.Delete(ctx, departure) }},
	} {
		if err := step.run(); err != nil {
			t.Errorf("%s: %v", step.name, err)
		}
	}
	if n, err := events.Scan().Count(ctx); err != nil || n != 0 {
		t.Errorf("there are %d documents, %v", n, err)
	}
}

func TestMuxesThatAreRefused(t *testing.T) {
	t.Parallel()
	c, other := kit.NewCustomers(t), kit.NewCustomers(t)
	leases := kit.NewLeases(t, c.Server)
	orders := func(context.Context, []feed.Delivery[fixtures.Purchase]) error { return nil }
	for want, set := range map[string]func(*feed.Mux){
		"has no handlers":            func(*feed.Mux) {},
		"handler of Purchase is nil": func(m *feed.Mux) { feed.Handle(c.Orders.Documents, m, nil) },
		"have the same discriminator": func(m *feed.Mux) {
			feed.Handle(c.Orders.Documents, m, orders)
			feed.Handle(c.Orders.Documents, m, orders)
		},
		"by a type= tag": func(m *feed.Mux) {
			feed.Handle(repository.New(c.Container, &kit.ThingModel), m, func(context.Context, []feed.Delivery[kit.Thing]) error { return nil })
		},
		"a processor for each container": func(m *feed.Mux) {
			feed.Handle(c.Orders.Documents, m, orders)
			feed.Handle(other.Payments.Documents, m, func(context.Context, []feed.Delivery[fixtures.Payment]) error { return nil })
		},
	} {
		var mux feed.Mux
		set(&mux)
		err := mux.Processor("p", leases).Run(t.Context())
		var own *repository.Error
		if !errors.As(err, &own) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if lags, err := exampleMux(c.Orders, c.Payments, leases).Lag(t.Context()); err != nil || len(lags) > 0 {
		t.Errorf("before the first Run: %v, %v", lags, err)
	}
	if ids := kit.LeaseIDs(t, leases); len(ids) > 0 {
		t.Errorf("before an error there were written %q", ids)
	}
}

// TestProcessorUndecodable has a document that does not decode: its range waits, and
// another processor leaves the document out.
func TestProcessorUndecodable(t *testing.T) {
	t.Parallel()
	c := kit.NewThings(t, emulator.Options{}, repository.Configure(nil), false)
	leases := kit.NewLeases(t, c.Server)
	all := c.Add(t, "a", 6)
	broken := errors.New("broken")
	things := repository.New(c.Server.Container("things", repository.Configure(nil)), &kit.ThingModel, repository.WithUnmarshal(func(data []byte, v any) error {
		if strings.Contains(string(data), `"`+all[2].ID) { // an ETag may have the digits
			return broken
		}
		return v.(*kit.Thing).UnmarshalJSON(data)
	}))
	var got kit.Handled
	handle := func(_ context.Context, changes []feed.Delivery[kit.Thing]) error {
		got.Note(changes)
		return nil
	}
	var once sync.Once
	told := make(chan error)
	end := kit.RunProcessor(t, feed.NewProcessor(things, "projection", leases, handle, kit.Quick, kit.OnRequestError(func(_ context.Context, err error) {
		once.Do(func() { told <- err })
	})))
	err := <-told
	end()
	var own *repository.Error
	if !errors.Is(err, broken) || !errors.As(err, &own) || own.ID != all[2].ID || !strings.Contains(err.Error(), "leave it out by OnEvent") {
		t.Errorf("the error is %v", err)
	}
	if len(got.Times) > 0 {
		t.Errorf("of a page with a document that does not decode, %d were handled", len(got.Times))
	}
	var letters atomic.Int64
	end = kit.RunProcessor(t, feed.NewProcessor(things, "projection", leases, handle, kit.Quick, kit.OnUndecodable(func(_ context.Context, document []byte, err error) bool {
		var stored struct{ ID string }
		if json.Unmarshal(document, &stored) != nil || stored.ID != all[2].ID || !errors.As(err, &own) || own.ID != all[2].ID {
			t.Errorf("left out is %s: %v", document, err)
		}
		letters.Add(1)
		return true
	})))
	if again := got.Await(t, append(all[:2:2], all[3:]...)); again != 0 || letters.Load() != 1 || got.Times[all[2].ID] != 0 {
		t.Errorf("%d documents were handled again, %d left out", again, letters.Load())
	}
	end()
	c.Add(t, all[2].ID, 1) // it does not decode, either
	more := c.Add(t, "b", 2)
	stored := make(chan []byte, 1)
	end = kit.RunProcessor(t, feed.NewProcessor(things, "projection", leases, handle, kit.Quick, exampleProcessorUndecodable(func(_ context.Context, document []byte) error {
		stored <- document
		return nil
	})))
	got.Await(t, more)
	if document := string(<-stored); !strings.Contains(document, `"`+all[2].ID) {
		t.Errorf("stored is %s", document)
	}
	end()
}

// TestExampleOfVersions keeps an index.
func TestExampleOfVersions(t *testing.T) {
	t.Parallel()
	server, container := harness.NewContainer(t, emulator.Options{AllVersions: time.Hour}, fleet.VehicleEventContainer(), repository.Configure(nil))
	events := fleet.NewVehicleEventRepository(container)
	leases := kit.NewLeases(t, server)
	steps := make(chan string, 10)
	step := func(name string) func(context.Context, string) error {
		return func(_ context.Context, id string) error {
			steps <- name + " " + id
			return nil
		}
	}
	end := kit.RunProcessor(t, exampleVersions(events, leases, step("index"), step("remove")))
	kit.AwaitPositions(t, leases, 1)
	e := kit.Event(1)
	if err := errors.Join(events.Create(t.Context(), e), events.Delete(t.Context(), e.Key())); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"index ", "remove "} {
		if got := <-steps; got != want+e.ID {
			t.Errorf("got %s, want %s", got, want+e.ID)
		}
	}
	end()
}
