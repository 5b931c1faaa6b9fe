package repository_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TripPatch makes the changes of a patch of a Trip.
var TripPatch = struct {
	Distance repository.PatchNumber[Trip, float64]
	Stops    repository.PatchNumber[Trip, int]
	Ended    repository.PatchValue[Trip, repository.Time]
	Tags     repository.PatchList[Trip, string]
	Errors   repository.PatchMap[Trip, int, repository.PatchNumber[Trip, int]]
	Driver   repository.PatchValue[Trip, Driver]
}{
	Distance: "/distance",
	Stops:    "/stops",
	Ended:    "/ended",
	Tags:     "/tags",
	Errors:   "/errors",
	Driver:   "/driver",
}

// speedPatch is the field of a patch of fleet's events.
const speedPatch repository.PatchNumber[fleet.VehicleEvent, int] = "/speed"

func examplePatch(ctx context.Context, events *fleet.VehicleEventRepository, key fleet.VehicleEventKey) error {
	p := fleet.VehicleEventPatch
	err := events.Patch(ctx, key, p.Speed.Increment(5), p.At.Set(time.Now()))
	return err
}

func examplePatchIf(ctx context.Context, events *fleet.VehicleEventRepository, key fleet.VehicleEventKey) error {
	p, f := fleet.VehicleEventPatch, fleet.VehicleEventFields
	err := events.PatchIf(ctx, key, f.Speed.Lt(130), p.Speed.Set(130))
	if errors.Is(err, repository.ErrPreconditionFailed) {
		return nil // it was as fast already
	}
	return err
}

func exampleAndGet(ctx context.Context, events *fleet.VehicleEventRepository, key fleet.VehicleEventKey) error {
	event, err := events.PatchAndGet(ctx, key, fleet.VehicleEventPatch.Speed.Increment(5))
	if err != nil {
		return err
	}
	fmt.Println(event.Speed, event.ETag)
	return nil
}

func examplePatchOnAnETag(ctx context.Context, events *fleet.VehicleEventRepository, key fleet.VehicleEventKey) error {
	event, err := events.Get(ctx, key)
	if err != nil {
		return err
	}
	return events.PatchIf(ctx, key, fleet.VehicleEventFields.ETag.Eq(event.ETag), fleet.VehicleEventPatch.Speed.Set(130))
}

func exampleFirstTag(ctx context.Context, trips *repository.Documents[Trip, tripKey], key tripKey) error {
	p, f := TripPatch, TripFields
	err := trips.PatchIf(ctx, key, repository.Not(f.Tags.IsEmpty()), p.Tags.Append("night"))
	if errors.Is(err, repository.ErrPreconditionFailed) {
		err = trips.PatchIf(ctx, key, f.Tags.IsEmpty(), p.Tags.Set([]string{"night"}))
	}
	return err
}

type tripKey struct{ ID, VIN string }

func (k tripKey) Validate() error {
	return partition.Check("Trip", partition.ID(k.ID), partition.Text("VIN", k.VIN), partition.Key(k.VIN))
}

// By hand: the examples of the documentation have this type, its fields and its patches.
var tripModel = generated.Model[Trip, tripKey]{
	Type: "Trip", Path: "/vin",
	Key:  func(t *Trip) tripKey { return tripKey{t.ID, t.VIN} },
	ID:   func(k tripKey) string { return k.ID },
	Text: func(k tripKey) string { return k.VIN },
}

// TestExamplesOfPatches runs them, on lists that are there and that are not.
func TestExamplesOfPatches(t *testing.T) {
	server, events := kit.NewFleet(t)
	ctx := context.Background()
	kit.Fill(t, events, 1)
	key := kit.Event(0).Key()
	for range 2 {
		if err := errors.Join(examplePatchIf(ctx, events, key), examplePatch(ctx, events, key)); err != nil {
			t.Error(err)
		}
	}
	if e, err := events.Get(ctx, key); err != nil || e.Speed != 140 || e.At.IsZero() {
		t.Errorf("got %+v, %v", e, err)
	}

	server.Inject(emulator.Fault{Operation: emulator.OpPatchItem, Drop: true, After: true})
	if err := examplePatch(ctx, events, key); !errors.Is(err, repository.ErrUnclear) {
		t.Errorf("an increment whose answer was lost: %v", err)
	}
	if e, err := events.Get(ctx, key); err != nil || e.Speed != 145 {
		t.Errorf("got %+v, %v", e, err)
	}

	trip := Trip{ID: "t", VIN: "v"}
	properties := fleet.VehicleEventContainer()
	properties.PartitionKeyDefinition.Paths = []string{tripModel.Path}
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, properties, repository.Configure(nil))
	trips := repository.New(container, &tripModel)
	if err := trips.Create(ctx, &trip); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := exampleFirstTag(ctx, trips, tripKey{"t", "v"}); err != nil {
			t.Error(err)
		}
	}
	if stored, err := trips.Get(ctx, tripKey{"t", "v"}); err != nil || !slices.Equal(stored.Tags, []string{"night", "night"}) {
		t.Errorf("got %+v, %v", stored, err)
	}
}

// Two concurrent writers do not lose each other's increments, and neither reads the document.
func ExampleDocuments_Patch() {
	events, stop := eventsOfADay()
	defer stop()
	ctx := context.Background()
	key := kit.Event(120).Key()

	for range 2 {
		must(events.Patch(ctx, key, speedPatch.Increment(5)))
	}
	e, err := events.Get(ctx, key)
	must(err)
	fmt.Println(e.Speed)
	// Output: 130
}

// The service looks at the condition and patches in one step.
func ExampleDocuments_PatchIf() {
	events, stop := eventsOfADay()
	defer stop()
	ctx := context.Background()
	key := kit.Event(120).Key()

	for _, limit := range []int{100, 130} {
		err := events.PatchIf(ctx, key, speedOf.Le(limit), speedPatch.Set(limit))
		fmt.Println(limit, errors.Is(err, repository.ErrPreconditionFailed), err == nil)
	}
	// Output:
	// 100 true false
	// 130 false true
}

func ExamplePatchOperation() {
	f := TripPatch
	end := repository.NewTime(time.Date(2018, 8, 9, 6, 5, 4, 0, time.UTC))
	for _, c := range []repository.PatchOperation[Trip]{
		f.Ended.Set(end),
		f.Driver.Remove(),
		f.Tags.Append("night", "rain"),
		f.Errors.Key("P0300").Increment(1),
	} {
		fmt.Println(c)
	}
	// Output:
	// {"op":"set","path":"/ended","value":"2018-08-09T06:05:04.0000000Z"}
	// {"op":"remove","path":"/driver"}
	// {"op":"add","path":"/tags/-","value":"night"},{"op":"add","path":"/tags/-","value":"rain"}
	// {"op":"incr","path":"/errors/P0300","value":1}
}

func ExamplePatchNumber() {
	f := TripPatch
	for _, c := range []repository.PatchOperation[Trip]{
		f.Stops.Set(0),
		f.Stops.Decrement(1),
		f.Distance.Increment(12.5), // a fraction needs a client made with Configure
		f.Distance.SetNull(),
	} {
		fmt.Println(c)
	}
	// Output:
	// {"op":"set","path":"/stops","value":0}
	// {"op":"incr","path":"/stops","value":-1}
	// {"op":"incr","path":"/distance","value":12.5}
	// {"op":"set","path":"/distance","value":null}
}

// Indexes count from 0, and a list has to be there before it can get elements.
func ExamplePatchList() {
	f := TripPatch
	for _, c := range []repository.PatchOperation[Trip]{
		f.Tags.Set([]string{}),
		f.Tags.Insert(0, "night"),
		f.Tags.ReplaceAt(0, "day"),
		f.Tags.RemoveAt(0),
	} {
		fmt.Println(c)
	}
	// Output:
	// {"op":"set","path":"/tags","value":[]}
	// {"op":"add","path":"/tags/0","value":"night"}
	// {"op":"replace","path":"/tags/0","value":"day"}
	// {"op":"remove","path":"/tags/0"}
}
