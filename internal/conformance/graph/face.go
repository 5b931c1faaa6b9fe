package graph

import (
	"context"
	"iter"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/gremlin"
	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/conformance"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Face returns the face of the Gremlin API. Client returns a client of a graph without vertices,
// whose partition key is /partitionKey. Vertices have no versions, so there are no pairs.
func Face(client func(t *testing.T) *gremlin.Client) conformance.Face {
	return conformance.Face{
		Name: "Gremlin", Resolution: 100 * time.Nanosecond, MaxInteger: 1<<53 - 1,
		Events: func(t *testing.T) conformance.Events { return eventsOf(NewEventRepository(client(t))) },
	}
}

func eventsOf(r *EventRepository) conformance.Events {
	compare := conformance.Compare[documents.Predicate[Event]](map[string]any{
		"id": EventFields.ID, "device": EventFields.Device, "at": EventFields.At, "text": EventFields.Text,
		"number": EventFields.Number, "ratio": EventFields.Ratio, "flag": EventFields.Flag, "optional": EventFields.Optional,
	})
	result := func(s documents.Summary, err error) (conformance.Result, error) {
		return conformance.Result{Items: s.Items, Failed: s.Failed}, err
	}
	return conformance.EventsOf(conformance.Repository[Event, EventKey, documents.Predicate[Event], gremlin.Query[Event]]{
		To: func(e conformance.Event) *Event {
			return &Event{
				ID: e.ID, Device: e.Device, At: e.At, Text: e.Text, Number: e.Number, Ratio: e.Ratio,
				Flag: e.Flag, Optional: e.Optional, Stored: e.Stored,
			}
		},
		From: func(e *Event) conformance.Event {
			return conformance.Event{
				ID: e.ID, Device: e.Device, At: e.At, Text: e.Text, Number: e.Number, Ratio: e.Ratio,
				Flag: e.Flag, Optional: e.Optional, Stored: e.Stored,
			}
		},
		Create: r.Create, Upsert: r.Upsert, Replace: r.Replace,
		KeyOf: (*Event).Key, Text: EventKey.PartitionKey, Get: r.Get, Exists: r.Exists, Delete: r.Delete, GetMany: r.GetMany,
		CreateAll: func(ctx context.Context, all iter.Seq[*Event]) (conformance.Result, error) {
			return result(r.CreateAll(documents.Sequence(all)).Collect(ctx))
		},
		UpsertAll: func(ctx context.Context, all iter.Seq[*Event]) (conformance.Result, error) {
			return result(r.UpsertAll(documents.Sequence(all)).Collect(ctx))
		},
		DeleteAll: func(ctx context.Context, all iter.Seq[EventKey]) (conformance.Result, error) {
			return result(r.DeleteAll(documents.Sequence(all)).Collect(ctx))
		},
		All: func() gremlin.Query[Event] { return gremlin.NewQuery(r.Documents, generated.Keys{}) },
		Day: r.ByAt, Partition: r.ByAtAndDevice, Between: r.ByAtBetween, DeviceBetween: r.ByDeviceBetween,
		Compare: func(c *condition.Comparison) (p documents.Predicate[Event], ok bool) {
			if c.Op == condition.EqFold { // queries refuse it
				return p, false
			}
			return compare(c)
		},
		And: documents.And[Event], Or: documents.Or[Event], Not: documents.Not[Event],
	})
}
