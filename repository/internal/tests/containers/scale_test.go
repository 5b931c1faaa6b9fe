package containers

import (
	"cmp"
	"context"
	"errors"
	cmdline "flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

var manyCharges = cmdline.Int("charges", 2000, "how many documents TestYearOfTenants has")

// The properties of charges that queries name.
var (
	chargeAt    = documents.Instant[fixtures.Charge]("/at")
	chargeValue = documents.Number[fixtures.Charge, int]("/value")
	chargeKind  = documents.String[fixtures.Charge, string]("/kind")
)

// chargeOrders are the orders of queries, and how charges sort by them.
var chargeOrders = []struct {
	name    string
	orders  []repository.Order[fixtures.Charge]
	compare func(a, b *fixtures.Charge) int
}{
	{"none", nil, func(a, b *fixtures.Charge) int { return cmp.Compare(a.At.Time().Month(), b.At.Time().Month()) }},
	{"at", []repository.Order[fixtures.Charge]{chargeAt.Asc()}, func(a, b *fixtures.Charge) int { return a.At.Compare(b.At) }},
	{"at desc", []repository.Order[fixtures.Charge]{chargeAt.Desc()}, func(a, b *fixtures.Charge) int { return b.At.Compare(a.At) }},
	{"value desc", []repository.Order[fixtures.Charge]{chargeValue.Desc()}, func(a, b *fixtures.Charge) int { return cmp.Compare(b.Value, a.Value) }},
	{"kind, value desc", []repository.Order[fixtures.Charge]{chargeKind.Asc(), chargeValue.Desc()}, func(a, b *fixtures.Charge) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(b.Value, a.Value))
	}},
}

// aYear stores n charges of a year, of a thousand tenants: the largest has every tenth of
// them, and most have a few or none.
func aYear(t *testing.T, d *repository.Documents[fixtures.Charge, fixtures.ChargeKey], random *rand.Rand, n int) []*fixtures.Charge {
	t.Helper()
	zipf := rand.NewZipf(random, 1.15, 2, 999)
	all := make([]*fixtures.Charge, n)
	for i := range all {
		at := time.Date(2024, 1, 1, random.IntN(366*24), 0, 0, 0, time.UTC)
		all[i] = &fixtures.Charge{ID: fmt.Sprintf("c%06d", i), Tenant: fmt.Sprintf("tenant-%03d", zipf.Uint64()), At: repository.NewTime(at), Value: random.IntN(500), Kind: []string{"a", "b", "c"}[random.IntN(3)]}
	}
	if _, err := d.CreateAll(documents.Items(all...)).Collect(t.Context()); err != nil {
		t.Fatal(err)
	}
	return all
}

// chargesOf is a query, and what it selects in a model.
type chargesOf struct {
	name  string
	query repository.Query[fixtures.Charge]
	keeps func(*fixtures.Charge) bool
}

// queriesOfYear are queries of all tenants, of a large one, and of a small one.
func queriesOfYear(d *repository.Documents[fixtures.Charge, fixtures.ChargeKey], random *rand.Rand, small string) []chargesOf {
	from := time.Date(2024, 1, 1, random.IntN(330*24), 0, 0, 0, time.UTC)
	to := from.Add(time.Duration(1+random.IntN(100*24)) * time.Hour)
	within := func(x *fixtures.Charge) bool { return !x.At.Time().Before(from) && x.At.Time().Before(to) }
	byTenant := func(tenant string) generated.Keys {
		return generated.Partition(tenant, partition.Text("Tenant", tenant))
	}
	all := []chargesOf{
		{"Scan", d.Scan(), func(*fixtures.Charge) bool { return true }},
		{"a range", repository.NewQuery(d, generated.Keys{}.Between(from, to).Within("/at")), within},
		{"Where", d.Scan().Where(chargeValue.Ge(200), repository.Or(chargeKind.Eq("a"), chargeAt.Lt(from))), func(x *fixtures.Charge) bool {
			return x.Value >= 200 && (x.Kind == "a" || x.At.Time().Before(from))
		}},
		{"WhereRaw", d.Scan().WhereRaw("c['value'] % 7 = @n", azcosmos.QueryParameter{Name: "@n", Value: 3}), func(x *fixtures.Charge) bool { return x.Value%7 == 3 }},
	}
	for _, tenant := range []string{"tenant-000", small, "nobody"} {
		tenants := repository.NewTenant(d, fixtures.ChargeKey{Tenant: tenant})
		is := func(x *fixtures.Charge) bool { return x.Tenant == tenant }
		all = append(all,
			chargesOf{"ByTenant " + tenant, repository.NewQuery(d, byTenant(tenant)), is},
			chargesOf{"ByTenantBetween " + tenant, repository.NewQuery(d, byTenant(tenant).Between(from, to).Within("/at")), func(x *fixtures.Charge) bool { return is(x) && within(x) }},
			chargesOf{"For " + tenant, tenants.Only(repository.NewQuery(d, byTenant(tenant))).Where(chargeKind.Ne("b")), func(x *fixtures.Charge) bool { return is(x) && x.Kind != "b" }},
		)
	}
	return all
}

// TestYearOfTenants runs every kind of query over a year of monthly windows with a
// thousand tenants, and compares it with a model.
func TestYearOfTenants(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(uint64(*manyCharges), 12))
	server, db := kit.NewDatabase(t, emulator.Options{Partitions: 2}, nil)
	d := repository.NewIn(db, fixtures.ChargeModel, admin.WithEnsureContainer(func(string) admin.Throughput { return admin.AnyThroughput() }))
	all := aYear(t, d, random, seeds.Few(*manyCharges, 500))
	rounds := 1 + *manyCharges/20_000
	orders := chargeOrders[:seeds.Few(len(chargeOrders), 2)]
	for round := range rounds {
		if round > 0 { // the windows have physical partitions of their own
			_ = server.Split("db", fmt.Sprintf("charges-2024-%02d", 1+random.IntN(12)), fmt.Sprint(random.IntN(3)))
		}
		for _, s := range queriesOfYear(d, random, all[random.IntN(len(all))].Tenant) {
			kept := slices.DeleteFunc(slices.Clone(all), func(x *fixtures.Charge) bool { return !s.keeps(x) })
			for _, o := range orders {
				q, limit := s.query.OrderBy(o.orders...), random.IntN(2)*(1+random.IntN(300))
				if limit > 0 {
					q = q.Limit(limit)
				}
				got, err := q.Collect(t.Context())
				if err = cmp.Or(err, sameCharges(got, kept, o.compare, limit)); err != nil {
					t.Errorf("%s by %s, limit %d: %v", s.name, o.name, limit, err)
				}
			}
			o := chargeOrders[random.IntN(len(chargeOrders))]
			got, err := chargePages(s.query.OrderBy(o.orders...), 100+random.IntN(len(all)))
			if err = cmp.Or(err, sameCharges(got, kept, o.compare, 0)); err != nil {
				t.Errorf("pages of %s by %s: %v", s.name, o.name, err)
			}
			sumsOfCharges(t, s, kept)
			rowsOfCharges(t, s, kept)
		}
	}
	readCharges(t, d, random, all)
}

// chargePages returns what the pages of a query have.
func chargePages(q repository.Query[fixtures.Charge], size int) (all []*fixtures.Charge, err error) {
	for cursor := ""; ; {
		page, err := q.Page(context.Background(), cursor, size)
		if err != nil {
			return all, err
		}
		if len(page.Items) == 0 && page.Cursor != "" {
			return all, errors.New("a page is empty, and not the last")
		}
		all = append(all, page.Items...)
		if cursor = page.Cursor; cursor == "" {
			return all, nil
		}
	}
}

// sameCharges returns why got is not the first of want, in their order.
func sameCharges(got, want []*fixtures.Charge, compare func(a, b *fixtures.Charge) int, limit int) error {
	sorted := slices.Clone(want)
	slices.SortStableFunc(sorted, compare)
	if limit > 0 {
		sorted = sorted[:min(limit, len(sorted))]
	}
	if len(got) != len(sorted) {
		return fmt.Errorf("%d charges, want %d", len(got), len(sorted))
	}
	left := map[string]*fixtures.Charge{}
	for _, x := range want {
		left[x.ID] = x
	}
	for i, x := range got {
		if left[x.ID] == nil || *left[x.ID] != *x {
			return fmt.Errorf("%s is not wanted, comes twice or is another", x.ID)
		}
		delete(left, x.ID)
		if compare(x, sorted[i]) != 0 {
			return fmt.Errorf("%s is at %d, where the order has %s", x.ID, i, sorted[i].ID)
		}
	}
	return nil
}

// sumsOfCharges compares aggregates.
func sumsOfCharges(t *testing.T, s chargesOf, kept []*fixtures.Charge) {
	t.Helper()
	ctx := t.Context()
	sum, low, high := 0, 0, ""
	for i, x := range kept {
		sum += x.Value
		high = max(high, x.Kind)
		if i == 0 || x.Value < low {
			low = x.Value
		}
	}
	n, nErr := s.query.Count(ctx)
	added, sumErr := repository.Sum(ctx, s.query, chargeValue)
	mean, some, meanErr := repository.Avg(ctx, s.query, chargeValue)
	least, _, minErr := repository.Min(ctx, s.query, chargeValue)
	most, _, maxErr := repository.Max(ctx, s.query, chargeKind)
	if err := errors.Join(nErr, sumErr, meanErr, minErr, maxErr); err != nil {
		t.Errorf("%s: %v", s.name, err)
	}
	if n != len(kept) || int(added) != sum || least != low || most != high || some != (n > 0) || some && mean != float64(sum)/float64(n) {
		t.Errorf("%s: %d charges, sum %v, mean %v, least %v, most %q; want %d, %d, %d, %q", s.name, n, added, mean, least, most, len(kept), sum, low, high)
	}
}

// rowsOfCharges compares projections, distinct values and the first document.
func rowsOfCharges(t *testing.T, s chargesOf, kept []*fixtures.Charge) {
	t.Helper()
	ctx := t.Context()
	type part struct {
		Tenant string `json:"tenant"`
		Value  int    `json:"value"`
	}
	var want []part
	tenants := map[string]bool{}
	for _, x := range kept {
		want = append(want, part{x.Tenant, x.Value})
		tenants[x.Tenant] = true
	}
	inOrder := func(a, b part) int { return cmp.Or(cmp.Compare(a.Value, b.Value), strings.Compare(a.Tenant, b.Tenant)) }
	rows, err := repository.Select[part](s.query.OrderBy(chargeValue.Asc())).Collect(ctx)
	if !slices.IsSortedFunc(rows, func(a, b part) int { return cmp.Compare(a.Value, b.Value) }) {
		t.Errorf("%s: rows are not in their order", s.name)
	}
	slices.SortFunc(rows, inOrder)
	slices.SortFunc(want, inOrder)
	if err != nil || !slices.Equal(rows, want) {
		t.Errorf("%s: %d rows, %v, want %d", s.name, len(rows), err, len(want))
	}
	values, err := repository.Values(s.query, documents.String[fixtures.Charge, string]("/tenant")).Distinct().Collect(ctx)
	if err != nil || len(values) != len(tenants) || slices.ContainsFunc(values, func(v string) bool { return !tenants[v] }) {
		t.Errorf("%s: %d tenants, %v, want %d", s.name, len(values), err, len(tenants))
	}
	first, err := s.query.OrderBy(chargeAt.Desc()).First(ctx)
	switch {
	case len(kept) == 0:
		kit.WantError(t, s.name+": First", err, repository.ErrNotFound)
	case err != nil || slices.ContainsFunc(kept, func(x *fixtures.Charge) bool { return x.At.Compare(first.At) > 0 }):
		t.Errorf("%s: First: %v, %v", s.name, first, err)
	}
}

// readCharges reads charges by their keys, one by one and together, for all and for one
// tenant.
func readCharges(t *testing.T, d *repository.Documents[fixtures.Charge, fixtures.ChargeKey], random *rand.Rand, all []*fixtures.Charge) {
	t.Helper()
	ctx := t.Context()
	var keys []fixtures.ChargeKey
	for range 300 {
		keys = append(keys, all[random.IntN(len(all))].Key())
	}
	keys = append(keys, fixtures.ChargeKey{ID: "none", Tenant: "tenant-000", At: keys[0].At}, fixtures.ChargeKey{ID: keys[0].ID, Tenant: "nobody", At: keys[0].At}, fixtures.ChargeKey{ID: "c", Tenant: "tenant-000", At: time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)})
	docs, err := d.GetMany(ctx, keys)
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range keys {
		if got := docs[i]; (got != nil) != (i < 300) || got != nil && got.Key() != k {
			t.Errorf("GetMany of %v: %v", k, got)
		}
		if i%20 != 0 {
			continue
		}
		mine, theirs := repository.NewTenant(d, fixtures.ChargeKey{Tenant: k.Tenant}), repository.NewTenant(d, fixtures.ChargeKey{Tenant: k.Tenant + "-"})
		got, err := mine.Get(ctx, k)
		if (err == nil) != (i < 300) || err == nil && *got != *docs[i] {
			t.Errorf("Get of %v: %v, %v", k, got, err)
		}
		_, err = theirs.Get(ctx, k)
		kit.WantError(t, "Get of another tenant", err, repository.ErrTenant)
	}
	plan, err := repository.NewQuery(d, generated.Partition("tenant-000", partition.Text("Tenant", "tenant-000")).
		Between(time.Date(2024, 3, 31, 0, 0, 0, 0, time.UTC), time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC))).Plan(ctx)
	if err != nil || !strings.HasPrefix(plan.Containers, "charges-2024-03") || strings.Contains(plan.Containers, "-06") || plan.LogicalPartitions > 3 {
		t.Errorf("%+v, %v", plan, err)
	}
}
