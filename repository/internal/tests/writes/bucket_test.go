package writes

import (
	"errors"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestSameBucketAndID has the plans of two rooms that share a bucket, with one id: no write
// of one meets the other.
func TestSameBucketAndID(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	_, container := harness.NewContainer(t, emulator.Options{}, fixtures.PlanContainer(), repository.Configure(harness.Once()))
	all := fixtures.NewPlanRepository(container)
	plan := func(room, text string) *fixtures.Plan {
		return &fixtures.Plan{ID: "d-2026-11-06", TenantID: "t", RoomID: room, Text: text}
	}
	one, other := plan("1", "stored"), plan("2", "stranger")
	for one.PartitionKey() != other.PartitionKey() {
		other.RoomID += "x"
	}
	kit.MustPass(t, all.Create(ctx, one))
	for what, write := range map[string]func() error{
		"Create":  func() error { return all.Create(ctx, other) },
		"Upsert":  func() error { return all.Upsert(ctx, other) },
		"Replace": func() error { return all.Replace(ctx, other) },
		"Delete":  func() error { return all.Delete(ctx, other.Key()) },
		"Patch":   func() error { return all.Patch(ctx, other.Key(), fixtures.PlanPatch.Text.Set("x")) },
		"UpsertAll in batches": func() error {
			_, err := all.UpsertAll(documents.Sequence(kit.These(other)), documents.InBatches()).Collect(ctx)
			return err
		},
		"DeleteAll": func() error {
			_, err := all.DeleteAll(documents.Sequence(kit.These(other.Key()))).Collect(ctx)
			return err
		},
		"Upsert in a transaction": func() error {
			return kit.Commit(ctx, func(tx *repository.Transaction) error { return all.In(tx).Upsert(other) })
		},
		"Replace in a transaction": func() error {
			return kit.Commit(ctx, func(tx *repository.Transaction) error { return all.In(tx).Replace(other) })
		},
	} {
		if err := write(); !errors.Is(err, repository.ErrAlreadyExists) && !errors.Is(err, repository.ErrNotFound) {
			t.Errorf("%s: %v", what, err)
		}
		if got, err := all.Get(ctx, one.Key()); err != nil || got.Text != "stored" {
			t.Fatalf("%s: got %+v, %v", what, got, err)
		}
	}
	if _, err := all.Get(ctx, other.Key()); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("Get of the other one: %v", err)
	}
	one.Text = "changed"
	kit.MustPass(t, all.Upsert(ctx, one), all.Delete(ctx, one.Key()), all.Upsert(ctx, other))
}
