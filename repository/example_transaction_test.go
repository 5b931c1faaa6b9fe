package repository_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// A transaction stores documents of one logical partition, or none of them.
func ExampleTransaction() {
	events, stop := eventsOfADay()
	defer stop()
	ctx := context.Background()

	departure := &fleet.VehicleEvent{ID: "departure", Date: "2018-08-09", VIN: "1HGCM82633A004352"}
	arrival := &fleet.VehicleEvent{ID: "arrival", Date: "2018-08-09", VIN: "1HGCM82633A004352"}
	tx := repository.NewTransaction()
	must(events.In(tx).Create(departure))
	must(events.In(tx).Create(arrival))
	must(tx.Commit(ctx))

	tx = repository.NewTransaction()
	must(events.In(tx).Delete(arrival.Key()))
	must(events.In(tx).Create(departure))
	err := tx.Commit(ctx)
	var failed *repository.TransactionError
	if errors.As(err, &failed) && errors.Is(err, repository.ErrAlreadyExists) {
		fmt.Println("operation", failed.Operation, "is to blame")
	}
	_, err = events.Get(ctx, arrival.Key())
	fmt.Println("the arrival is still there:", err == nil)
	// Output:
	// operation 2 is to blame
	// the arrival is still there: true
}

// A transaction that reads gives its documents after Commit.
func ExamplePending() {
	events, stop := eventsOfADay()
	defer stop()
	ctx := context.Background()

	event := &fleet.VehicleEvent{ID: "departure", Date: "2018-08-09", VIN: "1HGCM82633A004352", Speed: 50}
	tx := repository.NewTransaction()
	must(events.In(tx).Upsert(event))
	pending, err := events.In(tx).Get(event.Key())
	must(err)
	must(tx.Commit(ctx))
	stored, err := pending.Doc()
	must(err)
	fmt.Println(stored.Speed)
	// Output: 50
}
