package tenants

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

// TestTiersOfLevels has a tenant whose documents are many logical partitions: its writes
// carry no fence, and wait only while its place is closed.
func TestTiersOfLevels(t *testing.T) {
	t.Parallel()
	server, db := kit.NewDatabase(t, emulator.Options{Partitions: 3}, nil)
	for _, id := range []string{"lots", "own"} {
		properties := azcosmos.ContainerProperties{ID: id, PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{
			Kind: azcosmos.PartitionKeyKindMultiHash, Paths: fixtures.LotModel.Paths, Version: 2,
		}}
		if _, err := db.CreateContainer(t.Context(), properties, nil); err != nil {
			t.Fatal(err)
		}
	}
	l := newLedger(heldLong)
	all := repository.NewTiered(db, fixtures.LotModel, tenancy.Residences(l))
	lots := repository.NewTenant(all, fixtures.LotKey{Tenant: "t"})
	scan := func() repository.Query[fixtures.Lot] {
		return lots.Only(repository.NewQuery(all, generated.Prefix([]any{"t"})))
	}
	write := func(ctx context.Context, place string) error {
		var failures []error
		for i := range 10 {
			failures = append(failures, lots.Create(ctx, &fixtures.Lot{ID: fmt.Sprint(place, i), Tenant: "t", Shelf: fmt.Sprint(i), Value: i}))
		}
		return errors.Join(failures...)
	}
	for n, place := range []string{"", "own"} {
		for m, state := range []tenancy.ResidenceState{tenancy.ResidenceSettled, tenancy.ResidenceMoving} {
			l.says(place, state)
			if err := write(t.Context(), fmt.Sprint(place, m)); err != nil {
				t.Fatal(err)
			}
			docs, err := scan().Collect(t.Context())
			if want := (m + 1) * 10; err != nil || len(docs) != want {
				t.Errorf("%q: %d documents, %v, want %d", place, len(docs), err, want)
			}
			found, err := repository.FindInBuckets(t.Context(), &lots, fmt.Sprint(place, m)+"7", generated.Prefix([]any{"t"}))
			if err != nil || found.Value != 7 {
				t.Errorf("%q: %v, %v", place, found, err)
			}
		}
		l.says(place, tenancy.ResidenceClosed)
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		kit.WantError(t, "a write while the place is closed", write(ctx, "x"), context.DeadlineExceeded)
		cancel()
		if count, err := scan().Count(t.Context()); err != nil || count != 20 {
			t.Errorf("place %d has %d documents, %v", n, count, err)
		}
	}
	for _, r := range server.Requests() {
		if r.Operation == emulator.OpExecuteBatch {
			t.Error("a write is a batch")
		}
	}
}
