package repository_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/repository"
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

// Two writers who count do not lose each other's increments, and neither has to
// read the document.
func ExampleDocuments_Patch() {
	events, stop := eventsOfADay()
	defer stop()
	ctx := context.Background()
	key := event(120).Key()

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
	key := event(120).Key()

	for _, limit := range []int{100, 130} {
		err := events.PatchIf(ctx, key, speedOf.Le(limit), speedPatch.Set(limit))
		fmt.Println(limit, errors.Is(err, repository.ErrPreconditionFailed), err == nil)
	}
	// Output:
	// 100 true false
	// 130 false true
}

func ExampleChange() {
	f := TripPatch
	end := repository.NewTime(time.Date(2018, 8, 9, 6, 5, 4, 0, time.UTC))
	for _, c := range []repository.Change[Trip]{
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
	for _, c := range []repository.Change[Trip]{
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
	for _, c := range []repository.Change[Trip]{
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
