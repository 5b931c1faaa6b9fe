package containers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// pagesOf walks over the pages of a query, and calls between before each page but the first.
func pagesOf(q repository.Query[fixtures.Reading], size func() int, between func() error) ([]*fixtures.Reading, error) {
	var all []*fixtures.Reading
	cursor := ""
	for {
		page, err := q.Page(context.Background(), cursor, size())
		if err != nil {
			return all, err
		}
		if all = append(all, page.Items...); len(all) > 1000 {
			return all, errors.New("the pages do not end")
		}
		if cursor = page.Cursor; cursor == "" {
			return all, nil
		}
		if len(cursor) > 2<<10 {
			return all, fmt.Errorf("a cursor has %d bytes", len(cursor))
		}
		if err := between(); err != nil {
			return all, err
		}
	}
}

// TestPagesOverContainers compares the pages of queries over several windows with a model.
func TestPagesOverContainers(t *testing.T) {
	t.Parallel()
	byID := func(a, b *fixtures.Reading) int {
		return cmp.Or(cmp.Compare(a.At.Time().Month(), b.At.Time().Month()), strings.Compare(a.ID, b.ID))
	}
	for seed := range seeds.Of(1) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 61))
			options := []repository.Option{repository.WithPageSize(int32(random.IntN(4) * 3))}
			if random.IntN(2) == 0 {
				options = append(options, repository.WithCursorKey([]byte("0123456789abcdef")))
			}
			r := kit.NewReadings(t, 1+random.IntN(3), options...)
			for month := 1; month <= 12; month++ {
				if month != 4 && month != 9 {
					r.Make(t, kit.Window(month))
				}
			}
			all := append(r.Fill(t, random, 60, 3), r.Spread(t, random, 30)...)
			for _, s := range r.Selections(random) {
				for _, o := range readingOrders {
					compare := o.compare
					if o.orders == nil {
						compare = byID
					}
					limit := random.IntN(2) * random.IntN(60)
					q := s.Query.OrderBy(o.orders...)
					if limit > 0 {
						q = q.Limit(limit)
					}
					got, err := pagesOf(q, func() int { return 4 + random.IntN(30) }, func() error {
						r.Disturb(random, 12)
						return nil
					})
					if err == nil {
						err = matchesReadings(got, all, s.Keeps, compare, limit)
					}
					if err != nil {
						t.Errorf("%s by %s, limit %d: %v", s.Name, o.name, limit, err)
					}
				}
			}
		})
	}
}

// TestPagesWhileWindowsChange drops a window between two pages, makes it again, or makes
// another one: pages have the readings that stay once, or the cursor is refused.
func TestPagesWhileWindowsChange(t *testing.T) {
	t.Parallel()
	for _, o := range readingOrders {
		for _, test := range []string{"dropped", "created again", "made"} {
			t.Run(o.name+" "+test, func(t *testing.T) {
				t.Parallel()
				r := kit.NewReadings(t, 1)
				for month := 1; month <= 3; month++ {
					r.Make(t, kit.Window(month))
				}
				all := r.Fill(t, rand.New(rand.NewPCG(7, 7)), 60, 3)
				changed := 0
				got, err := pagesOf(r.Scan().OrderBy(o.orders...), func() int { return 7 }, func() error {
					if changed++; changed != 2 {
						return nil
					}
					switch test {
					case "made":
						r.Make(t, kit.Window(4))
						return r.Create(context.Background(), kit.ReadingAt("new", 4, 1))
					case "created again":
						r.Drop(t, kit.Window(2))
						r.Make(t, kit.Window(2))
					default:
						r.Drop(t, kit.Window(2))
					}
					return nil
				})
				if test == "created again" && errors.Is(err, repository.ErrCursor) {
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				seen := map[string]bool{}
				for i, x := range got {
					if seen[x.ID] || i > 0 && o.compare(got[i-1], x) > 0 {
						t.Errorf("%s comes twice, or after %s", x.ID, got[i-1].ID)
					}
					seen[x.ID] = true
				}
				for _, x := range all {
					if !seen[x.ID] && (test == "made" || x.Key().Container() != kit.Window(2)) {
						t.Errorf("%s is missing", x.ID)
					}
				}
			})
		}
	}
}

// TestCursorsOfContainers checks that a cursor is of one query over the same containers,
// and what a page costs in requests.
func TestCursorsOfContainers(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := kit.NewReadings(t, 1)
	for month := 1; month <= 6; month++ {
		r.Make(t, kit.Window(month))
	}
	r.Fill(t, rand.New(rand.NewPCG(3, 3)), 120, 6)
	february := kit.ReadingAt("x", 2, 1)
	q := r.Scan()
	page, err := q.Page(ctx, "", 5)
	if err != nil || page.Cursor == "" {
		t.Fatal(page, err)
	}
	for name, other := range map[string]repository.Query[fixtures.Reading]{
		"a range": r.Between(february.At.Time(), february.At.Time().AddDate(0, 1, 0)), "an order": q.OrderBy(kit.ReadingValue.Asc()), "a limit": q.Limit(50),
	} {
		_, err := other.Page(ctx, page.Cursor, 5)
		kit.WantError(t, name, err, repository.ErrCursor)
	}
	for name, test := range map[string]struct {
		query repository.Query[fixtures.Reading]
		most  int // requests for documents
	}{
		"in the order of time": {q.OrderBy(kit.ReadingAtF.Asc()), 2},
		"by id":                {q, 2},
		"by value":             {q.OrderBy(kit.ReadingValue.Asc()), 8},
	} {
		first, err := test.query.Page(ctx, "", 5)
		if err != nil {
			t.Fatal(err)
		}
		r.Server.ResetRequests()
		if _, err := test.query.Page(ctx, first.Cursor, 5); err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, requests := range kit.RequestsOf(r.Server) {
			n += requests
		}
		if n > test.most {
			t.Errorf("%s: the second page takes %d requests, want %d at most", name, n, test.most)
		}
	}
}
