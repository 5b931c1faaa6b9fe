package admin_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

// This file holds the examples of docs/provisioning.md. ExampleEnsure runs them.

func exampleEnsure(ctx context.Context, db *azcosmos.DatabaseClient) (*fleet.VehicleEventRepository, error) {
	container, err := admin.Ensure(ctx, db, fleet.VehicleEventContainer(), admin.Autoscale(4000))
	if err != nil {
		return nil, err
	}
	events := fleet.NewVehicleEventRepository(container)
	return events, nil
}

func exampleDifferences(ctx context.Context, db *azcosmos.DatabaseClient) error {
	want := fleet.VehicleEventContainer()
	_, err := admin.Ensure(ctx, db, want, admin.Autoscale(4000))
	var differs *admin.ContainerError
	if errors.As(err, &differs) {
		for _, d := range differs.Differences {
			fmt.Println(d.Property, d.Fixable)
		}
	}
	return err
}

func exampleFixDifferences(ctx context.Context, db *azcosmos.DatabaseClient) error {
	want := fleet.VehicleEventContainer()
	want.IndexingPolicy = &azcosmos.IndexingPolicy{
		Automatic: true,
		CompositeIndexes: [][]azcosmos.CompositeIndex{{
			{Path: "/vin", Order: azcosmos.CompositeIndexAscending},
			{Path: "/at", Order: azcosmos.CompositeIndexDescending},
		}},
	}
	_, err := admin.Ensure(ctx, db, want, admin.Autoscale(8000), admin.FixDifferences())
	return err
}

func exampleCheckOnly(ctx context.Context, db *azcosmos.DatabaseClient) error {
	_, err := admin.Ensure(ctx, db, fleet.VehicleEventContainer(), admin.AnyThroughput())
	return err
}

func ExampleEnsure() {
	server, err := emulator.Start(emulator.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	ctx := context.Background()
	client := server.Client(repository.Configure(nil))
	if _, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
		log.Panic(err)
	}
	db, err := client.NewDatabase("db")
	if err != nil {
		log.Panic(err)
	}

	_, err = exampleEnsure(ctx, db)
	fmt.Println("create:", err)

	_, err = admin.Ensure(ctx, db, fleet.VehicleEventContainer(), admin.Autoscale(8000))
	fmt.Println("want more:", err)

	fmt.Println("fix:", exampleFixDifferences(ctx, db))
	fmt.Println("check:", exampleCheckOnly(ctx, db))

	if exampleDifferences(ctx, db) == nil {
		log.Panic("4,000 RU/s are as good as 8,000")
	}
	// Output:
	// create: <nil>
	// want more: container "vehicle-event" of database "db" differs from the code:
	// 	throughput: have autoscale up to 4000 RU/s, want autoscale up to 8000 RU/s; FixDifferences changes it, the bill changes with it
	// fix: <nil>
	// check: <nil>
	// throughput true
}
