package fields

import (
	"context"
	"errors"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/values"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestPatchIsOneWrite counts what a patch sends and costs, and compares that with
// a replace of the same document.
func TestPatchIsOneWrite(t *testing.T) {
	var seen []repository.Event
	server, events := kit.NewFleet(t, repository.WithObserver(func(_ context.Context, e repository.Event) { seen = append(seen, e) }))
	e := kit.Event(1)
	if err := events.Create(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	var replacing, patching repository.Meter
	if err := events.Replace(repository.WithMeter(t.Context(), &replacing), e); err != nil {
		t.Fatal(err)
	}
	seen = nil
	server.ResetRequests()
	if err := events.Patch(repository.WithMeter(t.Context(), &patching), e.Key(), kit.PatchEventSpeed.Set(e.Speed)); err != nil {
		t.Fatal(err)
	}
	if sent := operations(server); sent != "PatchItem" {
		t.Errorf("sent %s", sent)
	}
	if patching.Requests() != 1 || patching.RequestUnits() != replacing.RequestUnits() {
		t.Errorf("%d requests of %v units, and a replacement is %v", patching.Requests(), patching.RequestUnits(), replacing.RequestUnits())
	}
	if len(seen) != 1 || seen[0].Op != "patch" || seen[0].ID != e.ID || seen[0].Err != nil || seen[0].RequestUnits != patching.RequestUnits() {
		t.Errorf("observed %+v", seen)
	}
	// The program's document is out of date.
	if err := events.Replace(t.Context(), e); !errors.Is(err, repository.ErrPreconditionFailed) {
		t.Errorf("got %v", err)
	}
}

// TestPatchInSession reads what a patch wrote.
func TestPatchInSession(t *testing.T) {
	_, events := kit.NewFleet(t)
	e := kit.Event(1)
	if err := events.Create(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	ctx := repository.WithSession(t.Context(), &repository.Session{})
	for n := range 5 {
		if err := events.Patch(ctx, e.Key(), kit.PatchEventSpeed.Set(n)); err != nil {
			t.Fatal(err)
		}
		if got, err := events.Get(ctx, e.Key()); err != nil || got.Speed != n {
			t.Errorf("got %+v, %v, want speed %d", got, err, n)
		}
	}
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, recordContainer, nil)
	err := repository.New(container, values.RecordModel).Patch(ctx, one, recordPatch.Count.Set(1))
	if err == nil || errors.Is(err, repository.ErrNotFound) {
		t.Errorf("a session without Configure: %v", err)
	}
}

// TestIncrementsOfManyWriters has one change run by all of them at once.
func TestIncrementsOfManyWriters(t *testing.T) {
	r := newRecords(t, repository.Configure(nil), `"tags":[]`)
	f := recordPatch
	changes := []change{f.Count.Increment(2), f.Ratio.Decrement(0.5), f.Tags.Append("a", "b")}
	err := kit.Parallel(8, 40, func(int) error { return r.Patch(t.Context(), one, changes...) })
	if err != nil {
		t.Fatal(err)
	}
	got := r.properties(t)
	if tags, _ := got["tags"].([]any); got["count"] != 80.0 || got["ratio"] != -20.0 || len(tags) != 80 {
		t.Errorf("stored is %v", got)
	}
}
