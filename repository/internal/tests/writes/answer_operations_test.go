package writes

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

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// account is an emulator with a container of 3 customers' lines and sales. Each
// run has its own, so that the SDK must read everything.
type account struct {
	kit.Shop
	db *azcosmos.DatabaseClient
}

func newAccount(t *testing.T, options *azcosmos.ClientOptions) (account, func()) {
	var a account
	a.Server = harness.New(t, emulator.Options{Partitions: 3}, options)
	a.db = a.Server.DB
	throughput := azcosmos.NewManualThroughputProperties(400)
	ctx := context.Background()
	_, err := a.db.CreateContainer(ctx, kit.ShopContainer, &azcosmos.CreateContainerOptions{ThroughputProperties: &throughput})
	if err == nil {
		a.Container, err = a.db.NewContainer(kit.ShopContainer.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	a.Sales, a.Lines = repository.New(a.Container, &kit.SaleModel), repository.New(a.Container, &kit.LineModel)
	for customer := range 3 {
		err := kit.Commit(ctx, func(tx *repository.Transaction) error {
			for i := customer; i < 24; i += 3 {
				s := fixtures.Sale{ID: fmt.Sprint("s", i), Customer: "c" + fmt.Sprint(customer), Total: i}
				if err := a.Sales.In(tx).Create(&s); err != nil {
					return err
				}
				if i >= 6 {
					continue
				}
				if err := a.Lines.In(tx).Create(&fixtures.Line{ID: fmt.Sprint("l", i), Customer: s.Customer, SKU: "x"}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	a.Server.ResetRequests()
	return a, a.Server.Close
}

// contents are the stored documents without the properties of the service.
func (a account) contents(t *testing.T) []string {
	a.Server.ClearFaults()
	var all []string
	for _, customer := range []string{"c0", "c1", "c2", "new"} {
		pager := a.Container.NewQueryItemsPager("SELECT * FROM c", azcosmos.NewPartitionKeyString(customer), nil)
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
	saleTotals = documents.Number[fixtures.Sale, int]("/total")
	s0         = fixtures.SaleKey{ID: "s0", Customer: "c0"}
)

func (a account) all() repository.Query[fixtures.Sale] { return a.Sales.Scan() }

func (a account) of(customer string) repository.Query[fixtures.Sale] {
	return repository.NewQuery(a.Sales, kit.ByCustomer(customer))
}

// sorted returns the ids and totals of sales, in an order if they come in none.
func sorted(sales []*fixtures.Sale, err error) (any, error) {
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
		s, err := a.Sales.Get(ctx, s0)
		return sorted([]*fixtures.Sale{s}[:boolInt(err == nil)], err)
	},
	"get nothing": func(ctx context.Context, a account) (any, error) {
		_, err := a.Sales.Get(ctx, fixtures.SaleKey{ID: "none", Customer: "c0"})
		if errors.Is(err, repository.ErrNotFound) {
			return "not found", nil
		}
		return nil, cmp.Or(err, errors.New("found"))
	},
	"create": func(ctx context.Context, a account) (any, error) {
		return nil, a.Sales.Create(ctx, &fixtures.Sale{ID: "n", Customer: "new"})
	},
	"upsert": func(ctx context.Context, a account) (any, error) {
		return nil, a.Sales.Upsert(ctx, &fixtures.Sale{ID: "s0", Customer: "c0"})
	},
	"replace": func(ctx context.Context, a account) (any, error) {
		return nil, a.Sales.Replace(ctx, &fixtures.Sale{ID: "s0", Customer: "c0"})
	},
	"delete": func(ctx context.Context, a account) (any, error) { return nil, a.Sales.Delete(ctx, s0) },
	"patch": func(ctx context.Context, a account) (any, error) {
		return nil, a.Sales.Patch(ctx, s0, fixtures.SalePatch.Total.Increment(100))
	},
	"patch if": func(ctx context.Context, a account) (any, error) {
		return nil, a.Sales.PatchIf(ctx, s0, saleTotals.Lt(50), fixtures.SalePatch.Total.Set(100))
	},
	"update": func(ctx context.Context, a account) (any, error) {
		return nil, a.Sales.Update(ctx, s0, func(s *fixtures.Sale) error { s.Total += 100; return nil })
	},
	"patch and get": func(ctx context.Context, a account) (any, error) {
		s, err := a.Sales.PatchAndGet(ctx, s0, fixtures.SalePatch.Total.Increment(100))
		return sorted([]*fixtures.Sale{s}[:boolInt(err == nil)], err)
	},
	"patch and get, set": func(ctx context.Context, a account) (any, error) {
		s, err := a.Sales.PatchAndGet(ctx, s0, fixtures.SalePatch.Total.Set(100))
		return sorted([]*fixtures.Sale{s}[:boolInt(err == nil)], err)
	},
	"patch if and get": func(ctx context.Context, a account) (any, error) {
		s, err := a.Sales.PatchIfAndGet(ctx, s0, saleTotals.Lt(50), fixtures.SalePatch.Total.Set(100))
		return sorted([]*fixtures.Sale{s}[:boolInt(err == nil)], err)
	},
	"update and get": func(ctx context.Context, a account) (any, error) {
		s, err := a.Sales.UpdateAndGet(ctx, s0, func(s *fixtures.Sale) error { s.Total += 100; return nil })
		return sorted([]*fixtures.Sale{s}[:boolInt(err == nil)], err)
	},
	"move": func(ctx context.Context, a account) (any, error) {
		s, err := a.Sales.Get(ctx, s0)
		if err != nil {
			return nil, err
		}
		s.Customer = "new"
		return nil, a.Sales.Move(ctx, s0, s)
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
		var keys []fixtures.SaleKey
		for i := range 30 { // 24 are there
			keys = append(keys, fixtures.SaleKey{ID: fmt.Sprint("s", i), Customer: "c" + fmt.Sprint(i%3)})
		}
		sales, err := a.Sales.GetMany(ctx, keys)
		var totals []string
		for _, s := range sales {
			if s == nil {
				s = &fixtures.Sale{ID: "nil"}
			}
			totals = append(totals, fmt.Sprint(s.ID, s.Total))
		}
		return totals, err
	},
	"find": func(ctx context.Context, a account) (any, error) {
		s, err := repository.FindInBuckets(ctx, a.Sales, "s0", generated.Partition("c0"))
		if err != nil {
			return nil, err
		}
		return s.Total, nil
	},
	"transaction": func(ctx context.Context, a account) (any, error) {
		return nil, kit.Commit(ctx,
			func(tx *repository.Transaction) error {
				return a.Sales.In(tx).Create(&fixtures.Sale{ID: "n", Customer: "c0"})
			},
			func(tx *repository.Transaction) error {
				return a.Lines.In(tx).Delete(fixtures.LineKey{ID: "l0", Customer: "c0"})
			})
	},
	"transaction that adds": func(ctx context.Context, a account) (any, error) {
		return nil, kit.Commit(ctx,
			func(tx *repository.Transaction) error {
				return a.Sales.In(tx).Patch(s0, fixtures.SalePatch.Total.Increment(100))
			},
			func(tx *repository.Transaction) error {
				return a.Lines.In(tx).Upsert(&fixtures.Line{ID: "l0", Customer: "c0"})
			})
	},
	"transaction that reads": func(ctx context.Context, a account) (any, error) {
		var read *repository.Pending[fixtures.Sale]
		err := kit.Commit(ctx, func(tx *repository.Transaction) (err error) { read, err = a.Sales.In(tx).Get(s0); return err },
			func(tx *repository.Transaction) error {
				return a.Lines.In(tx).Upsert(&fixtures.Line{ID: "l0", Customer: "c0"})
			})
		if err != nil {
			return nil, err
		}
		s, err := read.Doc()
		return sorted([]*fixtures.Sale{s}[:boolInt(err == nil)], err)
	},
	"bulk": func(ctx context.Context, a account) (any, error) {
		_, err := a.Lines.UpsertAll(documents.Sequence(newLines())).Collect(ctx)
		return nil, err
	},
	"bulk in batches": func(ctx context.Context, a account) (any, error) {
		_, err := a.Lines.CreateAll(documents.Sequence(newLines()), documents.InBatches()).Collect(ctx)
		return nil, err
	},
	"bulk, delete of a query": func(ctx context.Context, a account) (any, error) {
		_, err := a.Sales.DeleteFound(a.of("c1")).Collect(ctx)
		return nil, err
	},
	"changes": func(ctx context.Context, a account) (any, error) {
		var sales []*fixtures.Sale
		for c, err := range feed.Changes(ctx, a.Sales, feed.FromBeginning(), feed.UntilCaughtUp(), feed.PageSize(5)) {
			if err != nil {
				return nil, err
			}
			sales = append(sales, c.Doc)
		}
		return sorted(sales, nil)
	},
	"ensure": func(ctx context.Context, a account) (any, error) {
		_, err := admin.Ensure(ctx, a.db, kit.ShopContainer, admin.Manual(400))
		return nil, err
	},
	"ensure, create": func(ctx context.Context, a account) (any, error) {
		want := kit.ShopContainer
		want.ID = "another"
		_, err := admin.Ensure(ctx, a.db, want, admin.Manual(400))
		return nil, err
	},
	"ensure, change": func(ctx context.Context, a account) (any, error) {
		_, err := admin.Ensure(ctx, a.db, kit.ShopContainer, admin.Manual(500), admin.FixDifferences())
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
func newLines() func(func(*fixtures.Line) bool) {
	return func(yield func(*fixtures.Line) bool) {
		for i := range 9 {
			if !yield(&fixtures.Line{ID: fmt.Sprint("n", i), Customer: "c" + fmt.Sprint(i%3)}) {
				return
			}
		}
	}
}
