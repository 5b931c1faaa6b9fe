package deleted

import (
	"errors"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestDeletedInWindows marks documents of a type with a container for each month.
func TestDeletedInWindows(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	_, db := kit.NewDatabase(t, emulator.Options{Partitions: 2}, nil)
	model := *fixtures.ReadingModel
	model.Deleted = &generated.Deleted[fixtures.Reading]{Property: "gone", Clear: func(*fixtures.Reading) {}}
	all := kit.Readings{Documents: repository.NewIn(db, &model), DB: db}
	all.Make(t, kit.Window(1), kit.Window(2))
	one, two := kit.ReadingAt("1", 1, 5), kit.ReadingAt("2", 2, 5)
	kit.MustPass(t, all.Create(ctx, one), all.Create(ctx, two), all.Delete(ctx, one.Key()))
	shown := repository.WithDeleted(all.Documents)
	for range 2 { // the second time, it knows the containers
		if again := repository.WithDeleted(all.Documents); kit.ErrorOf(again.Get(ctx, one.Key())) != nil {
			t.Error("a marked one is not shown")
		}
	}
	for what, err := range map[string]error{
		"Get": kit.ErrorOf(all.Get(ctx, one.Key())), "Replace of those shown": shown.Replace(ctx, kit.ReadingAt("1", 1, 5)), "Delete of those shown": shown.Delete(ctx, one.Key()),
	} {
		if !errors.Is(err, repository.ErrNotFound) || !errors.Is(err, repository.ErrDeleted) {
			t.Errorf("%s: %v", what, err)
		}
	}
	count := func(d *repository.Documents[fixtures.Reading, fixtures.ReadingKey]) int {
		n, err := repository.NewQuery(d, generated.Keys{}).Count(ctx)
		kit.MustPass(t, err)
		return n
	}
	if got := [2]int{count(all.Documents), count(shown)}; got != [2]int{1, 2} {
		t.Errorf("%d are there, and %d are shown", got[0], got[1])
	}
	deleted := 0
	for change, err := range feed.Changes(ctx, shown, feed.From{}, feed.UntilCaughtUp()) {
		if kit.MustPass(t, err); change.Deleted {
			deleted++
		}
	}
	if deleted != 1 {
		t.Errorf("%d deletions", deleted)
	}
	kit.MustPass(t, kit.ErrorOf(repository.Restore(ctx, all.Documents, one.Key())), all.Delete(ctx, two.Key()), repository.Purge(ctx, shown, two.Key()))
	if got := [2]int{count(all.Documents), count(shown)}; got != [2]int{1, 1} {
		t.Errorf("%d are there, and %d are shown", got[0], got[1])
	}
}

// TestDeletedOfTenants marks documents by the repositories of one tenant.
func TestDeletedOfTenants(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	_, all := kit.NewParcels(t, fixtures.SharedParcelModel)
	ann, bob := repository.NewTenant(all, fixtures.ParcelKey{Owner: "ann"}), repository.NewTenant(all, fixtures.ParcelKey{Owner: "bob"})
	key := fixtures.ParcelKey{ID: "1", Owner: "ann"}
	kit.MustPass(t, ann.Create(ctx, &fixtures.Parcel{ID: "1", Owner: "ann"}), ann.Delete(ctx, key))
	for what, err := range map[string]error{"Delete": bob.Delete(ctx, key), "Restore": kit.ErrorOf(repository.Restore(ctx, &bob, key)), "Purge": repository.Purge(ctx, &bob, key)} {
		if !errors.Is(err, repository.ErrTenant) {
			t.Errorf("%s of another tenant's: %v", what, err)
		}
	}
	shown := repository.NewTenant(repository.WithDeleted(all), fixtures.ParcelKey{Owner: "ann"})
	if _, err := shown.Get(ctx, key); err != nil {
		t.Error(err)
	}
	if _, err := ann.Get(ctx, key); !errors.Is(err, repository.ErrDeleted) {
		t.Error(err)
	}
	kit.MustPass(t, kit.ErrorOf(repository.Restore(ctx, &ann, key)), ann.Delete(ctx, key), repository.Purge(ctx, &ann, key))
	if _, err := shown.Get(ctx, key); !errors.Is(err, repository.ErrNotFound) || errors.Is(err, repository.ErrDeleted) {
		t.Error(err)
	}
}
