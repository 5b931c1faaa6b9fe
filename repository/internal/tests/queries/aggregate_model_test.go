package queries

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// The property a as a text, and as a number whose zero Go leaves out.
const (
	thingText  documents.String[kit.Thing, string]  = "/a"
	thingMaybe documents.Number[kit.Thing, float64] = "?/a"
)

// valuesOf are the values of type V that things have for a property. If absence
// counts as zero, a thing without the property has a zero.
func valuesOf[V any](all []*kit.Thing, name string, omitted bool) []V {
	var values []V
	for _, x := range all {
		var zero V
		if v, ok := x.At(name).(V); ok {
			values = append(values, v)
		} else if omitted && x.At(name) == kit.Nothing {
			values = append(values, zero)
		}
	}
	return values
}

// TestAggregatesUnderFaults compares aggregates with the same in memory, while
// physical partitions are split, requests fail and pages hold only parts of sums.
func TestAggregatesUnderFaults(t *testing.T) {
	seeds.Gate(t, "many queries")
	kit.Seeds(t, 6, func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 126))
		c := kit.NewThings(t, emulator.Options{Partitions: 1 + r.IntN(5), ScanLimit: []int{0, 3, 10}[r.IntN(3)]}, repository.Configure(harness.Impatient()), seed%2 == 1,
			repository.WithPageSize(1+r.Int32N(12)), repository.WithConcurrency(1+r.IntN(8)))
		all := c.Fill(t, r, 120)
		for range 12 {
			q, base := c.Scan(), []string{"", "x", "y", "z"}[r.IntN(4)]
			if base != "" {
				q = c.ByBase(base, r.IntN(2) == 0)
			}
			aggregates(t, c, r, q, kit.ThingsOf(all, base))
		}
	})
}

func aggregates(t *testing.T, c kit.Things, r *rand.Rand, q repository.Query[kit.Thing], all []*kit.Thing) {
	t.Helper()
	defer c.Server.ClearFaults()
	ctx := context.Background()
	check := func(name string, got, want any, err error) {
		t.Helper()
		if err != nil || got != want {
			t.Fatalf("%s is %v, want %v; %v", name, got, want, err)
		}
		c.Disturb(r)
	}
	count, err := q.OrderBy(kit.ThingB.Asc()).Count(ctx) // the order makes no difference
	check("count", count, len(all), err)

	numbers := valuesOf[float64](all, "a", false)
	maybe := valuesOf[float64](all, "a", true)
	texts := valuesOf[string](all, "a", false)
	sum, err := repository.Sum(ctx, q.WhereRaw("NOT (c.a > 1000)"), kit.ThingA) // whose sum is exact
	check("sum", sum, total(numbers), err)
	avg, ok, err := repository.Avg(ctx, q.WhereRaw("NOT (c.a > 1000)"), kit.ThingA)
	check("average", result[float64]{avg, ok}, average(numbers), err)
	avg, ok, err = repository.Avg(ctx, q.WhereRaw("NOT IS_DEFINED(c.a) OR NOT (c.a > 1000)"), thingMaybe)
	check("average with zeros", result[float64]{avg, ok}, average(maybe), err)

	low, ok, err := repository.Min(ctx, q, kit.ThingA)
	check("minimum", result[float64]{low, ok}, extreme(numbers, slices.Min), err)
	low, ok, err = repository.Min(ctx, q, thingMaybe)
	check("minimum with zeros", result[float64]{low, ok}, extreme(maybe, slices.Min), err)
	// Only what was left out is zero here.
	above := valuesOf[float64](slices.DeleteFunc(slices.Clone(all), func(x *kit.Thing) bool { return kit.CompareValues(x.At("a"), 1.0) < 0 && x.At("a") != kit.Nothing }), "a", true)
	low, ok, err = repository.Min(ctx, q.WhereRaw("NOT IS_DEFINED(c.a) OR c.a >= 1"), thingMaybe)
	check("least of 1 and above or absent", result[float64]{low, ok}, extreme(above, slices.Min), err)
	high, ok, err := repository.Max(ctx, q, thingMaybe)
	check("maximum with zeros", result[float64]{high, ok}, extreme(maybe, slices.Max), err)
	text, ok, err := repository.Max(ctx, q, thingText)
	check("greatest text", result[string]{text, ok}, extreme(texts, slices.Max), err)

	got, err := repository.Values(q.OrderBy(kit.ThingB.Desc()), thingMaybe).Collect(ctx)
	slices.Sort(got)
	slices.Sort(maybe)
	check("values", fmt.Sprint(got), fmt.Sprint(maybe), err)
	got, err = repository.Values(q, thingMaybe).Distinct().Collect(ctx)
	slices.Sort(got)
	check("distinct values", fmt.Sprint(got), fmt.Sprint(slices.Compact(maybe)), err)
}

type result[V any] struct {
	v  V
	ok bool
}

func total(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		if v < 1000 {
			sum += v
		}
	}
	return sum
}

func average(values []float64) result[float64] {
	n := 0
	for _, v := range values {
		if v < 1000 {
			n++
		}
	}
	if n == 0 {
		return result[float64]{}
	}
	return result[float64]{total(values) / float64(n), true}
}

func extreme[V cmp.Ordered](values []V, of func([]V) V) result[V] {
	if len(values) == 0 {
		return result[V]{}
	}
	return result[V]{of(values), true}
}
