package repository_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// hashContainer is the properties of a container with composite indexes for readings.
func hashContainer(name, path string) azcosmos.ContainerProperties {
	return azcosmos.ContainerProperties{
		ID:                     name,
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Kind: azcosmos.PartitionKeyKindHash, Paths: []string{path}, Version: 2},
		IndexingPolicy: &azcosmos.IndexingPolicy{
			Automatic: true, IndexingMode: azcosmos.IndexingModeConsistent,
			IncludedPaths: []azcosmos.IncludedPath{{Path: "/*"}},
			CompositeIndexes: [][]azcosmos.CompositeIndex{
				{{Path: "/kind", Order: azcosmos.CompositeIndexAscending}, {Path: "/value", Order: azcosmos.CompositeIndexDescending}},
				{{Path: "/at", Order: azcosmos.CompositeIndexAscending}, {Path: "/value", Order: azcosmos.CompositeIndexAscending}},
			},
		},
	}
}

// readings are the repository of readings on an emulator.
type readings struct {
	*repository.Documents[fixtures.Reading, fixtures.ReadingKey]
	server *harness.Account
	db     *azcosmos.DatabaseClient
}

// newReadings is readings without containers.
func newReadings(t testing.TB, partitions int, opts ...repository.Option) readings {
	t.Helper()
	server, db := newDatabase(t, emulator.Options{Partitions: partitions}, nil)
	return readings{repository.NewIn(db, fixtures.ReadingModel, opts...), server, db}
}

// window is the month of 2024 with this number, and month its container.
func window(month int) string { return fmt.Sprintf("telemetry-2024-%02d", month) }

// make creates containers.
func (r readings) make(t testing.TB, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := r.db.CreateContainer(context.Background(), hashContainer(name, "/pk"), nil); err != nil {
			t.Fatal(err)
		}
	}
}

// drop removes a container.
func (r readings) drop(t testing.TB, name string) {
	t.Helper()
	container, err := r.db.NewContainer(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := container.Delete(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
}

// in returns how many documents a container has.
func (r readings) in(t testing.TB, name string) int {
	t.Helper()
	container, err := r.db.NewContainer(name)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	pager := container.NewQueryItemsPager("SELECT * FROM c", azcosmos.NewPartitionKey(), nil)
	for pager.More() {
		page, err := pager.NextPage(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		n += len(page.Items)
	}
	return n
}

// readingAt is a reading of a month of 2024.
func readingAt(id string, month, day int) *fixtures.Reading {
	return &fixtures.Reading{
		ID: id, Device: "d" + id[len(id)-1:], Kind: []string{"a", "b", "c"}[(month+day)%3], Value: month*31 + day,
		At: repository.NewTime(time.Date(2024, time.Month(month), day, 12, 0, 0, 0, time.UTC)),
	}
}

// wantError fails unless err matches all of wanted.
func wantError(t testing.TB, what string, err error, wanted ...error) {
	t.Helper()
	if err == nil || slices.ContainsFunc(wanted, func(w error) bool { return !errors.Is(err, w) }) {
		t.Errorf("%s: %v, want %v", what, err, wanted)
	}
}
