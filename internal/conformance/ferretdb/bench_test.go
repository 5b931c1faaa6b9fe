package ferretdb

import (
	"context"
	"fmt"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/cosmos-pkgen/pkgen/mongo"
)

// Benchmarks compare the repository with the driver by hand, on the same server and with
// the same client: the goal is at most 1.1 times the time.

// byHand is a document as a program without pkgen would store it.
type byHand struct {
	ID        string `bson:"_id"`
	Partition string `bson:"partitionKey"`
	Site      string `bson:"site"`
	Text      string `bson:"text"`
	Speed     int    `bson:"speed"`
	ETag      string `bson:"_etag"`
}

func BenchmarkCreate(b *testing.B) {
	ctx := context.Background()
	b.Run("repository", func(b *testing.B) {
		docs := mongo.New(open(b, nil), "readings", &readingModel)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if err := docs.Create(ctx, &reading{ID: fmt.Sprint(i), Site: "a", Text: "text", Speed: i}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("driver", func(b *testing.B) {
		c := open(b, nil).Collection("readings")
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if _, err := c.InsertOne(ctx, asStored(i)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// asStored has the same properties as the document of the repository.
func asStored(i int) bson.D {
	return bson.D{
		{Key: "_id", Value: fmt.Sprint(i)}, {Key: "site", Value: "a"}, {Key: "text", Value: "text"}, {Key: "speed", Value: i},
		{Key: "weight", Value: nil}, {Key: "at", Value: bson.DateTime(0)}, {Key: "flag", Value: false}, {Key: "raw", Value: nil},
		{Key: "tags", Value: nil}, {Key: "names", Value: nil}, {Key: "meta", Value: nil}, {Key: "object", Value: bson.ObjectID{}},
		{Key: "partitionKey", Value: "site-a"}, {Key: "_etag", Value: "v"},
	}
}

func BenchmarkRead(b *testing.B) {
	ctx := context.Background()
	db := open(b, nil)
	docs := mongo.New(db, "readings", &readingModel)
	for i := range 100 {
		if err := docs.Create(ctx, &reading{ID: fmt.Sprint(i), Site: "a", Text: "text", Speed: i}); err != nil {
			b.Fatal(err)
		}
	}
	c := db.Collection("readings")
	b.Run("get/repository", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := docs.Get(ctx, readingKey{"a", "7"}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("get/driver", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var doc byHand
			if err := c.FindOne(ctx, bson.D{{Key: "_id", Value: "7"}, {Key: "partitionKey", Value: "site-a"}}).Decode(&doc); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("query/repository", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			found, err := mongo.NewQuery(docs, site("a")).Collect(ctx)
			if err != nil || len(found) != 100 {
				b.Fatal(len(found), err)
			}
		}
	})
	b.Run("query/driver", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			cursor, err := c.Find(ctx, bson.D{{Key: "partitionKey", Value: "site-a"}})
			if err != nil {
				b.Fatal(err)
			}
			var found []*byHand
			if err := cursor.All(ctx, &found); err != nil || len(found) != 100 {
				b.Fatal(len(found), err)
			}
		}
	})
}
