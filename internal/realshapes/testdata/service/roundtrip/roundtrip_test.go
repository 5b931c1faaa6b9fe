// Package roundtrip stores a document of each type of this module, and reads it
// back in every way.
package roundtrip

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

// database is empty, on an emulator with five physical partitions.
func database(t *testing.T) *azcosmos.DatabaseClient {
	t.Helper()
	client := emulator.New(t, emulator.Options{Partitions: 5}).Client(repository.Configure(nil))
	if _, err := client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
		t.Fatal(err)
	}
	db, err := client.NewDatabase("db")
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// ensure is an Ensure…Container function.
type ensure func(context.Context, *azcosmos.DatabaseClient, admin.Throughput, ...admin.EnsureOption) (*azcosmos.ContainerClient, error)

// in makes the container of a type, and its repository.
func in[R any](t *testing.T, db *azcosmos.DatabaseClient, ensured ensure, newRepository func(*azcosmos.ContainerClient, ...repository.Option) R) (R, *azcosmos.ContainerClient) {
	t.Helper()
	c, err := ensured(t.Context(), db, admin.AnyThroughput())
	if err != nil {
		t.Fatal(err)
	}
	return newRepository(c), c
}

// trip is what happens to a document.
type trip[T any] struct {
	document *T
	key      string              // of the partition, as the JSON of a request's header
	query    repository.Query[T] // finds the document alone

	changes []repository.PatchOperation[T] // none where the type has no patch
	changed func(*T)                       // does the same
}

// documents is the part of a repository that this is about. The compiler makes
// the methods of an interface once, and those of a generic type again for each
// package that names it.
type documents[T any, K comparable] interface {
	Create(ctx context.Context, document *T) error
	Get(ctx context.Context, key K) (*T, error)
	Replace(ctx context.Context, document *T) error
	Patch(ctx context.Context, key K, operations ...repository.PatchOperation[T]) error
	Delete(ctx context.Context, key K) error
}

// run creates the document, finds it by the id, by the key as another program
// would write it, and by the query, changes and deletes it.
func run[T any, K comparable](t *testing.T, c *azcosmos.ContainerClient, d documents[T, K], key K, trip trip[T]) {
	t.Helper()
	ctx := t.Context()
	if err := d.Create(ctx, trip.document); err != nil {
		t.Fatal(err)
	}
	want := propertiesOf(t, trip.document)
	if _, err := c.ReadItem(ctx, partitionKey(t, trip.key), want["id"].(string), nil); err != nil {
		t.Errorf("nothing is stored under the key %s: %v", trip.key, err)
	}
	same := func(way string, got *T, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", way, err)
		}
		if diff := cmp.Diff(want, propertiesOf(t, got)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", way, diff)
		}
	}
	got, err := d.Get(ctx, key)
	same("Get", got, err)
	all, err := trip.query.Collect(ctx)
	if len(all) != 1 {
		t.Fatalf("the query finds %d documents: %v", len(all), err)
	}
	same("the query", all[0], err)

	if trip.changed != nil {
		if err := d.Patch(ctx, key, trip.changes...); err != nil {
			t.Fatal(err)
		}
		trip.changed(trip.document)
		want = propertiesOf(t, trip.document)
		got, err := d.Get(ctx, key)
		same("Get after Patch", got, err)
		if err := d.Replace(ctx, got); err != nil {
			t.Fatal(err)
		}
		got, err = d.Get(ctx, key)
		same("Get after Replace", got, err)
	}
	if err := d.Delete(ctx, key); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Get(ctx, key); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("after Delete: got %v", err)
	}
}

// propertiesOf returns the JSON of a document without what the service adds.
func propertiesOf(t *testing.T, document any) map[string]any {
	t.Helper()
	text, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"_rid", "_self", "_etag", "_attachments", "_ts"} {
		delete(out, name)
	}
	return out
}

// partitionKey makes the key of a request from its JSON.
func partitionKey(t *testing.T, text string) azcosmos.PartitionKey {
	t.Helper()
	var values []any
	if err := json.Unmarshal([]byte(text), &values); err != nil {
		t.Fatal(err)
	}
	key := azcosmos.NewPartitionKey()
	for _, v := range values {
		switch v := v.(type) {
		case string:
			key = key.AppendString(v)
		case float64:
			key = key.AppendNumber(v)
		case bool:
			key = key.AppendBool(v)
		}
	}
	return key
}

// at is an instant whose day and month in UTC are not those of its own zone.
var at = time.Date(2024, 5, 31, 23, 30, 5, 250_000_000, time.FixedZone("", -3*60*60))

// list is short for a slice of changes.
func list[T any](changes ...repository.PatchOperation[T]) []repository.PatchOperation[T] {
	return changes
}
