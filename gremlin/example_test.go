package gremlin

import (
	"context"
	"fmt"
	"log"
	"testing"
)

// exampleTB is a testing.TB for examples.
type exampleTB struct {
	testing.TB
	ends []func()
}

func (*exampleTB) Helper()            {}
func (s *exampleTB) Cleanup(f func()) { s.ends = append([]func(){f}, s.ends...) }
func (s *exampleTB) end() {
	for _, f := range s.ends {
		f()
	}
}

// A program with generated code calls NewThingRepository(client) in place of New.
func ExampleNew() {
	t := new(exampleTB)
	defer t.end()
	_, client := serve(t, ok("[1]"), ok("["+thing+"]")) // in place of NewClient with an account

	ctx := context.Background()
	things := New(client, "Thing", &thingModel)
	fmt.Println(things.Create(ctx, &Thing{ID: "1", Key: "k", Speed: 1.5}))
	found, err := things.Get(ctx, thingKey{"k", "1"})
	if err != nil {
		log.Panic(err)
	}
	fmt.Println(found.Speed)
	// Output:
	// <nil>
	// 1.5
}
