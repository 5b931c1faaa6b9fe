package nosql

import (
	"context"
	"iter"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/conformance"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

// Face returns the face of the NoSQL API. Database returns a database that is removed with
// the test.
func Face(database func(t *testing.T) *azcosmos.DatabaseClient) conformance.Face {
	return conformance.Face{
		Name: "NoSQL", Versions: true, Resolution: 100 * time.Nanosecond, MaxInteger: 1<<53 - 1,
		Events: func(t *testing.T) conformance.Events {
			c, err := EnsureEventContainer(context.Background(), database(t), admin.AnyThroughput())
			if err != nil {
				t.Fatal(err)
			}
			return eventsOf(NewEventRepository(c))
		},
		Pairs: func(t *testing.T) conformance.Pairs {
			c, err := EnsurePairContainer(context.Background(), database(t), admin.AnyThroughput())
			if err != nil {
				t.Fatal(err)
			}
			return pairsOf(NewPairRepository(c))
		},
	}
}

func eventsOf(r *EventRepository) conformance.Events {
	result := func(s documents.Summary, err error) (conformance.Result, error) {
		return conformance.Result{Items: s.Items, Failed: s.Failed}, err
	}
	return conformance.EventsOf(conformance.Repository[Event, EventKey, repository.Predicate[Event], repository.Query[Event]]{
		To: func(e conformance.Event) *Event {
			return &Event{
				ID: e.ID, Device: e.Device, At: repository.NewTime(e.At), Text: e.Text, Number: e.Number, Ratio: e.Ratio,
				Flag: e.Flag, Optional: e.Optional, Stored: e.Stored, ETag: e.Version,
			}
		},
		From: func(e *Event) conformance.Event {
			return conformance.Event{
				ID: e.ID, Device: e.Device, At: e.At.Time(), Text: e.Text, Number: e.Number, Ratio: e.Ratio,
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
		Compare: conformance.Compare[repository.Predicate[Event]](map[string]any{
			"id": EventFields.ID, "device": EventFields.Device, "at": EventFields.At, "text": EventFields.Text,
			"number": EventFields.Number, "ratio": EventFields.Ratio, "flag": EventFields.Flag, "optional": EventFields.Optional,
		}),
		And: repository.And[Event], Or: repository.Or[Event], Not: repository.Not[Event],
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
