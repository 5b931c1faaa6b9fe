package mongo

import (
	"context"
	"fmt"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// measured is a document with values of several kinds.
type measured struct {
	ID        string    `json:"id"`
	Site      string    `json:"site"`
	Text      string    `json:"text"`
	Speed     int       `json:"speed"`
	Weight    float64   `json:"weight"`
	At        time.Time `json:"at"`
	Flag      bool      `json:"flag"`
	Tags      []string  `json:"tags"`
	Partition string    `json:"partitionKey"`
	ETag      string    `json:"_etag"`
}

// byHand is measured as a program without pkgen would declare it.
type byHand struct {
	ID        string    `bson:"_id"`
	Site      string    `bson:"site"`
	Text      string    `bson:"text"`
	Speed     int       `bson:"speed"`
	Weight    float64   `bson:"weight"`
	At        time.Time `bson:"at"`
	Flag      bool      `bson:"flag"`
	Tags      []string  `bson:"tags"`
	Partition string    `bson:"partitionKey"`
	ETag      string    `bson:"_etag"`
}

// By hand: generated code imports this package.
var measuredModel = generated.Model[measured, thingKey]{
	Type:       "measured",
	Path:       "/partitionKey",
	Synthetic:  true,
	Key:        func(m *measured) thingKey { return thingKey{m.Site, m.ID} },
	ID:         func(k thingKey) string { return k.ID },
	Text:       func(k thingKey) string { return "site-" + k.Site },
	Stored:     func(m *measured) *string { return &m.Partition },
	ETag:       func(m *measured) *string { return &m.ETag },
	Properties: &generated.Properties{ID: "id", ETag: "_etag", Stored: "partitionKey"},
}

// BenchmarkQuery reads 100 documents by a repository and by the driver alone, from a
// server that has its answer ready. The two differ in what a repository checks and wraps.
func BenchmarkQuery(b *testing.B) {
	ctx := context.Background()
	var batch bson.A
	for i := range 100 {
		batch = append(batch, byHand{
			ID: fmt.Sprint("reading-", i), Site: "a", Text: "some text", Speed: i, Weight: 1.5,
			At: time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC), Flag: true, Tags: []string{"one", "two"}, Partition: "site-a", ETag: "v",
		})
	}
	answer, err := bson.Marshal(cursorOf(0, "firstBatch", batch))
	if err != nil {
		b.Fatal(err)
	}
	db := serve(b, func(string, bson.Raw) any { return bson.Raw(answer) }).connect(b, Configure)
	docs := New(db, "readings", &measuredModel)
	c := db.Collection("readings")
	keys := generated.AnyOf([]string{"site-a"})
	repository := func(b *testing.B) {
		found, err := NewQuery(docs, keys).Collect(ctx)
		if err != nil || len(found) != 100 {
			b.Fatal(len(found), err)
		}
	}
	driver := func(b *testing.B) {
		cursor, err := c.Find(ctx, bson.D{{Key: "partitionKey", Value: "site-a"}})
		if err != nil {
			b.Fatal(err)
		}
		var found []*byHand
		if err := cursor.All(ctx, &found); err != nil || len(found) != 100 {
			b.Fatal(len(found), err)
		}
	}
	for name, query := range map[string]func(*testing.B){"repository": repository, "driver": driver} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				query(b)
			}
		})
	}
}
