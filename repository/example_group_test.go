package repository_test

import (
	"context"
	"fmt"

	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// These are examples of docs/querying.md.

func exampleGroups(ctx context.Context, events *fleet.VehicleEventRepository) error {
	f := fleet.VehicleEventFields
	day := events.ByDate("2018-08-09")
	type perVehicle struct {
		VIN     string  `json:"vin"`
		Events  int     `json:"events"`
		Average float64 `json:"average"`
		Fastest int     `json:"fastest"`
	}
	rows, err := repository.GroupBy[perVehicle](day, f.VIN).
		Count("events").Avg("average", f.Speed).Max("fastest", f.Speed).
		Collect(ctx)
	fmt.Println(rows)
	return err
}

func exampleTakeWhile(ctx context.Context, events *fleet.VehicleEventRepository) error {
	f := fleet.VehicleEventFields
	fastest := events.ByDate("2018-08-09").OrderBy(f.Speed.Desc())
	for event, err := range fastest.TakeWhile(ctx, func(e *fleet.VehicleEvent) bool { return e.Speed%7 > 0 }) {
		if err != nil {
			return err
		}
		fmt.Println(event.VIN)
	}
	return nil
}
