package kit

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
)

const Day = "2018-08-09"

// The fields of an event, and a patch of its speed.
const (
	EventSpeed      documents.Number[fleet.VehicleEvent, int]       = "/speed"
	EventVIN        documents.String[fleet.VehicleEvent, string]    = "/vin"
	PatchEventSpeed repository.PatchNumber[fleet.VehicleEvent, int] = "/speed"
)

// NewFleet is an empty container of vehicle events.
func NewFleet(t testing.TB, opts ...repository.Option) (*harness.Account, *fleet.VehicleEventRepository) {
	t.Helper()
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), repository.Configure(nil))
	return server, fleet.NewVehicleEventRepository(container, opts...)
}

// Event is the nth event of a day, of a vehicle of its own.
func Event(n int) *fleet.VehicleEvent {
	return &fleet.VehicleEvent{
		ID:    fmt.Sprintf("e%04d", n),
		Date:  Day,
		VIN:   fmt.Sprintf("1HGCM82633A%06d", n),
		Speed: n % 140,
	}
}

// Fill stores n events.
func Fill(t testing.TB, events *fleet.VehicleEventRepository, n int) {
	t.Helper()
	for i := range n {
		if err := events.Create(context.Background(), Event(i)); err != nil {
			t.Fatal(err)
		}
	}
}

// EventKeys are the keys of the events 0 to n-1.
func EventKeys(n int) []fleet.VehicleEventKey {
	var keys []fleet.VehicleEventKey
	for i := range n {
		keys = append(keys, Event(i).Key())
	}
	return keys
}

const NextDay = "2018-08-10"

// Faster adds to the speed of an event.
func Faster(e *fleet.VehicleEvent) error { e.Speed++; return nil }

// Roommate is a VIN that shares the bucket of another one.
func Roommate(vin string) string {
	bucket := func(vin string) int { return partition.Hash{}.Text(vin).Bucket(400) }
	for n := 0; ; n++ {
		if other := fmt.Sprint("room", n); bucket(other) == bucket(vin) {
			return other
		}
	}
}

// AVisit is in March, in UTC.
func AVisit() fixtures.Visit {
	return fixtures.Visit{ID: "1", TenantID: "contoso", Place: fixtures.Place{Floor: -3}, At: time.Date(2024, 2, 29, 23, 30, 0, 0, time.FixedZone("", -3600))}
}
