package kit

import (
	"context"
	"errors"
	"iter"
	"slices"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// NewParcels is an empty container of parcels, whose documents expire if they say so.
func NewParcels(t testing.TB, m *generated.Model[fixtures.Parcel, fixtures.ParcelKey], opts ...repository.Option) (*harness.Account, *repository.Documents[fixtures.Parcel, fixtures.ParcelKey]) {
	t.Helper()
	properties := HashContainer("parcels", "/owner")
	properties.DefaultTimeToLive = new(int32)
	*properties.DefaultTimeToLive = -1
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, properties, repository.Configure(harness.Once()))
	return server, repository.New(container, m, opts...)
}

// ParcelsOf selects the parcels of an owner.
func ParcelsOf(d *repository.Documents[fixtures.Parcel, fixtures.ParcelKey], owner string) repository.Query[fixtures.Parcel] {
	return repository.NewQuery(d, generated.Partition(owner))
}

// ErrorOf returns the error of a call that returns a value as well.
func ErrorOf[T any](_ T, err error) error { return err }

// MustPass fails unless all errors are nil.
func MustPass(t testing.TB, errs ...error) {
	t.Helper()
	for i, err := range errs {
		if err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
	}
}

func These[E any](all ...E) iter.Seq[E] { return slices.Values(all) }

// SeesParcels expects that every kind of read has the parcels of an owner with these ids.
func SeesParcels(t testing.TB, d *repository.Documents[fixtures.Parcel, fixtures.ParcelKey], owner string, want ...string) {
	t.Helper()
	ctx := context.Background()
	var got []string
	for p, err := range ParcelsOf(d, owner).All(ctx) {
		MustPass(t, err)
		got = append(got, p.ID)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("a query has %q, want %q", got, want)
	}
	many, err := d.GetMany(ctx, []fixtures.ParcelKey{{ID: "1", Owner: owner}, {ID: "2", Owner: owner}, {ID: "3", Owner: owner}})
	MustPass(t, err)
	for i, p := range many {
		if id := string(rune('1' + i)); (p != nil) != slices.Contains(want, id) {
			t.Errorf("GetMany has %+v for %s", p, id)
		}
	}
	n, err := ParcelsOf(d, owner).Count(ctx)
	MustPass(t, err)
	page, err := ParcelsOf(d, owner).Page(ctx, "", 10)
	MustPass(t, err)
	if n != len(want) || len(page.Items) != len(want) {
		t.Errorf("there are %d, and %d on a page; want %d", n, len(page.Items), len(want))
	}
	one := slices.Contains(want, "1")
	found, err := ParcelsOf(d, owner).WhereRaw("c.id = '1' OR c.id = '3'").Exists(ctx)
	if err != nil || found != one {
		t.Errorf("Exists: %t, %v", found, err)
	}
	var pending *repository.Pending[fixtures.Parcel]
	err = Commit(ctx, func(tx *repository.Transaction) (err error) {
		pending, err = d.In(tx).Get(fixtures.ParcelKey{ID: "1", Owner: owner})
		return err
	})
	MustPass(t, err)
	if p, err := pending.Doc(); (p != nil) != one || !one && !errors.Is(err, repository.ErrDeleted) {
		t.Errorf("in a transaction: %+v, %v", p, err)
	}
}
