package main

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
)

// events are one day's signals of 900 vehicles, one JSON document a line.
//
//go:embed fleet/events.ndjson
var events []byte

// runFleet imports a day's events and reads some back: all of the day, those of
// one vehicle, one of them, and all that the change feed has.
func runFleet(ctx context.Context, db *azcosmos.DatabaseClient, out io.Writer) error {
	container, err := fleet.EnsureVehicleEventContainer(ctx, db, admin.AnyThroughput())
	if err != nil {
		return err
	}
	repo := fleet.NewVehicleEventRepository(container)
	r := newReport(out, "Fleet", fleet.VehicleEventKeyLayout)

	const day, vin = "2018-08-09", "1HGCM82633A004352"
	var spread fleet.Spread
	err = r.do(ctx, "import of a day's events", func(ctx context.Context) (int, error) {
		spread, err = fleet.Import(ctx, repo, bytes.NewReader(events))
		return spread.Documents(), err
	})
	if err != nil {
		return err
	}
	var first *fleet.VehicleEvent
	err = r.do(ctx, "the day of vehicle "+vin+", in one logical partition", func(ctx context.Context) (int, error) {
		n := 0
		for event, err := range repo.ByDateAndVIN(day, vin).All(ctx) {
			if err != nil {
				return 0, err
			}
			if first == nil {
				first = event
			}
			n++
		}
		if first == nil {
			return 0, fmt.Errorf("vehicle %s has no events on %s", vin, day)
		}
		return n, nil
	})
	if err != nil {
		return err
	}
	err = r.do(ctx, "point read of event "+first.ID, func(ctx context.Context) (int, error) {
		_, err := repo.Get(ctx, first.Key())
		return 1, err
	})
	if err != nil {
		return err
	}
	err = r.do(ctx, "the whole day, a fan-out over 400 buckets", func(ctx context.Context) (int, error) {
		return count(repo.ByDate(day).All(ctx))
	})
	if err != nil {
		return err
	}
	f := fleet.VehicleEventFields
	err = r.do(ctx, "its ten fastest, in order", func(ctx context.Context) (int, error) {
		return count(repo.ByDate(day).OrderBy(f.Speed.Desc()).Limit(10).All(ctx))
	})
	if err != nil {
		return err
	}
	err = r.do(ctx, "the change feed to its end", func(ctx context.Context) (int, error) {
		return count(feed.Changes(ctx, repo.Documents, feed.FromBeginning(), feed.UntilCaughtUp()))
	})
	if err != nil {
		return err
	}
	var mean float64
	err = r.do(ctx, "its mean speed above 100 km/h", func(ctx context.Context) (int, error) {
		q := repo.ByDate(day).Where(f.Speed.Gt(100))
		if mean, _, err = repository.Avg(ctx, q, f.Speed); err != nil {
			return 0, err
		}
		return q.Count(ctx)
	})
	if err != nil {
		return err
	}
	fullest, emptiest := spread.Extremes()
	r.notef("%d partition keys; the fullest is %s with %d documents, the emptiest %s with %d",
		len(spread), fullest, spread[fullest], emptiest, spread[emptiest])
	r.notef("the mean of those above 100 km/h is %.1f", mean)
	return r.print()
}
