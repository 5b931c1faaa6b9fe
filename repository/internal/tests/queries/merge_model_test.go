package queries

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// sorting is an order of things, and the same order in Go.
type sorting struct {
	orders  []repository.Order[kit.Thing]
	compare func(x, y *kit.Thing) int
}

func by(name string, sign int) func(x, y *kit.Thing) int {
	return func(x, y *kit.Thing) int { return sign * kit.CompareValues(x.At(name), y.At(name)) }
}

func then(first, second func(x, y *kit.Thing) int) func(x, y *kit.Thing) int {
	return func(x, y *kit.Thing) int {
		if c := first(x, y); c != 0 {
			return c
		}
		return second(x, y)
	}
}

var sortings = map[string]sorting{
	"no order":        {},
	"a":               {[]repository.Order[kit.Thing]{kit.ThingA.Asc()}, by("a", 1)},
	"b, downwards":    {[]repository.Order[kit.Thing]{kit.ThingB.Desc()}, by("b", -1)},
	"a and b":         {[]repository.Order[kit.Thing]{kit.ThingA.Asc(), kit.ThingB.Asc()}, then(by("a", 1), by("b", 1))},
	"a down and b up": {[]repository.Order[kit.Thing]{kit.ThingA.Desc(), kit.ThingB.Asc()}, then(by("a", -1), by("b", 1))},
}

// TestQueriesUnderFaults runs random queries, while physical partitions are split
// and requests fail, and compares them with the same in memory.
func TestQueriesUnderFaults(t *testing.T) {
	kit.Seeds(t, 8, func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 809))
		c := kit.NewThings(t, emulator.Options{Partitions: 1 + r.IntN(5), ScanLimit: []int{0, 7}[r.IntN(2)]}, repository.Configure(harness.Impatient()), seed%2 == 1,
			repository.WithPageSize(1+r.Int32N(12)), repository.WithConcurrency(1+r.IntN(8)))
		all := c.Fill(t, r, 150)
		for range seeds.Rows(t, 12, 3) {
			for name, s := range sortings {
				q, base := c.Scan(), []string{"", "x", "y"}[r.IntN(3)]
				if base != "" {
					q = c.ByBase(base, r.IntN(2) == 0)
				}
				q = q.OrderBy(s.orders...)
				want := kit.ThingsOf(all, base)
				if s.compare != nil {
					slices.SortStableFunc(want, s.compare)
				}
				limit := 0
				if r.IntN(2) == 0 {
					limit = 1 + r.IntN(40)
					q = q.Limit(limit)
				}
				compareRun(t, fmt.Sprintf("%s of %q, limit %d", name, base, limit), disturbed(t, c, r, q), want, s, limit)
			}
		}
	})
}

// disturbed runs q to its end.
func disturbed(t *testing.T, c kit.Things, r *rand.Rand, q repository.Query[kit.Thing]) []*kit.Thing {
	t.Helper()
	defer c.Server.ClearFaults()
	c.Disturb(r)
	var got []*kit.Thing
	for x, err := range q.All(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		if got = append(got, x); r.IntN(20) == 0 {
			c.Disturb(r)
		}
	}
	return got
}

// compareRun compares the things of a query with all things, sorted. Things that
// sort alike may come in any order.
func compareRun(t *testing.T, name string, got, want []*kit.Thing, s sorting, limit int) {
	t.Helper()
	n := len(want)
	if limit > 0 {
		n = min(n, limit)
	}
	if len(got) != n {
		t.Fatalf("%s: %d things, want %d", name, len(got), n)
	}
	seen := map[string]bool{}
	for i, x := range got {
		if seen[x.ID] {
			t.Fatalf("%s: %s came twice", name, x.ID)
		}
		seen[x.ID] = true
		if !slices.ContainsFunc(want, func(y *kit.Thing) bool { return y.ID == x.ID }) {
			t.Fatalf("%s: %s does not belong there", name, x.ID)
		}
		if s.compare != nil && s.compare(x, want[i]) != 0 {
			t.Fatalf("%s: at %d came %v, want one like %v", name, i, x, want[i])
		}
	}
}
