package moving_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/moving"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

// TestPhases leads through the releases of docs/migration.md in their order. At each
// step, programs of the release before run next to those of the new one: both create,
// find and change each other's events.
func TestPhases(t *testing.T) {
	ctx := context.Background()
	server := emulator.New(t, emulator.Options{})
	client := server.Client(repository.Configure(nil))
	if _, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "fleet"}, nil); err != nil {
		t.Fatal(err)
	}
	db, err := client.NewDatabase("fleet")
	if err != nil {
		t.Fatal(err)
	}
	oldContainer, err := moving.EnsureOldVehicleEventContainer(ctx, db, admin.AnyThroughput())
	if err != nil {
		t.Fatal(err)
	}
	newContainer, err := moving.EnsureVehicleEventContainer(ctx, db, admin.AnyThroughput())
	if err != nil {
		t.Fatal(err)
	}
	from, to := moving.NewOldVehicleEventRepository(oldContainer), moving.NewVehicleEventRepository(newContainer)
	release := func(phase repository.Phase) *moving.VehicleEventMigration {
		return moving.NewVehicleEventMigration(from, to, phase)
	}

	// Before the first release, programs use the repository of the old container.
	if err := from.Create(ctx, &moving.OldVehicleEvent{ID: "e0", Date: "2018-08-09", VIN: "V"}); err != nil {
		t.Fatal(err)
	}
	created := 1
	side := func(before, after *moving.VehicleEventMigration) {
		t.Helper()
		for i, programs := range [][2]*moving.VehicleEventMigration{{before, after}, {after, before}} {
			event := &moving.VehicleEvent{ID: fmt.Sprint("e", created), Date: "2018-08-09", VIN: "V"}
			if err := programs[0].Create(ctx, event); err != nil {
				t.Fatal(err)
			}
			created++
			err := programs[1].Update(ctx, event.Key(), func(e *moving.VehicleEvent) error { e.Speed = 50 + i; return nil })
			if err != nil {
				t.Fatal(err)
			}
			for _, program := range programs {
				stored, err := program.Get(ctx, event.Key())
				if err != nil || stored.Speed != 50+i {
					t.Fatalf("event %s: %+v, %v", event.ID, stored, err)
				}
				all, err := program.Scan().Collect(ctx)
				if err != nil || len(all) != created {
					t.Fatalf("a query gives %d events of %d: %v", len(all), created, err)
				}
			}
		}
	}
	move := func(program *moving.VehicleEventMigration) {
		t.Helper()
		if summary, err := admin.MoveAll(ctx, program.Migration, admin.Run{}); err != nil || !summary.Done {
			t.Fatalf("%+v, %v", summary, err)
		}
	}

	side(release(repository.PhaseOld), release(repository.PhaseBoth))
	side(release(repository.PhaseBoth), release(repository.PhaseNew))
	move(release(repository.PhaseNew)) // all programs are in PhaseNew
	side(release(repository.PhaseNew), release(repository.PhaseDone))
	move(release(repository.PhaseDone)) // all programs are in PhaseDone

	// After the last release, programs use the repository of the new container.
	all, err := to.ByVIN("V").Collect(ctx)
	if err != nil || len(all) != created {
		t.Errorf("there are %d events of %d: %v", len(all), created, err)
	}
	if left, err := from.Scan().Collect(ctx); err != nil || len(left) != 0 {
		t.Errorf("the old container has %d events: %v", len(left), err)
	}
}
