package admin_test

import (
	"context"
	"fmt"
	"log"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	vehicles "github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

// This file holds the examples of docs/indexes.md. ExampleIndexOf runs them.

func exampleIndex(ctx context.Context, db *azcosmos.DatabaseClient) (*vehicles.EventOfVehicleRepository, error) {
	index, err := admin.Ensure(ctx, db, vehicles.EventOfVehicleContainer(), admin.Autoscale(1000),
		admin.IndexOf("vehicle-event", "vin", "date", "speed"), admin.WaitForIndex())
	if err != nil {
		return nil, err
	}
	byVehicle := vehicles.NewEventOfVehicleRepository(index)
	return byVehicle, nil
}

func exampleIndexRead(ctx context.Context, byVehicle *vehicles.EventOfVehicleRepository) ([]*vehicles.EventOfVehicle, error) {
	events, err := byVehicle.ByVIN("1HGCM82633A004352").Collect(ctx)
	return events, err
}

func ExampleIndexOf() {
	server, err := emulator.Start(emulator.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	ctx := context.Background()
	db, err := repository.EnsureDatabase(ctx, server.Client(repository.Configure(nil)), "db")
	if err != nil {
		log.Panic(err)
	}
	container, err := fleet.EnsureVehicleEventContainer(ctx, db, admin.Autoscale(4000))
	if err != nil {
		log.Panic(err)
	}
	events := fleet.NewVehicleEventRepository(container)
	for _, date := range []string{"2018-08-08", "2018-08-09"} {
		if err := events.Create(ctx, &fleet.VehicleEvent{ID: "first", Date: date, VIN: "1HGCM82633A004352"}); err != nil {
			log.Panic(err)
		}
	}
	byVehicle, err := exampleIndex(ctx, db)
	if err != nil {
		log.Panic(err)
	}
	found, err := exampleIndexRead(ctx, byVehicle)
	if err != nil {
		log.Panic(err)
	}
	for _, event := range found {
		fmt.Println(event.Date, event.EventID)
	}
	// Unordered output:
	// 2018-08-08 first
	// 2018-08-09 first
}
