package repository_test

import (
	"context"
	"errors"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/moving"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// This file holds the examples of docs/migration.md, which a test compares with it, so
// that they compile.

func exampleMigration(ctx context.Context, oldContainer, newContainer *azcosmos.ContainerClient, phase repository.Phase) (*moving.VehicleEventMigration, error) {
	from := moving.NewOldVehicleEventRepository(oldContainer)
	to := moving.NewVehicleEventRepository(newContainer)
	events := moving.NewVehicleEventMigration(from, to, phase) // repository.PhaseOld in the first release

	event := moving.VehicleEvent{ID: "e1", Date: "2018-08-09", VIN: "1HGCM82633A004352"}
	if err := events.Upsert(ctx, &event); err != nil {
		return nil, err
	}
	stored, err := events.Get(ctx, event.Key())
	if err != nil {
		return nil, err
	}
	for event, err := range events.Scan().Where(moving.VehicleEventFields.Date.Eq(stored.Date)).All(ctx) {
		if err != nil {
			return nil, err
		}
		_ = event
	}
	return events, nil
}

func exampleMoveAll(ctx context.Context, events *moving.VehicleEventMigration) error {
	summary, err := admin.MoveAll(ctx, events.Migration, admin.Run{})
	if err != nil {
		return err
	}
	if !summary.Done {
		return errors.Join(summary.Blocked...)
	}
	return nil
}

func exampleMoveAllShared(ctx context.Context, events *moving.VehicleEventMigration, leases *azcosmos.ContainerClient) (admin.MigrationSummary, error) {
	return admin.MoveAll(ctx, events.Migration, admin.Run{
		Budget: 2000,   // request units a second, of this process
		Leases: leases, // the same container for all processes
	})
}

// TestExampleOfMigration runs the examples in each phase.
func TestExampleOfMigration(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	server, old := harness.NewContainer(t, emulator.Options{Partitions: 5}, moving.OldVehicleEventContainer(), repository.Configure(nil))
	db := server.Database(repository.Configure(nil))
	fresh, err := moving.EnsureVehicleEventContainer(ctx, db, admin.Manual(400))
	if err != nil {
		t.Fatal(err)
	}
	for _, phase := range []repository.Phase{repository.PhaseOld, repository.PhaseBoth, repository.PhaseNew, repository.PhaseDone} {
		events, err := exampleMigration(ctx, old, fresh, phase)
		if err != nil {
			t.Fatalf("phase %d: %v", phase, err)
		}
		if phase == repository.PhaseNew {
			if summary, err := exampleMoveAllShared(ctx, events, kit.NewLeases(t, server)); err != nil || !summary.Done {
				t.Errorf("with leases: %+v, %v", summary, err)
			}
		}
		if phase >= repository.PhaseNew {
			if err := exampleMoveAll(ctx, events); err != nil {
				t.Error(err)
			}
		}
	}
	all, err := moving.NewVehicleEventRepository(fresh).ByVIN("1HGCM82633A004352").Collect(ctx)
	if err != nil || len(all) != 1 {
		t.Errorf("the new container has %d documents: %v", len(all), err)
	}
}
