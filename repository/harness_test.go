package repository_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

const day = "2018-08-09"

// The fields of an event, and a patch of its speed.
const (
	eventSpeed      repository.Number[fleet.VehicleEvent, int]      = "/speed"
	eventVIN        repository.String[fleet.VehicleEvent, string]   = "/vin"
	patchEventSpeed repository.PatchNumber[fleet.VehicleEvent, int] = "/speed"
)

// newFleet is an empty container of vehicle events.
func newFleet(t testing.TB, opts ...repository.Option) (*harness.Account, *fleet.VehicleEventRepository) {
	t.Helper()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), repository.Configure(nil))
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
