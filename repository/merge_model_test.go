package repository_test

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
)

const (
	thingA repository.Number[thing, float64] = "/a"
	thingB repository.Number[thing, float64] = "/b"
)

// sorting is an order of things, and the same order in Go.
type sorting struct {
	orders  []repository.Order[thing]
	compare func(x, y *thing) int
}

func by(name string, sign int) func(x, y *thing) int {
	return func(x, y *thing) int { return sign * compareValues(x.at(name), y.at(name)) }
}

func then(first, second func(x, y *thing) int) func(x, y *thing) int {
	return func(x, y *thing) int {
		if c := first(x, y); c != 0 {
			return c
		}
		return second(x, y)
	}
}

var sortings = map[string]sorting{
	"no order":        {},
	"a":               {[]repository.Order[thing]{thingA.Asc()}, by("a", 1)},
	"b, downwards":    {[]repository.Order[thing]{thingB.Desc()}, by("b", -1)},
	"a and b":         {[]repository.Order[thing]{thingA.Asc(), thingB.Asc()}, then(by("a", 1), by("b", 1))},
	"a down and b up": {[]repository.Order[thing]{thingA.Desc(), thingB.Asc()}, then(by("a", -1), by("b", 1))},
}

// TestQueriesUnderFaults runs random queries, while physical partitions are split
// and requests fail, and compares them with the same in memory.
func TestQueriesUnderFaults(t *testing.T) {
	seeds.Run(t, 8, func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 809))
		c := newThings(t, emulator.Options{Partitions: 1 + r.IntN(5), ScanLimit: []int{0, 7}[r.IntN(2)]}, repository.Configure(harness.Impatient()), seed%2 == 1,
			repository.WithPageSize(1+r.Int32N(12)), repository.WithConcurrency(1+r.IntN(8)))
		all := c.fill(t, r, 150)
		for range seeds.Few(12, 3) {
			for name, s := range sortings {
				q, base := c.Scan(), []string{"", "x", "y"}[r.IntN(3)]
				if base != "" {
					q = c.byBase(base, r.IntN(2) == 0)
				}
				q = q.OrderBy(s.orders...)
				want := thingsOf(all, base)
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
func disturbed(t *testing.T, c things, r *rand.Rand, q repository.Query[thing]) []*thing {
	t.Helper()
	defer c.server.ClearFaults()
	c.disturb(r)
	var got []*thing
	for x, err := range q.All(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		if got = append(got, x); r.IntN(20) == 0 {
			c.disturb(r)
		}
	}
	return got
}

// compareRun compares the things of a query with all things, sorted. Things that
// sort alike may come in any order.
func compareRun(t *testing.T, name string, got, want []*thing, s sorting, limit int) {
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
		if !slices.ContainsFunc(want, func(y *thing) bool { return y.ID == x.ID }) {
			t.Fatalf("%s: %s does not belong there", name, x.ID)
		}
		if s.compare != nil && s.compare(x, want[i]) != 0 {
			t.Fatalf("%s: at %d came %v, want one like %v", name, i, x, want[i])
		}
	}
}
