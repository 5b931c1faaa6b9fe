package bench

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

// BenchmarkRepository compares a write and a point read of a generated repository
// with azcosmos, over HTTP to an emulator without latency.
func BenchmarkRepository(b *testing.B) {
	ctx := context.Background()
	client := emulator.New(b, emulator.Options{Partitions: 5}).Client(repository.Configure(nil))
	if _, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
		b.Fatal(err)
	}
	db, err := client.NewDatabase("db")
	if err != nil {
		b.Fatal(err)
	}
	container, err := fleet.EnsureVehicleEventContainer(ctx, db, admin.AnyThroughput())
	if err != nil {
		b.Fatal(err)
	}
	events := fleet.NewVehicleEventRepository(container)
	event := fleet.VehicleEvent{ID: "1", Date: "2018-08-09", VIN: "1HGCM82633A004352"}
	if err := events.Upsert(ctx, &event); err != nil {
		b.Fatal(err)
	}
	key := azcosmos.NewPartitionKeyString(event.PartitionKey())
	for _, bench := range []struct {
		name string
		run  func() error
	}{
		{"upsert/generated", func() error { return events.Upsert(ctx, &event) }},
		{"upsert/byHand", func() error {
			body, err := json.Marshal(struct {
				fleet.VehicleEvent
				PartitionKey string `json:"partitionKey"`
			}{event, "2018-08-09.126"})
			if err == nil {
				_, err = container.UpsertItem(ctx, key, body, nil)
			}
			return err
		}},
		{"get/generated", func() error { _, err := events.Get(ctx, event.Key()); return err }},
		{"get/byHand", func() error {
			response, err := container.ReadItem(ctx, key, "1", nil)
			if err == nil {
				err = json.Unmarshal(response.Value, new(fleet.VehicleEvent))
			}
			return err
		}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := bench.run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
