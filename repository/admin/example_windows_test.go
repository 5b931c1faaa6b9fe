package admin_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// This file holds the examples of docs/provisioning.md about windows. ExampleWindows runs
// them.

func exampleWindows(ctx context.Context, windows *admin.Windows, now time.Time) error {
	from := now.AddDate(-1, 0, 0)
	list, err := windows.Ensure(ctx, from, now, admin.WindowPolicy{
		Present: admin.Autoscale(10_000),
		Past:    admin.LeastThroughput(),
		Late:    48 * time.Hour,
		Ahead:   40 * 24 * time.Hour,
		Now:     now,
	})
	fmt.Print(list)
	return err
}

func exampleOldWindows(ctx context.Context, windows *admin.Windows, now time.Time) error {
	const age = 365 * 24 * time.Hour
	list, err := windows.List(ctx)
	if err != nil {
		return err
	}
	var old []string
	for _, w := range list {
		if w.End.Before(now.Add(-age)) {
			old = append(old, w.Name)
		}
	}
	if len(old) == 0 {
		return nil
	}
	list, err = windows.Drop(ctx, admin.WindowDrop{Names: old, OlderThan: age, DryRun: true})
	fmt.Print(list)
	return err
}

func ExampleWindows() {
	server, err := emulator.Start(emulator.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	ctx := context.Background()
	client := server.Client(repository.Configure(nil))
	if _, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
		log.Fatal(err)
	}
	db, err := client.NewDatabase("db")
	if err != nil {
		log.Fatal(err)
	}
	windows := admin.NewWindows(db, &monthly, generated.Keys{}) // as generated code does
	if err := exampleWindows(ctx, windows, time.Date(2021, time.January, 20, 0, 0, 0, 0, time.UTC)); err != nil {
		log.Fatal(err)
	}
	if err := exampleOldWindows(ctx, windows, time.Date(2021, time.April, 20, 0, 0, 0, 0, time.UTC)); err != nil {
		log.Fatal(err)
	}
	// Output:
	// telemetry-2020-01  created  the least that is allowed
	// telemetry-2020-02  created  the least that is allowed
	// telemetry-2020-03  created  the least that is allowed
	// telemetry-2020-04  created  the least that is allowed
	// telemetry-2020-05  created  the least that is allowed
	// telemetry-2020-06  created  the least that is allowed
	// telemetry-2020-07  created  the least that is allowed
	// telemetry-2020-08  created  the least that is allowed
	// telemetry-2020-09  created  the least that is allowed
	// telemetry-2020-10  created  the least that is allowed
	// telemetry-2020-11  created  the least that is allowed
	// telemetry-2020-12  created  the least that is allowed
	// telemetry-2021-01  created  autoscale up to 10000 RU/s
	// telemetry-2021-02  created  autoscale up to 10000 RU/s
	// telemetry-2020-01  would drop
	// telemetry-2020-02  would drop
	// telemetry-2020-03  would drop
}
