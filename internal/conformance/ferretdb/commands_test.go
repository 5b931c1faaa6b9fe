package ferretdb

import (
	"context"
	"slices"
	"sync"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/event"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/mongo"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// TestCommandsCarryTheShardKey sees each command for documents: Cosmos DB sends one
// without the shard key to all physical partitions, or refuses it.
func TestCommandsCarryTheShardKey(t *testing.T) {
	ctx := context.Background()
	var mu sync.Mutex
	var names []string
	var wrong []string
	collect := &event.CommandMonitor{Started: func(_ context.Context, e *event.CommandStartedEvent) {
		mu.Lock()
		defer mu.Unlock()
		names = append(names, e.CommandName)
		if !carries(e) {
			wrong = append(wrong, e.Command.String())
		}
	}}
	db := open(t, collect)
	docs := mongo.New(db, "readings", &readingModel, documents.WithPageSize(2))
	var meter documents.Meter
	ctx = documents.WithMeter(ctx, &meter)
	for i := range 7 {
		doc := full(string(rune('a'+i)), string(rune('a'+i%2)))
		if err := docs.Create(ctx, doc); err != nil {
			t.Fatal(err)
		}
		if err := docs.Upsert(ctx, doc); err != nil {
			t.Fatal(err)
		}
		if err := docs.Replace(ctx, doc); err != nil {
			t.Fatal(err)
		}
		if _, err := docs.Get(ctx, readingModel.Key(doc)); err != nil {
			t.Fatal(err)
		}
	}
	for _, keys := range []generated.Keys{site("a"), site("a", "b")} {
		q := mongo.NewQuery(docs, keys).Where(readingFields.Speed.Lt(9))
		found, err := q.Collect(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := q.Count(ctx); err != nil || n != len(found) {
			t.Errorf("counted %d, %v: want %d", n, err, len(found))
		}
		for cursor := ""; ; {
			found, err := q.OrderBy(readingFields.Speed.Asc()).Page(ctx, cursor, 2)
			next := found.Cursor
			if err != nil {
				t.Fatal(err)
			}
			if cursor = next; next == "" {
				break
			}
		}
	}
	if err := docs.Delete(ctx, readingKey{"a", "a"}); err != nil {
		t.Error(err)
	}
	mu.Lock()
	defer mu.Unlock()
	for _, text := range wrong {
		t.Errorf("no shard key: %s", text)
	}
	for _, name := range []string{"insert", "update", "find", "getMore", "aggregate", "delete"} {
		if !slices.Contains(names, name) {
			t.Errorf("no %s was seen", name)
		}
	}
	requests := 0
	for _, name := range names {
		if name != "killCursors" {
			requests++
		}
	}
	if meter.Requests() != requests || meter.Retries() != 0 {
		t.Errorf("the meter has %d requests and %d retries, and %d were seen", meter.Requests(), meter.Retries(), requests)
	}
}

// TestReplaceIsOneCommand sees that a replace on a version compares it in the
// filter of the command that writes: the service writes one document atomically. FerretDB
// does not, so it cannot show that one of two writes loses.
func TestReplaceIsOneCommand(t *testing.T) {
	var mu sync.Mutex
	var seen []*event.CommandStartedEvent
	db := open(t, &event.CommandMonitor{Started: func(_ context.Context, e *event.CommandStartedEvent) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, e)
	}})
	docs := mongo.New(db, "readings", &readingModel)
	doc := full("a", "a")
	if err := docs.Create(t.Context(), doc); err != nil {
		t.Fatal(err)
	}
	version := doc.ETag
	mu.Lock()
	seen = nil
	mu.Unlock()
	if err := docs.Replace(t.Context(), doc); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(seen) != 1 || seen[0].CommandName != "update" {
		t.Fatalf("%d commands: %+v", len(seen), seen)
	}
	if got, ok := seen[0].Command.Lookup("updates", "0", "q", "_etag").StringValueOK(); !ok || got != version || doc.ETag == version {
		t.Errorf("the filter has version %q, and the document had %q and has %q", got, version, doc.ETag)
	}
}

// carries reports whether a command has the shard key where the service looks for it: at
// the top of each document or filter.
func carries(e *event.CommandStartedEvent) bool {
	const shard = "partitionKey"
	each := func(list string, inner ...string) bool {
		values, err := e.Command.Lookup(list).Array().Values()
		if err != nil || len(values) == 0 {
			return false
		}
		for _, v := range values {
			if _, err := v.Document().LookupErr(append(inner, shard)...); err != nil {
				return false
			}
		}
		return true
	}
	var err error
	switch e.CommandName {
	case "insert":
		return each("documents")
	case "update":
		return each("updates", "q") && each("updates", "u")
	case "delete":
		return each("deletes", "q")
	case "find":
		_, err = e.Command.LookupErr("filter", shard)
	case "aggregate":
		var match bson.RawValue
		if match, err = e.Command.LookupErr("pipeline", "0", "$match", shard); err == nil {
			err = match.Validate()
		}
	}
	return err == nil
}
