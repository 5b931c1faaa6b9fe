package roundtrip

import (
	"fmt"
	"slices"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/repository"

	"example.com/service/evolving"
)

// oldTrips are stored as they were before some of their properties came.
var oldTrips = []string{
	`{"id":"old","vehicle":"v"}`,
	`{"id":"old, with details","vehicle":"v","details":{}}`,
	`{"id":"older than the rest","vehicle":"v","speed":3,"grade":"b","details":{"stops":2}}`,
}

// TestEvolving finds documents from before a property by what reading them gives:
// each condition is asked of the service, and of what Get returns.
func TestEvolving(t *testing.T) {
	ctx := t.Context()
	trips, c := in(t, database(t), evolving.EnsureTripContainer, evolving.NewTripRepository)
	for _, text := range oldTrips {
		if _, err := c.CreateItem(ctx, azcosmos.NewPartitionKeyString("v"), []byte(text), nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, trip := range []evolving.Trip{
		{ID: "zero"},
		{ID: "slow", Speed: -7, Ratio: -0.5, Grade: "a"},
		{ID: "fast", Speed: 120, Ratio: 1.5, Closed: true, Grade: "c", Seen: repository.NewTime(at), Details: evolving.Details{Stops: 4}},
	} {
		trip.Vehicle = "v"
		if err := trips.Create(ctx, &trip); err != nil {
			t.Fatal(err)
		}
	}
	all := reading(t, trips, "old", "old, with details", "older than the rest", "zero", "slow", "fast")
	type trip = evolving.Trip
	f, not := evolving.TripFields, repository.Not[evolving.Trip]
	seen := repository.NewTime(at)
	for name, test := range map[string]struct {
		asked repository.Predicate[trip]
		holds func(*trip) bool
	}{
		"number Eq 0":      {f.Speed.Eq(0), func(d *trip) bool { return d.Speed == 0 }},
		"number Ne 0":      {f.Speed.Ne(0), func(d *trip) bool { return d.Speed != 0 }},
		"number Lt":        {f.Speed.Lt(5), func(d *trip) bool { return d.Speed < 5 }},
		"number Lt 0":      {f.Speed.Lt(0), func(d *trip) bool { return d.Speed < 0 }},
		"number Le":        {f.Speed.Le(0), func(d *trip) bool { return d.Speed <= 0 }},
		"number Gt":        {f.Speed.Gt(-8), func(d *trip) bool { return d.Speed > -8 }},
		"number Ge":        {f.Speed.Ge(1), func(d *trip) bool { return d.Speed >= 1 }},
		"number In":        {f.Speed.In(0, 3), func(d *trip) bool { return d.Speed == 0 || d.Speed == 3 }},
		"number In others": {f.Speed.In(3, 120), func(d *trip) bool { return d.Speed == 3 || d.Speed == 120 }},
		"number Between":   {f.Speed.Between(-1, 3), func(d *trip) bool { return d.Speed >= -1 && d.Speed <= 3 }},
		"not number Eq":    {not(f.Speed.Eq(0)), func(d *trip) bool { return d.Speed != 0 }},
		"not number In":    {not(f.Speed.In(0, 3)), func(d *trip) bool { return d.Speed != 0 && d.Speed != 3 }},
		"not number Lt":    {not(f.Speed.Lt(5)), func(d *trip) bool { return d.Speed >= 5 }},
		"fraction Eq":      {f.Ratio.Eq(0), func(d *trip) bool { return d.Ratio == 0 }},
		"fraction Gt":      {f.Ratio.Gt(-0.25), func(d *trip) bool { return d.Ratio > -0.25 }},
		"bool false":       {f.Closed.Eq(false), func(d *trip) bool { return !d.Closed }},
		"bool true":        {f.Closed.Eq(true), func(d *trip) bool { return d.Closed }},
		"not bool":         {not(f.Closed.Eq(true)), func(d *trip) bool { return !d.Closed }},
		"text Eq":          {f.Grade.Eq(""), func(d *trip) bool { return d.Grade == "" }},
		"text Ne":          {f.Grade.Ne("b"), func(d *trip) bool { return d.Grade != "b" }},
		"text In":          {f.Grade.In("", "a"), func(d *trip) bool { return d.Grade == "" || d.Grade == "a" }},
		"not text In":      {not(f.Grade.In("a", "b")), func(d *trip) bool { return d.Grade != "a" && d.Grade != "b" }},
		"time before":      {f.Seen.Lt(seen.Time()), func(d *trip) bool { return d.Seen.Time().Before(seen.Time()) }},
		"not time before":  {not(f.Seen.Lt(seen.Time())), func(d *trip) bool { return !d.Seen.Time().Before(seen.Time()) }},
		"within an object": {f.Details.Stops.Eq(0), func(d *trip) bool { return d.Details.Stops == 0 }},
		"Lt in an object":  {f.Details.Stops.Lt(3), func(d *trip) bool { return d.Details.Stops < 3 }},
		"not in an object": {not(f.Details.Stops.In(0, 2)), func(d *trip) bool { return d.Details.Stops != 0 && d.Details.Stops != 2 }},
		"both of two":      {repository.And(f.Speed.Eq(0), f.Closed.Eq(false)), func(d *trip) bool { return d.Speed == 0 && !d.Closed }},
		"one or the other": {repository.Or(f.Speed.Gt(100), f.Grade.Eq("")), func(d *trip) bool { return d.Speed > 100 || d.Grade == "" }},
	} {
		t.Run(name, func(t *testing.T) {
			var want []string
			for _, d := range all {
				if test.holds(d) {
					want = append(want, d.ID)
				}
			}
			found, err := trips.ByVehicle("v").Where(test.asked).Collect(ctx)
			if diff := cmp.Diff(slices.Sorted(slices.Values(want)), idsOf(found)); err != nil || diff != "" {
				t.Errorf("%v, -read +found:\n%s", err, diff)
			}
			if n, err := trips.Scan().Where(test.asked).Count(ctx); err != nil || n != len(want) {
				t.Errorf("counted %d of %d: %v", n, len(want), err)
			}
		})
	}
}

// TestOrderOfOldTrips has each document once, those without the property first.
func TestOrderOfOldTrips(t *testing.T) {
	trips, c := in(t, database(t), evolving.EnsureTripContainer, evolving.NewTripRepository)
	for i, text := range []string{`"speed":-1`, `"closed":true`, `"speed":0`, `"grade":"b"`, `"speed":5`} {
		text = fmt.Sprintf(`{"id":"%d","vehicle":"v%d",%s}`, i, i, text)
		if _, err := c.CreateItem(t.Context(), azcosmos.NewPartitionKeyString(fmt.Sprint("v", i)), []byte(text), nil); err != nil {
			t.Fatal(err)
		}
	}
	sorted, err := trips.Scan().OrderBy(evolving.TripFields.Speed.Asc()).Collect(t.Context())
	if err != nil || len(sorted) != 5 {
		t.Fatalf("%d of 5 documents, %v", len(sorted), err)
	}
	if diff := cmp.Diff([]string{"1", "3"}, idsOf(sorted[:2])); diff != "" {
		t.Errorf("the first two: -want +got:\n%s", diff)
	}
	for i, id := range []string{"0", "2", "4"} {
		if sorted[2+i].ID != id {
			t.Errorf("after the old ones, document %d is %s, want %s", i, sorted[2+i].ID, id)
		}
	}
	total, err := repository.Sum(t.Context(), trips.Scan(), evolving.TripFields.Speed)
	if err != nil || total != 4 {
		t.Errorf("the sum is %v, %v", total, err)
	}
}

// TestFillIn writes a property into documents from before it, and into no others.
func TestFillIn(t *testing.T) {
	trips, c := in(t, database(t), evolving.EnsureTripContainer, evolving.NewTripRepository)
	for _, text := range oldTrips {
		if _, err := c.CreateItem(t.Context(), azcosmos.NewPartitionKeyString("v"), []byte(text), nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := evolving.FillIn(t.Context(), trips); err != nil {
		t.Fatal(err)
	}
	missing, err := trips.Scan().Where(repository.Not(repository.IsDefined(evolving.TripFields.Speed))).Count(t.Context())
	if err != nil || missing != 0 {
		t.Errorf("%d documents lack it, %v", missing, err)
	}
	sum, err := repository.Sum(t.Context(), trips.Scan(), evolving.TripFields.Speed)
	if err != nil || sum != 3 {
		t.Errorf("the sum is %v, %v", sum, err)
	}
}

// TestRename writes documents under the new name of a property, and leaves the others.
func TestRename(t *testing.T) {
	people, c := in(t, database(t), evolving.EnsurePersonContainer, evolving.NewPersonRepository)
	key := azcosmos.NewPartitionKeyString("v")
	for _, text := range []string{`{"id":"1","city":"v","fullName":"Ann"}`, `{"id":"2","city":"v","name":"Bo"}`, `{"id":"3","city":"v"}`} {
		if _, err := c.CreateItem(t.Context(), key, []byte(text), nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := evolving.Rename(t.Context(), people); err != nil {
		t.Fatal(err)
	}
	old, err := people.Scan().WhereRaw("IS_DEFINED(c.fullName)").Count(t.Context())
	if err != nil || old != 0 {
		t.Errorf("%d documents have the old name, %v", old, err)
	}
	found, err := people.Scan().WhereRaw("c.name IN ('Ann', 'Bo')").Count(t.Context())
	if err != nil || found != 2 {
		t.Errorf("%d documents have the new name, %v", found, err)
	}
}

// reading gets documents by their ids.
func reading(t *testing.T, trips *evolving.TripRepository, ids ...string) (all []*evolving.Trip) {
	t.Helper()
	for _, id := range ids {
		d, err := trips.Get(t.Context(), evolving.TripKey{ID: id, Vehicle: "v"})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
	}
	return all
}

func idsOf(all []*evolving.Trip) []string {
	var ids []string
	for _, d := range all {
		ids = append(ids, d.ID)
	}
	slices.Sort(ids)
	return ids
}
