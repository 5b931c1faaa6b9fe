package lists

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/lists"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

// sorted returns the ids of documents in order, and an error as one of them.
func sorted[T any](all []*T, id func(*T) string, err error) []string {
	if err != nil {
		return []string{err.Error()}
	}
	ids := make([]string, len(all))
	for i, d := range all {
		ids[i] = id(d)
	}
	slices.Sort(ids)
	return ids
}

// store stores JSON as an earlier release has done it.
func store(t *testing.T, container *azcosmos.ContainerClient, key string, v map[string]any) {
	t.Helper()
	text, err := json.Marshal(v)
	if err == nil {
		_, err = container.CreateItem(t.Context(), azcosmos.NewPartitionKeyString(key), text, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func asAny(lines []lists.Line) any {
	text, err := json.Marshal(lines)
	if err != nil {
		panic(err)
	}
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		panic(err)
	}
	return v
}

// crates are the documents of a tenant in three containers: some are marked as deleted, and some
// have their list under its former name, or under both.
func newCrates(t *testing.T, r *rand.Rand) (*lists.CrateRepository, map[string]*lists.Crate) {
	t.Helper()
	account := harness.New(t, emulator.Options{Partitions: 2}, repository.Configure(nil))
	all := lists.NewCrateRepository(account.DB, admin.WithEnsureContainer(func(string) admin.Throughput { return admin.AnyThroughput() }))
	live := map[string]*lists.Crate{}
	for i := range 36 {
		at := time.Date(2026, time.Month(1+i%3), 2, 0, 0, 0, 0, time.UTC)
		c := &lists.Crate{ID: fmt.Sprintf("c%02d", i), Owner: []string{"ann", "bob"}[i%2], At: repository.NewTime(at), Lines: some(r, randomLine)}
		if i < 3 || i%4 > 0 { // the first make the containers
			if err := all.Create(t.Context(), c); err != nil {
				t.Fatal(err)
			}
		} else {
			v := map[string]any{"id": c.ID, "owner": c.Owner, "at": c.At, "items": asAny(c.Lines)}
			if i%8 == 0 { // a later release has written it again
				v["items"], v["lines"] = asAny(some(r, randomLine)), v["items"]
			}
			store(t, account.Container(c.Key().Container(), nil), c.Owner, v)
		}
		if i%5 == 4 {
			if err := all.Delete(t.Context(), c.Key()); err != nil {
				t.Fatal(err)
			}
			continue
		}
		live[c.ID] = c
	}
	return all, live
}

// Lists of documents in containers for months, of a tenant, with marks of deletion and a former
// name: queries, rows and pages have the documents of the tenant that are not deleted.
func TestElementsOfCrates(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(40, 5))
	all, live := newCrates(t, r)
	bob, own := all.For("bob"), lists.CrateFields
	id := func(c *lists.Crate) string { return c.ID }
	for range seeds.Rounds(60) {
		x := lines(r)
		var some, every, rows []string
		for _, c := range live {
			if c.Owner != "bob" {
				continue
			}
			n := 0
			for i := range c.Lines {
				if x.inGo(&c.Lines[i]) {
					rows = append(rows, c.ID+c.Lines[i].SKU)
					n++
				}
			}
			if n > 0 {
				some = append(some, c.ID)
			}
			if n == len(c.Lines) {
				every = append(every, c.ID)
			}
		}
		slices.Sort(some)
		slices.Sort(every)
		slices.Sort(rows)
		found, err := bob.Scan().Where(own.Lines.Any(x.predicate)).Collect(t.Context())
		if got := sorted(found, id, err); !slices.Equal(got, some) {
			t.Fatalf("any %s: %v, want %v", x.predicate, got, some)
		}
		var paged []*lists.Crate
		for cursor := ""; ; {
			page, err := bob.Scan().Where(own.Lines.All(x.predicate)).OrderBy(own.At.Desc()).Page(t.Context(), cursor, 3)
			if err != nil {
				t.Fatal(err)
			}
			paged = append(paged, page.Items...)
			if cursor = page.Cursor; cursor == "" {
				break
			}
		}
		if got := sorted(paged, id, nil); !slices.Equal(got, every) {
			t.Fatalf("all %s: %v, want %v", x.predicate, got, every)
		}
		joined, err := repository.Join[named, line](bob.Scan(), own.Lines, x.predicate).Collect(t.Context())
		if got := rowsOf(joined, err); !slices.Equal(got, rows) {
			t.Fatalf("rows of %s: %v, want %v", x.predicate, got, rows)
		}
		n, err := bob.Scan().Where(repository.Not(own.Lines.Any(x.predicate))).Count(t.Context())
		if err != nil || n != countOf(live)-len(some) {
			t.Fatalf("not any %s: %d, %v", x.predicate, n, err)
		}
	}
}

// countOf returns how many documents bob has.
func countOf(live map[string]*lists.Crate) (n int) {
	for _, c := range live {
		if c.Owner == "bob" {
			n++
		}
	}
	return n
}

// Lists of documents that lie in the buckets of two numbers, and move between them, come once, and
// so do those of an index.
func TestElementsOfPallets(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(40, 6))
	account := harness.New(t, emulator.Options{Partitions: 3}, repository.Configure(nil))
	container, err := lists.EnsurePalletContainer(t.Context(), account.DB, admin.AnyThroughput())
	if err != nil {
		t.Fatal(err)
	}
	stored := lists.NewPalletRepository(container)
	byID := map[string]*lists.Pallet{}
	for i := range 40 {
		p := &lists.Pallet{ID: fmt.Sprintf("p%02d", i), Day: day(i % 2), Customer: fmt.Sprint("c", i%9), State: []string{"open", "sent"}[i%3%2], Lines: some(r, randomLine)}
		byID[p.ID] = p
		if i%2 == 0 {
			err = stored.Create(t.Context(), p)
		} else {
			key := fmt.Sprint(p.Day, ".", partition.Hash{}.Text(p.Customer).Bucket(4))
			store(t, container, key, map[string]any{"id": p.ID, "day": p.Day, "customer": p.Customer, "partitionKey": key, "state": p.State, "lines": asAny(p.Lines)})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	index, err := lists.EnsurePalletByStateContainer(t.Context(), account.DB, admin.Autoscale(1000), admin.WaitForIndex())
	if err != nil {
		t.Fatal(err)
	}
	byState := lists.NewPalletByStateRepository(index)
	check := func() {
		t.Helper()
		for range seeds.Rounds(30) {
			x := lines(r)
			want := func(of func(p *lists.Pallet) bool) (ids, rows []string) {
				for _, p := range byID {
					n := 0
					for i := range p.Lines {
						if of(p) && x.inGo(&p.Lines[i]) {
							rows = append(rows, p.ID+p.Lines[i].SKU)
							n++
						}
					}
					if n > 0 {
						ids = append(ids, p.ID)
					}
				}
				slices.Sort(ids)
				slices.Sort(rows)
				return ids, rows
			}
			ids, rows := want(func(p *lists.Pallet) bool { return p.Day == day(0) })
			q := stored.ByDay(day(0))
			found, err := q.Where(lists.PalletFields.Lines.Any(x.predicate)).Collect(t.Context())
			if got := sorted(found, func(p *lists.Pallet) string { return p.ID }, err); !slices.Equal(got, ids) {
				t.Fatalf("any %s: %v, want %v", x.predicate, got, ids)
			}
			joined, err := repository.Join[named, line](q, lists.PalletFields.Lines, x.predicate).Collect(t.Context())
			if got := rowsOf(joined, err); !slices.Equal(got, rows) {
				t.Fatalf("rows of %s: %v, want %v", x.predicate, got, rows)
			}
			ids, rows = want(func(p *lists.Pallet) bool { return p.State == "open" })
			entries, err := byState.ByState("open").Where(lists.PalletByStateFields.Lines.Any(x.predicate)).Collect(t.Context())
			if got := sorted(entries, func(e *lists.PalletByStateEntry) string { return e.ID }, err); !slices.Equal(got, ids) {
				t.Fatalf("index: any %s: %v, want %v", x.predicate, got, ids)
			}
			joined, err = repository.Join[named, line](byState.ByState("open"), lists.PalletByStateFields.Lines, x.predicate).Collect(t.Context())
			if got := rowsOf(joined, err); !slices.Equal(got, rows) {
				t.Fatalf("index: rows of %s: %v, want %v", x.predicate, got, rows)
			}
		}
	}
	check()
	for i := 1; i < 40; i += 4 { // which moves them
		p := byID[fmt.Sprintf("p%02d", i)]
		if err := stored.Update(t.Context(), p.Key(), func(stored *lists.Pallet) error {
			stored.Lines = append(stored.Lines, lists.Line{SKU: "moved"})
			p.Lines = stored.Lines
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	account.Advance(time.Minute)
	check()
}

// rowsOf returns rows as texts in order, and an error as one of them.
func rowsOf(joined []repository.Joined[named, line], err error) []string {
	if err != nil {
		return []string{err.Error()}
	}
	var rows []string
	for _, row := range joined {
		rows = append(rows, row.Document.ID+row.Element.SKU)
	}
	slices.Sort(rows)
	return rows
}
