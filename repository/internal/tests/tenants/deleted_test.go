package tenants

import (
	"context"
	"errors"
	"maps"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

// deletions are the ways to mark a hold as deleted, each of a hold of its own, "a" to "f".
var deletions = map[string]func(ctx context.Context, h *fixtures.HoldTenant, id string) error{
	"a delete": func(ctx context.Context, h *fixtures.HoldTenant, id string) error { return h.Delete(ctx, h.Key(id)) },
	"b delete if match": func(ctx context.Context, h *fixtures.HoldTenant, id string) error {
		x, err := h.Get(ctx, h.Key(id))
		if err != nil {
			return err
		}
		return h.DeleteIfMatch(ctx, x)
	},
	"c delete all": func(ctx context.Context, h *fixtures.HoldTenant, id string) error {
		_, err := h.DeleteAll(documents.Items(h.Key(id))).Collect(ctx)
		return err
	},
	"d delete all in batches": func(ctx context.Context, h *fixtures.HoldTenant, id string) error {
		_, err := h.DeleteAll(documents.Items(h.Key(id), h.Key(id+id)), documents.InBatches()).Collect(ctx)
		return err
	},
	"e transaction": func(ctx context.Context, h *fixtures.HoldTenant, id string) error {
		tx := repository.NewTransaction()
		if err := errors.Join(h.In(tx).Delete(h.Key(id)), h.In(tx).Create(holdOf(id+id+"2", 1))); err != nil {
			return err
		}
		return tx.Commit(ctx)
	},
	"f delete all of": func(ctx context.Context, h *fixtures.HoldTenant, id string) error {
		_, err := h.DeleteFound(h.Scan().Where(holdID.Eq(id)), documents.InBatches()).Collect(ctx)
		return err
	},
}

var holdID = documents.String[fixtures.Hold, string]("/id")

func holdOf(id string, value int) *fixtures.Hold {
	return &fixtures.Hold{ID: id, Tenant: "t", Value: value}
}

// TestTiersDeleted marks documents as deleted in each way, in the shared container, in an
// own one, and while the tenant moves, when each write carries the fence. Marks have no
// tombstone: a mover copies marked documents. Restore shows them, and Purge removes them.
func TestTiersDeleted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, container string
		state           tenancy.ResidenceState
	}{
		{"shared", "", tenancy.ResidenceSettled},
		{"own", "holds-t", tenancy.ResidenceSettled},
		{"moves out", "", tenancy.ResidenceMoving},
		{"moves back", "holds-t", tenancy.ResidenceMoving},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			h := newTiersOf(t, "holds")
			l := newLedger(heldLong)
			l.says(test.container, test.state)
			here := "holds"
			if test.container != "" {
				here = test.container
			}
			moving := test.state == tenancy.ResidenceMoving
			if moving {
				h.fence(here, true)
			}
			holds := fixtures.NewHoldRepository(h.db, l).For("t")
			all := []*fixtures.Hold{holdOf("dd", 1), holdOf("x", 3)}
			for name := range deletions {
				all = append(all, holdOf(name[:1], 1))
			}
			if _, err := holds.CreateAll(documents.Items(all...)).Collect(ctx); err != nil {
				t.Fatal(err)
			}
			for name, mark := range deletions {
				if err := mark(ctx, holds, name[:1]); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			marked := holds.WithDeleted()
			for name := range deletions {
				id := name[:1]
				if _, err := holds.Get(ctx, holds.Key(id)); !errors.Is(err, repository.ErrDeleted) {
					t.Errorf("%s: %v", name, err)
				}
				if x, err := marked.Get(ctx, marked.Key(id)); err != nil || x.Gone.IsZero() || x.Value != 1 {
					t.Errorf("%s: %v, %v", name, x, err)
				}
			}
			if n, err := holds.Scan().Count(ctx); n != 2 || err != nil { // x, and what the transaction has created
				t.Errorf("%d holds, %v", n, err)
			}
			if n, err := marked.Scan().Count(ctx); n != 9 || err != nil {
				t.Errorf("%d holds with marked ones, %v", n, err)
			}
			if _, gone, _ := h.stored(here); len(gone) > 0 {
				t.Errorf("marks have tombstones: %v", gone)
			}
			if _, err := holds.Restore(ctx, holds.Key("a")); err != nil {
				t.Error(err)
			}
			if x, err := holds.Get(ctx, holds.Key("a")); err != nil || !x.Gone.IsZero() {
				t.Errorf("%v, %v", x, err)
			}
			if err := holds.Purge(ctx, holds.Key("b")); err != nil {
				t.Error(err)
			}
			if err := holds.Purge(ctx, holds.Key("a")); !errors.Is(err, repository.ErrPreconditionFailed) {
				t.Errorf("a hold that is not marked is purged: %v", err)
			}
			if _, gone, _ := h.stored(here); gone["b"] != moving || len(gone) > 1 {
				t.Errorf("tombstones: %v", gone)
			}
			if _, err := marked.Get(ctx, marked.Key("b")); !errors.Is(err, repository.ErrNotFound) || errors.Is(err, repository.ErrDeleted) {
				t.Errorf("a purged hold: %v", err)
			}
		})
	}
}

// TestMoveTenantDeleted moves a tenant with documents that are marked as deleted: they stay
// marked, and Restore shows them at the new place. What was purged stays away.
func TestMoveTenantDeleted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		h := newTiersOf(t, "holds")
		directory, err := tenancy.EnsureTenantDirectory(ctx, h.db, "directory", admin.AnyThroughput(), tenancy.WithResidenceTTL(time.Second), tenancy.WithResidenceGrace(time.Second))
		if err != nil {
			t.Fatal(err)
		}
		holds := fixtures.NewHoldRepository(h.db, directory).For("t")
		for _, id := range []string{"live", "marked", "purged"} {
			if err := holds.Create(ctx, holdOf(id, 1)); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(holds.Delete(ctx, holds.Key("marked")), holds.Delete(ctx, holds.Key("purged")), holds.Purge(ctx, holds.Key("purged"))); err != nil {
			t.Fatal(err)
		}
		if _, err := tenancy.Move(ctx, h.db, directory, tenancy.TenantMove{Shared: "holds", Tenant: "t", To: "holds-t", Queries: time.Nanosecond}); err != nil {
			t.Fatal(err)
		}
		if values, _, _ := h.stored("holds-t"); !maps.Equal(values, map[string]int{"live": 1, "marked": 1}) {
			t.Errorf("the new place has %v", values)
		}
		if values, _, _ := h.stored("holds"); len(values) > 0 {
			t.Errorf("the old place has %v", values)
		}
		if _, err := holds.Get(ctx, holds.Key("marked")); !errors.Is(err, repository.ErrDeleted) {
			t.Error(err)
		}
		if _, err := holds.Restore(ctx, holds.Key("marked")); err != nil {
			t.Error(err)
		}
		if x, err := holds.Get(ctx, holds.Key("marked")); err != nil || x.Value != 1 {
			t.Errorf("%v, %v", x, err)
		}
	})
}
