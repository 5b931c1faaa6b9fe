// Command calls makes one call of a repository, against an emulator in its own process, and records
// which code ran. .ci/calls builds it with coverage counters, and counts functions and files.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/coverage"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/repository"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: calls CALL DIRECTORY")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

var errUnknown = errors.New("the calls are create, get, upsert, update, patch, delete, query and page")

// run makes a call and writes its coverage to a directory that exists. A call of the same kind
// comes first, so that the caches of the repository are warm.
func run(ctx context.Context, call, directory string) error {
	server, err := emulator.Start(emulator.Options{Partitions: 5})
	if err != nil {
		return err
	}
	defer server.Close()
	client := server.Client(repository.Configure(nil))
	if _, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
		return err
	}
	db, err := client.NewDatabase("db")
	if err != nil {
		return err
	}
	if _, err := db.CreateContainer(ctx, fleet.VehicleEventContainer(), nil); err != nil {
		return err
	}
	container, err := db.NewContainer(fleet.VehicleEventContainer().ID)
	if err != nil {
		return err
	}
	events := fleet.NewVehicleEventRepository(container)
	for n := range 2 {
		event := &fleet.VehicleEvent{ID: fmt.Sprint(n), Date: "2018-08-09", VIN: "1HGCM82633A004352"}
		if call != "create" {
			if err := events.Create(ctx, event); err != nil {
				return err
			}
		}
		if n == 1 {
			if err := coverage.ClearCounters(); err != nil {
				return err
			}
		}
		if err := one(ctx, events, call, event); err != nil {
			return err
		}
	}
	return coverage.WriteCountersDir(directory)
}

// one makes one call.
func one(ctx context.Context, events *fleet.VehicleEventRepository, call string, event *fleet.VehicleEvent) error {
	switch call {
	case "create":
		return events.Create(ctx, event)
	case "get":
		_, err := events.Get(ctx, event.Key())
		return err
	case "upsert":
		return events.Upsert(ctx, event)
	case "update":
		return events.Update(ctx, event.Key(), func(e *fleet.VehicleEvent) error { e.Speed++; return nil })
	case "patch":
		return events.Patch(ctx, event.Key(), fleet.VehicleEventPatch.Speed.Increment(1))
	case "delete":
		return events.Delete(ctx, event.Key())
	case "query":
		_, err := events.ByDate(event.Date).Collect(ctx)
		return err
	case "page":
		_, err := events.ByDate(event.Date).Page(ctx, "", 10)
		return err
	}
	return errUnknown
}
