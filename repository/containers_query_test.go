package repository_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// byDevice selects the readings of a device: all of them, or those of a range of time.
func (r readings) byDevice(device string) repository.Query[fixtures.Reading] {
	return repository.NewQuery(r.Documents, generated.Keys{}.Where("/device", device))
}

func (r readings) byDeviceBetween(device string, from, to time.Time) repository.Query[fixtures.Reading] {
	return repository.NewQuery(r.Documents, generated.Periods(from, to, "2006-01-02", func(day time.Time) string {
		return fixtures.ReadingKey{Device: device, At: day}.PartitionKey()
	}, partition.Text("Device", device)).Where("/device", device).Between(from, to).Within("/at"))
}

func (r readings) between(from, to time.Time) repository.Query[fixtures.Reading] {
	return repository.NewQuery(r.Documents, generated.Keys{}.Between(from, to).Within("/at"))
}

// fill stores n random readings in the first months of 2024.
func (r readings) fill(t testing.TB, random *rand.Rand, n, months int) []*fixtures.Reading {
	t.Helper()
	all := make([]*fixtures.Reading, n)
	for i := range all {
		at := time.Date(2024, time.Month(1+random.IntN(months)), 1+random.IntN(28), random.IntN(24), 0, 0, 0, time.UTC)
		all[i] = &fixtures.Reading{
			ID: fmt.Sprintf("r%04d", i), Device: fmt.Sprintf("d%d", random.IntN(3)), At: repository.NewTime(at),
			Value: random.IntN(20), Kind: []string{"a", "b", "c"}[random.IntN(3)],
		}
	}
	if _, err := r.CreateAll(context.Background(), slices.Values(all)); err != nil {
		t.Fatal(err)
	}
	return all
}

// disturb makes trouble that queries survive.
func (r readings) disturb(random *rand.Rand, months int) {
	name := window(1 + random.IntN(months))
	switch random.IntN(4) {
	case 0:
		_ = r.server.Split("db", name, strconv.Itoa(random.IntN(6)))
	case 1:
		r.server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Skip: random.IntN(5), Status: 429, Substatus: 3200, RetryAfter: time.Millisecond, Count: 1 + random.IntN(3)})
	case 2:
		r.server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Skip: random.IntN(5), Status: 410, Substatus: 1002})
	case 3:
		r.server.Inject(emulator.Fault{Operation: emulator.OpQueryContainers, Status: 449})
	}
}

// selectedReadings is a query, and the same as a model.
type selectedReadings struct {
	name  string
	query repository.Query[fixtures.Reading]
	keeps func(*fixtures.Reading) bool
}

// selections are queries over 12 windows, of which some are missing.
func (r readings) selections(random *rand.Rand) []selectedReadings {
	from := time.Date(2024, time.Month(1+random.IntN(12)), 1+random.IntN(28), 3, 0, 0, 0, time.UTC)
	to := from.Add(time.Duration(random.IntN(150*24)) * time.Hour)
	within := func(x *fixtures.Reading) bool { return !x.At.Time().Before(from) && x.At.Time().Before(to) }
	return []selectedReadings{
		{"Scan", r.Scan(), func(*fixtures.Reading) bool { return true }},
		{"Scan where", r.Scan().Where(readingValue.Ge(10), readingKind.Ne("b")), func(x *fixtures.Reading) bool { return x.Value >= 10 && x.Kind != "b" }},
		{"a device", r.byDevice("d1"), func(x *fixtures.Reading) bool { return x.Device == "d1" }},
		{"a range", r.between(from, to), within},
		{"a device and a range", r.byDeviceBetween("d1", from, to), func(x *fixtures.Reading) bool { return x.Device == "d1" && within(x) }},
		{"a window", repository.NewQuery(r.Documents, generated.Keys{}.In(window(3))), func(x *fixtures.Reading) bool { return x.Key().Container() == window(3) }},
		{"a missing window", repository.NewQuery(r.Documents, generated.Keys{}.In("telemetry-2031-01")), func(*fixtures.Reading) bool { return false }},
	}
}

// readingOrders are the orders of queries, and how readings sort by them.
var readingOrders = []struct {
	name    string
	orders  []repository.Order[fixtures.Reading]
	compare func(a, b *fixtures.Reading) int
}{
	{"none", nil, func(a, b *fixtures.Reading) int { return cmp.Compare(a.At.Time().Month(), b.At.Time().Month()) }},
	{"at", []repository.Order[fixtures.Reading]{readingAtF.Asc()}, func(a, b *fixtures.Reading) int { return a.At.Compare(b.At) }},
	{"at desc", []repository.Order[fixtures.Reading]{readingAtF.Desc()}, func(a, b *fixtures.Reading) int { return b.At.Compare(a.At) }},
	{"value", []repository.Order[fixtures.Reading]{readingValue.Asc()}, func(a, b *fixtures.Reading) int { return cmp.Compare(a.Value, b.Value) }},
	{"value desc", []repository.Order[fixtures.Reading]{readingValue.Desc()}, func(a, b *fixtures.Reading) int { return cmp.Compare(b.Value, a.Value) }},
	{"at, value", []repository.Order[fixtures.Reading]{readingAtF.Asc(), readingValue.Asc()}, func(a, b *fixtures.Reading) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Value, b.Value))
	}},
	{"kind, value desc", []repository.Order[fixtures.Reading]{readingKind.Asc(), readingValue.Desc()}, func(a, b *fixtures.Reading) int {
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
			r := newReadings(t, 1+random.IntN(3), repository.WithPageSize(int32(random.IntN(4)*3)))
			for month := 1; month <= 12; month++ {
				if month != 4 && month != 9 {
					r.make(t, window(month))
				}
			}
			r.make(t, "telemetry-other", "tele", window(1)+"-")
			all := r.fill(t, random, 150, 3)
			all = append(all, r.spread(t, random, 100)...)
			for _, s := range r.selections(random) {
				for _, o := range readingOrders {
					r.disturb(random, 12)
					limit := random.IntN(3) * random.IntN(60)
					q := s.query.OrderBy(o.orders...)
					if limit > 0 {
						q = q.Limit(limit)
					}
					got, err := q.Collect(context.Background())
					if err == nil {
						err = matchesReadings(got, all, s.keeps, o.compare, limit)
					}
					if err != nil {
						t.Errorf("%s by %s, limit %d: %v", s.name, o.name, limit, err)
					}
				}
				r.compareSums(t, s, all)
			}
		})
	}
}

// spread stores n readings in the windows after March that exist.
func (r readings) spread(t testing.TB, random *rand.Rand, n int) []*fixtures.Reading {
	t.Helper()
	months := []int{5, 6, 7, 8, 10, 11, 12}
	all := make([]*fixtures.Reading, n)
	for i := range all {
		all[i] = readingAt(fmt.Sprintf("s%04d", i), months[random.IntN(len(months))], 1+random.IntN(28))
		all[i].Value = random.IntN(20)
		if err := r.Upsert(context.Background(), all[i]); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// compareSums compares aggregates, rows and values with a model.
func (r readings) compareSums(t *testing.T, s selectedReadings, all []*fixtures.Reading) {
	t.Helper()
	ctx := context.Background()
	kept := slices.DeleteFunc(slices.Clone(all), func(x *fixtures.Reading) bool { return !s.keeps(x) })
	sum, low, values := 0, 0, map[int]bool{}
	for i, x := range kept {
		sum += x.Value
		values[x.Value] = true
		if i == 0 || x.Value < low {
			low = x.Value
		}
	}
	n, err := s.query.Count(ctx)
	if err != nil || n != len(kept) {
		t.Errorf("%s: Count: %d, %v, want %d", s.name, n, err, len(kept))
	}
	added, err := repository.Sum(ctx, s.query, readingValue)
	if err != nil || int(added) != sum {
		t.Errorf("%s: Sum: %v, %v, want %d", s.name, added, err, sum)
	}
	least, ok, err := repository.Min(ctx, s.query, readingValue)
	if err != nil || ok != (len(kept) > 0) || least != low {
		t.Errorf("%s: Min: %v, %t, %v, want %d", s.name, least, ok, err, low)
	}
	mean, ok, err := repository.Avg(ctx, s.query, readingValue)
	if err != nil || ok != (len(kept) > 0) || ok && mean != float64(sum)/float64(len(kept)) {
		t.Errorf("%s: Avg: %v, %t, %v", s.name, mean, ok, err)
	}
	distinct, err := repository.Values(s.query.OrderBy(readingValue.Desc()), readingValue).Distinct().Collect(ctx)
	if err != nil || len(distinct) != len(values) || !slices.IsSortedFunc(distinct, func(a, b int) int { return b - a }) {
		t.Errorf("%s: Distinct: %v, %v, want %d values", s.name, distinct, err, len(values))
	}
	rows, err := repository.Select[struct {
		ID string `json:"id"`
	}](s.query.OrderBy(readingValue.Asc())).Collect(ctx)
	if err != nil || len(rows) != len(kept) {
		t.Errorf("%s: Select: %d, %v, want %d", s.name, len(rows), err, len(kept))
	}
	first, err := s.query.OrderBy(readingAtF.Desc()).First(ctx)
	switch {
	case len(kept) == 0:
		wantError(t, s.name+": First", err, repository.ErrNotFound)
	case err != nil || slices.ContainsFunc(kept, func(x *fixtures.Reading) bool { return x.At.Compare(first.At) > 0 }):
		t.Errorf("%s: First: %v, %v", s.name, first, err)
	}
}

// TestWindowsOfQueries checks which windows a query asks, and that a limit ends early.
func TestWindowsOfQueries(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := newReadings(t, 1)
	for month := 1; month <= 12; month++ {
		r.make(t, window(month))
		for i := range 5 {
			if err := r.Create(ctx, readingAt(fmt.Sprint(i), month, 10+i)); err != nil {
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
		{"a range", r.between(month(3, 5), month(5, 2)), []int{3, 4, 5}},
		{"a range that ends where a window begins", r.between(month(3, 5), month(5, 1)), []int{3, 4}},
		{"a device and a range", r.byDeviceBetween("d1", month(11, 30), month(12, 2)), []int{11, 12}},
		{"the first in time", r.Scan().OrderBy(readingAtF.Asc()).Limit(7), []int{1, 2}},
		{"the last in time", r.Scan().OrderBy(readingAtF.Desc()).Limit(3), []int{12}},
		{"any", r.Scan().Limit(5), []int{1}},
		{"by value", r.Scan().OrderBy(readingValue.Desc()).Limit(1), []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
	} {
		r.server.ResetRequests()
		if _, err := test.query.Collect(ctx); err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		asked := requestsOf(r.server)
		var names []string
		for _, m := range test.want {
			names = append(names, window(m))
		}
		if len(asked) != len(names) || slices.ContainsFunc(names, func(n string) bool { return asked[n] == 0 }) {
			t.Errorf("%s: asked %v, want %v", test.name, asked, names)
		}
	}
	plan, err := r.between(month(3, 5), month(5, 2)).Plan(ctx)
	if want := strings.Join([]string{window(3), window(4), window(5)}, ", "); err != nil || plan.Containers != want || plan.Requests != 3 || !strings.Contains(plan.String(), want) {
		t.Errorf("the plan is %v, %v", plan, err)
	}
	if plan, err := r.Scan().OrderBy(readingValue.Asc()).Plan(ctx); err != nil || !strings.Contains(plan.Why, "12 containers, merged") {
		t.Errorf("the plan of an order is %v, %v", plan, err)
	}
	if _, err := r.between(month(1, 1), month(1, 1).AddDate(2000, 0, 0)).Collect(ctx); err == nil || !strings.Contains(err.Error(), "WithMaxKeys") {
		t.Errorf("a range of 24,000 windows: %v", err)
	}
	if got, err := r.between(month(1, 1).AddDate(-20, 0, 0), month(3, 1)).Collect(ctx); err != nil || len(got) != 10 {
		t.Errorf("a range of 242 windows: %d, %v", len(got), err)
	}
}

// TestWindowsThatComeAndGo checks that a query sees a window that another program has just
// made, and leaves out one that was dropped.
func TestWindowsThatComeAndGo(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := newReadings(t, 2)
	other := readings{repository.NewIn(r.server.Database(repository.Configure(nil)), fixtures.ReadingModel), r.server, r.db}
	january := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	count := func(want int) {
		t.Helper()
		for name, q := range map[string]repository.Query[fixtures.Reading]{"Scan": r.Scan(), "a range": r.between(january, january.AddDate(1, 0, 0)), "a device": r.byDeviceBetween("d1", january, january.AddDate(1, 0, 0))} {
			n, err := q.Count(ctx)
			docs, listed := q.OrderBy(readingValue.Asc()).Collect(ctx)
			plain, listedPlain := q.Collect(ctx)
			if err := errors.Join(err, listed, listedPlain); err != nil || n != want || len(docs) != want || len(plain) != want {
				t.Errorf("%s: %d, %d and %d readings, want %d: %v", name, n, len(docs), len(plain), want, err)
			}
		}
	}
	count(0)
	for month := 1; month <= 3; month++ {
		other.make(t, window(month))
		if err := other.Create(ctx, readingAt("r1", month, 3)); err != nil {
			t.Fatal(err)
		}
		count(month)
	}
	r.drop(t, window(2))
	count(2)
	other.make(t, window(2))
	count(2)
	if err := r.Create(ctx, readingAt("n1", 2, 4)); err != nil {
		t.Fatal(err)
	}
	count(3)
	r.drop(t, window(1))
	if err := r.Create(ctx, readingAt("r1", 1, 3)); !errors.Is(err, repository.ErrNoContainer) {
		t.Errorf("a write to a dropped window: %v", err)
	}
}

// TestWindowsDroppedDuringQueries drops a window between two pages of a query, or makes it
// again: the query gives each reading once, or an error.
func TestWindowsDroppedDuringQueries(t *testing.T) {
	t.Parallel()
	for _, again := range []bool{false, true} {
		for _, ordered := range []bool{false, true} {
			r := newReadings(t, 1, repository.WithPageSize(2))
			for month := 1; month <= 3; month++ {
				r.make(t, window(month))
			}
			r.fill(t, rand.New(rand.NewPCG(1, 1)), 60, 3)
			q := r.Scan()
			if ordered {
				q = q.OrderBy(readingValue.Asc())
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
					r.drop(t, window(1))
					if again {
						r.make(t, window(1))
					}
				}
			}
			if failure == nil {
				t.Errorf("a query goes on in a window that was dropped (ordered %t, again %t), after %d readings", ordered, again, len(seen))
			}
		}
	}
}

// TestDeletingOverContainers checks DeleteAllOf over several windows.
func TestDeletingOverContainers(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := newReadings(t, 2)
	for month := 1; month <= 3; month++ {
		r.make(t, window(month))
	}
	all := r.fill(t, rand.New(rand.NewPCG(2, 2)), 80, 3)
	for _, q := range []repository.Query[fixtures.Reading]{
		r.Scan().Where(readingKind.Eq("a")), r.Scan().OrderBy(readingValue.Desc()).Limit(10), r.Scan(),
	} {
		found, err := q.Collect(ctx)
		if err != nil {
			t.Fatal(err)
		}
		summary, err := r.DeleteAllOf(ctx, q, repository.InBatches())
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
	r := newReadings(t, 1)
	r.make(t, window(1), window(2))
	a, b := readingAt("a1", 1, 5), readingAt("b1", 2, 5)
	for _, x := range []*fixtures.Reading{a, b, readingAt("c1", 1, 5), readingAt("c1", 2, 5)} {
		if err := r.Create(ctx, x); err != nil {
			t.Fatal(err)
		}
	}
	got, err := repository.FindInBuckets(ctx, r.Documents, "b1", generated.Keys{})
	if err != nil || got.At != b.At {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = repository.FindInBuckets(ctx, r.Documents, "none", generated.Keys{})
	wantError(t, "a missing id", err, repository.ErrNotFound)
	_, err = repository.FindInBuckets(ctx, r.Documents, "c1", generated.Keys{})
	wantError(t, "an id in two windows", err, repository.ErrAmbiguous)
}
