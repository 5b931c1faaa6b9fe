package queries

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
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
	server, events := kit.NewFleet(t, repository.WithPageSize(7))
	ctx := context.Background()
	kit.Fill(t, events, 60)
	q := events.ByDate(kit.Day)
	server.ResetRequests()
	got, err := repository.Select[summary](q.OrderBy(fleet.VehicleEventFields.VIN.Desc())).Collect(ctx)
	if err != nil || len(got) != 60 {
		t.Fatalf("%d rows, %v", len(got), err)
	}
	for i, s := range got {
		if want := kit.Event(59 - i); s.VIN != want.VIN || s.Speed != want.Speed || s.notes != "" {
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
	server, events := kit.NewFleet(t, repository.WithPageSize(7))
	ctx := context.Background()
	kit.Fill(t, events, 300) // speeds 0 to 139, then again
	q := events.ByDate(kit.Day)
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
	kit.Fill(t, events, 150)
	got, err := repository.Values(events.Scan(), fleet.VehicleEventFields.Speed).Distinct().Collect(context.Background())
	if err != nil || len(got) != 140 {
		t.Errorf("%d distinct speeds, %v", len(got), err)
	}
}

func TestRowsErrors(t *testing.T) {
	t.Parallel()
	_, events := kit.NewFleet(t)
	ctx := context.Background()
	kit.Fill(t, events, 3)
	q := events.ByDate(kit.Day)
	type object = map[string]any
	for want, run := range map[string]func() error{
		"not a struct":    func() error { _, err := repository.Select[object](q).Collect(ctx); return err },
		"UnmarshalJSON":   func() error { _, err := repository.Select[kit.Thing](q).Collect(ctx); return err },
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
			_, _, err := repository.Min(ctx, q, documents.Bool[fleet.VehicleEvent, bool]("x"))
			return err
		},
		"not a number": func() error {
			_, err := repository.Sum(ctx, q, documents.Number[fleet.VehicleEvent, mark]("/mark"))
			return err
		},
		"c[\"vin\"]: a type of it refuses": func() error {
			_, err := repository.Values(q, documents.String[fleet.VehicleEvent, tag]("/vin")).Collect(ctx)
			return err
		},
		"Max of c[\"vin\"]: a type of it refuses": func() error {
			_, _, err := repository.Max(ctx, q, documents.String[fleet.VehicleEvent, tag]("/vin"))
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
	_, events := kit.NewFleet(t, repository.WithUnmarshal(counting))
	ctx := context.Background()
	kit.Fill(t, events, 30)
	for name, run := range map[string]func() error{
		"documents": func() error { _, err := events.ByDate(kit.Day).Collect(ctx); return err },
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
	if _, err := events.Get(ctx, kit.Event(1).Key()); err != nil || calls.Load() != 1 {
		t.Errorf("get: %d calls, %v", calls.Load(), err)
	}
}

// TestPrefix has all the buckets of a base asked for by what they begin with, and
// documents that begin so, too.
func TestPrefix(t *testing.T) {
	t.Parallel()
	c := kit.NewThings(t, emulator.Options{Partitions: 4}, repository.Configure(harness.Impatient()), false, repository.WithPageSize(5))
	ctx := context.Background()
	for i := range 100 {
		base := []string{"x", "x.1", "y"}[i%3] // x.1.7 begins with x. as well
		if err := c.Create(ctx, &kit.Thing{ID: fmt.Sprint("t", i), Base: base, Properties: map[string]any{"a": i}}); err != nil {
			t.Fatal(err)
		}
	}
	for name, q := range map[string]repository.Query[kit.Thing]{
		"no order": c.ByBase("x", true),
		"in order": c.ByBase("x", true).OrderBy(kit.ThingA.Desc()),
	} {
		c.Server.ResetRequests()
		got, err := q.Collect(ctx)
		if err != nil || len(got) != 34 || slices.ContainsFunc(got, func(x *kit.Thing) bool { return x.Base != "x" }) {
			t.Errorf("%s: %d things, %v", name, len(got), err)
		}
		values, err := repository.Values(q, kit.ThingA).Collect(ctx)
		if err != nil || len(values) != 34 {
			t.Errorf("%s: %d values, %v", name, len(values), err)
		}
		for _, r := range c.Server.Requests() {
			if r.Operation == emulator.OpQueryItems && !strings.Contains(r.Query, "STARTSWITH") || strings.Contains(r.Query, " IN ") {
				t.Errorf("%s: the query was %s", name, r.Query)
			}
		}
	}
	// What is cut or added up by the service has to be exact there.
	c.Server.ResetRequests()
	if n, err := c.ByBase("x", true).Count(ctx); err != nil || n != 34 {
		t.Errorf("counted %d, %v", n, err)
	}
	if got, err := c.ByBase("x", true).OrderBy(kit.ThingA.Asc()).Limit(34).Collect(ctx); err != nil || len(got) != 34 {
		t.Errorf("%d things, %v", len(got), err)
	}
	values, err := repository.Values(c.ByBase("x", true), kit.ThingA).Distinct().Collect(ctx)
	if err != nil || len(values) != 34 {
		t.Errorf("%d distinct values, %v", len(values), err)
	}
	for _, r := range c.Server.Requests() {
		if strings.Contains(r.Query, "STARTSWITH") {
			t.Errorf("the query was %s", r.Query)
		}
	}
}
