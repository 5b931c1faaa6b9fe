package admin_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

// This file holds the examples of docs/indexes.md. ExampleIndexOf runs them.

func exampleIndex(ctx context.Context, db *azcosmos.DatabaseClient) (*fixtures.ShipmentByCarrierRepository, error) {
	if _, err := fixtures.EnsureShipmentContainer(ctx, db, admin.Autoscale(4000)); err != nil {
		return nil, err
	}
	index, err := fixtures.EnsureShipmentByCarrierContainer(ctx, db, admin.Autoscale(1000), admin.WaitForIndex())
	if err != nil {
		return nil, err
	}
	byCarrier := fixtures.NewShipmentByCarrierRepository(index)
	return byCarrier, nil
}

func exampleIndexRead(ctx context.Context, byCarrier *fixtures.ShipmentByCarrierRepository, month time.Time) ([]*fixtures.ShipmentByCarrierEntry, error) {
	entries, err := byCarrier.ByCarrierAndSentAt("postal", month).Collect(ctx)
	return entries, err
}

func exampleIndexSource(ctx context.Context, shipments *fixtures.ShipmentRepository, entry *fixtures.ShipmentByCarrierEntry) error {
	shipment, err := entry.Source(ctx, shipments)
	if err != nil {
		return err
	}
	shipment.State = "lost"
	return shipments.Replace(ctx, shipment)
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
	byCarrier, err := exampleIndex(ctx, db)
	if err != nil {
		log.Panic(err)
	}
	container, err := fixtures.EnsureShipmentContainer(ctx, db, admin.AnyThroughput())
	if err != nil {
		log.Panic(err)
	}
	shipments := fixtures.NewShipmentRepository(container)
	sent := time.Date(2018, 8, 9, 10, 0, 0, 0, time.UTC)
	for _, tenant := range []string{"acme", "globex"} {
		shipment := &fixtures.Shipment{ID: "1", TenantID: tenant, Carrier: "postal", SentAt: sent, State: "sent", Weight: 2.5}
		if err := shipments.Create(ctx, shipment); err != nil {
			log.Panic(err)
		}
		fmt.Println("stored", shipment.ByCarrier)
	}
	for range 2 { // the second time, with the new state
		entries, err := exampleIndexRead(ctx, byCarrier, sent)
		if err != nil {
			log.Panic(err)
		}
		for _, entry := range entries {
			fmt.Println(entry.TenantID, entry.ID, entry.State)
			if err := exampleIndexSource(ctx, shipments, entry); err != nil {
				log.Panic(err)
			}
		}
	}
	// Unordered output:
	// stored postal-2018-08
	// stored postal-2018-08
	// acme 1 sent
	// globex 1 sent
	// acme 1 lost
	// globex 1 lost
}
