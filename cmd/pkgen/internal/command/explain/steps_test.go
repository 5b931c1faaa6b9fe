package explain

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/example/clickstream"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

const measuredDay = "2018-08-09"

// steps call the methods of a repository once, by their names.
type steps map[string]func(context.Context) error

// recorded are what steps of all repositories need: documents that are stored,
// each for one step, and what the type has of its own.
type recorded[T any, K generated.Key] struct {
	*repository.Documents[T, K]

	stored    []*T
	fresh     func(n int) *T
	key       func(*T) K
	keys      []K // some in each physical partition
	move      func(*T)
	change    repository.PatchOperation[T]
	condition repository.Predicate[T]
	one       func(*T) repository.Query[T] // that finds a document
}

// fill stores sixteen documents for each physical partition: where suffixes are random,
// none is without documents, which would cost less.
func (d *recorded[T, K]) fill(t *testing.T, physical int) {
	t.Helper()
	for n := range max(16*physical, 24) {
		doc := d.fresh(n)
		if err := d.Create(t.Context(), doc); err != nil {
			t.Fatal(err)
		}
		d.stored = append(d.stored, doc)
	}
}

// steps returns those of every repository.
func (d *recorded[T, K]) steps() steps {
	next := 0
	doc := func() *T { next++; return d.stored[next-1] }
	moving := func() (K, *T) {
		moved := doc()
		from := d.key(moved)
		d.move(moved)
		return from, moved
	}
	prepared := func(ctx context.Context) (repository.MoveState[K], error) {
		from, moved := moving()
		return d.PrepareMove(ctx, from, moved)
	}
	state, unprepared := prepared(context.Background())
	return steps{
		"Create":  func(ctx context.Context) error { return d.Create(ctx, d.fresh(10_000)) },
		"Upsert":  func(ctx context.Context) error { return d.Upsert(ctx, doc()) },
		"Replace": func(ctx context.Context) error { return d.Replace(ctx, doc()) },
		"Get":     func(ctx context.Context) error { _, err := d.Get(ctx, d.key(doc())); return err },
		"Exists":  func(ctx context.Context) error { _, err := d.Exists(ctx, d.key(doc())); return err },
		"Delete":  func(ctx context.Context) error { return d.Delete(ctx, d.key(doc())) },
		"Scan":    collected(d.Scan()),
		"Update": func(ctx context.Context) error {
			return d.Update(ctx, d.key(doc()), func(*T) error { return nil })
		},
		"UpdateAndGet": func(ctx context.Context) error {
			_, err := d.UpdateAndGet(ctx, d.key(doc()), func(*T) error { return nil })
			return err
		},
		"PatchAndGet": func(ctx context.Context) error { _, err := d.PatchAndGet(ctx, d.key(doc()), d.change); return err },
		"PatchIfAndGet": func(ctx context.Context) error {
			_, err := d.PatchIfAndGet(ctx, d.key(doc()), d.condition, d.change)
			return err
		},
		"Patch":   func(ctx context.Context) error { return d.Patch(ctx, d.key(doc()), d.change) },
		"PatchIf": func(ctx context.Context) error { return d.PatchIf(ctx, d.key(doc()), d.condition, d.change) },
		"Move": func(ctx context.Context) error {
			from, moved := moving()
			return d.Move(ctx, from, moved)
		},
		"PrepareMove": func(ctx context.Context) error { _, err := prepared(ctx); return err },
		"ResumeMove":  func(ctx context.Context) error { return errors.Join(unprepared, d.ResumeMove(ctx, state)) },
		"GetMany":     func(ctx context.Context) error { _, err := d.GetMany(ctx, d.keys); return err },
		"CreateAll": func(ctx context.Context) error {
			return one(d.CreateAll(documents.Items(d.fresh(10_001))).Collect(ctx))
		},
		"UpsertAll":   func(ctx context.Context) error { return one(d.UpsertAll(documents.Items(doc())).Collect(ctx)) },
		"DeleteAll":   func(ctx context.Context) error { return one(d.DeleteAll(documents.Items(d.key(doc()))).Collect(ctx)) },
		"DeleteFound": func(ctx context.Context) error { return one(d.DeleteFound(d.one(doc())).Collect(ctx)) },
		"feed.Changes": func(ctx context.Context) error {
			var err error
			for _, failed := range feed.Changes(ctx, d.Documents, feed.FromBeginning(), feed.UntilCaughtUp()) {
				err = errors.Join(err, failed)
			}
			return err
		},
	}
}

func fleetSteps(t *testing.T, c *azcosmos.ContainerClient, physical int) steps {
	t.Helper()
	events := fleet.NewVehicleEventRepository(c)
	d := recorded[fleet.VehicleEvent, fleet.VehicleEventKey]{
		Documents: events.Documents,
		fresh: func(n int) *fleet.VehicleEvent {
			return &fleet.VehicleEvent{ID: fmt.Sprint(n), Date: measuredDay, VIN: fmt.Sprintf("1HGCM82633A%06d", n)}
		},
		key:       (*fleet.VehicleEvent).Key,
		move:      func(e *fleet.VehicleEvent) { e.Date = "2018-08-10" },
		change:    fleet.VehicleEventPatch.Speed.Set(1),
		condition: fleet.VehicleEventFields.Speed.Eq(0),
		one: func(e *fleet.VehicleEvent) repository.Query[fleet.VehicleEvent] {
			return events.ByDateAndVIN(e.Date, e.VIN)
		},
	}
	for n := range 1000 {
		d.keys = append(d.keys, d.fresh(n).Key())
	}
	d.fill(t, physical)
	all := d.steps()
	all["ByDateAndVIN"] = collected(events.ByDateAndVIN(measuredDay, d.stored[0].VIN))
	all["ByDate"] = collected(events.ByDate(measuredDay))
	all["DeleteIfMatch"] = func(ctx context.Context) error { return d.DeleteIfMatch(ctx, d.stored[len(d.stored)-1]) }
	return all
}

func clickSteps(t *testing.T, c *azcosmos.ContainerClient, physical int) steps {
	t.Helper()
	clicks := clickstream.NewClickRepository(c)
	d := recorded[clickstream.Click, clickstream.ClickKey]{
		Documents: clicks.Documents,
		fresh: func(n int) *clickstream.Click {
			return &clickstream.Click{ID: fmt.Sprint(n), Date: measuredDay}
		},
		key:       (*clickstream.Click).Key,
		move:      func(c *clickstream.Click) { c.Date = "2018-08-10" },
		change:    clickstream.ClickPatch.Page.Set("/"),
		condition: clickstream.ClickFields.Page.Eq(""),
		one: func(c *clickstream.Click) repository.Query[clickstream.Click] {
			return clicks.ByDate(c.Date).Where(clickstream.ClickFields.ID.Eq(c.ID))
		},
	}
	for n := range 400 {
		d.keys = append(d.keys, clickstream.ClickKey{ID: "none", Date: measuredDay, Suffix: n + 1})
	}
	d.fill(t, physical)
	all := d.steps()
	all["ByDate"] = collected(clicks.ByDate(measuredDay))
	all["FindInBuckets"] = func(ctx context.Context) error {
		_, err := clicks.FindInBuckets(ctx, d.stored[len(d.stored)-1].ID, measuredDay)
		return err
	}
	return all
}

func collected[T any](q repository.Query[T]) func(context.Context) error {
	return func(ctx context.Context) error { _, err := q.Collect(ctx); return err }
}

// one returns the error of a bulk operation on one document.
func one(summary documents.Summary, err error) error {
	if summary.Items != 1 {
		err = errors.Join(err, fmt.Errorf("%d documents, want one", summary.Items))
	}
	return err
}
