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
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// A reading is in a container for each month, telemetry-{at|2006-01}, under the key
// {device}-{at|2006-01-02}.
type reading struct {
	ID     string          `json:"id"`
	Device string          `json:"device"`
	At     repository.Time `json:"at"`
	Value  int             `json:"value"`
	Kind   string          `json:"kind"`
	Stored string          `json:"pk"`
	ETag   string          `json:"_etag,omitempty"`
}

type readingKey struct {
	ID, Device string
	At         time.Time // the day
}

func (k readingKey) Validate() error {
	return partition.Check("reading", partition.ID(k.ID), partition.Text("Device", k.Device), partition.Time("At", k.At))
}

func (k readingKey) text() string { return k.Device + "-" + k.At.Format("2006-01-02") }

func (k readingKey) container() string {
	var array [64]byte
	return string(k.At.UTC().AppendFormat(append(array[:0], "telemetry-"...), "2006-01"))
}

func (x *reading) key() readingKey {
	return readingKey{x.ID, x.Device, partition.Day(x.At.Time())}
}

var readingModel = generated.Model[reading, readingKey]{
	Type: "reading", Path: "/pk", Synthetic: true,
	Key:    (*reading).key,
	ID:     func(k readingKey) string { return k.ID },
	Text:   readingKey.text,
	Stored: func(x *reading) *string { return &x.Stored },
	ETag:   func(x *reading) *string { return &x.ETag },
	Containers: &generated.Containers[readingKey]{
		Parts:    []generated.ContainerPart{{Text: "telemetry-"}, {Field: "At", Layout: "2006-01"}},
		Name:     readingKey.container,
		Time:     func(k readingKey) time.Time { return k.At },
		Property: "/at",
		Properties: func(name string) azcosmos.ContainerProperties {
			return hashContainer(name, "/pk")
		},
		Ensure: "EnsureReadingContainer",
	},
}

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
	*repository.Documents[reading, readingKey]
	server *harness.Account
	db     *azcosmos.DatabaseClient
}

// newReadings is readings without containers.
func newReadings(t testing.TB, partitions int, opts ...repository.Option) readings {
	t.Helper()
	server, db := newDatabase(t, emulator.Options{Partitions: partitions}, nil)
	return readings{repository.NewIn(db, &readingModel, opts...), server, db}
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
func readingAt(id string, month, day int) *reading {
	return &reading{
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
