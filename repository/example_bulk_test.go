package repository_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log"
	"slices"
	"testing"

	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// This file holds examples of bulk operations. They run in a test.

func exampleBulk(ctx context.Context, events *fleet.VehicleEventRepository, imported iter.Seq[*fleet.VehicleEvent]) error {
	for outcome := range events.UpsertAll(ctx, imported, repository.InBatches()) {
		if outcome.Err != nil {
			log.Printf("event %d, %s: %v", outcome.Index, outcome.Item.ID, outcome.Err)
		}
	}
	return ctx.Err()
}

func exampleSummarize(ctx context.Context, events *fleet.VehicleEventRepository, imported []*fleet.VehicleEvent) error {
	summary, err := repository.Summarize(events.CreateAll(ctx, slices.Values(imported),
		repository.WithRequestUnitBudget(2000), repository.WithBulkConcurrency(16)))
	log.Printf("%d of %d events failed, %.0f RU", summary.Failed, summary.Items, summary.RequestUnits)
	return err // joins the first ten failures
}

func exampleDeleteAllOf(ctx context.Context, events *fleet.VehicleEventRepository) error {
	slow := events.ByDate("2018-08-09").Where(fleet.VehicleEventFields.Speed.Lt(10))
	for outcome := range events.DeleteAllOf(ctx, slow, repository.InBatches()) {
		switch {
		case errors.Is(outcome.Err, repository.ErrPreconditionFailed):
			fmt.Println(outcome.Item.ID, "has changed since, and stays")
		case outcome.Err != nil:
			return outcome.Err
		}
	}
	return nil
}

// TestExamplesOfBulk runs them.
func TestExamplesOfBulk(t *testing.T) {
	_, events := newFleet(t)
	ctx := context.Background()
	all := make([]*fleet.VehicleEvent, 100)
	for i := range all {
		all[i] = event(i)
	}
	if err := exampleSummarize(ctx, events, all[:50]); err != nil {
		t.Error(err)
	}
	if err := exampleBulk(ctx, events, slices.Values(all)); err != nil {
		t.Error(err)
	}
	if err := exampleDeleteAllOf(ctx, events); err != nil {
		t.Error(err)
	}
	if n, err := events.Scan().Count(ctx); err != nil || n != 90 {
		t.Errorf("%d are stored, %v", n, err)
	}
}
