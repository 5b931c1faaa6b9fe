package repository_test

import (
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// exampleHedging is an example of docs/querying.md.
func exampleHedging(clientOf func(regions ...string) *azcosmos.Client) (*fleet.VehicleEventRepository, error) {
	near, err := clientOf("West Europe", "North Europe").NewContainer("fleet", "vehicle-event")
	if err != nil {
		return nil, err
	}
	far, err := clientOf("North Europe", "West Europe").NewContainer("fleet", "vehicle-event")
	if err != nil {
		return nil, err
	}
	events := fleet.NewVehicleEventRepository(near, repository.WithHedging(far, 50*time.Millisecond))
	return events, nil
}

var _ = exampleHedging // needs two regions: it compiles
