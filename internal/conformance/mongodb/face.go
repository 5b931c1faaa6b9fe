package mongodb

import (
	"context"
	"iter"
	"math"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/conformance"
	"github.com/cosmos-pkgen/pkgen/mongo"
)

// Face returns the face of the API for MongoDB. Database returns an empty database. Create makes
// its collections, as [Create] does.
func Face(database func(t *testing.T) *mongo.Database, create func(t *testing.T, db *mongo.Database), opts ...mongo.Option) conformance.Face {
	made := func(t *testing.T) *mongo.Database {
		db := database(t)
		create(t, db)
		return db
	}
	return conformance.Face{
		Name: "MongoDB", Versions: true, Resolution: time.Millisecond, MaxInteger: math.MaxInt64,
		Events: func(t *testing.T) conformance.Events { return eventsOf(NewEventRepository(made(t), opts...)) },
		Pairs:  func(t *testing.T) conformance.Pairs { return pairsOf(NewPairRepository(made(t), opts...)) },
	}
}

// Create makes the collections with the throughput of an account, or without one on servers that
// have none.
func Create(t *testing.T, db *mongo.Database, throughput mongo.Throughput) {
	t.Helper()
	if err := EnsureEventCollection(context.Background(), db, throughput); err != nil {
		t.Fatal(err)
	}
	if err := EnsurePairCollection(context.Background(), db, throughput); err != nil {
		t.Fatal(err)
	}
}

func eventsOf(r *EventRepository) conformance.Events {
	result := func(s documents.Summary, err error) (conformance.Result, error) {
		return conformance.Result{Items: s.Items, Failed: s.Failed}, err
	}
	return conformance.EventsOf(conformance.Repository[Event, EventKey, documents.Predicate[Event], mongo.Query[Event]]{
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
		All: r.Scan, Day: r.ByAt, Partition: r.ByAtAndDevice, Between: r.ByAtBetween, DeviceBetween: r.ByDeviceBetween,
		Compare: conformance.Compare[documents.Predicate[Event]](map[string]any{
			"id": EventFields.ID, "device": EventFields.Device, "at": EventFields.At, "text": EventFields.Text,
			"number": EventFields.Number, "ratio": EventFields.Ratio, "flag": EventFields.Flag, "optional": EventFields.Optional,
		}),
		And: documents.And[Event], Or: documents.Or[Event], Not: documents.Not[Event],
	})
}

func pairsOf(r *PairRepository) conformance.Pairs {
	return conformance.PairsOf(conformance.PairRepository[Pair, PairKey]{
		To: func(p conformance.Pair) *Pair {
			return &Pair{ID: p.ID, Left: p.Left, Right: p.Right, Text: p.Text, ETag: p.Version}
		},
		From: func(p *Pair) conformance.Pair {
			return conformance.Pair{ID: p.ID, Left: p.Left, Right: p.Right, Text: p.Text, Version: p.ETag}
		},
		Create: r.Create, Upsert: r.Upsert, Replace: r.Replace, KeyOf: (*Pair).Key, Get: r.Get, Delete: r.Delete,
		Of: func(ctx context.Context, left, right string) iter.Seq2[*Pair, error] {
			return r.ByLeftAndRight(left, right).All(ctx)
		},
	})
}
