package computed

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/computed"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

var f = computed.CustomerFields

// values are what a customer's computed properties are in Go: a model that knows no SQL.
type values struct {
	lowerEmail, initial string
	total               float64
	many                bool
	month               time.Time
	first               string // "" without tags
	words               []string
}

func valuesOf(c *computed.Customer) values {
	v := values{
		lowerEmail: strings.ToLower(c.Email), initial: c.Name[:min(1, len(c.Name))], total: c.Price * float64(c.Count), many: c.Count > 10,
		words: strings.Split(c.Name, " "),
	}
	since := c.Since.Time()
	v.month = time.Date(since.Year(), since.Month(), 1, 0, 0, 0, 0, time.UTC)
	if len(c.Tags) > 0 {
		v.first = c.Tags[0]
	}
	return v
}

func pick[E any](r *rand.Rand, of ...E) E { return of[r.IntN(len(of))] }

func randomCustomer(r *rand.Rand, i int) *computed.Customer {
	c := &computed.Customer{
		ID: fmt.Sprintf("c%03d", i), Region: pick(r, "eu", "us", "ap"),
		Name:  pick(r, "Ann Lee", "bob", "Ann Bo Cy", "zoe", "A"),
		Email: pick(r, "Ann@X.org", "ann@x.org", "BOB@x.org", "zoe@y.org", "\"'\\ @pkgen0"),
		Price: pick(r, 0.5, 1.5, 2), Count: pick(r, 0, 1, 10, 11, 40),
		Since: repository.NewTime(time.Date(2025, time.Month(1+r.IntN(3)), 1+r.IntN(28), 13, 14, 15, 0, time.UTC)),
	}
	for range r.IntN(3) {
		c.Tags = append(c.Tags, pick(r, "new", "old", "vip"))
	}
	return c
}

// customers are on an account of several physical partitions. Another program has stored values of
// its own under the names of computed properties.
func newCustomers(t *testing.T, r *rand.Rand, n int) (*computed.CustomerRepository, []*computed.Customer) {
	t.Helper()
	account := harness.New(t, emulator.Options{Partitions: 4}, repository.Configure(nil))
	container, err := computed.EnsureCustomerContainer(t.Context(), account.DB, admin.AnyThroughput())
	if err != nil {
		t.Fatal(err)
	}
	all := make([]*computed.Customer, n)
	for i := range all {
		c := randomCustomer(r, i)
		all[i] = c
		if i%3 > 0 {
			if err := computed.NewCustomerRepository(container).Create(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			continue
		}
		foreign := *c
		foreign.LowerEmail, foreign.Total, foreign.Many, foreign.Initial = "stored", -1, true, "?"
		storeRaw(t, container, c.Region, &foreign)
	}
	return computed.NewCustomerRepository(container, repository.WithPageSize(3)), all
}

// storeRaw stores JSON as another program does.
func storeRaw(t *testing.T, container *azcosmos.ContainerClient, key string, doc any) {
	t.Helper()
	text, err := json.Marshal(doc)
	if err == nil {
		_, err = container.CreateItem(t.Context(), azcosmos.NewPartitionKeyString(key), text, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// rule is a predicate, and what it says in Go.
type rule struct {
	predicate repository.Predicate[computed.Customer]
	holds     func(v values) bool
}

// rules are one for each kind of question about a computed property.
func rules(r *rand.Rand) rule {
	mail := pick(r, "ann@x.org", "bob@x.org", "Ann@X.org", "\"'\\ @pkgen0", "stored")
	total, month := pick(r, 0.0, 5, 15, 20), time.Date(2025, time.Month(1+r.IntN(3)), 1, 0, 0, 0, 0, time.UTC)
	tag := pick(r, "new", "old")
	all := []rule{
		{f.LowerEmail.Eq(mail), func(v values) bool { return v.lowerEmail == mail }},
		{f.LowerEmail.In(mail, "zoe@y.org"), func(v values) bool { return v.lowerEmail == mail || v.lowerEmail == "zoe@y.org" }},
		{f.LowerEmail.StartsWith(mail[:3]), func(v values) bool { return strings.HasPrefix(v.lowerEmail, mail[:3]) }},
		{f.LowerEmail.Gt(mail), func(v values) bool { return v.lowerEmail > mail }},
		{f.Initial.EqualFold("a"), func(v values) bool { return strings.EqualFold(v.initial, "a") }},
		{f.Total.Lt(total), func(v values) bool { return v.total < total }},
		{f.Total.Ne(total), func(v values) bool { return v.total != total }},
		{f.Many.Eq(true), func(v values) bool { return v.many }},
		{f.Month.Eq(month), func(v values) bool { return v.month.Equal(month) }},
		{f.Month.Ge(month), func(v values) bool { return !v.month.Before(month) }},
		{f.First.Eq(tag), func(v values) bool { return v.first == tag }},
		{f.First.HasValue(), func(v values) bool { return v.first != "" }},
		{f.Words.Contains("Ann"), func(v values) bool { return slices.Contains(v.words, "Ann") }},
	}
	x := all[r.IntN(len(all))]
	switch r.IntN(4) {
	case 0:
		return rule{repository.Not(x.predicate), func(v values) bool { return !x.holds(v) }}
	case 1:
		y := all[r.IntN(len(all))]
		return rule{repository.And(x.predicate, y.predicate), func(v values) bool { return x.holds(v) && y.holds(v) }}
	case 2:
		y := all[r.IntN(len(all))]
		return rule{repository.Or(x.predicate, y.predicate), func(v values) bool { return x.holds(v) || y.holds(v) }}
	}
	return x
}

func idsOf(all []*computed.Customer) []string {
	ids := make([]string, len(all))
	for i, c := range all {
		ids[i] = c.ID
	}
	return ids
}

// bare fails unless a document that was read has none of its computed properties.
func bare(t *testing.T, all ...*computed.Customer) {
	t.Helper()
	for _, c := range all {
		if c.LowerEmail != "" || c.Initial != "" || c.Total != 0 || c.Many || !c.Month.IsZero() || c.First != nil || c.Words != nil {
			t.Errorf("a read filled %+v", c)
		}
	}
}

// ordered are the orders of customers that its containers can have.
var ordered = []struct {
	by      []repository.Order[computed.Customer]
	compare func(a, b *computed.Customer) int
}{
	{[]repository.Order[computed.Customer]{f.LowerEmail.Asc()}, byEmail},
	{[]repository.Order[computed.Customer]{f.LowerEmail.Desc()}, func(a, b *computed.Customer) int { return -byEmail(a, b) }},
	{[]repository.Order[computed.Customer]{f.Total.Asc()}, byTotal},
	{[]repository.Order[computed.Customer]{f.Month.Desc()}, func(a, b *computed.Customer) int { return valuesOf(b).month.Compare(valuesOf(a).month) }},
	{[]repository.Order[computed.Customer]{f.LowerEmail.Asc(), f.Total.Desc()}, func(a, b *computed.Customer) int { return cmp.Or(byEmail(a, b), -byTotal(a, b)) }},
}

func byEmail(a, b *computed.Customer) int {
	return cmp.Compare(valuesOf(a).lowerEmail, valuesOf(b).lowerEmail)
}
func byTotal(a, b *computed.Customer) int { return cmp.Compare(valuesOf(a).total, valuesOf(b).total) }

// Conditions on computed properties and orders by them give what Go computes, over several physical
// partitions, in pages and whole, also where another program has stored values under their names.
func TestConditionsAndOrders(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(40, 1))
	customers, all := newCustomers(t, r, 60)
	for range seeds.Rounds(400) {
		x, o := rules(r), ordered[r.IntN(len(ordered))]
		var want []*computed.Customer
		for _, c := range all {
			if x.holds(valuesOf(c)) {
				want = append(want, c)
			}
		}
		ids := idsOf(want)
		slices.Sort(ids)
		query := customers.Scan().Where(x.predicate)
		check := func(what string, got []*computed.Customer, err error) {
			t.Helper()
			found := idsOf(got)
			slices.Sort(found)
			if err != nil || !slices.Equal(found, ids) {
				t.Fatalf("%s, %s: %v, %v, want %v", x.predicate, what, found, err, ids)
			}
			bare(t, got...)
		}
		got, err := query.Collect(t.Context())
		check("collected", got, err)

		sorted := query.OrderBy(o.by...)
		got, err = sorted.Collect(t.Context())
		check("sorted", got, err)
		if !slices.IsSortedFunc(got, o.compare) {
			t.Fatalf("not sorted by %v: %v", o.by, idsOf(got))
		}
		var paged []*computed.Customer
		for cursor := ""; ; {
			page, err := sorted.Page(t.Context(), cursor, 1+r.IntN(7))
			if err != nil {
				t.Fatal(err)
			}
			paged = append(paged, page.Items...)
			if cursor = page.Cursor; cursor == "" {
				break
			}
		}
		check("in pages", paged, nil)
		if !slices.IsSortedFunc(paged, o.compare) {
			t.Fatalf("pages not sorted by %v: %v", o.by, idsOf(paged))
		}
		if len(want) > 0 {
			slices.SortStableFunc(want, o.compare)
			limit := 1 + r.IntN(len(want))
			first, err := sorted.Limit(limit).Collect(t.Context())
			if err != nil || len(first) != limit || o.compare(first[limit-1], want[limit-1]) != 0 {
				t.Fatalf("the first %d: %v, %v", limit, idsOf(first), err)
			}
		}
		if n, err := query.Count(t.Context()); err != nil || n != len(want) {
			t.Fatalf("%s: %d of %d, %v", x.predicate, n, len(want), err)
		}
		if found, err := sorted.Exists(t.Context()); err != nil || found != (len(want) > 0) {
			t.Fatalf("%s: %v, %v", x.predicate, found, err)
		}
	}
}

// Rows and values have what the service computes.
func TestValuesOfComputedProperties(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	customers, all := newCustomers(t, rand.New(rand.NewPCG(40, 2)), 40)

	type row struct {
		ID         string          `json:"id"`
		LowerEmail string          `json:"lowerEmail"`
		Total      float64         `json:"total"`
		Month      repository.Time `json:"month"`
		First      *string         `json:"first"`
		Words      []string        `json:"words"`
	}
	rows, err := repository.Select[row](customers.Scan().OrderBy(f.Total.Desc())).Collect(ctx)
	if err != nil || len(rows) != len(all) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, got := range rows {
		want := valuesOf(all[slices.IndexFunc(all, func(c *computed.Customer) bool { return c.ID == got.ID })])
		first := ""
		if got.First != nil {
			first = *got.First
		}
		if got.LowerEmail != want.lowerEmail || got.Total != want.total || !got.Month.Time().Equal(want.month) || first != want.first || !slices.Equal(got.Words, want.words) {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if !slices.IsSortedFunc(rows, func(a, b row) int { return cmp.Compare(b.Total, a.Total) }) {
		t.Errorf("not sorted: %+v", rows)
	}
	whole, err := repository.Select[computed.Customer](customers.Scan().Where(f.LowerEmail.Eq("zoe@y.org"))).Collect(ctx)
	if err != nil || len(whole) == 0 || whole[0].LowerEmail != "zoe@y.org" || whole[0].Total != valuesOf(&whole[0]).total {
		t.Errorf("%+v, %v", whole, err)
	}
}

// Groups, aggregates and orders are by what the service computes.
func TestAggregatesOfComputedProperties(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	customers, all := newCustomers(t, rand.New(rand.NewPCG(40, 3)), 40)

	mails, counts, sums := map[string]int{}, map[bool]int{}, map[bool]float64{}
	sum, least, most := 0.0, all[0], all[0]
	for _, c := range all {
		v := valuesOf(c)
		mails[v.lowerEmail]++
		counts[v.many]++
		sums[v.many] += v.total
		sum += v.total
		if byTotal(c, least) < 0 {
			least = c
		}
		if byEmail(c, most) > 0 {
			most = c
		}
	}
	distinct, err := repository.Values(customers.Scan().OrderBy(f.LowerEmail.Asc()), f.LowerEmail).Distinct().Collect(ctx)
	if err != nil || !slices.Equal(distinct, slices.Sorted(maps.Keys(mails))) {
		t.Errorf("%v, %v", distinct, err)
	}
	type group struct {
		Many  bool    `json:"many"`
		N     int     `json:"n"`
		Total float64 `json:"all"`
	}
	groups, err := repository.GroupBy[group](customers.Scan(), f.Many).Count("n").Sum("all", f.Total).Collect(ctx)
	if err != nil || len(groups) != len(counts) {
		t.Errorf("%+v, %v", groups, err)
	}
	for _, g := range groups {
		if g.N != counts[g.Many] || g.Total != sums[g.Many] {
			t.Errorf("%+v, want %d of %v", g, counts[g.Many], sums[g.Many])
		}
	}
	if got, err := repository.Sum(ctx, customers.Scan(), f.Total); err != nil || got != sum {
		t.Errorf("%v, %v, want %v", got, err, sum)
	}
	if got, some, err := repository.Min(ctx, customers.Scan(), f.Total); err != nil || !some || got != valuesOf(least).total {
		t.Errorf("%v, %v", got, err)
	}
	if got, some, err := repository.Max(ctx, customers.Scan(), f.LowerEmail); err != nil || !some || got != valuesOf(most).lowerEmail {
		t.Errorf("%v, %v", got, err)
	}
	n := 0
	for c, err := range customers.Scan().OrderBy(f.LowerEmail.Asc()).TakeWhile(ctx, func(c *computed.Customer) bool { return valuesOf(c).lowerEmail < "b" }) {
		if n++; err != nil || valuesOf(c).lowerEmail >= "b" {
			t.Errorf("%+v, %v", c, err)
		}
	}
	if want := mails["ann@x.org"] + mails["\"'\\ @pkgen0"]; n != want {
		t.Errorf("%d documents, want %d", n, want)
	}
}
