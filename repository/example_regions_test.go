package repository_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// inTwoRegions returns a repository of an account with two regions. North Europe lags.
func inTwoRegions(ctx context.Context, t *testing.T) (*emulator.Server, *fleet.VehicleEventRepository) {
	account := emulator.New(t, emulator.Options{
		Regions:        []string{"West Europe", "North Europe"},
		ReplicationLag: 2 * time.Second,
	})
	client := account.Client(repository.Configure(&azcosmos.ClientOptions{
		PreferredRegions: []string{"West Europe", "North Europe"},
	}))
	db, err := repository.EnsureDatabase(ctx, client, "fleet")
	if err != nil {
		t.Fatal(err)
	}
	container, err := fleet.EnsureVehicleEventContainer(ctx, db, admin.Autoscale(1000))
	if err != nil {
		t.Fatal(err)
	}
	return account, fleet.NewVehicleEventRepository(container)
}

// exampleFailover is an example of docs/regions.md.
func exampleFailover(ctx context.Context, account *emulator.Server, events *fleet.VehicleEventRepository, first, second *fleet.VehicleEvent) error {
	if err := events.Create(ctx, first); err != nil {
		return err
	}
	account.Advance(2 * time.Second) // the first event reaches North Europe
	if err := events.Create(ctx, second); err != nil {
		return err
	}
	if err := account.ForceFailover("North Europe"); err != nil { // and loses the second one
		return err
	}
	if _, err := events.Get(ctx, first.Key()); err != nil {
		return err
	}
	if _, err := events.Get(ctx, second.Key()); !errors.Is(err, repository.ErrNotFound) {
		return err
	}
	return events.Create(ctx, second)
}

func TestExampleOfAFailover(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	account, events := inTwoRegions(ctx, t)
	if err := exampleFailover(ctx, account, events, kit.Event(1), kit.Event(2)); err != nil {
		t.Fatal(err)
	}
	for _, r := range account.Requests()[len(account.Requests())-1:] {
		if r.Region != "North Europe" || r.Status != 201 {
			t.Errorf("the last request is %+v", r)
		}
	}
}
