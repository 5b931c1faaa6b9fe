package ferretdb

import (
	"context"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

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
