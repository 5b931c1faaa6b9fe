package repository_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// summary is a part of a vehicle event, with a struct that it embeds.
type summary struct {
	identity
	Speed int `json:"speed"`
	notes string
}

type identity struct {
	VIN string `json:"vin"`
}

func TestSelect(t *testing.T) {
	t.Parallel()
	server, events := newFleet(t, repository.WithPageSize(7))
	ctx := context.Background()
	fill(t, events, 60)
	q := events.ByDate(day)
	server.ResetRequests()
	got, err := repository.Select[summary](q.OrderBy(fleet.VehicleEventFields.VIN.Desc())).Collect(ctx)
	if err != nil || len(got) != 60 {
		t.Fatalf("%d rows, %v", len(got), err)
	}
	for i, s := range got {
		if want := event(59 - i); s.VIN != want.VIN || s.Speed != want.Speed || s.notes != "" {
			t.Errorf("row %d is %+v, want one of %s", i, s, want.VIN)
		}
	}
	for _, r := range server.Requests() {
		if r.Operation == emulator.OpQueryItems && !strings.Contains(r.Query, `SELECT c["vin"], c["speed"], c["_rid"]`) {
			t.Errorf("the query was %s", r.Query)
		}
	}
	first, err := repository.Select[summary](q.OrderBy(fleet.VehicleEventFields.Speed.Desc())).First(ctx)
	if err != nil || first.Speed != 59 {
		t.Errorf("first is %+v, %v", first, err)
	}
	some, err := repository.Select[summary](q.Limit(9)).Limit(4).Collect(ctx)
	if err != nil || len(some) != 4 {
		t.Errorf("%d rows, %v", len(some), err)
	}
	plan, err := repository.Select[summary](q).Plan(ctx)
	if err != nil || plan.Strategy != repository.Scoped || plan.Requests != 5 {
		t.Errorf("plan is %v, %v", plan, err)
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	server, events := newFleet(t, repository.WithPageSize(7))
	ctx := context.Background()
	fill(t, events, 300) // speeds 0 to 139, then again
	q := events.ByDate(day)
	got, err := repository.Values(q.OrderBy(fleet.VehicleEventFields.Speed.Desc()), fleet.VehicleEventFields.Speed).Limit(4).Collect(ctx)
	if err != nil || !slices.Equal(got, []int{139, 139, 138, 138}) {
		t.Errorf("got %v, %v", got, err)
	}
	got, err = repository.Values(q.OrderBy(fleet.VehicleEventFields.Speed.Desc()), fleet.VehicleEventFields.Speed).Distinct().Limit(3).Collect(ctx)
	if err != nil || !slices.Equal(got, []int{139, 138, 137}) {
		t.Errorf("distinct: got %v, %v", got, err)
	}
	// In the order of another property.
	got, err = repository.Values(q.OrderBy(fleet.VehicleEventFields.VIN.Asc()).Limit(3), fleet.VehicleEventFields.Speed).Collect(ctx)
	if err != nil || !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("by vin: got %v, %v", got, err)
	}
	server.ResetRequests()
	n := 0
	for _, err := range repository.Values(events.Scan(), fleet.VehicleEventFields.Speed).Distinct().All(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != 140 {
		t.Errorf("%d distinct speeds, want 140", n)
	}
	for _, r := range server.Requests() {
		if r.Operation == emulator.OpQueryItems && !strings.Contains(r.Query, "DISTINCT") {
			t.Errorf("the query was %s", r.Query)
		}
	}
	if _, err := repository.Values(events.ByDate("2018-08-10"), fleet.VehicleEventFields.Speed).First(ctx); !errors.Is(err, repository.ErrNotFound) {
		t.Errorf("first of nothing: %v", err)
	}
}

func TestDistinctWithoutThePolicy(t *testing.T) {
	t.Parallel()
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fleet.VehicleEventContainer(), nil)
	events := fleet.NewVehicleEventRepository(container)
	fill(t, events, 150)
	got, err := repository.Values(events.Scan(), fleet.VehicleEventFields.Speed).Distinct().Collect(context.Background())
	if err != nil || len(got) != 140 {
		t.Errorf("%d distinct speeds, %v", len(got), err)
	}
}

func TestRowsErrors(t *testing.T) {
	t.Parallel()
	_, events := newFleet(t)
	ctx := context.Background()
	fill(t, events, 3)
	q := events.ByDate(day)
	type object = map[string]any
	for want, run := range map[string]func() error{
		"not a struct":    func() error { _, err := repository.Select[object](q).Collect(ctx); return err },
		"UnmarshalJSON":   func() error { _, err := repository.Select[thing](q).Collect(ctx); return err },
		"exported fields": func() error { _, err := repository.Select[struct{ a int }](q).Collect(ctx); return err },
		"is for Values":   func() error { _, err := repository.Select[summary](q).Distinct().Collect(ctx); return err },
		"after Limit": func() error {
			_, err := repository.Values(q.Limit(3), fleet.VehicleEventFields.Speed).Distinct().Collect(ctx)
			return err
		},
		"at least 1": func() error {
			_, err := repository.Values(q, fleet.VehicleEventFields.Speed).Limit(0).Collect(ctx)
			return err
		},
		"by themselves": func() error {
			_, err := repository.Values(q.OrderBy(fleet.VehicleEventFields.VIN.Asc()), fleet.VehicleEventFields.Speed).Distinct().Collect(ctx)
			return err
		},
		"zero Rows":     func() error { _, err := repository.Rows[int]{}.Collect(ctx); return err },
		"zero Rows has": func() error { _, err := repository.Rows[int]{}.Plan(ctx); return err },
		"zero Query": func() error {
			_, err := repository.Values(repository.Query[fleet.VehicleEvent]{}, fleet.VehicleEventFields.Speed).Collect(ctx)
			return err
		},
		"the zero Query": func() error { _, err := repository.Query[fleet.VehicleEvent]{}.Count(ctx); return err },
		"JSON pointer": func() error {
			_, _, err := repository.Min(ctx, q, repository.Bool[fleet.VehicleEvent, bool]("x"))
			return err
		},
		"not a number": func() error {
			_, err := repository.Sum(ctx, q, repository.Number[fleet.VehicleEvent, mark]("/mark"))
			return err
		},
		"c[\"vin\"]: a type of it refuses": func() error {
			_, err := repository.Values(q, repository.String[fleet.VehicleEvent, tag]("/vin")).Collect(ctx)
			return err
		},
		"Max of c[\"vin\"]: a type of it refuses": func() error {
			_, _, err := repository.Max(ctx, q, repository.String[fleet.VehicleEvent, tag]("/vin"))
			return err
		},
	} {
		if err := run(); err == nil || !strings.Contains(err.Error(), strings.TrimSpace(want)) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}

// mark is a number that is a text in JSON.
type mark int

func (mark) MarshalJSON() ([]byte, error) { return []byte(`"A"`), nil }

// tag is a text that cannot be read.
type tag string

func (*tag) UnmarshalJSON([]byte) error { return errors.New("cannot unmarshal a tag") }

func TestWithUnmarshal(t *testing.T) {
	var calls atomic.Int64
	counting := func(data []byte, v any) error {
		calls.Add(1)
		return json.Unmarshal(data, v)
	}
	_, events := newFleet(t, repository.WithUnmarshal(counting))
	ctx := context.Background()
	fill(t, events, 30)
	for name, run := range map[string]func() error{
		"documents": func() error { _, err := events.ByDate(day).Collect(ctx); return err },
		"in order": func() error {
			_, err := events.Scan().OrderBy(fleet.VehicleEventFields.VIN.Asc()).Collect(ctx)
			return err
		},
		"rows": func() error { _, err := repository.Select[summary](events.Scan()).Collect(ctx); return err },
		"values": func() error {
			_, err := repository.Values(events.Scan(), fleet.VehicleEventFields.VIN).Collect(ctx)
			return err
		},
	} {
		calls.Store(0)
		if err := run(); err != nil || calls.Load() != 30 {
			t.Errorf("%s: %d calls for 30 documents, %v", name, calls.Load(), err)
		}
	}
	calls.Store(0)
	if _, err := events.Get(ctx, event(1).Key()); err != nil || calls.Load() != 1 {
		t.Errorf("get: %d calls, %v", calls.Load(), err)
	}
}

// TestPrefix has all the buckets of a base asked for by what they begin with, and
// documents that begin so, too.
func TestPrefix(t *testing.T) {
	t.Parallel()
	c := newThings(t, emulator.Options{Partitions: 4}, repository.Configure(harness.Impatient()), false, repository.WithPageSize(5))
	ctx := context.Background()
	for i := range 100 {
		base := []string{"x", "x.1", "y"}[i%3] // x.1.7 begins with x. as well
		if err := c.Create(ctx, &thing{ID: fmt.Sprint("t", i), Base: base, Properties: map[string]any{"a": i}}); err != nil {
			t.Fatal(err)
		}
	}
	for name, q := range map[string]repository.Query[thing]{
		"no order": c.byBase("x", true),
		"in order": c.byBase("x", true).OrderBy(thingA.Desc()),
	} {
		c.server.ResetRequests()
		got, err := q.Collect(ctx)
		if err != nil || len(got) != 34 || slices.ContainsFunc(got, func(x *thing) bool { return x.Base != "x" }) {
			t.Errorf("%s: %d things, %v", name, len(got), err)
		}
		values, err := repository.Values(q, thingA).Collect(ctx)
		if err != nil || len(values) != 34 {
			t.Errorf("%s: %d values, %v", name, len(values), err)
		}
		for _, r := range c.server.Requests() {
			if r.Operation == emulator.OpQueryItems && !strings.Contains(r.Query, "STARTSWITH") || strings.Contains(r.Query, " IN ") {
				t.Errorf("%s: the query was %s", name, r.Query)
			}
		}
	}
	// What is cut or added up by the service has to be exact there.
	c.server.ResetRequests()
	if n, err := c.byBase("x", true).Count(ctx); err != nil || n != 34 {
		t.Errorf("counted %d, %v", n, err)
	}
	if got, err := c.byBase("x", true).OrderBy(thingA.Asc()).Limit(34).Collect(ctx); err != nil || len(got) != 34 {
		t.Errorf("%d things, %v", len(got), err)
	}
	values, err := repository.Values(c.byBase("x", true), thingA).Distinct().Collect(ctx)
	if err != nil || len(values) != 34 {
		t.Errorf("%d distinct values, %v", len(values), err)
	}
	for _, r := range c.server.Requests() {
		if strings.Contains(r.Query, "STARTSWITH") {
			t.Errorf("the query was %s", r.Query)
		}
	}
}
