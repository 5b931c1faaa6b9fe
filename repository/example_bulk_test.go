package repository_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log"
	"slices"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// This file holds examples of bulk operations. They run in a test.

func ExampleBulk_Collect() {
	server, err := emulator.Start(emulator.Options{})
	if err != nil {
		log.Panic(err)
	}
	defer server.Close()
	ctx := context.Background()
	client := server.Client(repository.Configure(nil))
	if _, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "fleet"}, nil); err != nil {
		log.Panic(err)
	}
	db, err := client.NewDatabase("fleet")
	if err != nil {
		log.Panic(err)
	}
	container, err := fleet.EnsureVehicleEventContainer(ctx, db, admin.Autoscale(4000))
	if err != nil {
		log.Panic(err)
	}
	events := fleet.NewVehicleEventRepository(container)
	list := []*fleet.VehicleEvent{
		{ID: "1", Date: "2018-08-09", VIN: "1HGCM82633A004352"},
		{ID: "2", Date: "2018-08-09", VIN: "1HGCM82633A004352"},
		{ID: "1", Date: "2018-08-09", VIN: "1HGCM82633A004352"}, // is there then
	}

	summary, err := events.CreateAll(documents.Items(list...)).Collect(ctx)
	fmt.Println(summary.Items, summary.AlreadyExists, errors.Is(err, documents.ErrAlreadyExists))
	// Output: 3 1 true
}

func exampleCreateAll(ctx context.Context, events *fleet.VehicleEventRepository, imported []*fleet.VehicleEvent) error {
	summary, err := events.CreateAll(documents.Items(imported...),
		documents.WithRequestUnitBudget(2000), documents.WithBulkConcurrency(16)).Collect(ctx)
	log.Printf("%d of %d events failed, %.0f RU", summary.Failed, summary.Items, summary.RequestUnits)
	return err // nil if every event was stored
}

func exampleUpsertAllOfQuery(ctx context.Context, events, archive *fleet.VehicleEventRepository) error {
	_, err := archive.UpsertAll(events.ByDate("2018-08-09").All(ctx), documents.InBatches()).Collect(ctx)
	return err
}

func exampleOutcomes(ctx context.Context, events *fleet.VehicleEventRepository, imported iter.Seq[*fleet.VehicleEvent]) error {
	for outcome := range events.UpsertAll(documents.Sequence(imported), documents.InBatches()).All(ctx) {
		if outcome.Err != nil {
			log.Printf("event %d, %s: %v", outcome.Index, outcome.Item.ID, outcome.Err)
		}
	}
	return ctx.Err()
}

func exampleInTransactions(ctx context.Context, lines *repository.Documents[fixtures.Line, fixtures.LineKey], byCustomer iter.Seq[*fixtures.Line]) {
	for outcome := range lines.CreateAll(documents.Sequence(byCustomer), documents.InTransactions()).All(ctx) {
		var refused *repository.TransactionError
		switch {
		case errors.Is(outcome.Err, repository.ErrRolledBack) && errors.As(outcome.Err, &refused):
			log.Printf("line %d waits until line %s is correct", outcome.Index, refused.ID)
		case outcome.Err != nil:
			log.Printf("line %d: %v", outcome.Index, outcome.Err)
		}
	}
}

func exampleDeleteFound(ctx context.Context, events *fleet.VehicleEventRepository) error {
	slow := events.ByDate("2018-08-09").Where(fleet.VehicleEventFields.Speed.Lt(10))
	summary, err := events.DeleteFound(slow, documents.InBatches()).Collect(ctx)
	if errors.Is(err, repository.ErrPreconditionFailed) && summary.Failed == summary.PreconditionFailed {
		fmt.Println(summary.Failed, "have changed since, and stay")
		return nil
	}
	return err
}

// TestExamplesOfBulk runs them.
func TestExamplesOfBulk(t *testing.T) {
	t.Parallel()
	_, events := kit.NewFleet(t)
	_, archive := kit.NewFleet(t)
	ctx := context.Background()
	all := make([]*fleet.VehicleEvent, 100)
	for i := range all {
		all[i] = kit.Event(i)
	}
	if err := exampleCreateAll(ctx, events, all[:50]); err != nil {
		t.Error(err)
	}
	if err := exampleOutcomes(ctx, events, slices.Values(all)); err != nil {
		t.Error(err)
	}
	if err := exampleUpsertAllOfQuery(ctx, events, archive); err != nil {
		t.Error(err)
	}
	if err := exampleDeleteFound(ctx, events); err != nil {
		t.Error(err)
	}
	lines := kit.NewShop(t).Lines
	exampleInTransactions(ctx, lines, slices.Values([]*fixtures.Line{{ID: "l1", Customer: "ada"}}))
	exampleInTransactions(ctx, lines, slices.Values([]*fixtures.Line{{ID: "l2", Customer: "ada"}, {ID: "l1", Customer: "ada"}, {ID: "l1", Customer: "bob"}}))
	if n, err := repository.NewQuery(lines, generated.Keys{}).Count(ctx); err != nil || n != 2 {
		t.Errorf("%d lines are stored, %v", n, err)
	}
	if n, err := events.Scan().Count(ctx); err != nil || n != 90 {
		t.Errorf("%d are stored, %v", n, err)
	}
	if n, err := archive.Scan().Count(ctx); err != nil || n != 100 {
		t.Errorf("%d are archived, %v", n, err)
	}
}
