package repository_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// account is an emulator with a container of 3 customers' lines and sales. Each
// run has its own, so that the SDK must read everything.
type account struct {
	shop
	db *azcosmos.DatabaseClient
}

func newAccount(t *testing.T, options *azcosmos.ClientOptions) (account, func()) {
	var a account
	a.server = harness.New(t, emulator.Options{Partitions: 3}, options)
	a.db = a.server.DB
	throughput := azcosmos.NewManualThroughputProperties(400)
	ctx := context.Background()
	_, err := a.db.CreateContainer(ctx, shopContainer, &azcosmos.CreateContainerOptions{ThroughputProperties: &throughput})
	if err == nil {
		a.container, err = a.db.NewContainer(shopContainer.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	a.sales, a.lines = repository.New(a.container, &saleModel), repository.New(a.container, &lineModel)
	for customer := range 3 {
		err := commit(ctx, func(tx *repository.Transaction) error {
			for i := customer; i < 24; i += 3 {
				s := sale{ID: fmt.Sprint("s", i), Customer: "c" + fmt.Sprint(customer), Total: i}
				if err := a.sales.In(tx).Create(&s); err != nil {
					return err
				}
				if i >= 6 {
					continue
				}
				if err := a.lines.In(tx).Create(&line{ID: fmt.Sprint("l", i), Customer: s.Customer, SKU: "x"}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	a.server.ResetRequests()
	return a, a.server.Close
}

// contents are the stored documents without the properties of the service.
func (a account) contents(t *testing.T) []string {
	a.server.ClearFaults()
	var all []string
	for _, customer := range []string{"c0", "c1", "c2", "new"} {
		pager := a.container.NewQueryItemsPager("SELECT * FROM c", azcosmos.NewPartitionKeyString(customer), nil)
		for pager.More() {
			page, err := pager.NextPage(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			for _, item := range page.Items {
				var properties map[string]any
				if err := json.Unmarshal(item, &properties); err != nil {
					t.Fatal(err)
				}
				for name := range properties {
					if strings.HasPrefix(name, "_") {
						delete(properties, name)
					}
				}
				text, err := json.Marshal(properties)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, string(text))
			}
		}
	}
	slices.Sort(all)
	return all
}

var (
	saleTotals = repository.Number[sale, int]("/total")
	s0         = shopKey{"s0", "c0"}
)

func (a account) all() repository.Query[sale] { return a.sales.Scan() }

func (a account) of(customer string) repository.Query[sale] {
	return repository.NewQuery(a.sales, byCustomer(customer))
}

// sorted returns the ids and totals of sales, in an order if they come in none.
func sorted(sales []*sale, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	var all []string
	for _, s := range sales {
		all = append(all, fmt.Sprint(s.ID, s.Total))
	}
	slices.Sort(all)
	return all, nil
}

// everyOperation has all operations of a repository. Each returns what it has
// read.
var everyOperation = map[string]func(context.Context, account) (any, error){
	"get": func(ctx context.Context, a account) (any, error) {
		s, err := a.sales.Get(ctx, s0)
		return sorted([]*sale{s}[:boolInt(err == nil)], err)
	},
	"get nothing": func(ctx context.Context, a account) (any, error) {
		_, err := a.sales.Get(ctx, shopKey{"none", "c0"})
		if errors.Is(err, repository.ErrNotFound) {
			return "not found", nil
		}
		return nil, cmp.Or(err, errors.New("found"))
	},
	"create": func(ctx context.Context, a account) (any, error) {
		return nil, a.sales.Create(ctx, &sale{ID: "n", Customer: "new"})
	},
	"upsert": func(ctx context.Context, a account) (any, error) {
		return nil, a.sales.Upsert(ctx, &sale{ID: "s0", Customer: "c0"})
	},
	"replace": func(ctx context.Context, a account) (any, error) {
		return nil, a.sales.Replace(ctx, &sale{ID: "s0", Customer: "c0"})
	},
	"delete": func(ctx context.Context, a account) (any, error) { return nil, a.sales.Delete(ctx, s0) },
	"patch": func(ctx context.Context, a account) (any, error) {
		return nil, a.sales.Patch(ctx, s0, saleTotal.Increment(100))
	},
	"patch if": func(ctx context.Context, a account) (any, error) {
		return nil, a.sales.PatchIf(ctx, s0, saleTotals.Lt(50), saleTotal.Set(100))
	},
	"update": func(ctx context.Context, a account) (any, error) {
		return nil, a.sales.Update(ctx, s0, func(s *sale) error { s.Total += 100; return nil })
	},
	"patch and get": func(ctx context.Context, a account) (any, error) {
		s, err := a.sales.PatchAndGet(ctx, s0, saleTotal.Increment(100))
		return sorted([]*sale{s}[:boolInt(err == nil)], err)
	},
	"patch and get, set": func(ctx context.Context, a account) (any, error) {
		s, err := a.sales.PatchAndGet(ctx, s0, saleTotal.Set(100))
		return sorted([]*sale{s}[:boolInt(err == nil)], err)
	},
	"patch if and get": func(ctx context.Context, a account) (any, error) {
		s, err := a.sales.PatchIfAndGet(ctx, s0, saleTotals.Lt(50), saleTotal.Set(100))
		return sorted([]*sale{s}[:boolInt(err == nil)], err)
	},
	"update and get": func(ctx context.Context, a account) (any, error) {
		s, err := a.sales.UpdateAndGet(ctx, s0, func(s *sale) error { s.Total += 100; return nil })
		return sorted([]*sale{s}[:boolInt(err == nil)], err)
	},
	"move": func(ctx context.Context, a account) (any, error) {
		s, err := a.sales.Get(ctx, s0)
		if err != nil {
			return nil, err
		}
		s.Customer = "new"
		return nil, a.sales.Move(ctx, s0, s)
	},
	"query":                func(ctx context.Context, a account) (any, error) { return sorted(a.all().Collect(ctx)) },
	"query, one partition": func(ctx context.Context, a account) (any, error) { return sorted(a.of("c1").Collect(ctx)) },
	"query, ordered": func(ctx context.Context, a account) (any, error) {
		var totals []int
		for s, err := range a.all().OrderBy(saleTotals.Desc()).All(ctx) {
			if err != nil {
				return nil, err
			}
			totals = append(totals, s.Total)
		}
		return totals, nil
	},
	"query, first": func(ctx context.Context, a account) (any, error) {
		s, err := a.all().OrderBy(saleTotals.Asc()).First(ctx)
		if err != nil {
			return nil, err
		}
		return s.ID, nil
	},
	"pages": func(ctx context.Context, a account) (any, error) {
		var ids []string
		for cursor, more := "", true; more; more = cursor != "" {
			page, err := a.all().OrderBy(saleTotals.Asc()).Page(ctx, cursor, 7)
			if err != nil {
				return nil, err
			}
			for _, s := range page.Items {
				ids = append(ids, s.ID)
			}
			cursor = page.Cursor
		}
		return ids, nil
	},
	"count": func(ctx context.Context, a account) (any, error) { return a.all().Count(ctx) },
	"sum":   func(ctx context.Context, a account) (any, error) { return repository.Sum(ctx, a.all(), saleTotals) },
	"max": func(ctx context.Context, a account) (any, error) {
		most, ok, err := repository.Max(ctx, a.all(), saleTotals)
		return fmt.Sprint(most, ok), err
	},
	"values": func(ctx context.Context, a account) (any, error) {
		totals, err := repository.Values(a.all(), saleTotals).Collect(ctx)
		slices.Sort(totals)
		return totals, err
	},
	"distinct": func(ctx context.Context, a account) (any, error) {
		totals, err := repository.Values(a.all(), saleTotals).Distinct().Collect(ctx)
		slices.Sort(totals)
		return totals, err
	},
	"select": func(ctx context.Context, a account) (any, error) {
		rows, err := repository.Select[struct {
			Total int `json:"total"`
		}](a.all().OrderBy(saleTotals.Asc())).Collect(ctx)
		return rows, err
	},
	"get many": func(ctx context.Context, a account) (any, error) {
		var keys []shopKey
		for i := range 30 { // 24 are there
			keys = append(keys, shopKey{fmt.Sprint("s", i), "c" + fmt.Sprint(i%3)})
		}
		sales, err := a.sales.GetMany(ctx, keys)
		var totals []string
		for _, s := range sales {
			if s == nil {
				s = &sale{ID: "nil"}
			}
			totals = append(totals, fmt.Sprint(s.ID, s.Total))
		}
		return totals, err
	},
	"find": func(ctx context.Context, a account) (any, error) {
		s, err := repository.FindInBuckets(ctx, a.sales, "s0", generated.Partition("c0"))
		if err != nil {
			return nil, err
		}
		return s.Total, nil
	},
	"transaction": func(ctx context.Context, a account) (any, error) {
		return nil, commit(ctx,
			func(tx *repository.Transaction) error { return a.sales.In(tx).Create(&sale{ID: "n", Customer: "c0"}) },
			func(tx *repository.Transaction) error { return a.lines.In(tx).Delete(shopKey{"l0", "c0"}) })
	},
	"transaction that adds": func(ctx context.Context, a account) (any, error) {
		return nil, commit(ctx,
			func(tx *repository.Transaction) error { return a.sales.In(tx).Patch(s0, saleTotal.Increment(100)) },
			func(tx *repository.Transaction) error { return a.lines.In(tx).Upsert(&line{ID: "l0", Customer: "c0"}) })
	},
	"transaction that reads": func(ctx context.Context, a account) (any, error) {
		var read *repository.Pending[sale]
		err := commit(ctx, func(tx *repository.Transaction) (err error) { read, err = a.sales.In(tx).Get(s0); return err },
			func(tx *repository.Transaction) error { return a.lines.In(tx).Upsert(&line{ID: "l0", Customer: "c0"}) })
		if err != nil {
			return nil, err
		}
		s, err := read.Doc()
		return sorted([]*sale{s}[:boolInt(err == nil)], err)
	},
	"bulk": func(ctx context.Context, a account) (any, error) {
		_, err := a.lines.UpsertAll(ctx, newLines())
		return nil, err
	},
	"bulk in batches": func(ctx context.Context, a account) (any, error) {
		_, err := a.lines.CreateAll(ctx, newLines(), repository.InBatches())
		return nil, err
	},
	"bulk, delete of a query": func(ctx context.Context, a account) (any, error) {
		_, err := a.sales.DeleteAllOf(ctx, a.of("c1"))
		return nil, err
	},
	"changes": func(ctx context.Context, a account) (any, error) {
		var sales []*sale
		for c, err := range a.sales.Changes(ctx, repository.FromBeginning(), repository.UntilCaughtUp(), repository.ChangesPageSize(5)) {
			if err != nil {
				return nil, err
			}
			sales = append(sales, c.Doc)
		}
		return sorted(sales, nil)
	},
	"ensure": func(ctx context.Context, a account) (any, error) {
		_, err := repository.Ensure(ctx, a.db, shopContainer, repository.Manual(400))
		return nil, err
	},
	"ensure, create": func(ctx context.Context, a account) (any, error) {
		want := shopContainer
		want.ID = "another"
		_, err := repository.Ensure(ctx, a.db, want, repository.Manual(400))
		return nil, err
	},
	"ensure, change": func(ctx context.Context, a account) (any, error) {
		_, err := repository.Ensure(ctx, a.db, shopContainer, repository.Manual(500), repository.FixDifferences())
		return nil, err
	},
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// newLines yields lines of several partitions.
func newLines() func(func(*line) bool) {
	return func(yield func(*line) bool) {
		for i := range 9 {
			if !yield(&line{ID: fmt.Sprint("n", i), Customer: "c" + fmt.Sprint(i%3)}) {
				return
			}
		}
	}
}
