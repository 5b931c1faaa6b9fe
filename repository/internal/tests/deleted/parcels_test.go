package deleted

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

var parcelValue = repository.PatchNumber[fixtures.Parcel, int]("/value")

type parcels = repository.Documents[fixtures.Parcel, fixtures.ParcelKey]

// ambiguousParcels has each write look whose parcel is there. It changes a model of the
// generator: a key of one text, which all parcels have, is never ambiguous.
var ambiguousParcels = func() *generated.Model[fixtures.Parcel, fixtures.ParcelKey] {
	m := *fixtures.SharedParcelModel
	m.Ambiguous, m.Same = true, func(a, b fixtures.ParcelKey) bool { return a == b }
	return &m
}()

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
		_, err := d.DeleteAll(documents.Sequence(kit.These(fixtures.ParcelKey{ID: p.ID, Owner: p.Owner}))).Collect(ctx)
		return err
	}},
	{"DeleteAll in batches", func(ctx context.Context, d *parcels, p *fixtures.Parcel) error {
		other := fixtures.Parcel{ID: p.ID + "-other", Owner: p.Owner}
		if err := d.Upsert(ctx, &other); err != nil {
			return err
		}
		_, err := d.DeleteAll(documents.Sequence(kit.These(fixtures.ParcelKey{ID: p.ID, Owner: p.Owner}, fixtures.ParcelKey{ID: other.ID, Owner: p.Owner})), documents.InBatches()).Collect(ctx)
		_ = repository.Purge(ctx, d, fixtures.ParcelKey{ID: other.ID, Owner: p.Owner})
		return err
	}},
	{"DeleteFound", func(ctx context.Context, d *parcels, p *fixtures.Parcel) error {
		_, err := d.DeleteFound(kit.ParcelsOf(d, p.Owner).WhereRaw("c.id = '" + p.ID + "'")).Collect(ctx)
		return err
	}},
	{"Delete in a transaction", func(ctx context.Context, d *parcels, p *fixtures.Parcel) error {
		return kit.Commit(ctx, func(tx *repository.Transaction) error {
			return d.In(tx).Delete(fixtures.ParcelKey{ID: p.ID, Owner: p.Owner})
		})
	}},
	{"DeleteIfMatch in a transaction", func(ctx context.Context, d *parcels, p *fixtures.Parcel) error {
		return kit.Commit(ctx, func(tx *repository.Transaction) error { return d.In(tx).DeleteIfMatch(p) })
	}},
}
