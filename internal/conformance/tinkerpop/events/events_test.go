package events_test

import (
	"context"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/gremlin"
	"github.com/cosmos-pkgen/pkgen/internal/conformance"
	"github.com/cosmos-pkgen/pkgen/internal/conformance/tinkerpop"
	"github.com/cosmos-pkgen/pkgen/internal/conformance/tinkerpop/events"
)

func TestConformance(t *testing.T) {
	s := tinkerpop.Start(t, "partitionKey")
	conformance.Run(t, events.Face(func(t *testing.T) *gremlin.Client {
		client := s.Client(t)
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if _, err := client.Submit(ctx, "g.V().drop()", nil); err != nil {
			t.Fatal(err)
		}
		return client
	}))
}
