package repository_test

import (
	"context"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// A parcel is marked as deleted, and has all stamps. Its key is of two texts that may
// collide, in the layouts that are ambiguous.
type parcel struct {
	ID      string          `json:"id"`
	Owner   string          `json:"owner"`
	Value   int             `json:"value"`
	Made    repository.Time `json:"made,omitzero"`
	Changed repository.Time `json:"changed,omitzero"`
	N       int             `json:"n,omitzero"`
	Gone    repository.Time `json:"gone,omitzero"`
	ETag    string          `json:"_etag,omitempty"`
}

type parcelKey struct{ ID, Owner string }

func (k parcelKey) Validate() error {
	return partition.Check("parcel", partition.ID(k.ID), partition.Text("Owner", k.Owner))
}

type parcels = repository.Documents[parcel, parcelKey]

var parcelValue = repository.PatchNumber[parcel, int]("/value")

// parcelModel is the model of a type of parcels, whose kind is empty if it has the
// container to itself.
func parcelModel(kind string, stamped bool, more ...func(*generated.Model[parcel, parcelKey])) *generated.Model[parcel, parcelKey] {
	m := &generated.Model[parcel, parcelKey]{
		Type: "parcel", Path: "/owner",
		Key:     func(p *parcel) parcelKey { return parcelKey{p.ID, p.Owner} },
		ID:      func(k parcelKey) string { return k.ID },
		Text:    func(k parcelKey) string { return k.Owner },
		ETag:    func(p *parcel) *string { return &p.ETag },
		Deleted: &generated.Deleted[parcel]{Property: "gone", Clear: func(p *parcel) { p.Gone = repository.Time{} }},
	}
	if kind != "" {
		m.Type, m.Discriminator = kind, &generated.Discriminator{Property: "type", Value: kind}
	}
	if stamped {
		m.Stamps = &generated.Stamps[parcel]{
			Created: "made", Updated: "changed", Version: "n",
			Set: func(p *parcel, stored generated.Stamp) {
				p.Made, p.Changed, p.N = repository.NewTime(stored.Created), repository.NewTime(stored.Updated), int(stored.Version)
			},
		}
	}
	for _, change := range more {
		change(m)
	}
	return m
}

// expiringParcels has marks set a time to live of a minute.
func expiringParcels(m *generated.Model[parcel, parcelKey]) { m.Deleted.Seconds = 60 }

// ambiguousParcels has each write look whose document is there.
func ambiguousParcels(m *generated.Model[parcel, parcelKey]) {
	m.Ambiguous, m.Same = true, func(a, b parcelKey) bool { return a == b }
}

// newParcels is an empty container of parcels, whose documents expire if they say so.
func newParcels(t testing.TB, m *generated.Model[parcel, parcelKey], opts ...repository.Option) (*harness.Account, *parcels) {
	t.Helper()
	properties := hashContainer("parcels", "/owner")
	properties.DefaultTimeToLive = new(int32)
	*properties.DefaultTimeToLive = -1
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, properties, repository.Configure(harness.Once()))
	return server, repository.New(container, m, opts...)
}

// parcelsOf selects the parcels of an owner.
func parcelsOf(d *parcels, owner string) repository.Query[parcel] {
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
	run  func(context.Context, *parcels, *parcel) error
}{
	{"Delete", func(ctx context.Context, d *parcels, p *parcel) error { return d.Delete(ctx, parcelKey{p.ID, p.Owner}) }},
	{"DeleteIfMatch", func(ctx context.Context, d *parcels, p *parcel) error { return d.DeleteIfMatch(ctx, p) }},
	{"DeleteAll", func(ctx context.Context, d *parcels, p *parcel) error {
		_, err := d.DeleteAll(ctx, these(parcelKey{p.ID, p.Owner}))
		return err
	}},
	{"DeleteAll in batches", func(ctx context.Context, d *parcels, p *parcel) error {
		other := parcel{ID: p.ID + "-other", Owner: p.Owner}
		if err := d.Upsert(ctx, &other); err != nil {
			return err
		}
		_, err := d.DeleteAll(ctx, these(parcelKey{p.ID, p.Owner}, parcelKey{other.ID, p.Owner}), repository.InBatches())
		_ = repository.Purge(ctx, d, parcelKey{other.ID, p.Owner})
		return err
	}},
	{"DeleteAllOf", func(ctx context.Context, d *parcels, p *parcel) error {
		_, err := d.DeleteAllOf(ctx, parcelsOf(d, p.Owner).WhereRaw("c.id = '"+p.ID+"'"))
		return err
	}},
	{"Delete in a transaction", func(ctx context.Context, d *parcels, p *parcel) error {
		return commit(ctx, func(tx *repository.Transaction) error { return d.In(tx).Delete(parcelKey{p.ID, p.Owner}) })
	}},
	{"DeleteIfMatch in a transaction", func(ctx context.Context, d *parcels, p *parcel) error {
		return commit(ctx, func(tx *repository.Transaction) error { return d.In(tx).DeleteIfMatch(p) })
	}},
}
