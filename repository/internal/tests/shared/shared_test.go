package shared

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// sides are the two types of a registry, each with the other type.
func (r registry) sides() map[string][2]*repository.Documents[deed, deedKey] {
	return map[string][2]*repository.Documents[deed, deedKey]{"a will": {r.wills, r.grants}, "a grant": {r.grants, r.wills}}
}

// TestOtherTypesAreLeftAlone runs every write of one type on the id of a document
// of the other.
func TestOtherTypesAreLeftAlone(t *testing.T) {
	t.Parallel()
	inLayouts(t, func(t *testing.T, layout string) {
		r := newRegistry(t, layout, "", repository.Configure(harness.Impatient()))
		ctx := context.Background()
		for name, side := range r.sides() {
			own, other := side[0], side[1]
			for _, write := range deedWrites {
				if err := other.Create(ctx, newDeed("1", "stays")); err != nil {
					t.Fatal(err)
				}
				before := r.raw(t)["1"]
				err := write.run(ctx, own, newDeed("1", "overwrites"))
				want := repository.ErrNotFound
				if write.creates {
					want = repository.ErrAlreadyExists
				}
				onlyCreates := write.creates && !write.keeps // which learns nothing of the document in the way
				if !errors.Is(err, want) || !errors.Is(err, repository.ErrOtherType) && !onlyCreates {
					t.Errorf("%s of %s: got %v", write.name, name, err)
				}
				stored := r.raw(t)
				if diff := cmp.Diff(before, stored["1"]); diff != "" {
					t.Errorf("%s of %s changed the other's document:\n%s", write.name, name, diff)
				}
				if _, stays := stored["b2"]; stays != (strings.HasPrefix(write.name, "UpsertAll in")) {
					t.Errorf("%s of %s: its neighbours are stored: %v", write.name, name, stays)
				}
				r.empty(t)
			}
		}
	})
}

// empty empties a registry.
func (r registry) empty(t testing.TB) {
	t.Helper()
	for _, all := range []*repository.Documents[deed, deedKey]{r.grants, r.wills} {
		if _, err := all.DeleteFound(all.Scan()).Collect(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOvertakenByAnotherType has somebody else act between the look and the write
// of each operation. A document that the other type stores then does not change,
// and an operation without an error has done its work.
func TestOvertakenByAnotherType(t *testing.T) {
	seeds.Gate(t, "many orders of requests")
	t.Parallel()
	inLayouts(t, func(t *testing.T, layout string) {
		hook := new(harness.Between)
		r := newRegistry(t, layout, "", repository.Configure(harness.Impatient(harness.Intercepted)))
		ctx := context.Background()
		own, other := r.wills, r.grants
		mine, others := func() error { return own.Upsert(ctx, newDeed("1", "mine")) }, func() error { return other.Create(ctx, newDeed("1", "other's")) }
		remove := func() error { return own.Delete(ctx, newDeed("1", "").key()) }
		nothing := func() error { return nil }
		for _, test := range []struct {
			name           string
			before, meddle func() error
			stands         string // then
		}{
			{"theirs is stored", nothing, others, "grant"},
			{"mine is removed", mine, remove, ""},
			{"mine is swapped for theirs", mine, func() error { return errors.Join(remove(), others()) }, "grant"},
			{"mine is rewritten", mine, mine, "will"},
			{"mine is stored", nothing, mine, "will"},
		} {
			for _, write := range deedWrites {
				if err := test.before(); err != nil {
					t.Fatal(err)
				}
				var then map[string]any
				done := false
				hook.Act = func() {
					if done {
						return
					}
					done = true
					if err := test.meddle(); err != nil {
						t.Error(err)
					}
					then = r.raw(t)["1"]
				}
				err := write.run(hook.Context(ctx), own, newDeed("1", "written"))
				hook.Act = nil
				if done && typeOf(then) != test.stands {
					t.Fatalf("%s, %s: there was %v", write.name, test.name, then)
				}
				now := r.raw(t)["1"]
				switch stands := typeOf(then); {
				case stands == "grant":
					if diff := cmp.Diff(then, now); diff != "" || err == nil {
						t.Errorf("%s, %s: got %v, and the other's document:\n%s", write.name, test.name, err, diff)
					}
				case err == nil && write.removes && now != nil, err == nil && !write.removes && (now == nil || now["text"] != "written"):
					t.Errorf("%s, %s: stored is %v", write.name, test.name, now)
				case err != nil && done && !errors.Is(err, repository.ErrNotFound) && !errors.Is(err, repository.ErrAlreadyExists):
					t.Errorf("%s, %s: %v", write.name, test.name, err)
				}
				r.empty(t)
			}
		}
	})
}

// TestLookingCosts counts the requests of each write on a document of its own type.
func TestLookingCosts(t *testing.T) {
	t.Parallel()
	inLayouts(t, func(t *testing.T, layout string) {
		for prefix, counts := range map[string]map[string]map[string]int{
			"": {
				"Create":                {emulator.OpCreateItem: 1},
				"Upsert":                {emulator.OpReadItem: 1, emulator.OpReplaceItem: 1},
				"Upsert of a new one":   {emulator.OpReadItem: 1, emulator.OpCreateItem: 1},
				"Replace":               {emulator.OpReadItem: 1, emulator.OpReplaceItem: 1},
				"Replace with its ETag": {emulator.OpReplaceItem: 1},
				"Delete":                {emulator.OpReadItem: 1, emulator.OpDeleteItem: 1},
				"DeleteIfMatch":         {emulator.OpDeleteItem: 1},
				"Patch":                 {emulator.OpPatchItem: 1},
				"UpsertAll":             {emulator.OpQueryItems: 1, emulator.OpExecuteBatch: 1},
				"DeleteAll":             {emulator.OpQueryItems: 1, emulator.OpExecuteBatch: 1},
				"a transaction":         {emulator.OpQueryItems: 1, emulator.OpExecuteBatch: 1},
				"a transaction of one":  {emulator.OpReadItem: 1, emulator.OpExecuteBatch: 1},
			},
			"*": {
				"Create":                {emulator.OpCreateItem: 1},
				"Upsert":                {emulator.OpUpsertItem: 1},
				"Upsert of a new one":   {emulator.OpUpsertItem: 1},
				"Replace":               {emulator.OpReplaceItem: 1},
				"Replace with its ETag": {emulator.OpReplaceItem: 1},
				"Delete":                {emulator.OpDeleteItem: 1},
				"DeleteIfMatch":         {emulator.OpDeleteItem: 1},
				"Patch":                 {emulator.OpPatchItem: 1},
				"UpsertAll":             {emulator.OpExecuteBatch: 1},
				"DeleteAll":             {emulator.OpExecuteBatch: 1},
				"a transaction":         {emulator.OpExecuteBatch: 1},
				"a transaction of one":  {emulator.OpExecuteBatch: 1},
			},
		} {
			r := newRegistry(t, layout, prefix, repository.Configure(harness.Impatient()))
			ctx := context.Background()
			stored := newDeed("1", "")
			for name, run := range map[string]func() error{
				"Create":                func() error { return r.wills.Create(ctx, newDeed("2", "")) },
				"Upsert":                func() error { return r.wills.Upsert(ctx, newDeed("1", "")) },
				"Upsert of a new one":   func() error { return r.wills.Upsert(ctx, newDeed("3", "")) },
				"Replace":               func() error { return r.wills.Replace(ctx, newDeed("1", "")) },
				"Replace with its ETag": func() error { return r.wills.Replace(ctx, stored) },
				"Delete":                func() error { return r.wills.Delete(ctx, stored.key()) },
				"DeleteIfMatch":         func() error { return r.wills.DeleteIfMatch(ctx, stored) },
				"Patch":                 func() error { return r.wills.Patch(ctx, stored.key(), deedText.Set("")) },
				"UpsertAll": func() error {
					return onlyOne(r.wills.UpsertAll(documents.Sequence(values(stored, newDeed("2", ""))), documents.InBatches()).All(ctx))
				},
				"DeleteAll": func() error {
					return onlyOne(r.wills.DeleteAll(documents.Sequence(values(stored.key(), newDeed("4", "").key())), documents.InBatches()).All(ctx))
				},
				"a transaction": func() error {
					tx := repository.NewTransaction()
					return errors.Join(r.wills.In(tx).Upsert(stored), r.grants.In(tx).Upsert(newDeed("5", "")), tx.Commit(ctx))
				},
				"a transaction of one": func() error {
					tx := repository.NewTransaction()
					return errors.Join(r.wills.In(tx).Delete(stored.key()), tx.Commit(ctx))
				},
			} {
				r.empty(t)
				*stored = *newDeed("1", "")
				if err := errors.Join(r.wills.Create(ctx, stored), r.wills.Create(ctx, newDeed("4", ""))); err != nil {
					t.Fatal(err)
				}
				r.server.ResetRequests()
				if err := run(); err != nil {
					t.Errorf("%s, prefix %q: %v", name, prefix, err)
				}
				if got := itemRequests(r.server); !maps.Equal(got, counts[name]) {
					t.Errorf("%s, prefix %q: sent %v, want %v", name, prefix, got, counts[name])
				}
			}
		}
	})
}

// values is items one after the other.
func values[I any](items ...I) func(func(I) bool) {
	return func(yield func(I) bool) {
		for _, i := range items {
			if !yield(i) {
				return
			}
		}
	}
}

// itemRequests counts the requests for documents, batches and patches included.
func itemRequests(server *harness.Account) map[string]int {
	counts := server.Documents()
	for _, r := range server.Requests() {
		if r.Operation == emulator.OpExecuteBatch || r.Operation == emulator.OpPatchItem {
			counts[r.Operation]++
		}
	}
	return counts
}

// TestSecondWriteOfATransaction writes a document twice in a transaction, whose
// look sees the document before both writes.
func TestSecondWriteOfATransaction(t *testing.T) {
	r := newRegistry(t, "natural", "", repository.Configure(harness.Impatient()))
	ctx := context.Background()
	key := newDeed("1", "").key()
	for _, step := range []struct {
		name string
		add  func(wills, grants repository.TransactionOf[deed, deedKey]) error
		want string // of which type the document is then
		text string
	}{
		{"Create, Upsert", func(w, _ repository.TransactionOf[deed, deedKey]) error {
			return errors.Join(w.Create(newDeed("1", "a")), w.Upsert(newDeed("1", "b")))
		}, "will", "b"},
		{"Upsert, Replace", func(w, _ repository.TransactionOf[deed, deedKey]) error {
			return errors.Join(w.Upsert(newDeed("1", "c")), w.Replace(newDeed("1", "d")))
		}, "will", "d"},
		{"Delete, Create by the other", func(w, g repository.TransactionOf[deed, deedKey]) error {
			return errors.Join(w.Delete(key), g.Create(newDeed("1", "e")))
		}, "grant", "e"},
		{"Delete, Upsert", func(_, g repository.TransactionOf[deed, deedKey]) error {
			return errors.Join(g.Delete(key), g.Upsert(newDeed("1", "f")))
		}, "grant", "f"},
		{"Upsert, Delete", func(_, g repository.TransactionOf[deed, deedKey]) error {
			return errors.Join(g.Upsert(newDeed("1", "g")), g.Delete(key))
		}, "", ""},
	} {
		tx := repository.NewTransaction()
		err := step.add(r.wills.In(tx), r.grants.In(tx))
		if err == nil {
			err = tx.Commit(ctx)
		}
		now := r.raw(t)["1"]
		if err != nil || typeOf(now) != step.want || now != nil && now["text"] != step.text {
			t.Errorf("%s: %v, stored is %v", step.name, err, now)
		}
	}
	tx := repository.NewTransaction() //nolint:pkgen // it comes to no commit
	err := errors.Join(r.wills.In(tx).Delete(key), r.grants.In(tx).Upsert(newDeed("1", "")))
	if err == nil || !strings.Contains(err.Error(), "the transaction writes this id already") {
		t.Errorf("a look that would see what the transaction removes: %v", err)
	}
}
