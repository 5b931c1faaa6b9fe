package writes

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/clickstream"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/example/telemetry"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

func TestUpdate(t *testing.T) {
	server, events := kit.NewFleet(t)
	ctx := context.Background()
	e := kit.Event(1)
	if err := events.Create(ctx, e); err != nil {
		t.Fatal(err)
	}
	server.ResetRequests()
	if err := events.Update(ctx, e.Key(), kit.Faster); err != nil {
		t.Fatal(err)
	}
	if n := server.Documents(); !maps.Equal(n, map[string]int{emulator.OpReadItem: 1, emulator.OpReplaceItem: 1}) {
		t.Errorf("sent %v", n)
	}
	got, err := events.Get(ctx, e.Key())
	if err != nil || got.Speed != 2 || got.VIN != e.VIN {
		t.Errorf("got %+v, %v", got, err)
	}
	if err := events.Update(ctx, kit.Event(2).Key(), kit.Faster); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("an event that is not there: %v", err)
	}
}

// TestUpdateRefuses has updates that send no write.
func TestUpdateRefuses(t *testing.T) {
	server, events := kit.NewFleet(t)
	ctx := context.Background()
	e := kit.Event(1)
	if err := events.Create(ctx, e); err != nil {
		t.Fatal(err)
	}
	server.ResetRequests()
	enough := errors.New("fast enough")
	if err := events.Update(ctx, e.Key(), func(*fleet.VehicleEvent) error { return enough }); err != enough { // itself, not wrapped
		t.Errorf("got %v", err)
	}
	for name, change := range map[string]func(*fleet.VehicleEvent){
		"the id":           func(e *fleet.VehicleEvent) { e.ID = "other" },
		"the date":         func(e *fleet.VehicleEvent) { e.Date = "2018-08-10" },
		"the VIN":          func(e *fleet.VehicleEvent) { e.VIN = "other" },
		"to the same item": func(e *fleet.VehicleEvent) { e.VIN = kit.Roommate(e.VIN) },
	} {
		err := events.Update(ctx, e.Key(), func(e *fleet.VehicleEvent) error { change(e); return nil })
		if !errors.Is(err, repository.ErrKeyChanged) || !strings.Contains(err.Error(), "of another key: use Move") {
			t.Errorf("%s: %v", name, err)
		}
	}
	var keyError *partition.KeyError
	if err := events.Update(ctx, fleet.VehicleEventKey{ID: "1"}, kit.Faster); !errors.As(err, &keyError) {
		t.Errorf("no key: %v", err)
	}
	if n := server.Documents(); !maps.Equal(n, map[string]int{emulator.OpReadItem: 5}) {
		t.Errorf("sent %v", n)
	}
}

// TestUpdateOfOtherTypes updates documents of other kinds of keys.
func TestUpdateOfOtherTypes(t *testing.T) {
	ctx := context.Background()
	t.Run("a random suffix", func(t *testing.T) {
		_, clicks := kit.NewClicks(t)
		c := clickstream.Click{ID: "1", Date: kit.Day}
		if err := clicks.Create(ctx, &c); err != nil {
			t.Fatal(err)
		}
		if err := clicks.Update(ctx, c.Key(), func(c *clickstream.Click) error { c.Page = "/x"; return nil }); err != nil {
			t.Fatal(err)
		}
		if got, err := clicks.Get(ctx, c.Key()); err != nil || got.Page != "/x" {
			t.Errorf("got %+v, %v", got, err)
		}
		// Without its suffix it would be another document.
		err := clicks.Update(ctx, c.Key(), func(c *clickstream.Click) error { c.Stored = ""; return nil })
		if !errors.Is(err, repository.ErrKeyChanged) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("colliding keys", func(t *testing.T) {
		_, r := kit.NewNotes(t)
		kit.CreateNote(ctx, t, r, kit.LeftNote)
		write := func(n *fixtures.Note) error { n.Text, n.Title = "updated", "C"; return nil } // the title is in lower case in the key
		if err := r.Update(ctx, kit.RightNote.Key(), write); !errors.Is(err, repository.ErrNotFound) {
			t.Errorf("another's: %v", err)
		}
		kit.HoldsNote(t, r, kit.LeftNote)
		if err := r.Update(ctx, kit.LeftNote.Key(), write); err != nil {
			t.Fatal(err)
		}
		kit.HoldsNote(t, r, fixtures.Note{ID: "1", Topic: "a-b", Title: "C", Text: "updated"})
		// The fields of the other document make the same partition key, and are not these.
		swap := func(n *fixtures.Note) error { *n = kit.RightNote; return nil }
		if err := r.Update(ctx, kit.LeftNote.Key(), swap); !errors.Is(err, repository.ErrKeyChanged) {
			t.Errorf("to another's: %v", err)
		}
	})
	t.Run("what is no JSON", func(t *testing.T) {
		server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, telemetry.ReadingContainer(), repository.Configure(nil))
		readings := telemetry.NewReadingRepository(container)
		r := telemetry.Reading{ID: "1", DeviceID: "d", Date: 2018}
		if err := readings.Create(ctx, &r); err != nil {
			t.Fatal(err)
		}
		err := readings.Update(ctx, r.Key(), func(r *telemetry.Reading) error { r.Celsius = math.NaN(); return nil })
		var unsupported *json.UnsupportedValueError
		if !errors.As(err, &unsupported) || server.Documents()[emulator.OpReplaceItem] != 0 {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a hierarchical key", func(t *testing.T) {
		_, _, r := kit.NewVisits(t)
		v := kit.AVisit()
		if err := r.Create(ctx, &v); err != nil {
			t.Fatal(err)
		}
		key := v.Key()
		key.At = v.At // of the month, in another zone than UTC
		if err := r.Update(ctx, key, func(v *fixtures.Visit) error { v.Note = "updated"; return nil }); err != nil {
			t.Fatal(err)
		}
		if got, err := r.Get(ctx, v.Key()); err != nil || got.Note != "updated" {
			t.Errorf("got %+v, %v", got, err)
		}
	})
}

// TestUpdateEndsWithItsContext cancels the context after a write has met another.
func TestUpdateEndsWithItsContext(t *testing.T) {
	hook := new(harness.Between)
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fixtures.NoteContainer(), repository.Configure(harness.Impatient(harness.Intercepted)))
	ctx, cancel := context.WithCancel(context.Background())
	r := kit.Notes{NoteRepository: &fixtures.NoteRepository{Documents: repository.New(container, fixtures.NoteModel, repository.WithObserver(func(_ context.Context, e repository.Event) {
		if e.Op == "update" && e.Err != nil {
			cancel()
		}
	}))}}
	stored := kit.CreateNote(ctx, t, r, kit.LeftNote)
	hook.Act = func() {
		if err := r.Replace(ctx, &stored); err != nil {
			t.Fatal(err)
		}
	}
	calls := 0
	err := r.Update(hook.Context(ctx), kit.LeftNote.Key(), func(*fixtures.Note) error { calls++; return nil })
	if !errors.Is(err, context.Canceled) || calls != 1 {
		t.Errorf("after %d calls: %v", calls, err)
	}
}

// TestUpdateIsOvertaken has somebody act between the read and the write.
func TestUpdateIsOvertaken(t *testing.T) {
	t.Parallel()
	hook := new(harness.Between)
	server, r := kit.NewNotes(t, harness.Intercepted)
	ctx := context.Background()
	stored := kit.CreateNote(ctx, t, r, kit.LeftNote)
	meddled := 0
	hook.Act = func() {
		meddled++
		stored.Text += "."
		if err := r.Replace(ctx, &stored); err != nil {
			t.Fatal(err)
		}
	}
	calls := 0
	add := func(n *fixtures.Note) error { calls++; n.Text += "!"; return nil }

	server.ResetRequests()
	err := r.Update(hook.Context(ctx), kit.LeftNote.Key(), add)
	if !errors.Is(err, repository.ErrPreconditionFailed) || errors.Is(err, repository.ErrUnclear) ||
		!strings.HasSuffix(err.Error(), "(status 412), 10 times in a row: others keep writing it, or reads go to a region that lacks its last writes; try again later") {
		t.Errorf("got %v", err)
	}
	if calls != 10 || meddled != 10 {
		t.Errorf("%d attempts against %d writes", calls, meddled)
	}
	kit.HoldsNote(t, r, stored)

	canceled, cancel := context.WithCancel(hook.Context(ctx))
	meddle := hook.Act
	hook.Act = func() { meddle(); cancel() }
	if err := r.Update(canceled, kit.LeftNote.Key(), add); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	hook.Act = func() { hook.Act = nil; meddle() }
	if err := r.Update(hook.Context(ctx), kit.LeftNote.Key(), add); err != nil {
		t.Error(err)
	}
	stored.Text += "!"
	kit.HoldsNote(t, r, stored)
	hook.Act = func() {
		hook.Act = nil
		if err := r.Delete(ctx, kit.LeftNote.Key()); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Update(hook.Context(ctx), kit.LeftNote.Key(), add); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("it was deleted: %v", err)
	}
}
