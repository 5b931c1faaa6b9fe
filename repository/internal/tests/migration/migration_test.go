package migration

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

var aHaul = fixtures.Haul{ID: "1", Truck: "t", Route: "r", Log: "a"}

// TestMigrationCosts counts the requests of operations in each phase: of a document in
// the old container, of one in the new container, and of none.
func TestMigrationCosts(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	key := movedKey(&aHaul)
	operations := []struct {
		name string
		run  func(m *haulMigration) error
	}{
		{"Get", func(m *haulMigration) error { _, err := m.Get(ctx, key); return err }},
		{"Create", func(m *haulMigration) error { h := aHaul; return m.Create(ctx, &h) }},
		{"Upsert", func(m *haulMigration) error { h := aHaul; return m.Upsert(ctx, &h) }},
		{"Replace", func(m *haulMigration) error { h := aHaul; return m.Replace(ctx, &h) }},
		{"Update", func(m *haulMigration) error { return m.Update(ctx, key, func(*fixtures.Haul) error { return nil }) }},
		{"Delete", func(m *haulMigration) error { return m.Delete(ctx, key) }},
	}
	phases := []repository.Phase{repository.PhaseOld, repository.PhaseBoth, repository.PhaseNew, repository.PhaseDone}
	places := []struct {
		name string
		put  func(h hauls) error
	}{
		{"old", func(h hauls) error { d := aHaul; return h.in(repository.PhaseOld).Create(ctx, &d) }},
		{"new", func(h hauls) error { d := aHaul; return h.in(repository.PhaseDone).Create(ctx, &d) }},
		{"none", func(hauls) error { return nil }},
	}
	h := newHauls(t, 0)
	var got []string
	for _, o := range operations {
		for _, place := range places {
			counts := []string{fmt.Sprintf("%s, %s:", o.name, place.name)}
			for _, phase := range phases {
				for _, clear := range []repository.Phase{repository.PhaseOld, repository.PhaseDone} {
					if err := h.in(clear).Delete(ctx, key); err != nil && !errors.Is(err, repository.ErrNotFound) {
						t.Fatal(err)
					}
				}
				if err := place.put(h); err != nil {
					t.Fatal(err)
				}
				h.server.ResetRequests()
				err := o.run(h.in(phase))
				n := 0
				for _, r := range h.server.Documents() {
					n += r
				}
				outcome := map[bool]string{true: "", false: "!"}[err == nil]
				counts = append(counts, fmt.Sprint(n)+outcome)
			}
			got = append(got, strings.Join(counts, " "))
		}
	}
	want := []string{
		"Get, old: 1 1 2 1!",
		"Get, new: 1! 2 1 1",
		"Get, none: 1! 2! 3! 1!",
		"Create, old: 2! 3! 3! 1",
		"Create, new: 1 3! 3! 2!",
		"Create, none: 1 3 3 1",
		"Upsert, old: 2 2 3 3",
		"Upsert, new: 3 3 2 2",
		"Upsert, none: 3 7 8 3",
		"Replace, old: 2 2 3 2!",
		"Replace, new: 2! 3 2 2",
		"Replace, none: 2! 4! 5! 2!",
		"Update, old: 2 2 3 1!",
		"Update, new: 1! 3 2 2",
		"Update, none: 1! 2! 3! 1!",
		"Delete, old: 2 2 3 1!",
		"Delete, new: 1! 4 3 2",
		"Delete, none: 1! 2! 3! 1!",
	}
	if !slices.Equal(got, want) {
		t.Errorf("requests in the four phases, ! after an error:\n%s", strings.Join(got, "\n"))
	}
}

// TestMigration moves documents while programs of two phases see them.
func TestMigration(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	h := newHauls(t, 0)
	before, both, fresh, done := h.in(repository.PhaseOld), h.in(repository.PhaseBoth), h.in(repository.PhaseNew), h.in(repository.PhaseDone)
	var keys []movedHaulKey
	for i, m := range []*haulMigration{before, before, both, both, fresh, fresh} {
		d := fixtures.Haul{ID: fmt.Sprint("h", i), Truck: fmt.Sprint("t", i%2), Route: fmt.Sprint("r", i%3), Log: fmt.Sprint(i)}
		if err := m.Create(ctx, &d); err != nil {
			t.Fatal(err)
		}
		keys = append(keys, movedKey(&d))
	}
	see := func(m *haulMigration, want ...string) {
		t.Helper()
		docs, err := m.GetMany(ctx, append(keys, movedHaulKey{"h9", "t", "r"}))
		var logs []string
		for _, d := range docs {
			if d != nil {
				logs = append(logs, d.Log)
			}
		}
		if err != nil || !slices.Equal(logs, want) {
			t.Errorf("GetMany gave %q, want %q: %v", logs, want, err)
		}
		for i, key := range append(keys, movedHaulKey{"h9", "t", "r"}) {
			if found, err := m.Exists(ctx, key); err != nil || found != (docs[i] != nil) {
				t.Errorf("Exists of %v: %v, %v", key, found, err)
			}
		}
		all, err := h.scan(m).Collect(ctx)
		logs = nil
		for _, d := range all {
			logs = append(logs, d.Log)
		}
		slices.Sort(logs)
		if err != nil || !slices.Equal(logs, want) {
			t.Errorf("All gave %q, want %q: %v", logs, want, err)
		}
	}
	see(both, "0", "1", "2", "3", "4", "5")
	see(fresh, "0", "1", "2", "3", "4", "5")
	if n, err := h.scan(both).WhereRaw("c.log > '0'").Limit(4).Collect(ctx); err != nil || len(n) != 4 {
		t.Errorf("a limit of 4 gave %d: %v", len(n), err)
	}
	route := documents.String[fixtures.Haul, string]("/route")
	if n, err := h.scan(both).Where(route.Eq("r1")).Collect(ctx); err != nil || len(n) != 2 {
		t.Errorf("a condition gave %d: %v", len(n), err)
	}

	// A document that was read before it moved has another ETag afterwards.
	read, err := both.Get(ctx, keys[0])
	if err != nil {
		t.Fatal(err)
	}
	if summary, err := admin.MoveAll(ctx, fresh, admin.Run{}); err != nil || summary.Moved != 4 || !summary.Done {
		t.Errorf("MoveAll: %+v, %v", summary, err)
	}
	if err := both.Replace(ctx, read); !errors.Is(err, repository.ErrPreconditionFailed) {
		t.Errorf("Replace of an old ETag: %v", err)
	}
	if err := both.DeleteIfMatch(ctx, read); !errors.Is(err, repository.ErrPreconditionFailed) {
		t.Errorf("DeleteIfMatch of an old ETag: %v", err)
	}
	if read, err = both.Get(ctx, keys[0]); err != nil {
		t.Fatal(err)
	}
	read.Log = "0 changed"
	if err := both.Replace(ctx, read); err != nil {
		t.Error(err)
	}
	if err := fresh.DeleteIfMatch(ctx, read); err != nil {
		t.Errorf("DeleteIfMatch of what was stored: %v", err)
	}
	set := repository.PatchValue[fixtures.Haul, string]("/log")
	if err := both.Patch(ctx, keys[1], set.Set("1 patched")); err != nil {
		t.Error(err)
	}
	if err := fresh.PatchIf(ctx, keys[2], route.Eq("nowhere"), set.Set("x")); !errors.Is(err, repository.ErrPreconditionFailed) {
		t.Errorf("a patch on a false condition: %v", err)
	}
	toOther := func(d *fixtures.Haul) error { d.Route = "other"; return nil } //nolint:pkgen // it is refused
	if err := fresh.Update(ctx, keys[2], toOther); !errors.Is(err, repository.ErrKeyChanged) {
		t.Errorf("a change of the key: %v", err)
	}
	see(fresh, "1 patched", "2", "3", "4", "5")
	see(done, "1 patched", "2", "3", "4", "5")
	if old, _ := h.stored(t); len(old) > 0 {
		t.Errorf("the old container has %q", old)
	}
}

// TestMigrationPhases has what a phase does not allow.
func TestMigrationPhases(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	h := newHauls(t, 0)
	for _, phase := range []repository.Phase{repository.PhaseOld, repository.PhaseBoth} {
		if _, err := admin.MoveAll(ctx, h.in(phase), admin.Run{}); err == nil || !strings.Contains(err.Error(), "documents move in PhaseNew") {
			t.Errorf("MoveAll in phase %d: %v", phase, err)
		}
	}
	if err := h.in(9).Create(ctx, &fixtures.Haul{ID: "x", Truck: "t", Route: "r"}); err == nil || !strings.Contains(err.Error(), "phase 9") {
		t.Errorf("an unknown phase: %v", err)
	}
}

// TestMigrationKeeps moves a document with properties that its type does not know, and
// with a time to live of which a part is over. It leaves alone what has no place.
func TestMigrationKeeps(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	h := newHauls(t, 1000)
	put := func(c *azcosmos.ContainerClient, key, doc string) {
		t.Helper()
		if _, err := c.CreateItem(ctx, azcosmos.NewPartitionKeyString(key), []byte(doc), nil); err != nil {
			t.Fatal(err)
		}
	}
	put(h.old, "old-t", `{"id":"1","truck":"t","route":"r","log":"<own>","old":"old-t","more":{"a":[1.5]},"ttl":600}`)
	put(h.old, "old-t", `{"id":"2","truck":"t","route":"r","log":"","old":"old-t"}`)
	put(h.old, "old-u", `{"id":"2","truck":"u","route":"r","log":"second","old":"old-u"}`) // where the other one will be
	h.server.Advance(100 * time.Second)
	m := h.in(repository.PhaseNew)
	summary, err := admin.MoveAll(ctx, m, admin.Run{})
	if err != nil || summary.Done || summary.Moved < 2 || len(summary.Blocked) != 1 || !errors.Is(summary.Blocked[0], repository.ErrAlreadyExists) {
		t.Errorf("MoveAll: %+v, %v", summary, err)
	}
	moved, err := h.new.ReadItem(ctx, azcosmos.NewPartitionKeyString("new-r"), "1", nil)
	for _, part := range []string{`"more":{"a":[1.5]}`, `"log":"<own>"`, `"key":"new-r"`, `"ttl":`} {
		if err != nil || !strings.Contains(string(moved.Value), part) {
			t.Errorf("moved is %s, without %s: %v", moved.Value, part, err)
		}
	}
	for _, part := range []string{`"old"`, `"_move"`} {
		if strings.Contains(string(moved.Value), part) {
			t.Errorf("moved is %s, with %s", moved.Value, part)
		}
	}
	// Both documents of one place can be read and changed, the blocked one where it is.
	for _, truck := range []string{"t", "u"} {
		key := movedHaulKey{"2", truck, "r"}
		if err := m.Update(ctx, key, func(d *fixtures.Haul) error { d.Log = truck; return nil }); err != nil {
			t.Errorf("truck %s: %v", truck, err)
		}
		if d, err := m.Get(ctx, key); err != nil || d.Log != truck {
			t.Errorf("truck %s: %+v, %v", truck, d, err)
		}
	}
	if all, err := h.scan(m).Collect(ctx); err != nil || len(all) != 3 {
		t.Errorf("a query gave %d documents of 3: %v", len(all), err)
	}
	h.server.Advance(510 * time.Second) // of the 600, 100 were over before the move
	if _, err := m.Get(ctx, movedHaulKey{"1", "t", "r"}); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("a document outlives its time: %v", err)
	}
	if _, err := m.Get(ctx, movedHaulKey{"2", "t", "r"}); err != nil {
		t.Errorf("a document that expires with its container is gone: %v", err)
	}
}

// TestMigrationPhaseSkipped has a program of the first phase meet a document that moves.
func TestMigrationPhaseSkipped(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	h := newHauls(t, 0)
	marked := `{"id":"1","truck":"t","route":"r","log":"","old":"old-t","_move":{"state":"moved","token":"ABCDEFGHIJKLMNOPQRSTUVWXYZ"}}`
	if _, err := h.old.CreateItem(ctx, azcosmos.NewPartitionKeyString("old-t"), []byte(marked), nil); err != nil {
		t.Fatal(err)
	}
	const want = "release every phase in order"
	m := h.in(repository.PhaseOld)
	_, err := m.Get(ctx, movedKey(&aHaul))
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Get: %v", err)
	}
	for _, err := range h.scan(m).All(ctx) {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("All: %v", err)
		}
	}
	d := aHaul
	if err := h.in(repository.PhaseBoth).Upsert(ctx, &d); err != nil {
		t.Error(err)
	}
	if old, fresh := h.stored(t); len(old) != 0 || len(fresh) != 1 || fresh[0] != "1 a" {
		t.Errorf("stored are %q and %q", old, fresh)
	}
}

// TestMigrationExpiresForGood changes documents whose moves have not ended: what is left of
// them in the old container lives longer, and must not be the document again.
func TestMigrationExpiresForGood(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	key := movedKey(&aHaul)
	for name, change := range map[string]func(m *haulMigration) error{
		"Update": func(m *haulMigration) error {
			return m.Update(ctx, key, func(h *fixtures.Haul) error { h.Log = "b"; return nil })
		},
		"Replace": func(m *haulMigration) error { h := aHaul; return m.Replace(ctx, &h) },
		"Upsert":  func(m *haulMigration) error { h := aHaul; return m.Upsert(ctx, &h) },
		"Patch": func(m *haulMigration) error {
			return m.Patch(ctx, key, fixtures.HaulPatch.Log.Set("b"))
		},
	} {
		for _, phase := range []repository.Phase{repository.PhaseBoth, repository.PhaseNew} {
			h := newHauls(t, 1000)
			for container, doc := range map[*azcosmos.ContainerClient][2]string{
				h.old: {"old-t", `{"id":"1","truck":"t","route":"r","log":"","old":"old-t","ttl":-1,"_move":{"state":"moved","token":"ABCDEFGHIJKLMNOPQRSTUVWXYZ"}}`},
				h.new: {"new-r", `{"id":"1","truck":"t","route":"r","log":"","key":"new-r"}`},
			} {
				if _, err := container.CreateItem(ctx, azcosmos.NewPartitionKeyString(doc[0]), []byte(doc[1]), nil); err != nil {
					t.Fatal(err)
				}
			}
			if err := change(h.in(phase)); err != nil {
				t.Errorf("%s in phase %d: %v", name, phase, err)
			}
			h.server.Advance(1001 * time.Second)
			if d, err := h.in(phase).Get(ctx, key); !errors.Is(err, repository.ErrNotFound) {
				t.Errorf("%s in phase %d: the document of before is back: %+v, %v", name, phase, d, err)
			}
		}
	}
}

// TestMigrationWithoutExpiry moves a document with a property ttl that means nothing,
// since its container has no time to live: it stays as it is.
func TestMigrationWithoutExpiry(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	h := newHauls(t, 0)
	if _, err := h.old.CreateItem(ctx, azcosmos.NewPartitionKeyString("old-t"), []byte(`{"id":"1","truck":"t","route":"r","log":"","old":"old-t","ttl":60}`), nil); err != nil {
		t.Fatal(err)
	}
	h.server.Advance(50 * time.Second)
	if summary, err := admin.MoveAll(ctx, h.in(repository.PhaseNew), admin.Run{}); err != nil || !summary.Done {
		t.Fatalf("%+v, %v", summary, err)
	}
	moved, err := h.new.ReadItem(ctx, azcosmos.NewPartitionKeyString("new-r"), "1", nil)
	if err != nil || !strings.Contains(string(moved.Value), `"ttl":60`) {
		t.Errorf("moved is %s, %v", moved.Value, err)
	}
}

// TestMigrationAsksAgainForExpiry moves documents of a container with a time to live, whose
// first answers about itself are cut: they keep what is left of their time. The client
// is without Configure, which would have found out.
func TestMigrationAsksAgainForExpiry(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	h := newHauls(t, 3600).by(t, nil)
	m := h.in(repository.PhaseNew)
	h.server.Inject(emulator.Fault{Operation: emulator.OpReadContainer, Path: "colls/hauls", Count: 2, Body: func([]byte) []byte { return []byte("{}") }})
	for _, id := range []string{"1", "2"} { // the second one long after the cut answers
		doc := `{"id":"` + id + `","truck":"t","route":"r","log":"","old":"old-t"}`
		if _, err := h.old.CreateItem(ctx, azcosmos.NewPartitionKeyString("old-t"), []byte(doc), nil); err != nil {
			t.Fatal(err)
		}
		h.server.Advance(100 * time.Second)
		if _, err := admin.MoveAll(ctx, m, admin.Run{}); err != nil {
			t.Fatal(err)
		}
		moved, err := h.new.ReadItem(ctx, azcosmos.NewPartitionKeyString("new-r"), id, nil)
		if err != nil || !strings.Contains(string(moved.Value), `"ttl":3`) {
			t.Errorf("moved is %s, with 3600 s to live before, 100 s ago: %v", moved.Value, err)
		}
	}
}
