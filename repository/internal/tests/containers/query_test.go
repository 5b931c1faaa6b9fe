package containers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// readingOrders are the orders of queries, and how readings sort by them.
var readingOrders = []struct {
	name    string
	orders  []repository.Order[fixtures.Reading]
	compare func(a, b *fixtures.Reading) int
}{
	{"none", nil, func(a, b *fixtures.Reading) int { return cmp.Compare(a.At.Time().Month(), b.At.Time().Month()) }},
	{"at", []repository.Order[fixtures.Reading]{kit.ReadingAtF.Asc()}, func(a, b *fixtures.Reading) int { return a.At.Compare(b.At) }},
	{"at desc", []repository.Order[fixtures.Reading]{kit.ReadingAtF.Desc()}, func(a, b *fixtures.Reading) int { return b.At.Compare(a.At) }},
	{"value", []repository.Order[fixtures.Reading]{kit.ReadingValue.Asc()}, func(a, b *fixtures.Reading) int { return cmp.Compare(a.Value, b.Value) }},
	{"value desc", []repository.Order[fixtures.Reading]{kit.ReadingValue.Desc()}, func(a, b *fixtures.Reading) int { return cmp.Compare(b.Value, a.Value) }},
	{"at, value", []repository.Order[fixtures.Reading]{kit.ReadingAtF.Asc(), kit.ReadingValue.Asc()}, func(a, b *fixtures.Reading) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Value, b.Value))
	}},
	{"kind, value desc", []repository.Order[fixtures.Reading]{kit.ReadingKind.Asc(), kit.ReadingValue.Desc()}, func(a, b *fixtures.Reading) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(b.Value, a.Value))
	}},
}

// matchesReadings returns why got is not what a model has, in its order, and at most
// limit of it unless limit is 0.
func matchesReadings(got, all []*fixtures.Reading, keeps func(*fixtures.Reading) bool, compare func(a, b *fixtures.Reading) int, limit int) error {
	want := map[string]*fixtures.Reading{}
	for _, x := range all {
		if keeps(x) {
			want[x.ID] = x
		}
	}
	total := len(want)
	if limit > 0 {
		total = min(total, limit)
	}
	if len(got) != total {
		return fmt.Errorf("%d readings, want %d", len(got), total)
	}
	for i, x := range got {
		if want[x.ID] == nil {
			return fmt.Errorf("%s is not wanted, or comes twice", x.ID)
		}
		delete(want, x.ID)
		if i > 0 && compare(got[i-1], x) > 0 {
			return fmt.Errorf("%s comes before %s", got[i-1].ID, x.ID)
		}
	}
	if len(got) > 0 && limit > 0 {
		for _, left := range want {
			if compare(left, got[len(got)-1]) < 0 {
				return fmt.Errorf("%s is left out, which sorts before %s", left.ID, got[len(got)-1].ID)
			}
		}
	}
	return nil
}

// TestQueriesOverContainers compares every kind of query over 12 windows, two of which are
// missing, with a model, while physical partitions are split and requests fail.
func TestQueriesOverContainers(t *testing.T) {
	t.Parallel()
	for seed := range seeds.Of(1) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 16))
			r := kit.NewReadings(t, 1+random.IntN(3), repository.WithPageSize(int32(random.IntN(4)*3)))
			for month := 1; month <= 12; month++ {
				if month != 4 && month != 9 {
					r.Make(t, kit.Window(month))
				}
			}
			r.Make(t, "telemetry-other", "tele", kit.Window(1)+"-")
			all := r.Fill(t, random, 150, 3)
			all = append(all, r.Spread(t, random, 100)...)
			for _, s := range r.Selections(random) {
				for _, o := range readingOrders {
					r.Disturb(random, 12)
					limit := random.IntN(3) * random.IntN(60)
					q := s.Query.OrderBy(o.orders...)
					if limit > 0 {
						q = q.Limit(limit)
					}
					got, err := q.Collect(context.Background())
					if err == nil {
						err = matchesReadings(got, all, s.Keeps, o.compare, limit)
					}
					if err != nil {
						t.Errorf("%s by %s, limit %d: %v", s.Name, o.name, limit, err)
					}
				}
				r.CompareSums(t, s, all)
			}
		})
	}
}

// TestWindowsOfQueries checks which windows a query asks, and that a limit ends early.
func TestWindowsOfQueries(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := kit.NewReadings(t, 1)
	for month := 1; month <= 12; month++ {
		r.Make(t, kit.Window(month))
		for i := range 5 {
			if err := r.Create(ctx, kit.ReadingAt(fmt.Sprint(i), month, 10+i)); err != nil {
				t.Fatal(err)
			}
		}
	}
	_, _ = r.Scan().Count(ctx) // reads the physical partitions
	month := func(m, day int) time.Time { return time.Date(2024, time.Month(m), day, 0, 0, 0, 0, time.UTC) }
	for _, test := range []struct {
		name  string
		query repository.Query[fixtures.Reading]
		want  []int // months
	}{
		{"a range", r.Between(month(3, 5), month(5, 2)), []int{3, 4, 5}},
		{"a range that ends where a window begins", r.Between(month(3, 5), month(5, 1)), []int{3, 4}},
		{"a device and a range", r.ByDeviceBetween("d1", month(11, 30), month(12, 2)), []int{11, 12}},
		{"the first in time", r.Scan().OrderBy(kit.ReadingAtF.Asc()).Limit(7), []int{1, 2}},
		{"the last in time", r.Scan().OrderBy(kit.ReadingAtF.Desc()).Limit(3), []int{12}},
		{"any", r.Scan().Limit(5), []int{1}},
		{"by value", r.Scan().OrderBy(kit.ReadingValue.Desc()).Limit(1), []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
	} {
		r.Server.ResetRequests()
		if _, err := test.query.Collect(ctx); err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		asked := kit.RequestsOf(r.Server)
		var names []string
		for _, m := range test.want {
			names = append(names, kit.Window(m))
		}
		if len(asked) != len(names) || slices.ContainsFunc(names, func(n string) bool { return asked[n] == 0 }) {
			t.Errorf("%s: asked %v, want %v", test.name, asked, names)
		}
	}
	plan, err := r.Between(month(3, 5), month(5, 2)).Plan(ctx)
	if want := strings.Join([]string{kit.Window(3), kit.Window(4), kit.Window(5)}, ", "); err != nil || plan.Containers != want || plan.Requests != 3 || !strings.Contains(plan.String(), want) {
		t.Errorf("the plan is %v, %v", plan, err)
	}
	if plan, err := r.Scan().OrderBy(kit.ReadingValue.Asc()).Plan(ctx); err != nil || !strings.Contains(plan.Why, "12 containers, merged") {
		t.Errorf("the plan of an order is %v, %v", plan, err)
	}
	if _, err := r.Between(month(1, 1), month(1, 1).AddDate(2000, 0, 0)).Collect(ctx); err == nil || !strings.Contains(err.Error(), "WithMaxKeys") {
		t.Errorf("a range of 24,000 windows: %v", err)
	}
	if got, err := r.Between(month(1, 1).AddDate(-20, 0, 0), month(3, 1)).Collect(ctx); err != nil || len(got) != 10 {
		t.Errorf("a range of 242 windows: %d, %v", len(got), err)
	}
}

// TestWindowsThatComeAndGo checks that a query sees a window that another program has just
// made, and leaves out one that was dropped.
func TestWindowsThatComeAndGo(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := kit.NewReadings(t, 2)
	other := kit.Readings{Documents: repository.NewIn(r.Server.Database(repository.Configure(nil)), fixtures.ReadingModel), Server: r.Server, DB: r.DB}
	january := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	count := func(want int) {
		t.Helper()
		for name, q := range map[string]repository.Query[fixtures.Reading]{"Scan": r.Scan(), "a range": r.Between(january, january.AddDate(1, 0, 0)), "a device": r.ByDeviceBetween("d1", january, january.AddDate(1, 0, 0))} {
			n, err := q.Count(ctx)
			docs, listed := q.OrderBy(kit.ReadingValue.Asc()).Collect(ctx)
			plain, listedPlain := q.Collect(ctx)
			if err := errors.Join(err, listed, listedPlain); err != nil || n != want || len(docs) != want || len(plain) != want {
				t.Errorf("%s: %d, %d and %d readings, want %d: %v", name, n, len(docs), len(plain), want, err)
			}
		}
	}
	count(0)
	for month := 1; month <= 3; month++ {
		other.Make(t, kit.Window(month))
		if err := other.Create(ctx, kit.ReadingAt("r1", month, 3)); err != nil {
			t.Fatal(err)
		}
		count(month)
	}
	r.Drop(t, kit.Window(2))
	count(2)
	other.Make(t, kit.Window(2))
	count(2)
	if err := r.Create(ctx, kit.ReadingAt("n1", 2, 4)); err != nil {
		t.Fatal(err)
	}
	count(3)
	r.Drop(t, kit.Window(1))
	if err := r.Create(ctx, kit.ReadingAt("r1", 1, 3)); !errors.Is(err, repository.ErrNoContainer) {
		t.Errorf("a write to a dropped window: %v", err)
	}
}

// TestWindowsDroppedDuringQueries drops a window between two pages of a query, or makes it
// again: the query gives each reading once, or an error.
func TestWindowsDroppedDuringQueries(t *testing.T) {
	t.Parallel()
	for _, again := range []bool{false, true} {
		for _, ordered := range []bool{false, true} {
			r := kit.NewReadings(t, 1, repository.WithPageSize(2))
			for month := 1; month <= 3; month++ {
				r.Make(t, kit.Window(month))
			}
			r.Fill(t, rand.New(rand.NewPCG(1, 1)), 60, 3)
			q := r.Scan()
			if ordered {
				q = q.OrderBy(kit.ReadingValue.Asc())
			}
			seen := map[string]bool{}
			var failure error
			for x, err := range q.All(context.Background()) {
				if failure = err; err != nil {
					break
				}
				if seen[x.ID] {
					t.Errorf("%s comes twice", x.ID)
				}
				seen[x.ID] = true
				if len(seen) == 2 {
					r.Drop(t, kit.Window(1))
					if again {
						r.Make(t, kit.Window(1))
					}
				}
			}
			if failure == nil {
				t.Errorf("a query goes on in a window that was dropped (ordered %t, again %t), after %d readings", ordered, again, len(seen))
			}
		}
	}
}

// TestDeletingOverContainers checks DeleteFound over several windows.
func TestDeletingOverContainers(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := kit.NewReadings(t, 2)
	for month := 1; month <= 3; month++ {
		r.Make(t, kit.Window(month))
	}
	all := r.Fill(t, rand.New(rand.NewPCG(2, 2)), 80, 3)
	for _, q := range []repository.Query[fixtures.Reading]{
		r.Scan().Where(kit.ReadingKind.Eq("a")), r.Scan().OrderBy(kit.ReadingValue.Desc()).Limit(10), r.Scan(),
	} {
		found, err := q.Collect(ctx)
		if err != nil {
			t.Fatal(err)
		}
		summary, err := r.DeleteFound(q, documents.InBatches()).Collect(ctx)
		if err != nil || summary.Items != len(found) {
			t.Errorf("%+v, %v, want %d", summary, err, len(found))
		}
		for _, x := range found {
			if _, err := r.Get(ctx, x.Key()); !errors.Is(err, repository.ErrNotFound) {
				t.Errorf("%s is left: %v", x.ID, err)
			}
		}
	}
	if n, err := r.Scan().Count(ctx); err != nil || n != 0 || len(all) != 80 {
		t.Errorf("%d readings are left, %v", n, err)
	}
}

// TestFindOverContainers checks that an id is found in whichever window it is, once.
func TestFindOverContainers(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := kit.NewReadings(t, 1)
	r.Make(t, kit.Window(1), kit.Window(2))
	a, b := kit.ReadingAt("a1", 1, 5), kit.ReadingAt("b1", 2, 5)
	for _, x := range []*fixtures.Reading{a, b, kit.ReadingAt("c1", 1, 5), kit.ReadingAt("c1", 2, 5)} {
		if err := r.Create(ctx, x); err != nil {
			t.Fatal(err)
		}
	}
	got, err := repository.FindInBuckets(ctx, r.Documents, "b1", generated.Keys{})
	if err != nil || got.At != b.At {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = repository.FindInBuckets(ctx, r.Documents, "none", generated.Keys{})
	kit.WantError(t, "a missing id", err, repository.ErrNotFound)
	_, err = repository.FindInBuckets(ctx, r.Documents, "c1", generated.Keys{})
	kit.WantError(t, "an id in two windows", err, repository.ErrAmbiguous)
}
