package deleted

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// parcelModels are the models in which deletions differ.
var parcelModels = map[string]*generated.Model[fixtures.Parcel, fixtures.ParcelKey]{
	"alone":     fixtures.UnstampedParcelModel,
	"stamped":   fixtures.ParcelModel,
	"expiring":  fixtures.ExpiringParcelModel,
	"shared":    fixtures.SharedParcelModel,
	"ambiguous": ambiguousParcels,
}

// TestDeletions deletes a parcel in each way, and looks who sees it.
func TestDeletions(t *testing.T) {
	t.Parallel()
	for name, model := range parcelModels {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := new(kit.Ticking)
			_, all := kit.NewParcels(t, model, repository.WithClock(clock.Now))
			for i, deletion := range parcelDeletions {
				t.Run(deletion.name, func(t *testing.T) { deleteParcel(t, all, i, deletion.run) })
			}
		})
	}
}

//nolint:gocyclo // one deletion, step by step
func deleteParcel(t *testing.T, all *parcels, i int, run func(context.Context, *parcels, *fixtures.Parcel) error) {
	ctx, key := t.Context(), fixtures.ParcelKey{ID: "1", Owner: "owner " + string(rune('a'+i))}
	doc, other := &fixtures.Parcel{ID: "1", Owner: key.Owner, Value: 1}, &fixtures.Parcel{ID: "2", Owner: key.Owner}
	kit.MustPass(t, all.Create(ctx, doc), all.Create(ctx, other))
	stale := *doc
	kit.MustPass(t, run(ctx, all, doc))

	shown := repository.WithDeleted(all)
	marked, err := shown.Get(ctx, key)
	if err != nil || marked.Gone.IsZero() || marked.Value != 1 || doc.N > 0 && (marked.N != 2 || marked.Changed != marked.Gone || marked.Made != doc.Made) {
		t.Fatalf("got %+v after %+v: %v", marked, doc, err)
	}
	kit.SeesParcels(t, all, key.Owner, "2")
	kit.SeesParcels(t, shown, key.Owner, "1", "2")

	// What is deleted is not there for writes, and its id is taken.
	edited := *marked
	edited.Value = 2
	cleared := edited
	cleared.Gone = repository.Time{}
	for what, err := range map[string]error{
		"Get":                      kit.ErrorOf(all.Get(ctx, key)),
		"Delete":                   run(ctx, all, &stale),
		"Delete of those shown":    shown.Delete(ctx, key),
		"Replace":                  all.Replace(ctx, &fixtures.Parcel{ID: "1", Owner: key.Owner, Value: 2}),
		"Replace on ETag":          all.Replace(ctx, &edited),
		"Replace of those shown":   shown.Replace(ctx, &cleared),
		"Update":                   all.Update(ctx, key, func(p *fixtures.Parcel) error { p.Value = 2; return nil }),
		"Update of those shown":    shown.Update(ctx, key, func(p *fixtures.Parcel) error { p.Value = 2; return nil }),
		"Patch":                    all.Patch(ctx, key, parcelValue.Set(2)),
		"Patch of those shown":     shown.Patch(ctx, key, parcelValue.Set(2)),
		"Move":                     all.Move(ctx, key, &fixtures.Parcel{ID: "1", Owner: "another"}),
		"Replace in a transaction": kit.Commit(ctx, func(tx *repository.Transaction) error { return all.In(tx).Replace(&cleared) }),
		"Patch in a transaction":   kit.Commit(ctx, func(tx *repository.Transaction) error { return all.In(tx).Patch(key, parcelValue.Set(2)) }),
	} {
		if !errors.Is(err, repository.ErrNotFound) || !errors.Is(err, repository.ErrDeleted) || errors.Is(err, repository.ErrUnclear) {
			if i == 4 && what == "Delete" && err == nil {
				continue // the query finds nothing
			}
			t.Errorf("%s: %v", what, err)
		}
	}
	fresh := func() *fixtures.Parcel { return &fixtures.Parcel{ID: "1", Owner: key.Owner, Value: 2} }
	for what, err := range map[string]error{
		"Create":                  all.Create(ctx, fresh()),
		"Upsert":                  all.Upsert(ctx, fresh()),
		"Upsert of those shown":   shown.Upsert(ctx, marked),
		"UpsertAll":               kit.ErrorOf(all.UpsertAll(documents.Sequence(kit.These(fresh()))).Collect(ctx)),
		"UpsertAll in batches":    kit.ErrorOf(all.UpsertAll(documents.Sequence(kit.These(fresh(), other)), documents.InBatches()).Collect(ctx)),
		"Upsert in a transaction": kit.Commit(ctx, func(tx *repository.Transaction) error { return all.In(tx).Upsert(fresh()) }),
	} {
		if !errors.Is(err, repository.ErrAlreadyExists) || !errors.Is(err, repository.ErrDeleted) || errors.Is(err, repository.ErrUnclear) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if now, err := shown.Get(ctx, key); err != nil || *now != *marked {
		t.Errorf("got %+v after %+v: %v", now, marked, err)
	}

	kit.MustPass(t, kit.ErrorOf(repository.Restore(ctx, all, key)))
	back, err := all.Get(ctx, key)
	if err != nil || !back.Gone.IsZero() || back.Value != 1 || doc.N > 0 && (back.N != 3 || back.Made != doc.Made) {
		t.Errorf("got %+v: %v", back, err)
	}
	kit.SeesParcels(t, all, key.Owner, "1", "2")
	for what, err := range map[string]error{"Restore": kit.ErrorOf(repository.Restore(ctx, all, key)), "Purge": repository.Purge(ctx, all, key)} {
		if !errors.Is(err, repository.ErrPreconditionFailed) || errors.Is(err, repository.ErrUnclear) {
			t.Errorf("%s of one that is not marked: %v", what, err)
		}
	}
	// The mark is not the caller's to set.
	back.Gone, back.Value = repository.NewTime(time.Unix(1, 0)), 3
	kit.MustPass(t, all.Replace(ctx, back))
	if now, err := all.Get(ctx, key); err != nil || now.Value != 3 || !back.Gone.IsZero() {
		t.Errorf("got %+v, the caller has %+v: %v", now, back, err)
	}

	kit.MustPass(t, all.Delete(ctx, key), repository.Purge(ctx, all, key))
	for what, err := range map[string]error{
		"Get": kit.ErrorOf(shown.Get(ctx, key)), "Restore": kit.ErrorOf(repository.Restore(ctx, all, key)), "Purge": repository.Purge(ctx, all, key), "Delete": all.Delete(ctx, key),
	} {
		if !errors.Is(err, repository.ErrNotFound) || errors.Is(err, repository.ErrDeleted) {
			t.Errorf("%s of one that was purged: %v", what, err)
		}
	}
	kit.MustPass(t, all.Create(ctx, fresh()))
}

// TestDeletedInTransactions are transactions of which a deletion is a part.
func TestDeletedInTransactions(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	_, all := kit.NewParcels(t, fixtures.ParcelModel)
	a, b := &fixtures.Parcel{ID: "a", Owner: "o"}, &fixtures.Parcel{ID: "b", Owner: "o"}
	kit.MustPass(t, all.Create(ctx, a), all.Create(ctx, b), all.Delete(ctx, fixtures.ParcelKey{ID: "b", Owner: "o"}))
	in := func(add func(repository.TransactionOf[fixtures.Parcel, fixtures.ParcelKey]) error) func(*repository.Transaction) error {
		return func(tx *repository.Transaction) error { return add(all.In(tx)) }
	}
	remove := func(id string) func(*repository.Transaction) error {
		return in(func(tx repository.TransactionOf[fixtures.Parcel, fixtures.ParcelKey]) error {
			return tx.Delete(fixtures.ParcelKey{ID: id, Owner: "o"})
		})
	}
	if err := kit.Commit(ctx, remove("a"), remove("b")); !errors.Is(err, repository.ErrNotFound) || !errors.Is(err, repository.ErrDeleted) {
		t.Errorf("got %v", err)
	}
	if _, err := all.Get(ctx, fixtures.ParcelKey{ID: "a", Owner: "o"}); err != nil {
		t.Errorf("a part of the transaction took effect: %v", err)
	}
	again := in(func(tx repository.TransactionOf[fixtures.Parcel, fixtures.ParcelKey]) error {
		return tx.Upsert(&fixtures.Parcel{ID: "a", Owner: "o"})
	})
	kit.WantText(t, kit.Commit(ctx, remove("a"), again), "deletes this id already")
	stale := *a
	kit.MustPass(t, all.Patch(ctx, fixtures.ParcelKey{ID: "a", Owner: "o"}, parcelValue.Set(7)))
	for _, add := range []func(tx repository.TransactionOf[fixtures.Parcel, fixtures.ParcelKey]) error{
		func(tx repository.TransactionOf[fixtures.Parcel, fixtures.ParcelKey]) error {
			return tx.DeleteIfMatch(&stale)
		},
		func(tx repository.TransactionOf[fixtures.Parcel, fixtures.ParcelKey]) error {
			return tx.Replace(&stale)
		},
	} {
		if err := kit.Commit(ctx, in(add)); !errors.Is(err, repository.ErrPreconditionFailed) || errors.Is(err, repository.ErrDeleted) {
			t.Errorf("got %v", err)
		}
	}
	kit.MustPass(t, kit.Commit(ctx, in(func(tx repository.TransactionOf[fixtures.Parcel, fixtures.ParcelKey]) error {
		return tx.Create(&fixtures.Parcel{ID: "c", Owner: "o"})
	}), remove("c"), remove("a")))
	if n, err := kit.ParcelsOf(all, "o").Count(ctx); n != 0 || err != nil {
		t.Errorf("%d are left: %v", n, err)
	}
	if n, err := kit.ParcelsOf(repository.WithDeleted(all), "o").Count(ctx); n != 3 || err != nil {
		t.Errorf("%d are stored: %v", n, err)
	}
}

// TestDeletedOfTwoTypes shares a container between two types that are marked, and one that
// is not.
func TestDeletedOfTwoTypes(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, kit.HashContainer("parcels", "/owner"), repository.Configure(harness.Once()))
	one, two, third := repository.New(container, fixtures.SharedParcelModel), repository.New(container, fixtures.UnstampedSharedParcelModel), repository.New(container, fixtures.RemovedParcelModel)
	kit.MustPass(t, one.Create(ctx, &fixtures.Parcel{ID: "1", Owner: "o"}), two.Create(ctx, &fixtures.Parcel{ID: "2", Owner: "o"}), third.Create(ctx, &fixtures.Parcel{ID: "3", Owner: "o"}))
	key := fixtures.ParcelKey{ID: "1", Owner: "o"}
	for what, err := range map[string]error{
		"Delete": two.Delete(ctx, key), "Restore": kit.ErrorOf(repository.Restore(ctx, two, key)), "Purge": repository.Purge(ctx, two, key),
		"Delete of the third": one.Delete(ctx, fixtures.ParcelKey{ID: "3", Owner: "o"}),
	} {
		if !errors.Is(err, repository.ErrNotFound) || !errors.Is(err, repository.ErrOtherType) {
			t.Errorf("%s of another type's: %v", what, err)
		}
	}
	kit.MustPass(t, one.Delete(ctx, key), third.Delete(ctx, fixtures.ParcelKey{ID: "3", Owner: "o"}))
	for what, err := range map[string]error{
		"Delete": two.Delete(ctx, key), "Restore": kit.ErrorOf(repository.Restore(ctx, two, key)), "Purge": repository.Purge(ctx, two, key), "Get": kit.ErrorOf(repository.WithDeleted(two).Get(ctx, key)),
		"Delete by the third": third.Delete(ctx, key),
	} {
		if !errors.Is(err, repository.ErrNotFound) || !errors.Is(err, repository.ErrOtherType) {
			t.Errorf("%s of another type's that is marked: %v", what, err)
		}
	}
	for what, n := range map[string]int{"one": 0, "two": 1, "third": 0} {
		d := map[string]*parcels{"one": one, "two": two, "third": third}[what]
		if got, err := kit.ParcelsOf(d, "o").Count(ctx); got != n || err != nil {
			t.Errorf("%s has %d: %v", what, got, err)
		}
	}
	kit.WantText(t, repository.Purge(ctx, third, fixtures.ParcelKey{ID: "3", Owner: "o"}), "no field of the type is tagged deleted")
	kit.MustPass(t, repository.Purge(ctx, one, key))
}

// TestDeletedExpire has the service remove what is marked, unless it is restored.
func TestDeletedExpire(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	server, all := kit.NewParcels(t, fixtures.ExpiringParcelModel)
	for i, deletion := range parcelDeletions {
		kept, gone := &fixtures.Parcel{ID: "kept", Owner: deletion.name}, &fixtures.Parcel{ID: "gone", Owner: deletion.name}
		kit.MustPass(t, all.Create(ctx, kept), all.Create(ctx, gone), deletion.run(ctx, all, kept), deletion.run(ctx, all, gone))
		if i%2 == 0 {
			server.Advance(50 * time.Second)
		}
		kit.MustPass(t, kit.ErrorOf(repository.Restore(ctx, all, fixtures.ParcelKey{ID: "kept", Owner: deletion.name})))
		server.Advance(2 * time.Minute)
		if _, err := all.Get(ctx, fixtures.ParcelKey{ID: "kept", Owner: deletion.name}); err != nil {
			t.Errorf("%s: a restored one: %v", deletion.name, err)
		}
		err := kit.ErrorOf(repository.WithDeleted(all).Get(ctx, fixtures.ParcelKey{ID: "gone", Owner: deletion.name}))
		if !errors.Is(err, repository.ErrNotFound) || errors.Is(err, repository.ErrDeleted) {
			t.Errorf("%s: one that expired: %v", deletion.name, err)
		}
	}
}

// TestDeletedCost counts the requests of operations.
func TestDeletedCost(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	server, all := kit.NewParcels(t, fixtures.ExpiringParcelModel)
	key := fixtures.ParcelKey{ID: "1", Owner: "o"}
	kit.MustPass(t, all.Create(ctx, &fixtures.Parcel{ID: "1", Owner: "o"}))
	for _, step := range []struct {
		name string
		want int
		run  func() error
	}{
		{"Delete", 1, func() error { return all.Delete(ctx, key) }},
		{"Restore", 2, func() error { return kit.ErrorOf(repository.Restore(ctx, all, key)) }},
		{"Replace", 2, func() error { return all.Replace(ctx, &fixtures.Parcel{ID: "1", Owner: "o"}) }},
		{"Patch", 1, func() error { return all.Patch(ctx, key, parcelValue.Set(1)) }},
		{"Get", 1, func() error { return kit.ErrorOf(all.Get(ctx, key)) }},
		{"Delete in a transaction", 1, func() error {
			return kit.Commit(ctx, func(tx *repository.Transaction) error { return all.In(tx).Delete(key) })
		}},
		{"Purge", 2, func() error { return repository.Purge(ctx, all, key) }},
	} {
		before := len(server.Requests())
		kit.MustPass(t, step.run())
		n := 0
		for _, r := range server.Requests()[before:] {
			if r.Operation != emulator.OpReadAccount {
				n++
			}
		}
		if n != step.want {
			t.Errorf("%s: %d requests, want %d", step.name, n, step.want)
		}
	}
}
