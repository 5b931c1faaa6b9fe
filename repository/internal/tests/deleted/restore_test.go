package deleted

import (
	"context"
	"errors"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestRestoredVersion restores and purges the version of an ETag, and no other one.
func TestRestoredVersion(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	server, all := kit.NewParcels(t, fixtures.ParcelModel)
	shown := repository.WithDeleted(all)
	key := fixtures.ParcelKey{ID: "1", Owner: "o"}
	kit.MustPass(t, all.Create(ctx, &fixtures.Parcel{ID: "1", Owner: "o", Value: 7}), all.Delete(ctx, key))
	first, err := shown.Get(ctx, key)
	kit.MustPass(t, err)
	kit.MustPass(t, kit.ErrorOf(repository.Restore(ctx, all, key)), all.Delete(ctx, key))
	inTransaction := func(add func(in repository.TransactionOf[fixtures.Parcel, fixtures.ParcelKey]) error) error {
		return all.InTransaction(ctx, key, func(tx *repository.Transaction) error { return add(all.In(tx)) })
	}
	for what, err := range map[string]error{
		"Restore": kit.ErrorOf(repository.Restore(ctx, all, key, repository.IfMatch(first.ETag))),
		"Purge":   repository.Purge(ctx, all, key, repository.IfMatch(first.ETag)),
		"Restore in a transaction": inTransaction(func(in repository.TransactionOf[fixtures.Parcel, fixtures.ParcelKey]) error {
			return in.Restore(ctx, key, repository.IfMatch(first.ETag))
		}),
		"Purge in a transaction": inTransaction(func(in repository.TransactionOf[fixtures.Parcel, fixtures.ParcelKey]) error {
			return in.Purge(ctx, key, repository.IfMatch(first.ETag))
		}),
	} {
		if !errors.Is(err, repository.ErrPreconditionFailed) || errors.Is(err, repository.ErrUnclear) {
			t.Errorf("%s of a version that is no more: %v", what, err)
		}
	}
	server.ResetRequests()
	for what, err := range map[string]error{
		"Restore": kit.ErrorOf(repository.Restore(ctx, all, key, repository.IfMatch(""))),
		"Purge":   repository.Purge(ctx, all, key, repository.IfMatch("")),
	} {
		if err == nil || errors.Is(err, repository.ErrPreconditionFailed) || len(server.Requests()) != 0 {
			t.Errorf("%s with an empty ETag: %v after %d requests", what, err, len(server.Requests()))
		}
	}
	marked, err := shown.Get(ctx, key)
	kit.MustPass(t, err)
	server.ResetRequests()
	restored, err := repository.Restore(ctx, all, key, repository.IfMatch(marked.ETag))
	if sent := len(server.Requests()); err != nil || sent != 2 {
		t.Fatalf("%v after %d requests", err, sent)
	}
	now, err := all.Get(ctx, key)
	if err != nil || *restored != *now || restored.ETag == marked.ETag || !restored.Gone.IsZero() || restored.N != marked.N+1 {
		t.Errorf("restored is %+v, stored %+v: %v", restored, now, err)
	}
	restored.Value = 8
	kit.MustPass(t, all.Replace(ctx, restored)) // by its new ETag
}

// TestRestoredAfterLostAnswer restores a version when answers are lost before and after the
// service has acted.
func TestRestoredAfterLostAnswer(t *testing.T) {
	t.Parallel()
	for name, model := range map[string]*generated.Model[fixtures.Parcel, fixtures.ParcelKey]{"stamped": fixtures.ParcelModel, "plain": fixtures.UnstampedParcelModel} {
		stamped := model.Stamps != nil
		for _, after := range []bool{false, true} {
			ctx := context.Background()
			server, all := kit.NewParcels(t, model)
			key := fixtures.ParcelKey{ID: "1", Owner: "o"}
			kit.MustPass(t, all.Create(ctx, &fixtures.Parcel{ID: "1", Owner: "o", Value: 7}), all.Delete(ctx, key))
			marked, err := repository.WithDeleted(all).Get(ctx, key)
			kit.MustPass(t, err)

			server.Inject(emulator.Fault{Operation: emulator.OpPatchItem, Drop: true, After: after})
			restored, err := repository.Restore(ctx, all, key, repository.IfMatch(marked.ETag))
			if open := after && !stamped; open != errors.Is(err, repository.ErrUnclear) || !open && (err != nil || restored.Value != 7 || !restored.Gone.IsZero()) {
				t.Errorf("%s, after %t: %+v, %v", name, after, restored, err)
			}
			now, err := all.Get(ctx, key)
			if err != nil || restored != nil && *restored != *now {
				t.Errorf("%s, after %t: returned %+v, stored %+v: %v", name, after, restored, now, err)
			}
			if stamped && now.N != 3 {
				t.Errorf("%s, after %t: restored %d times", name, after, now.N-2)
			}

			kit.MustPass(t, all.Delete(ctx, key))
			server.Inject(emulator.Fault{Operation: emulator.OpPatchItem, Drop: true, After: after})
			if restored, err := repository.Restore(ctx, all, key); err != nil || restored.Value != 7 || !restored.Gone.IsZero() {
				t.Errorf("%s, after %t, any version: %+v, %v", name, after, restored, err)
			}
		}
	}
}

// TestDeletedAgainUnread deletes a document that is marked already, when the read that says so
// fails: the error is that of the read, and not that of a condition that the caller has not set.
func TestDeletedAgainUnread(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for name, remove := range map[string]func(*repository.Documents[fixtures.Parcel, fixtures.ParcelKey], fixtures.ParcelKey) error{
		"Delete": func(all *repository.Documents[fixtures.Parcel, fixtures.ParcelKey], key fixtures.ParcelKey) error {
			return all.Delete(ctx, key)
		},
		"in a transaction": func(all *repository.Documents[fixtures.Parcel, fixtures.ParcelKey], key fixtures.ParcelKey) error {
			return all.InTransaction(ctx, key, func(tx *repository.Transaction) error { return all.In(tx).Delete(key) })
		},
	} {
		server, all := kit.NewParcels(t, fixtures.UnstampedParcelModel)
		key := fixtures.ParcelKey{ID: "1", Owner: "o"}
		kit.MustPass(t, all.Create(ctx, &fixtures.Parcel{ID: "1", Owner: "o", Value: 7}), all.Delete(ctx, key))
		server.Inject(emulator.Fault{Operation: emulator.OpReadItem, Status: 403, Count: -1})
		if err := remove(all, key); err == nil || errors.Is(err, repository.ErrPreconditionFailed) || errors.Is(err, repository.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
		server.ClearFaults()
		if err := remove(all, key); !errors.Is(err, repository.ErrNotFound) || !errors.Is(err, repository.ErrDeleted) {
			t.Errorf("%s, with a read: %v", name, err)
		}
	}
}
