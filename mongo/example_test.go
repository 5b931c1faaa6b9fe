package mongo

import (
	"context"
	"fmt"
	"log"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// exampleTB is a testing.TB for examples.
type exampleTB struct {
	testing.TB
	ends []func()
}

func (*exampleTB) Helper()            {}
func (s *exampleTB) Cleanup(f func()) { s.ends = append(s.ends, f) }
func (s *exampleTB) end() {
	for _, f := range s.ends {
		f()
	}
}

// A program with generated code calls NewThingRepository(db) in place of New.
func ExampleNew() {
	t := new(exampleTB)
	defer t.end()
	server := serve(t, func(name string, _ bson.Raw) any { // in place of an account
		fmt.Println(name)
		return bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: 1}}
	})
	client, err := driver.Connect(Configure(options.Client().ApplyURI("mongodb://" + server.listener.Addr().String())))
	if err != nil {
		log.Panic(err)
	}
	ctx := context.Background()
	defer func() { _ = client.Disconnect(ctx) }()

	things := New(client.Database("db"), "things", thingModel())
	fmt.Println(things.Create(ctx, &thing{ID: "1", Site: "a"}))
	fmt.Println(things.Delete(ctx, thingKey{"a", "1"}))
	// Output:
	// insert
	// <nil>
	// delete
	// <nil>
}
