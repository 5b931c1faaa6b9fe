package repository_test

import (
	"context"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// exampleHedging is an example of docs/querying.md.
func exampleHedging(connection string) (*fleet.VehicleEventRepository, error) {
	options := repository.Configure(&azcosmos.ClientOptions{PreferredRegions: []string{"West Europe", "North Europe"}})
	client, err := azcosmos.NewClientFromConnectionString(connection, options)
	if err != nil {
		return nil, err
	}
	container, err := client.NewContainer("fleet", "vehicle-event")
	if err != nil {
		return nil, err
	}
	events := fleet.NewVehicleEventRepository(container, repository.WithHedging(50*time.Millisecond))
	return events, nil
}

// exampleExcludedRegions is an example of docs/querying.md.
func exampleExcludedRegions(ctx context.Context, events *fleet.VehicleEventRepository) ([]*fleet.VehicleEvent, error) {
	ctx = repository.WithExcludedRegions(ctx, "West Europe")
	return events.ByDate("2018-08-09").Collect(ctx)
}

var _, _ = exampleHedging, exampleExcludedRegions // need two regions: they compile
