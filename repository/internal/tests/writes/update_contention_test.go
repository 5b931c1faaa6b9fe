package writes

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// contend has 20 goroutines increment a number in one event. It returns how many updates have
// succeeded, and how many have an unclear outcome. An update that gives up after its last
// attempt may be unclear without a fault: another one may have stored an equal document.
func contend(t *testing.T, events *fleet.VehicleEventRepository, key fleet.VehicleEventKey, each int, faults bool) (succeeded, unclear int) {
	t.Helper()
	var yes, perhaps atomic.Int64
	var writers sync.WaitGroup
	for range 20 {
		writers.Go(func() {
			for range each {
				switch err := events.Update(context.Background(), key, kit.Faster); {
				case err == nil:
					yes.Add(1)
				case errors.Is(err, repository.ErrUnclear):
					perhaps.Add(1)
					if !faults && !errors.Is(err, repository.ErrPreconditionFailed) {
						t.Error(err)
					}
				case !errors.Is(err, repository.ErrPreconditionFailed):
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	return int(yes.Load()), int(perhaps.Load())
}

// TestUpdateUnderContention counts in one event: no successful update is lost,
// and none counts twice.
func TestUpdateUnderContention(t *testing.T) {
	t.Run("of 20 writers", updatesUnderContention)
	harness.Settled(t)
}

func updatesUnderContention(t *testing.T) {
	for name, faults := range map[string][]emulator.Fault{
		"no faults": nil,
		"lost requests and answers": {
			{Operation: emulator.OpReplaceItem, Probability: 0.05, Seed: 1, Count: -1, Drop: true},
			{Operation: emulator.OpReplaceItem, Probability: 0.05, Seed: 2, Count: -1, Drop: true, After: true},
			{Operation: emulator.OpReplaceItem, Probability: 0.05, Seed: 3, Count: -1, Status: http.StatusInternalServerError},
			{Operation: emulator.OpReplaceItem, Probability: 0.05, Seed: 4, Count: -1, Status: http.StatusInternalServerError, After: true},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, events := kit.NewFleet(t)
			ctx := context.Background()
			e := kit.Event(0)
			if err := events.Create(ctx, e); err != nil {
				t.Fatal(err)
			}
			for _, fault := range faults {
				server.Inject(fault)
			}
			succeeded, unclear := contend(t, events, e.Key(), 5, faults != nil)
			server.ClearFaults()
			got, err := events.Get(ctx, e.Key())
			if err != nil {
				t.Fatal(err)
			}
			if got.Speed < succeeded || got.Speed > succeeded+unclear || succeeded < 25 {
				t.Errorf("counted to %d in %d updates and %d unclear ones", got.Speed, succeeded, unclear)
			}
		})
	}
}

// TestUpdateMeetsItsTwin loses an update before it takes effect, while another
// update makes the same change. The stored document then equals the document of
// the first, though only the second took effect.
func TestUpdateMeetsItsTwin(t *testing.T) {
	t.Parallel()
	hook := new(harness.Between)
	server, r := kit.NewNotes(t, harness.Intercepted)
	ctx := context.Background()
	kit.CreateNote(ctx, t, r, kit.LeftNote)
	add := func(n *fixtures.Note) error { n.Text += "!"; return nil }
	hook.Act = func() {
		hook.Act = nil
		// The oldest fault acts first: the twin's write passes, and the lost one is next.
		server.Inject(emulator.Fault{Operation: emulator.OpReplaceItem, Skip: 1, Drop: true})
		if err := r.Update(ctx, kit.LeftNote.Key(), add); err != nil {
			t.Error(err)
		}
	}
	err := r.Update(hook.Context(ctx), kit.LeftNote.Key(), add)
	if !errors.Is(err, repository.ErrUnclear) || !errors.Is(err, repository.ErrPreconditionFailed) {
		t.Errorf("got %v", err)
	}
	kit.HoldsNote(t, r, fixtures.Note{ID: "1", Topic: "a-b", Title: "c", Text: "left!"})
}

// TestUpdateAfterAnUnclearFailure loses requests and answers of a single writer.
func TestUpdateAfterAnUnclearFailure(t *testing.T) {
	t.Parallel()
	for name, fault := range kit.UnclearFaults(emulator.OpReplaceItem) {
		t.Run(name, func(t *testing.T) {
			server, events := kit.NewFleet(t)
			ctx := context.Background()
			e := kit.Event(0)
			if err := events.Create(ctx, e); err != nil {
				t.Fatal(err)
			}
			server.Inject(fault)
			calls := 0
			err := events.Update(ctx, e.Key(), func(e *fleet.VehicleEvent) error { calls++; return kit.Faster(e) })
			if fault.After != errors.Is(err, repository.ErrUnclear) || !fault.After && err != nil {
				t.Errorf("got %v", err)
			}
			got, err := events.Get(ctx, e.Key())
			if err != nil || got.Speed != 1 || calls != 1 {
				t.Errorf("after %d calls: %+v, %v", calls, got, err)
			}
		})
	}
}
