package repository_test

import (
	"context"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

type parcels = repository.Documents[fixtures.Parcel, fixtures.ParcelKey]

var parcelValue = repository.PatchNumber[fixtures.Parcel, int]("/value")

// ambiguousParcels has each write look whose parcel is there. It changes a model of the
// generator: a key of one text, which all parcels have, is never ambiguous.
var ambiguousParcels = func() *generated.Model[fixtures.Parcel, fixtures.ParcelKey] {
	m := *fixtures.SharedParcelModel
	m.Ambiguous, m.Same = true, func(a, b fixtures.ParcelKey) bool { return a == b }
	return &m
}()

// newParcels is an empty container of parcels, whose documents expire if they say so.
func newParcels(t testing.TB, m *generated.Model[fixtures.Parcel, fixtures.ParcelKey], opts ...repository.Option) (*harness.Account, *parcels) {
	t.Helper()
	properties := hashContainer("parcels", "/owner")
	properties.DefaultTimeToLive = new(int32)
	*properties.DefaultTimeToLive = -1
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, properties, repository.Configure(harness.Once()))
	return server, repository.New(container, m, opts...)
}

// parcelsOf selects the parcels of an owner.
func parcelsOf(d *parcels, owner string) repository.Query[fixtures.Parcel] {
	return repository.NewQuery(d, generated.Partition(owner))
}

// mustPass fails unless all errors are nil.
func mustPass(t testing.TB, errs ...error) {
	t.Helper()
	for i, err := range errs {
		if err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
	}
}

// parcelDeletions are the ways to delete a parcel, which is stored with its ETag.
var parcelDeletions = []struct {
	name string
	run  func(context.Context, *parcels, *fixtures.Parcel) error
}{
	{"Delete", func(ctx context.Context, d *parcels, p *fixtures.Parcel) error {
		return d.Delete(ctx, fixtures.ParcelKey{ID: p.ID, Owner: p.Owner})
	}},
	{"DeleteIfMatch", func(ctx context.Context, d *parcels, p *fixtures.Parcel) error { return d.DeleteIfMatch(ctx, p) }},
	{"DeleteAll", func(ctx context.Context, d *parcels, p *fixtures.Parcel) error {
		_, err := d.DeleteAll(ctx, these(fixtures.ParcelKey{ID: p.ID, Owner: p.Owner}))
		return err
	}},
	{"DeleteAll in batches", func(ctx context.Context, d *parcels, p *fixtures.Parcel) error {
		other := fixtures.Parcel{ID: p.ID + "-other", Owner: p.Owner}
		if err := d.Upsert(ctx, &other); err != nil {
			return err
		}
		_, err := d.DeleteAll(ctx, these(fixtures.ParcelKey{ID: p.ID, Owner: p.Owner}, fixtures.ParcelKey{ID: other.ID, Owner: p.Owner}), repository.InBatches())
		_ = repository.Purge(ctx, d, fixtures.ParcelKey{ID: other.ID, Owner: p.Owner})
		return err
	}},
	{"DeleteAllOf", func(ctx context.Context, d *parcels, p *fixtures.Parcel) error {
		_, err := d.DeleteAllOf(ctx, parcelsOf(d, p.Owner).WhereRaw("c.id = '"+p.ID+"'"))
		return err
	}},
	{"Delete in a transaction", func(ctx context.Context, d *parcels, p *fixtures.Parcel) error {
		return commit(ctx, func(tx *repository.Transaction) error {
			return d.In(tx).Delete(fixtures.ParcelKey{ID: p.ID, Owner: p.Owner})
		})
	}},
	{"DeleteIfMatch in a transaction", func(ctx context.Context, d *parcels, p *fixtures.Parcel) error {
		return commit(ctx, func(tx *repository.Transaction) error { return d.In(tx).DeleteIfMatch(p) })
	}},
}
