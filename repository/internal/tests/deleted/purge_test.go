package deleted

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestPurgeDeleted removes the documents that were marked before a time, and nothing else:
// also if keys can collide, and under faults before and after the server acted.
func TestPurgeDeleted(t *testing.T) {
	t.Parallel()
	for name, model := range map[string]*generated.Model[fixtures.Parcel, fixtures.ParcelKey]{
		"alone": fixtures.ParcelModel, "shared": fixtures.SharedParcelModel, "ambiguous": ambiguousParcels,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			var now atomic.Pointer[time.Time]
			at := func(day int) { v := time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC); now.Store(&v) }
			at(1)
			server, all := kit.NewParcels(t, model, repository.WithClock(func() time.Time { return *now.Load() }))
			const each = 12
			for day, kind := range []string{"old", "new", "live"} {
				at(day + 1)
				for i := range each {
					p := &fixtures.Parcel{ID: fmt.Sprintf("%s-%d", kind, i), Owner: fmt.Sprint(i % 5)}
					if kit.MustPass(t, all.Create(ctx, p)); kind != "live" {
						kit.MustPass(t, all.Delete(ctx, fixtures.ParcelKey{ID: p.ID, Owner: p.Owner}))
					}
				}
			}
			before := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC) // "new" was marked at this time
			s, err := admin.PurgeDeleted(ctx, all, before, admin.Run{DryRun: true})
			if err != nil || s.Found != each || s.Left != each || s.Removed != 0 || s.Done() {
				t.Fatalf("%+v, %v", s, err)
			}
			for _, f := range []emulator.Fault{
				{Operation: emulator.OpReadItem, Drop: true, Count: 2},
				{Operation: emulator.OpDeleteItem, Drop: true, After: true, Count: 3},
				{Operation: emulator.OpDeleteItem, Drop: true, Count: 2, Skip: 4},
			} {
				server.Inject(f)
			}
			s, err = admin.PurgeDeleted(ctx, all, before, admin.Run{})
			if err != nil || s.Found != each || s.Removed != each || !s.Done() || s.Err != nil {
				t.Fatalf("%+v, %v", s, err)
			}
			left := map[string]int{}
			for p, err := range repository.NewQuery(repository.WithDeleted(all), generated.Keys{}).All(ctx) {
				kit.MustPass(t, err)
				kind, _, _ := strings.Cut(p.ID, "-")
				left[kind]++
			}
			if left["old"] != 0 || left["new"] != each || left["live"] != each {
				t.Errorf("left are %v", left)
			}
		})
	}
}

// TestPurgeDeletedOvertaken restores a document after the pass has found it, and marks it
// again: it stays.
func TestPurgeDeletedOvertaken(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	var other *parcels
	key := fixtures.ParcelKey{ID: "1", Owner: "o"}
	overtaken := false
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	server, all := kit.NewParcels(t, fixtures.ParcelModel, repository.WithClock(func() time.Time { return day }),
		repository.WithObserver(func(_ context.Context, e repository.Event) {
			if e.Op == "read" && !overtaken || e.Op == "purge" && !overtaken {
				overtaken = true
				kit.MustPass(t, kit.ErrorOf(repository.Restore(ctx, other, key)), other.Delete(ctx, key))
			}
		}))
	other = repository.New(server.Container("parcels", repository.Configure(nil)), fixtures.ParcelModel)
	kit.MustPass(t, all.Create(ctx, &fixtures.Parcel{ID: "1", Owner: "o"}), all.Delete(ctx, key))
	overtaken = false
	s, err := admin.PurgeDeleted(ctx, all, day.Add(time.Hour), admin.Run{})
	if err != nil || s.Found != 1 || s.Removed != 0 || s.Failed != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	if !overtaken {
		t.Fatal("nothing was overtaken")
	}
	kit.MustPass(t, kit.ErrorOf(repository.Restore(ctx, other, key)))
}

// TestPurgeDeletedRefuses sends nothing for a type that marks no documents.
func TestPurgeDeletedRefuses(t *testing.T) {
	t.Parallel()
	server, all := kit.NewParcels(t, fixtures.RemovedParcelModel)
	sent := len(server.Counts())
	_, err := admin.PurgeDeleted(t.Context(), all, time.Now(), admin.Run{})
	if err == nil || !strings.Contains(err.Error(), "its tags have no deleted") {
		t.Errorf("got %v", err)
	}
	if _, err = admin.PurgeDeleted(t.Context(), all, time.Now(), admin.Run{Budget: 1}); err == nil || !strings.Contains(err.Error(), "too small") {
		t.Errorf("got %v", err)
	}
	if errors.Is(err, repository.ErrUnclear) || len(server.Counts()) != sent {
		t.Errorf("requests were sent: %v, %v", server.Counts(), err)
	}
}

// TestPurgeDeletedUnique frees the unique values of what it removes.
func TestPurgeDeletedUnique(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 3}, fixtures.MarkedMemberContainer(), repository.Configure(harness.Once()))
	all := fixtures.NewMarkedMemberRepository(container)
	member := func(id string) *fixtures.MarkedMember {
		return &fixtures.MarkedMember{ID: id, Region: "r" + id, Email: "a@example.com"}
	}
	one := member("1")
	kit.MustPass(t, all.Create(ctx, one), all.Delete(ctx, one.Key()))
	if err := all.Create(ctx, member("2")); !errors.Is(err, repository.ErrNotUnique) {
		t.Fatalf("a marked document keeps its values: %v", err)
	}
	s, err := admin.PurgeDeleted(ctx, all.Documents, time.Now().Add(time.Hour), admin.Run{})
	if err != nil || s.Removed != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
	kit.MustPass(t, all.Create(ctx, member("2")))
}
