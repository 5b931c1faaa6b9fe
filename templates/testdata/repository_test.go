package behaviour

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"

	"golden.test/ambiguous"
	"golden.test/hierarchy"
	"golden.test/lower"
)

// container makes a container on an emulator with five physical partitions.
func container(t *testing.T, properties azcosmos.ContainerProperties) *azcosmos.ContainerClient {
	t.Helper()
	client := emulator.New(t, emulator.Options{Partitions: 5}).Client(repository.Configure(nil))
	if _, err := client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
		t.Fatal(err)
	}
	db, err := client.NewDatabase("db")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.CreateContainer(t.Context(), properties, nil); err != nil {
		t.Fatal(err)
	}
	c, err := db.NewContainer(properties.ID)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// create stores documents.
func create[T any](t *testing.T, store func(context.Context, *T) error, docs ...*T) {
	t.Helper()
	for _, doc := range docs {
		if err := store(t.Context(), doc); err != nil {
			t.Fatal(err)
		}
	}
}

// expect compares the ids of what a query finds.
func expect[T any](t *testing.T, name string, q repository.Query[T], id func(*T) string, want ...string) {
	t.Helper()
	docs, err := q.Collect(t.Context())
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	var got []string
	for _, doc := range docs {
		got = append(got, id(doc))
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", name, got, want)
	}
}

// TestAmbiguousDocuments stores a document where another one of the same
// partition key and id would be, and finds that nothing confuses them.
func TestAmbiguousDocuments(t *testing.T) {
	messages := ambiguous.NewMessageRepository(container(t, ambiguous.MessageContainer()))
	message := func(id, from string, to ambiguous.Address) *ambiguous.Message {
		return &ambiguous.Message{ID: id, From: from, To: to, At: noon, Line: 1, Owner: sample.Owner, Batch: ambiguous.Batch{N: 7}}
	}
	mine, other := message("1", "a-b", "C"), message("1", "a", "B-c")
	create(t, messages.Create, mine, message("2", "a", "b-c"))
	if mine.PartitionKey() != other.PartitionKey() {
		t.Fatalf("%q and %q differ", mine.PartitionKey(), other.PartitionKey())
	}
	ctx := t.Context()
	if _, err := messages.Get(ctx, other.Key()); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("Get: %v", err)
	}
	if err := messages.Delete(ctx, other.Key()); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("Delete: %v", err)
	}
	if err := messages.Replace(ctx, other); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("Replace: %v", err)
	}
	if err := messages.Upsert(ctx, other); !errors.Is(err, repository.ErrAlreadyExists) {
		t.Errorf("Upsert: %v", err)
	}
	id := func(m *ambiguous.Message) string { return m.ID }
	by := messages.ByFromAndToAndAtAndLineAndOwnerAndBatch
	expect(t, "mine", by("a-b", "c", noon.UTC(), 1, mine.Owner, mine.Batch), id, "1")
	expect(t, "the other", by("a", "B-C", noon, 1, mine.Owner, mine.Batch), id, "2")
	expect(t, "a range", messages.ByFromAndToAndLineAndOwnerAndBatchBetweenDays("a-b", "C", 1, mine.Owner, mine.Batch, noon.AddDate(0, 0, -1), noon), id, "1")
	if err := messages.Upsert(ctx, mine); err != nil {
		t.Errorf("Upsert of one's own: %v", err)
	}
	if err := messages.Delete(ctx, mine.Key()); err != nil {
		t.Errorf("Delete of one's own: %v", err)
	}
}

func TestHierarchicalDocuments(t *testing.T) {
	events := hierarchy.NewEventRepository(container(t, hierarchy.EventContainer()))
	at := func(month time.Month) time.Time { return time.Date(2024, month, 29, 23, 59, 0, 0, time.UTC) }
	create(t, events.Create,
		&hierarchy.Event{ID: "1", TenantID: "t", UserID: "u", At: at(2)},
		&hierarchy.Event{ID: "2", TenantID: "t", UserID: "u", At: at(3)},
		&hierarchy.Event{ID: "3", TenantID: "t", UserID: "u", At: at(5)},
		&hierarchy.Event{ID: "4", TenantID: "t", UserID: "v", At: at(3)},
		&hierarchy.Event{ID: "5", TenantID: "s", UserID: "u", At: at(3)},
	)
	id := func(e *hierarchy.Event) string { return e.ID }
	expect(t, "tenant", events.ByTenantID("t"), id, "1", "2", "3", "4")
	expect(t, "user", events.ByTenantIDAndUserID("t", "u"), id, "1", "2", "3")
	expect(t, "month", events.ByTenantIDAndUserIDAndAt("t", "u", at(3)), id, "2")
	expect(t, "months", events.ByTenantIDAndUserIDBetweenMonths("t", "u", at(2), at(4)), id, "1", "2")
	doc, err := events.Get(t.Context(), hierarchy.EventKey{ID: "1", TenantID: "t", UserID: "u", At: at(2)})
	if err != nil || doc.Month != "2024-02" {
		t.Errorf("%+v, %v", doc, err)
	}

	metrics := hierarchy.NewMetricRepository(container(t, hierarchy.MetricContainer()))
	create(t, metrics.Create,
		&hierarchy.Metric{ID: "1", Day: at(2), VIN: "v", Host: "Web"},
		&hierarchy.Metric{ID: "2", Day: at(2), VIN: "w", Host: "web"},
		&hierarchy.Metric{ID: "3", Day: at(3), VIN: "v", Host: "db"},
	)
	metric := func(m *hierarchy.Metric) string { return m.ID }
	expect(t, "day", metrics.ByDay(at(2)), metric, "1", "2")
	expect(t, "day and VIN", metrics.ByDayAndVIN(at(2), "v"), metric, "1")
	expect(t, "host", metrics.ByDayAndVINAndHost(at(2), "v", "WEB"), metric, "1")
	expect(t, "days", metrics.ByDayBetweenDays(at(2), at(3)), metric, "1", "2", "3")
	expect(t, "days and VIN", metrics.ByVINBetweenDays("v", at(2), at(3)), metric, "1", "3")

	hits := hierarchy.NewHitRepository(container(t, hierarchy.HitContainer()))
	create(t, hits.Create, &hierarchy.Hit{ID: "1", Date: "d", UserID: "u"}, &hierarchy.Hit{ID: "2", Date: "d", UserID: "v"})
	hit := func(h *hierarchy.Hit) string { return h.ID }
	expect(t, "date", hits.ByDate("d"), hit, "1", "2")
	expect(t, "date and user", hits.ByDateAndUserID("d", "v"), hit, "2")
	if found, err := hits.FindInBuckets(t.Context(), "2", "d", "v"); err != nil || found.ID != "2" {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestLowerCaseDocuments(t *testing.T) {
	rides := lower.NewRideRepository(container(t, lower.RideContainer()))
	create(t, rides.Create, &lower.Ride{ID: "1", Date: "d", VIN: "AbC"}, &lower.Ride{ID: "2", Date: "d", VIN: "x"})
	expect(t, "another case", rides.ByDateAndVIN("d", "aBc"), func(r *lower.Ride) string { return r.ID }, "1")
}
