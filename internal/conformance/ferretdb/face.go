package ferretdb

import (
	"context"
	"iter"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/conformance"
	"github.com/cosmos-pkgen/pkgen/mongo"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Face returns the face of the MongoDB API. Database returns a database that is removed
// with the test.
func Face(database func(t *testing.T) *mongo.Database) conformance.Face {
	return conformance.Face{
		Name: "MongoDB", Versions: true, Resolution: time.Millisecond, MaxInteger: 1<<63 - 1,
		Events: func(t *testing.T) conformance.Events {
			db := database(t)
			if err := EnsureEventCollection(context.Background(), db, mongo.Throughput{}); err != nil {
				t.Fatal(err)
			}
			return eventsOf(NewEventRepository(db, mongo.WithConcurrency(4)))
		},
		Pairs: func(t *testing.T) conformance.Pairs {
			db := database(t)
			if err := EnsurePairCollection(context.Background(), db, mongo.Throughput{}); err != nil {
				t.Fatal(err)
			}
			return pairs{NewPairRepository(db)}
		},
	}
}

func eventsOf(r *EventRepository) conformance.Events {
	result := func(s mongo.Summary, err error) (conformance.Result, error) {
		return conformance.Result{Items: s.Items, Failed: s.Failed}, err
	}
	return conformance.EventsOf(conformance.Repository[Event, EventKey, mongo.Predicate[Event], mongo.Query[Event]]{
		To: func(e conformance.Event) *Event {
			return &Event{
				ID: e.ID, Device: e.Device, At: e.At, Text: e.Text, Number: e.Number, Ratio: e.Ratio,
				Flag: e.Flag, Optional: e.Optional, Stored: e.Stored, ETag: e.Version,
			}
		},
		From: func(e *Event) conformance.Event {
			return conformance.Event{
				ID: e.ID, Device: e.Device, At: e.At, Text: e.Text, Number: e.Number, Ratio: e.Ratio,
				Flag: e.Flag, Optional: e.Optional, Stored: e.Stored, Version: e.ETag,
			}
		},
		Create: r.Create, Upsert: r.Upsert, Replace: r.Replace, DeleteIfMatch: r.DeleteIfMatch,
		KeyOf: (*Event).Key, Text: EventKey.PartitionKey, Get: r.Get, Delete: r.Delete, GetMany: r.GetMany,
		CreateAll: func(ctx context.Context, all iter.Seq[*Event]) (conformance.Result, error) {
			return result(r.CreateAll(ctx, all))
		},
		UpsertAll: func(ctx context.Context, all iter.Seq[*Event]) (conformance.Result, error) {
			return result(r.UpsertAll(ctx, all))
		},
		DeleteAll: func(ctx context.Context, all iter.Seq[EventKey]) (conformance.Result, error) {
			return result(r.DeleteAll(ctx, all))
		},
		All: func() mongo.Query[Event] { return mongo.NewQuery(r.Documents, generated.Keys{}) },
		Day: r.ByAt, Partition: r.ByAtAndDevice, Between: r.ByAtBetween, DeviceBetween: r.ByDeviceBetween,
		Page: func(ctx context.Context, q mongo.Query[Event], cursor string, size int) ([]*Event, string, error) {
			return q.Page(ctx, cursor, size)
		},
		Compare: conformance.Compare[mongo.Predicate[Event]](map[string]any{
			"id": EventFields.ID, "device": EventFields.Device, "at": EventFields.At, "text": EventFields.Text,
			"number": EventFields.Number, "ratio": EventFields.Ratio, "flag": EventFields.Flag, "optional": EventFields.Optional,
		}),
		And: mongo.And[Event], Or: mongo.Or[Event], Not: mongo.Not[Event],
	})
}

// pairs are the pairs of a repository.
type pairs struct{ r *PairRepository }

func toPair(p conformance.Pair) *Pair {
	return &Pair{ID: p.ID, Left: p.Left, Right: p.Right, Text: p.Text, ETag: p.Version}
}

func fromPair(p *Pair) conformance.Pair {
	return conformance.Pair{ID: p.ID, Left: p.Left, Right: p.Right, Text: p.Text, Version: p.ETag}
}

func write(ctx context.Context, p *conformance.Pair, f func(context.Context, *Pair) error) error {
	doc := toPair(*p)
	err := f(ctx, doc)
	*p = fromPair(doc)
	return err
}

func (v pairs) Create(ctx context.Context, p *conformance.Pair) error {
	return write(ctx, p, v.r.Create)
}

func (v pairs) Upsert(ctx context.Context, p *conformance.Pair) error {
	return write(ctx, p, v.r.Upsert)
}

func (v pairs) Replace(ctx context.Context, p *conformance.Pair) error {
	return write(ctx, p, v.r.Replace)
}

func (v pairs) Get(ctx context.Context, p conformance.Pair) (*conformance.Pair, error) {
	doc, err := v.r.Get(ctx, toPair(p).Key())
	if err != nil {
		return nil, err
	}
	found := fromPair(doc)
	return &found, nil
}

func (v pairs) Delete(ctx context.Context, p conformance.Pair) error {
	return v.r.Delete(ctx, toPair(p).Key())
}

func (v pairs) Of(ctx context.Context, left, right string) iter.Seq2[*conformance.Pair, error] {
	return func(yield func(*conformance.Pair, error) bool) {
		for doc, err := range v.r.ByLeftAndRight(left, right).All(ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			found := fromPair(doc)
			if !yield(&found, nil) {
				return
			}
		}
	}
}
