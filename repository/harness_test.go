package repository_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/repository"
)

const day = "2018-08-09"

// newContainer makes a container on an emulator with five physical partitions.
func newContainer(t testing.TB, properties azcosmos.ContainerProperties, options *azcosmos.ClientOptions) (*emulator.Server, *azcosmos.ContainerClient) {
	t.Helper()
	server := emulator.New(t, emulator.Options{Partitions: 5})
	client := server.Client(options)
	ctx := context.Background()
	if _, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
		t.Fatal(err)
	}
	db, err := client.NewDatabase("db")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.CreateContainer(ctx, properties, nil); err != nil {
		t.Fatal(err)
	}
	container, err := db.NewContainer(properties.ID)
	if err != nil {
		t.Fatal(err)
	}
	return server, container
}

// newFleet is an empty container of vehicle events.
func newFleet(t testing.TB, opts ...repository.Option) (*emulator.Server, *fleet.VehicleEventRepository) {
	t.Helper()
	server, container := newContainer(t, fleet.VehicleEventContainer(), repository.Configure(nil))
	return server, fleet.NewVehicleEventRepository(container, opts...)
}

// event is the nth event of a day, of a vehicle of its own.
func event(n int) *fleet.VehicleEvent {
	return &fleet.VehicleEvent{
		ID:    fmt.Sprintf("e%04d", n),
		Date:  day,
		VIN:   fmt.Sprintf("1HGCM82633A%06d", n),
		Speed: n % 140,
	}
}

// fill stores n events.
func fill(t testing.TB, events *fleet.VehicleEventRepository, n int) {
	t.Helper()
	for i := range n {
		if err := events.Create(context.Background(), event(i)); err != nil {
			t.Fatal(err)
		}
	}
}

// documentRequests counts the requests for documents in the server's journal.
func documentRequests(server *emulator.Server) map[string]int {
	counts := map[string]int{}
	for _, r := range server.Requests() {
		switch r.Operation {
		case emulator.OpCreateItem, emulator.OpUpsertItem, emulator.OpReplaceItem, emulator.OpDeleteItem,
			emulator.OpReadItem, emulator.OpQueryItems:
			counts[r.Operation]++
		}
	}
	return counts
}
