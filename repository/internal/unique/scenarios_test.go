package unique_test

import (
	"context"
	"flag"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
)

// mostOrders is for the tests of the night, which try all faults as well.
var mostOrders = flag.Int("orders", 60, "how many orders of requests each scenario tries")

func creates(id, email string) program {
	return program{id, email, func(ctx context.Context, r *members) error {
		return r.Create(ctx, &fixtures.Member{ID: id, Region: "eu", Email: email})
	}}
}

func upserts(id, email string) program {
	return program{id, email, func(ctx context.Context, r *members) error {
		return r.Upsert(ctx, &fixtures.Member{ID: id, Region: "eu", Email: email})
	}}
}

func replaces(id, email string) program {
	return program{id, email, func(ctx context.Context, r *members) error {
		return r.Replace(ctx, &fixtures.Member{ID: id, Region: "eu", Email: email, Name: "replaced"})
	}}
}

func deletes(id string) program {
	return program{id, gone, func(ctx context.Context, r *members) error {
		return r.Delete(ctx, fixtures.MemberKey{ID: id, Region: "eu"})
	}}
}

func held(id, email string) *fixtures.Member {
	return &fixtures.Member{ID: id, Region: "eu", Email: email}
}

// scenarios are what happens, with the faults: all kinds of faults by themselves too, if
// there are many orders to try.
func scenarios(most int) []*scenario {
	all := map[string]struct {
		stored   []*fixtures.Member
		programs []program
	}{
		"two create one value":                     {nil, []program{creates("p", "a"), creates("q", "a")}},
		"three create one value":                   {nil, []program{creates("p", "a"), creates("q", "a"), creates("s", "a")}},
		"two create one value, and one its id":     {nil, []program{creates("p", "a"), creates("q", "a"), creates("p", "b")}},
		"two create one id":                        {nil, []program{creates("p", "a"), creates("p", "a")}},
		"a change, and a creation of the new one":  {[]*fixtures.Member{held("p", "a")}, []program{replaces("p", "b"), creates("q", "b")}},
		"a change, and a creation of the old one":  {[]*fixtures.Member{held("p", "a")}, []program{replaces("p", "b"), creates("q", "a")}},
		"a deletion, and a creation":               {[]*fixtures.Member{held("p", "a")}, []program{deletes("p"), creates("q", "a")}},
		"a deletion, and the same created":         {[]*fixtures.Member{held("p", "a")}, []program{deletes("p"), creates("p", "a")}},
		"two change to one value":                  {[]*fixtures.Member{held("p", ""), held("q", "")}, []program{replaces("p", "a"), replaces("q", "a")}},
		"two change one document":                  {[]*fixtures.Member{held("p", "a")}, []program{replaces("p", "b"), replaces("p", "b")}},
		"a change there and back, and a creation":  {[]*fixtures.Member{held("p", "a")}, []program{replaces("p", "b"), replaces("p", "a"), creates("q", "a")}},
		"two upserts and a deletion":               {nil, []program{upserts("p", "a"), upserts("q", "a"), deletes("p")}},
		"a creation, a deletion, another creation": {nil, []program{creates("p", "a"), deletes("p"), creates("q", "a")}},
		"a swap": {[]*fixtures.Member{held("p", "a"), held("q", "b")}, []program{replaces("p", "b"), replaces("q", "a")}},
	}
	faults := map[string]limits{
		"":                         {},
		"pauses":                   {advances: 2},
		"a crash":                  {advances: 1, crashes: 1},
		"a lost answer":            {advances: 1, losses: 1},
		"a late request":           {advances: 1, lates: 1},
		"a stale read":             {advances: 1, stale: 1},
		"a late request, a crash":  {advances: 2, lates: 1, crashes: 1},
		"stale reads, late, crash": {advances: 2, lates: 1, stale: 2, crashes: 1},
	}
	out := []*scenario{
		{name: "two create the value of one that has expired", expired: []*fixtures.Member{held("x", "a")}, programs: []program{creates("p", "a"), creates("q", "a")}},
		{
			name: "two create the value of one that has expired, faults", expired: []*fixtures.Member{held("x", "a")}, programs: []program{creates("p", "a"), replaces("q", "a")},
			stored: []*fixtures.Member{held("q", "")}, limits: faults["stale reads, late, crash"],
		},
	}
	for name, s := range all {
		for fault, l := range faults {
			if fault != "" && fault != "pauses" && l.stale < 2 && most < 1000 {
				continue
			}
			out = append(out, &scenario{name: name + ", " + fault, stored: s.stored, programs: s.programs, limits: l})
		}
	}
	return out
}

// TestUniqueInAnyOrder checks the claim of docs/decisions/unique-values.md after each request, in all
// orders in which two or three programs can act, and in the end that nothing is blocked.
func TestUniqueInAnyOrder(t *testing.T) {
	total, most := 0, *mostOrders
	if seeds.Part(t, "all orders but ten of each scenario") {
		most = min(most, 10)
	}
	for _, s := range scenarios(most) {
		t.Run(s.name, func(t *testing.T) {
			tried, wrong := tryOrders(t, s, most)
			total += tried
			t.Logf("%d orders", tried)
			if wrong != nil {
				t.Fatalf("%s: %v", s.name, wrong)
			}
		})
	}
	t.Logf("%d orders", total)
}
