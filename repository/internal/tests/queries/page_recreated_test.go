package queries

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// onceEach checks that each of n things came once. Several things may have the same id.
func onceEach(t testing.TB, got []*kit.Thing, n int) {
	t.Helper()
	times := map[string]int{}
	for _, x := range got {
		if times[x.Base+"/"+x.ID]++; times[x.Base+"/"+x.ID] == 2 {
			t.Errorf("%s of %s came twice", x.ID, x.Base)
		}
	}
	if len(times) != n {
		t.Errorf("%d documents came, want %d", len(times), n)
	}
}

// TestPagesOfDocumentsCreatedAgain deletes the last documents of each page and creates
// them again, with the same ids, keys and values, as documents with another _rid.
func TestPagesOfDocumentsCreatedAgain(t *testing.T) {
	t.Parallel()
	const documents = 60
	for _, partitions := range []int{1, 3} {
		for name, test := range map[string]struct {
			values, size, renewed int // documents of so many sort values
			orders                []repository.Order[kit.Thing]
			splits                bool
			opts                  []repository.Option
		}{
			"by id":                      {values: documents, size: 7, renewed: 7},
			"no two sort alike":          {values: documents, size: 7, renewed: 7, orders: []repository.Order[kit.Thing]{kit.ThingA.Asc()}},
			"few sort alike":             {values: 20, size: 4, renewed: 4, orders: []repository.Order[kit.Thing]{kit.ThingA.Asc()}},
			"few sort alike, downwards":  {values: 20, size: 4, renewed: 4, orders: []repository.Order[kit.Thing]{kit.ThingA.Desc()}},
			"many sort alike":            {values: 4, size: 5, renewed: 5, orders: []repository.Order[kit.Thing]{kit.ThingA.Asc()}},
			"many sort alike, downwards": {values: 4, size: 20, renewed: 20, orders: []repository.Order[kit.Thing]{kit.ThingA.Desc()}},
			"single documents":           {values: 4, size: 1, renewed: 1, orders: []repository.Order[kit.Thing]{kit.ThingA.Asc()}},
			"splits":                     {values: 20, size: 4, renewed: 4, orders: []repository.Order[kit.Thing]{kit.ThingA.Asc()}, splits: true},
			"cursors closed by a key":    {values: 4, size: 20, renewed: 20, orders: []repository.Order[kit.Thing]{kit.ThingA.Asc()}, opts: []repository.Option{repository.WithCursorKey([]byte("0123456789abcdef"))}},
			"two orders, few sort alike": {values: 20, size: 4, renewed: 4, orders: []repository.Order[kit.Thing]{kit.ThingA.Asc(), kit.ThingB.Desc()}},
		} {
			t.Run(fmt.Sprintf("%s in %d", name, partitions), func(t *testing.T) {
				t.Parallel()
				c := kit.NewThings(t, emulator.Options{Partitions: partitions}, repository.Configure(nil), false, test.opts...)
				c.Orders(t, documents, test.values)
				for _, q := range []repository.Query[kit.Thing]{c.ByBase("x", false), c.Scan()} {
					if test.orders != nil {
						q = q.OrderBy(test.orders...)
					}
					renewal := c.Renewal()
					w := walkPages(t, q, test.size, func(page int, given []*kit.Thing) {
						renewal.Renew(t, given[len(given)-test.renewed:]...)
						if test.splits && page == 5 {
							if err := c.Server.Split("db", "things", strconv.Itoa(partitions-1)); err != nil {
								t.Log(err) // the first walk has split it
							}
						}
					})
					onceEach(t, w.docs, documents)
				}
			})
		}
	}
}

// TestPagesOfOneIdCreatedAgain has documents of one id in several logical partitions:
// each is a document of its own, and comes once.
func TestPagesOfOneIdCreatedAgain(t *testing.T) {
	t.Parallel()
	c := kit.NewThings(t, emulator.Options{Partitions: 3}, repository.Configure(nil), false)
	const documents = 16
	for i := range documents {
		if err := c.Create(context.Background(), &kit.Thing{ID: "settings", Base: fmt.Sprint("tenant", i)}); err != nil {
			t.Fatal(err)
		}
	}
	renewal := c.Renewal()
	w := walkPages(t, c.Scan(), 5, func(_ int, given []*kit.Thing) { renewal.Renew(t, given[len(given)-5:]...) })
	onceEach(t, w.docs, documents)
}

// TestPagesOfOthersThatSortAlike creates other documents where the last one of a page was:
// they come.
func TestPagesOfOthersThatSortAlike(t *testing.T) {
	t.Parallel()
	c := kit.NewThings(t, emulator.Options{Partitions: 1}, repository.Configure(nil), false)
	c.Orders(t, 6, 1)
	w := walkPages(t, c.ByBase("x", false).OrderBy(kit.ThingA.Asc()), 3, func(page int, given []*kit.Thing) {
		if page > 1 {
			return
		}
		last := given[len(given)-1]
		if err := c.Delete(context.Background(), kit.ThingKey{ID: last.ID, Base: last.Base}); err != nil {
			t.Fatal(err)
		}
		other := *last
		other.ID = "other"
		if err := c.Create(context.Background(), &other); err != nil {
			t.Fatal(err)
		}
	})
	onceEach(t, w.docs, 7)
}

// TestPagesOfManyDocumentsCreatedAgain renews more documents that sort alike than a cursor
// names: they come again, as docs/cursors.md says.
func TestPagesOfManyDocumentsCreatedAgain(t *testing.T) {
	t.Parallel()
	c := kit.NewThings(t, emulator.Options{Partitions: 1}, repository.Configure(nil), false)
	c.Orders(t, 50, 1)
	w := walkPages(t, c.ByBase("x", false).OrderBy(kit.ThingA.Asc()), 40, func(page int, given []*kit.Thing) {
		if page == 1 {
			c.Renewal().Renew(t, given...)
		}
	})
	if want := 50 + 40; len(w.docs) != want {
		t.Errorf("%d documents came, want %d", len(w.docs), want)
	}
}

// beforeSecond is a policy that does something once, before the second of the queries that
// give documents.
type beforeSecond struct {
	queries atomic.Int32
	do      func()
}

func (p *beforeSecond) Do(r *policy.Request) (*http.Response, error) {
	if r.Raw().Header.Get("x-ms-documentdb-query") != "" && strings.HasSuffix(r.Raw().URL.Path, "/docs") && p.queries.Add(1) == 2 {
		p.do()
	}
	return r.Next()
}

// TestAPageOfDocumentsCreatedAgain renews documents between two responses of one page.
func TestAPageOfDocumentsCreatedAgain(t *testing.T) {
	t.Parallel()
	pause := beforeSecond{do: func() {}}
	var o azcosmos.ClientOptions
	o.PerCallPolicies = []policy.Policy{&pause}
	c := kit.NewThings(t, emulator.Options{Partitions: 1}, repository.Configure(&o), false, repository.WithPageSize(5))
	all := c.Orders(t, 12, 1)
	q := c.Scan().OrderBy(kit.ThingA.Asc())
	if _, err := q.Plan(context.Background()); err != nil {
		t.Fatal(err)
	}
	pause.do = func() { c.Renewal().Renew(t, slices.Clone(all[:5])...) }
	pause.queries.Store(0)
	page, err := q.Page(context.Background(), "", 30)
	if err != nil {
		t.Fatal(err)
	}
	if got := pause.queries.Load(); got < 2 {
		t.Errorf("the page took %d queries", got)
	}
	onceEach(t, page.Items, 12)
	if page.Cursor != "" {
		t.Error("there is a page after the last")
	}
}

// notDuringQueries is a policy that lets no query be answered while mu is locked. A query that
// the server answers between a deletion and a creation rightly leaves the document out.
type notDuringQueries struct{ mu sync.RWMutex }

func (p *notDuringQueries) Do(r *policy.Request) (*http.Response, error) {
	if r.Raw().Header.Get("x-ms-documentdb-query") != "" {
		p.mu.RLock()
		defer p.mu.RUnlock()
	}
	return r.Next()
}

// TestQueriesOfDocumentsCreatedAgain deletes documents during a query, which has delivered
// some of them, and creates them again between two requests: each comes once.
func TestQueriesOfDocumentsCreatedAgain(t *testing.T) {
	t.Parallel()
	const documents = 60
	type row struct {
		A float64 `json:"a"`
	}
	for name, test := range map[string]struct {
		values  int // documents of so many sort values
		options []repository.Option
		orders  []repository.Order[kit.Thing]
		splits  bool
	}{
		"no order":             {values: documents},
		"no order, split":      {values: documents, splits: true},
		"sort alike":           {values: 1, orders: []repository.Order[kit.Thing]{kit.ThingA.Asc()}},
		"sort alike, split":    {values: 1, orders: []repository.Order[kit.Thing]{kit.ThingA.Asc()}, splits: true},
		"a query for each key": {values: documents, options: []repository.Option{repository.WithStrategy(repository.PerKey)}},
		"keys, sort alike":     {values: 1, options: []repository.Option{repository.WithStrategy(repository.PerKey)}, orders: []repository.Order[kit.Thing]{kit.ThingA.Asc()}},
		"by the gateway":       {values: documents, options: []repository.Option{repository.WithStrategy(repository.Gateway)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			queries := map[string]func(context.Context, repository.Query[kit.Thing]) iter.Seq[error]{
				"all": func(ctx context.Context, q repository.Query[kit.Thing]) iter.Seq[error] { return errorsOf(q.All(ctx)) },
				"select": func(ctx context.Context, q repository.Query[kit.Thing]) iter.Seq[error] {
					return errorsOf(repository.Select[row](q).All(ctx))
				},
				"values": func(ctx context.Context, q repository.Query[kit.Thing]) iter.Seq[error] {
					return errorsOf(repository.Values(q, kit.ThingA).All(ctx))
				},
			}
			for kind, run := range queries {
				var hold notDuringQueries
				var o azcosmos.ClientOptions
				o.PerCallPolicies = []policy.Policy{&hold}
				c := kit.NewThings(t, emulator.Options{Partitions: 1}, repository.Configure(&o), false, append(test.options, repository.WithPageSize(5))...)
				all := c.Orders(t, documents, test.values)
				q := c.ByBase("x", false)
				if test.orders != nil {
					q = q.OrderBy(test.orders...)
				}
				came := 0
				for err := range run(t.Context(), q) {
					if err != nil {
						t.Fatal(kind, err)
					}
					if came++; came == 12 {
						hold.mu.Lock()
						c.Renewal().Renew(t, all...)
						hold.mu.Unlock()
						if test.splits {
							if err := c.Server.Split("db", "things", "0"); err != nil {
								t.Fatal(err)
							}
						}
					}
				}
				if came != documents {
					t.Errorf("%s: %d came of %d", kind, came, documents)
				}
			}
		})
	}
}

// TestSelectWithoutTheID has a field of a property "ID", which the documents do not have: the
// id, which the run time selects too, is not its value.
func TestSelectWithoutTheID(t *testing.T) {
	t.Parallel()
	c := kit.NewThings(t, emulator.Options{Partitions: 1}, repository.Configure(nil), false)
	c.Orders(t, 3, 1)
	type row struct{ ID string }
	rows, err := repository.Select[row](c.Scan()).Collect(t.Context())
	if err != nil || len(rows) != 3 || slices.ContainsFunc(rows, func(r row) bool { return r.ID != "" }) {
		t.Errorf("%+v, %v", rows, err)
	}
}

// errorsOf is a loop without its items.
func errorsOf[T any](all iter.Seq2[T, error]) iter.Seq[error] {
	return func(yield func(error) bool) {
		for _, err := range all {
			if !yield(err) {
				return
			}
		}
	}
}
