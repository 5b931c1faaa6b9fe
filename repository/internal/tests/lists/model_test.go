package lists

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/emulator/server"
	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/lists"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/predicate"
)

// sqlOf writes a condition with its values in it.
func sqlOf(t testing.TB, n condition.Node) string {
	t.Helper()
	w := predicate.Writer{Parameter: func(v json.RawMessage) string { return string(v) }}
	if w.Write(n); w.Err != nil {
		t.Fatal(w.Err)
	}
	return w.Text.String()
}

// selects returns whether a document is one for which a condition is true.
func selects(t testing.TB, n condition.Node, document server.Document) bool {
	t.Helper()
	query, err := server.ParseQuery("SELECT * FROM c WHERE "+sqlOf(t, n), nil)
	if err != nil {
		t.Fatalf("%s: %v", condition.Text(n), err)
	}
	ok, err := query.Match(document)
	if err != nil {
		t.Fatalf("%s: %v", condition.Text(n), err)
	}
	return ok
}

func documentOf(t testing.TB, v any) (server.Document, []byte) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	document, err := server.DecodeDocument(text)
	if err != nil {
		t.Fatal(err)
	}
	return document, text
}

// checkRule compares a random rule, and its negation, with what the query language says of a
// document as Go stores it, and as another program may.
func checkRule(t testing.TB, r *rand.Rand) {
	t.Helper()
	b := randomBasket(r, "1", "d", "c")
	own := asJSON(b)
	changed, _ := odd(r, asJSON(b)).(map[string]any)
	for range 4 {
		x := baskets(r)
		if x.inGo(b) != x.ofJSON(own) {
			t.Fatalf("%s: the models differ", x.predicate)
		}
		for _, v := range []map[string]any{own, changed} {
			document, text := documentOf(t, v)
			if v == nil {
				continue
			}
			if got, want := selects(t, x.predicate.Node(), document), x.ofJSON(v); got != want {
				t.Fatalf("%s\nis %v of %s\nas SQL it is %s", x.predicate, got, text, sqlOf(t, x.predicate.Node()))
			}
			if not := repository.Not(x.predicate); selects(t, not.Node(), document) == x.ofJSON(v) {
				t.Fatalf("%s\nis as what it negates of %s", not, text)
			}
		}
	}
}

func TestElementsMeanWhatGoMeans(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(2026, 809))
	for range seeds.Rounds(4000) {
		checkRule(t, r)
	}
}

// FuzzElements is the same with documents and rules of the fuzzer.
func FuzzElements(f *testing.F) {
	for seed := range uint64(50) {
		f.Add(seed, 5*seed)
	}
	f.Fuzz(func(t *testing.T, a, b uint64) { checkRule(t, rand.New(rand.NewPCG(a, b))) })
}

// shop is a container with baskets, and what is stored in it by ids.
type shop struct {
	account *harness.Account
	stored  *lists.BasketRepository
	byID    map[string]map[string]any
	docs    map[string]*lists.Basket // those that Go has stored
}

const days = 3

func day(i int) string { return fmt.Sprintf("2026-01-0%d", 1+i%days) }

// newShop stores n baskets, of which a share was changed by another program.
func newShop(t testing.TB, r *rand.Rand, n int, o emulator.Options, oddities bool, opts ...repository.Option) *shop {
	t.Helper()
	account, container := harness.NewContainer(t, o, lists.BasketContainer(), repository.Configure(harness.Impatient()))
	s := &shop{account, lists.NewBasketRepository(container, opts...), map[string]map[string]any{}, map[string]*lists.Basket{}}
	for i := range n {
		b := randomBasket(r, fmt.Sprintf("b%03d", i), day(i), fmt.Sprintf("c%d", r.IntN(40)))
		if !oddities || r.IntN(2) == 0 {
			if err := s.stored.Create(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			s.docs[b.ID], s.byID[b.ID] = b, asJSON(b)
			continue
		}
		b.Stored = b.PartitionKey()
		v := asJSON(b)
		whole := maps.Clone(v)
		for {
			if changed, ok := odd(r, asJSON(b)).(map[string]any); ok {
				v = changed
				break
			}
		}
		for _, name := range keyed {
			v[name] = whole[name]
		}
		text, err := json.Marshal(v)
		if err == nil {
			_, err = container.CreateItem(t.Context(), azcosmos.NewPartitionKeyString(b.Stored), text, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		s.byID[b.ID] = v
	}
	return s
}

type named struct {
	ID string `json:"id"`
}

// want returns the ids of the documents of which a rule is true, sorted.
func (s *shop) want(x rule[lists.Basket], in func(v map[string]any) bool) []string {
	var ids []string
	for id, v := range s.byID {
		if in(v) && x.ofJSON(v) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// Conditions on lists select the same documents over buckets, over physical partitions that are
// split meanwhile, and in pages of rows.
func TestElementsOverPartitions(t *testing.T) {
	seeds.Gate(t, "many queries")
	t.Parallel()
	r := rand.New(rand.NewPCG(40, 2))
	s := newShop(t, r, 150, emulator.Options{Partitions: 4, ScanLimit: 20}, true, repository.WithPageSize(7))
	selective := 0
	rules := seeds.Rounds(240)
	for i := range rules {
		if i%20 == 10 {
			_ = s.account.Split(harness.Database, "baskets", fmt.Sprint(r.IntN(8))) // which may be gone
		}
		x := baskets(r)
		q, in := s.stored.Scan(), func(map[string]any) bool { return true }
		if r.IntN(2) == 0 {
			d := day(r.IntN(days))
			q, in = s.stored.ByDay(d), func(v map[string]any) bool { return v["day"] == d }
		}
		q = q.Where(x.predicate)
		want := s.want(x, in)
		rows, err := repository.Select[named](q).Collect(t.Context())
		if err != nil {
			t.Fatalf("%s: %v", x.predicate, err)
		}
		got := make([]string, len(rows))
		for i, row := range rows {
			got[i] = row.ID
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Fatalf("%s\ngives %v\nwant %v", x.predicate, got, want)
		}
		n, err := q.Count(t.Context())
		if err != nil || n != len(want) {
			t.Fatalf("%s: %d documents, want %d; %v", x.predicate, n, len(want), err)
		}
		if 0 < len(want) && len(want) < len(s.byID)/days {
			selective++
		}
	}
	if selective < rules/4 {
		t.Errorf("only %d of %d conditions told documents apart", selective, rules)
	}
}

// Pages of a query with such a condition have every document once.
func TestElementsInPages(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(40, 3))
	s := newShop(t, r, 90, emulator.Options{Partitions: 3}, false)
	for range seeds.Rounds(40) {
		x := baskets(r)
		q := s.stored.Scan().Where(x.predicate)
		ordered := r.IntN(2) == 0
		if ordered {
			q = q.OrderBy(f.Value.Desc())
		}
		want := s.want(x, func(map[string]any) bool { return true })
		var got []string
		for cursor := ""; ; {
			page, err := q.Page(t.Context(), cursor, 1+r.IntN(20))
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range page.Items {
				got = append(got, b.ID)
			}
			if cursor = page.Cursor; cursor == "" {
				break
			}
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Fatalf("%s\ngives %v\nwant %v", x.predicate, got, want)
		}
	}
}
