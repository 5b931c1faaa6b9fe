package requests

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// charged sums the journal's charges for documents.
func charged(server *harness.Account) float64 {
	sum := 0.0
	for _, r := range server.Requests() {
		if strings.Contains(r.Path, "/docs") {
			sum += r.Charge
		}
	}
	return sum
}

func TestMeterCountsEveryAttempt(t *testing.T) {
	server, events := kit.NewFleet(t)
	server.ResetRequests()
	var outer, inner repository.Meter
	ctx := repository.WithMeter(context.Background(), &outer)

	server.Inject(emulator.Fault{Operation: emulator.OpCreateItem, Status: 429, RetryAfter: time.Millisecond, Count: 2})
	if err := events.Create(ctx, kit.Event(0)); err != nil {
		t.Fatal(err)
	}
	innerCtx := repository.WithMeter(ctx, &inner)
	if _, err := events.Get(innerCtx, kit.Event(0).Key()); err != nil {
		t.Fatal(err)
	}
	if _, err := events.Get(innerCtx, kit.Event(1).Key()); err == nil {
		t.Fatal("Get has found a missing document")
	}
	if _, err := events.ByDate(kit.Day).Collect(ctx); err != nil {
		t.Fatal(err)
	}
	if got, want := outer.Requests(), 3+2+5; got != want {
		t.Errorf("%d requests, want %d", got, want)
	}
	if outer.Retries() != 2 || inner.Retries() != 0 {
		t.Errorf("%d and %d retries, want 2 and 0", outer.Retries(), inner.Retries())
	}
	if got, want := outer.RequestUnits(), charged(server); math.Abs(got-want) > 0.1 {
		t.Errorf("%.2f request units, the server charged %.2f", got, want)
	}
	if inner.Requests() != 2 || inner.RequestUnits() <= 0 || inner.RequestUnits() >= outer.RequestUnits() {
		t.Errorf("the inner meter has %d requests and %.2f units", inner.Requests(), inner.RequestUnits())
	}
}

func TestMeterWithoutConfigure(t *testing.T) {
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), nil)
	events := fleet.NewVehicleEventRepository(container)
	server.ResetRequests()
	var meter repository.Meter
	ctx := repository.WithMeter(context.Background(), &meter)
	if err := events.Create(ctx, kit.Event(0)); err != nil {
		t.Fatal(err)
	}
	if err := events.Create(ctx, kit.Event(0)); err == nil {
		t.Fatal("created twice")
	}
	if _, err := events.ByDateAndVIN(kit.Day, kit.Event(0).VIN).Collect(ctx); err != nil {
		t.Fatal(err)
	}
	if meter.Requests() != 4 || math.Abs(meter.RequestUnits()-charged(server)) > 0.1 {
		t.Errorf("%d requests and %.2f units, the server charged %.2f", meter.Requests(), meter.RequestUnits(), charged(server))
	}
}
