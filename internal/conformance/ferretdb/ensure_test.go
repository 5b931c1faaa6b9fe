package ferretdb

import (
	"bytes"
	"context"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/event"

	"github.com/cosmos-pkgen/pkgen/internal/conformance/mongodb"
	"github.com/cosmos-pkgen/pkgen/mongo"
)

// TestEnsurePlain has a server without shards: the collection and its indexes are made.
func TestEnsurePlain(t *testing.T) {
	ctx := context.Background()
	db := open(t, nil)
	want := mongo.Collection{Name: "readings", ShardKey: "partitionKey", Indexes: [][]mongo.Index{{{Name: "speed"}, {Name: "at", Descending: true}}}}
	for range 2 {
		if err := mongo.Ensure(ctx, db, want, mongo.Autoscale(4000)); err != nil {
			t.Fatal(err)
		}
	}
	specifications, err := db.Collection("readings").Indexes().ListSpecifications(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, s := range specifications {
		keys = append(keys, s.KeysDocument.String())
	}
	if len(keys) != 2 {
		t.Fatalf("the indexes are %v", keys)
	}
	var got bson.D
	if err := bson.Unmarshal(specifications[1].KeysDocument, &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || got[0].Key != "speed" || got[1].Key != "at" || got[2].Key != "_id" {
		t.Errorf("the index is %v", got)
	}
}

// TestEnsureByID sees the commands of a type whose id is its key: the property that is
// stored is _id, whatever the struct calls it.
func TestEnsureByID(t *testing.T) {
	ctx := context.Background()
	commands := map[string]bson.Raw{}
	db := open(t, &event.CommandMonitor{Started: func(_ context.Context, e *event.CommandStartedEvent) {
		commands[e.CommandName] = bytes.Clone(e.Command)
	}})
	if err := mongodb.EnsureSessionCollection(ctx, db, mongo.Throughput{}); err != nil {
		t.Fatal(err)
	}
	if key, _ := commands["customAction"].Lookup("shardKey").StringValueOK(); key != "_id" {
		t.Errorf("the shard key is %q", key)
	}
	if index := commands["createIndexes"].Lookup("indexes", "0", "key").String(); index != `{"user": {"$numberInt":"1"},"_id": {"$numberInt":"-1"}}` {
		t.Errorf("the index is %s", index)
	}
	sessions := mongodb.NewSessionRepository(db)
	want := &mongodb.Session{ID: "a", User: "ann"}
	if err := sessions.Create(ctx, want); err != nil {
		t.Fatal(err)
	}
	got, err := sessions.Get(ctx, want.Key())
	if err != nil || *got != *want {
		t.Errorf("got %v, %v", got, err)
	}
	if filter := commands["find"].Lookup("filter").String(); filter != `{"_id": "a"}` {
		t.Errorf("the filter is %s", filter)
	}
	fields := mongodb.SessionFields
	found, err := sessions.Scan().Where(fields.ID.Eq("a")).OrderBy(fields.User.Asc(), fields.ID.Desc()).Collect(ctx)
	if err != nil || len(found) != 1 || *found[0] != *want {
		t.Errorf("found %v, %v", found, err)
	}
}
