package repository_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

var _ markable // its tag is an example

// A markable document has the property of docs/writing.md.
type markable struct {
	ID string `json:"id" cosmos:"id,pk"`

	Gone repository.Time `json:"gone,omitzero" cosmos:"deleted,purge=720h"`
}

// parcelRepository has the methods that pkgen generates.
type parcelRepository struct {
	*repository.Documents[fixtures.Parcel, fixtures.ParcelKey]
}

func (r *parcelRepository) WithDeleted() *parcelRepository {
	return &parcelRepository{repository.WithDeleted(r.Documents)}
}

func (r *parcelRepository) Restore(ctx context.Context, key fixtures.ParcelKey, opts ...repository.DeletedOption) (*fixtures.Parcel, error) {
	return repository.Restore(ctx, r.Documents, key, opts...)
}

// exampleDeleted is an example of docs/writing.md.
func exampleDeleted(ctx context.Context, parcels *parcelRepository, key fixtures.ParcelKey) error {
	if err := parcels.Delete(ctx, key); err != nil { // marks it
		return err
	}
	parcel, err := parcels.WithDeleted().Get(ctx, key) // without WithDeleted: ErrNotFound and ErrDeleted
	if err != nil {
		return err
	}
	fmt.Println(parcel.ID, "was deleted at", parcel.Gone)
	parcel, err = parcels.Restore(ctx, key, repository.IfMatch(parcel.ETag)) // or parcels.Purge(ctx, key)
	if err != nil {
		return err
	}
	fmt.Println("restored:", parcel.ID, parcel.Gone.IsZero())
	return nil
}

// TestExampleDeleted deletes a parcel and restores it.
func TestExampleDeleted(t *testing.T) {
	t.Parallel()
	_, all := kit.NewParcels(t, fixtures.ParcelModel)
	kit.MustPass(t, all.Create(t.Context(), &fixtures.Parcel{ID: "1", Owner: "o"}), exampleDeleted(t.Context(), &parcelRepository{all}, fixtures.ParcelKey{ID: "1", Owner: "o"}))
	kit.SeesParcels(t, all, "o", "1")
}
