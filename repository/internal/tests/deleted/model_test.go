package deleted

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// parcelState is what is stored of a parcel, as the model has it.
type parcelState struct {
	there, marked bool
	value, n      int // n is the version
}

// storedParcel returns what is stored of a parcel.
func storedParcel(t testing.TB, all *parcels, key fixtures.ParcelKey) parcelState {
	t.Helper()
	p, err := repository.WithDeleted(all).Get(context.Background(), key)
	if errors.Is(err, repository.ErrNotFound) {
		return parcelState{}
	}
	kit.MustPass(t, err)
	if !p.Gone.IsZero() && p.N > 0 && p.Changed != p.Gone {
		t.Errorf("marked at another time than it was changed: %+v", p)
	}
	return parcelState{true, !p.Gone.IsZero(), p.Value, p.N}
}

// parcelStep is an operation: what it makes of a state, or the sentinels of its error.
type parcelStep struct {
	name  string
	run   func(ctx context.Context, d *parcels, value int) error
	after func(parcelState, int) (parcelState, []error)

	// deletes says that a repeated attempt which finds the document deleted succeeds.
	deletes bool
}

// stored is what a write of a document that is there makes of it.
func (s parcelState) stored(value int) parcelState {
	return parcelState{there: true, value: value, n: s.n + 1}
}

// parcelSteps are the operations on the parcel of a key.
func parcelSteps(key fixtures.ParcelKey) []parcelStep {
	doc := func(value int) *fixtures.Parcel { return &fixtures.Parcel{ID: key.ID, Owner: key.Owner, Value: value} }
	onLive := func(s parcelState, value int) (parcelState, []error) {
		switch {
		case s.marked:
			return s, []error{repository.ErrNotFound, repository.ErrDeleted}
		case !s.there:
			return s, []error{repository.ErrNotFound}
		}
		return s.stored(value), nil
	}
	upsert := func(s parcelState, value int) (parcelState, []error) {
		if s.marked {
			return s, []error{repository.ErrAlreadyExists, repository.ErrDeleted}
		}
		return s.stored(value), nil
	}
	steps := []parcelStep{
		{"Create", func(ctx context.Context, d *parcels, value int) error { return d.Create(ctx, doc(value)) }, func(s parcelState, value int) (parcelState, []error) {
			switch {
			case s.marked:
				return s, []error{repository.ErrAlreadyExists, repository.ErrDeleted}
			case s.there:
				return s, []error{repository.ErrAlreadyExists}
			}
			return s.stored(value), nil
		}, false},
		{"Upsert", func(ctx context.Context, d *parcels, value int) error { return d.Upsert(ctx, doc(value)) }, upsert, false},
		{"UpsertAll", func(ctx context.Context, d *parcels, value int) error {
			return kit.ErrorOf(d.UpsertAll(documents.Sequence(kit.These(doc(value))), documents.InBatches()).Collect(ctx))
		}, upsert, false},
		{"Upsert in a transaction", func(ctx context.Context, d *parcels, value int) error {
			return kit.Commit(ctx, func(tx *repository.Transaction) error { return d.In(tx).Upsert(doc(value)) })
		}, upsert, false},
		{"Replace", func(ctx context.Context, d *parcels, value int) error { return d.Replace(ctx, doc(value)) }, onLive, false},
		{"Replace of those shown", func(ctx context.Context, d *parcels, value int) error {
			now, err := repository.WithDeleted(d).Get(ctx, key)
			if err != nil {
				return err
			}
			now.Value, now.Gone = value, repository.Time{}
			return d.Replace(ctx, now)
		}, onLive, false},
		{"Update", func(ctx context.Context, d *parcels, value int) error {
			return d.Update(ctx, key, func(p *fixtures.Parcel) error { p.Value = value; return nil })
		}, onLive, false},
		{"Patch", func(ctx context.Context, d *parcels, value int) error {
			return d.Patch(ctx, key, parcelValue.Set(value))
		}, onLive, false},
		{"Restore", func(ctx context.Context, d *parcels, _ int) error {
			return kit.ErrorOf(repository.Restore(ctx, d, key))
		}, func(s parcelState, _ int) (parcelState, []error) {
			switch {
			case !s.there:
				return s, []error{repository.ErrNotFound}
			case !s.marked:
				return s, []error{repository.ErrPreconditionFailed}
			}
			return s.stored(s.value), nil
		}, false},
		{"Purge", func(ctx context.Context, d *parcels, _ int) error { return repository.Purge(ctx, d, key) }, func(s parcelState, _ int) (parcelState, []error) {
			switch {
			case !s.there:
				return s, []error{repository.ErrNotFound}
			case !s.marked:
				return s, []error{repository.ErrPreconditionFailed}
			}
			return parcelState{}, nil
		}, false},
	}
	for _, deletion := range parcelDeletions {
		if deletion.name == "DeleteFound" || deletion.name == "DeleteAll in batches" { // no error where there is none; with a second document
			continue
		}
		steps = append(steps, parcelStep{deletion.name, func(ctx context.Context, d *parcels, _ int) error {
			now, err := repository.WithDeleted(d).Get(ctx, key)
			if err != nil {
				return err
			}
			return deletion.run(ctx, d, now)
		}, func(s parcelState, _ int) (parcelState, []error) {
			next, wrong := onLive(s, s.value)
			next.marked = next.there
			return next, wrong
		}, true})
	}
	return steps
}

// TestDeletedUnderFaults runs operations at random while answers are lost before and after
// their effect. One without an error has taken effect once, one that says that its outcome
// is unclear at most once, and no other at all.
func TestDeletedUnderFaults(t *testing.T) {
	t.Parallel()
	key := fixtures.ParcelKey{ID: "1", Owner: "o"}
	steps := parcelSteps(key)
	for name, model := range parcelModels {
		if name == "alone" { // has no version to count by
			continue
		}
		for seed := range seeds.Of(8) {
			harness.Bubble(t, fmt.Sprint(name, " ", seed), func(t *testing.T) {
				dice := rand.New(rand.NewPCG(seed, 19))
				clock := new(kit.Ticking)
				server, all := kit.NewParcels(t, model, repository.WithClock(clock.Now))
				unclear := 0
				for i := range 100 {
					before := storedParcel(t, all, key)
					step := steps[dice.IntN(len(steps))]
					want, wrong := step.after(before, i)
					for _, op := range []string{emulator.OpCreateItem, emulator.OpUpsertItem, emulator.OpReplaceItem, emulator.OpPatchItem, emulator.OpDeleteItem, emulator.OpExecuteBatch} {
						if dice.IntN(2) == 0 {
							server.Inject(emulator.Fault{Operation: op, Drop: true, After: dice.IntN(2) == 0, Count: 1 + dice.IntN(2)})
						}
					}
					err := step.run(t.Context(), all, i)
					server.ClearFaults()
					now := storedParcel(t, all, key)
					what := fmt.Sprintf("%d, %s of %+v leaves %+v: %v", i, step.name, before, now, err)
					switch {
					case errors.Is(err, repository.ErrUnclear):
						if unclear++; now != before && (wrong != nil || now != want) {
							t.Fatal(what)
						}
					case step.deletes && err == nil && (before.marked || !before.there) && now == before:
					case now != want || (err == nil) != (wrong == nil):
						t.Fatal(what)
					default:
						for _, sentinel := range wrong {
							if !errors.Is(err, sentinel) {
								t.Fatalf("%s, which is no %v", what, sentinel)
							}
						}
					}
				}
				if unclear > 60 {
					t.Errorf("%d of 100 outcomes are unclear", unclear)
				}
			})
		}
	}
}
