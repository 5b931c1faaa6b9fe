package lists

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/lists"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/lists/parts"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// basket and line are parts of documents and elements.
type (
	basket struct {
		ID    string `json:"id"`
		Value int    `json:"value"`
	}
	line struct {
		SKU   string `json:"sku"`
		Count int    `json:"count"`
		Size  struct {
			Height int `json:"height"`
		} `json:"größe [x].y"`
	}
)

// shown is a row for comparisons.
func shown(id string, value int, e any) string {
	text, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	return fmt.Sprint(id, " ", value, " ", string(text))
}

// Rows of elements are those of the same loop in Go: over buckets, over physical partitions that
// are split meanwhile, in the order of the query and of each list, with a limit.
func TestJoinIsTheLoopInGo(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(40, 4))
	s := newShop(t, r, 120, emulator.Options{Partitions: 3, ScanLimit: 15}, false, repository.WithPageSize(6))
	for i := range seeds.Rounds(120) {
		if i%10 == 5 {
			_ = s.account.Split(harness.Database, "baskets", fmt.Sprint(r.IntN(6)))
		}
		x := lines(r)
		d := day(r.IntN(days))
		q := s.stored.ByDay(d)
		if i%2 == 0 {
			q = q.OrderBy(f.ID.Desc())
		}
		var want []string
		for _, b := range s.in(d) {
			for _, e := range b.Lines {
				if x.inGo(&e) {
					part := line{SKU: e.SKU, Count: e.Count}
					part.Size.Height = e.Size.Height
					want = append(want, shown(b.ID, b.Value, part))
				}
			}
		}
		rows := repository.Join[basket, line](q, f.Lines, x.predicate)
		got := collect(t, rows)
		if i%2 == 0 {
			if !slices.Equal(got, want) {
				t.Fatalf("%s gives\n%s\nwant\n%s", x.predicate, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			if n := 1 + r.IntN(8); !slices.Equal(collect(t, rows.Limit(n)), want[:min(n, len(want))]) {
				t.Fatalf("%s: %d rows are not the first ones", x.predicate, n)
			}
		} else if n := 1 + r.IntN(8); len(collect(t, rows.Limit(n))) != min(n, len(want)) {
			t.Fatalf("%s: a limit of %d gives another number of rows", x.predicate, n)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%s gives\n%s\nwant\n%s", x.predicate, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// A row without its elements is an error: each selected document has one at least.
func TestJoinWithoutElements(t *testing.T) {
	t.Parallel()
	s := newShop(t, rand.New(rand.NewPCG(40, 5)), 20, emulator.Options{}, false)
	for what, change := range map[string]func([]byte) []byte{
		"no property": func(body []byte) []byte { return bytes.ReplaceAll(body, []byte(`"pkgenElements"`), []byte(`"other"`)) },
		"no list": func(body []byte) []byte {
			return bytes.ReplaceAll(body, []byte(`"pkgenElements":[`), []byte(`"pkgenElements":null,"other":[`))
		},
		"an empty list": func(body []byte) []byte {
			return bytes.ReplaceAll(body, []byte(`"pkgenElements":[`), []byte(`"pkgenElements":[],"other":[`))
		},
	} {
		s.account.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Body: change})
		rows, err := repository.Join[basket, line](s.stored.Scan(), f.Lines).Collect(t.Context())
		if err == nil || !strings.Contains(err.Error(), "a document without its elements") || rows != nil {
			t.Errorf("%s: %d rows, %v", what, len(rows), err)
		}
		s.account.ClearFaults()
	}
}

// in returns the documents of a day, in the order of their ids from the last.
func (s *shop) in(d string) []*lists.Basket {
	var all []*lists.Basket
	for _, b := range s.docs {
		if b.Day == d {
			all = append(all, b)
		}
	}
	slices.SortFunc(all, func(a, b *lists.Basket) int { return strings.Compare(b.ID, a.ID) })
	return all
}

func collect(t *testing.T, rows repository.Rows[repository.Joined[basket, line]]) []string {
	t.Helper()
	all, err := rows.Collect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	list := make([]string, len(all))
	for i, row := range all {
		list[i] = shown(row.Document.ID, row.Document.Value, row.Element)
	}
	return list
}

// Elements of every type come whole, and as a part.
func TestJoinTypes(t *testing.T) {
	t.Parallel()
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 2}, lists.BasketContainer(), repository.Configure(nil))
	stored := lists.NewBasketRepository(container)
	seven := 7
	b := &lists.Basket{
		ID: "1", Day: "d", Customer: "c", Lines: []lists.Line{{SKU: "a", Tags: []string{"x"}}}, More: []*lists.Line{nil, {SKU: "b"}},
		ByShelf: map[string][]lists.Line{"s": {{SKU: "c", Count: 2}}}, Tags: []string{"p", "q"}, Counts: []*int{nil, &seven}, Grid: [][]int{{1, 2}, nil},
		Parts: []parts.Part{{Base: parts.Base{Name: "n"}, Maker: &parts.Maker{Country: "de"}}},
	}
	if err := stored.Create(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	q := stored.ByDayAndCustomer("d", "c")
	check := func(name string, got any, err error, want string) {
		t.Helper()
		text, marshaled := json.Marshal(got)
		if err = errors.Join(err, marshaled); err != nil || string(text) != want {
			t.Errorf("%s: %s, want %s; %v", name, text, want, err)
		}
	}
	type none = struct{}
	whole, err := repository.Join[none, lists.Line](q, f.Lines).Collect(t.Context())
	check("the type of the elements", whole[0].Element.Tags, err, `["x"]`)
	pointed, err := repository.Join[none, *line](q, f.More).Collect(t.Context())
	check("pointers", []any{pointed[0].Element, pointed[1].Element.SKU}, err, `[null,"b"]`)
	of, err := repository.Join[none, line](q, f.More).Collect(t.Context())
	check("a part of null", []any{of[0].Element.SKU, of[1].Element.SKU}, err, `["","b"]`)
	shelf, err := repository.Join[basket, line](q, f.ByShelf.Key("s"), l.Count.Ge(2)).Collect(t.Context())
	check("a map", []any{shelf[0].Document, shelf[0].Element.SKU}, err, `[{"id":"1","value":0},"c"]`)
	tag, err := repository.Join[none, string](q, f.Tags, f.Tags.Element.Gt("p")).Collect(t.Context())
	check("texts", tag, err, `[{"Document":{},"Element":"q"}]`)
	number, err := repository.Join[none, *int](q, f.Counts).Collect(t.Context())
	check("numbers", []any{number[0].Element, number[1].Element}, err, `[null,7]`)
	row, err := repository.Join[none, []int](q, f.Grid).Collect(t.Context())
	check("lists", []any{row[0].Element, row[1].Element}, err, `[[1,2],null]`)
	part, err := repository.Join[none, struct {
		Maker parts.Maker `json:"maker"`
	}](q, f.Parts, lists.PartFields.Maker.HasValue()).Collect(t.Context())
	check("another package", part[0].Element.Maker.Country, err, `"de"`)
	first, err := repository.Join[none, string](q, f.Tags).First(t.Context())
	check("the first", first.Element, err, `"p"`)
	if _, err = repository.Join[none, string](q, f.Tags, f.Tags.Element.Eq("z")).First(t.Context()); !errors.Is(err, repository.ErrNotFound) {
		t.Error(err)
	}
	if _, err = repository.Join[none, int](q, f.Tags).Collect(t.Context()); err == nil || !strings.Contains(err.Error(), "int") {
		t.Errorf("texts as numbers: %v", err)
	}
}

// Rows that cannot be right are refused before a request.
func TestJoinRefusals(t *testing.T) {
	t.Parallel()
	account, container := harness.NewContainer(t, emulator.Options{}, lists.BasketContainer(), repository.Configure(nil))
	q := lists.NewBasketRepository(container).Scan()
	ctx := context.Background()
	before := account.Sent()
	type unnamed struct{ x int }
	_ = unnamed{}.x
	for name, c := range map[string]struct {
		run  func() error
		want string
	}{
		"distinct": {func() error { _, err := repository.Join[basket, line](q, f.Lines).Distinct().Collect(ctx); return err }, "Distinct is for Values"},
		"limit":    {func() error { _, err := repository.Join[basket, line](q, f.Lines).Limit(0).Collect(ctx); return err }, "it must be at least 1"},
		"document": {func() error { _, err := repository.Join[string, line](q, f.Lines).Collect(ctx); return err }, "string is not a struct"},
		"element":  {func() error { _, err := repository.Join[basket, unnamed](q, f.Lines).Collect(ctx); return err }, "has no exported fields"},
		"nil": {func() error {
			_, err := repository.Join[basket, line](q, documents.ListField[lists.Basket, lists.Line](nil)).Collect(ctx)
			return err
		}, "the list is nil"},
		"predicate": {func() error {
			_, err := repository.Join[basket, line](q, f.Lines, repository.Predicate[lists.Line]{}).Collect(ctx)
			return err
		}, "the zero Predicate has no condition"},
		"no field": {func() error {
			_, err := repository.Join[basket, line](q, documents.List[lists.Basket, lists.Line]("lines")).Collect(ctx)
			return err
		}, "is not a JSON pointer"},
		"an element of a document": {func() error {
			_, err := q.Where(documents.PredicateOf[lists.Basket](f.Tags.Element.Eq("a").Node())).Collect(ctx)
			return err
		}, "use it within Any or All"},
		"full text": {func() error {
			words := documents.FullText[lists.Line, string]{String: "/sku"}
			_, err := q.Where(f.Lines.Any(words.ContainsText("a"))).Collect(ctx)
			return err
		}, "a full-text index has no elements of lists"},
	} {
		if err := c.run(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	if n := account.Sent() - before; n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

// A patch has no subqueries in its condition, in whatever operation it is. Contains and Len have
// none.
func TestElementsInConditionsOfPatches(t *testing.T) {
	t.Parallel()
	_, container := harness.NewContainer(t, emulator.Options{}, lists.BasketContainer(), repository.Configure(nil))
	stored := lists.NewBasketRepository(container)
	b := &lists.Basket{ID: "1", Day: "d", Customer: "c", Tags: []string{"a"}}
	if err := stored.Create(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	set := lists.BasketPatch.Value.Set(1)
	for _, p := range []repository.Predicate[lists.Basket]{
		f.Lines.Any(l.SKU.Eq("a")), f.Tags.All(f.Tags.Element.Eq("a")), repository.Not(f.Tags.Any()),
		repository.Or(f.Value.Eq(0), f.Tags.Any()),
	} {
		err := stored.PatchIf(t.Context(), b.Key(), p, set)
		if err == nil || !strings.Contains(err.Error(), "the condition of a patch has no subqueries") {
			t.Errorf("%s: %v", p, err)
		}
		tx := repository.NewTransaction() //nolint:pkgen // it refuses the patch
		if err := stored.In(tx).PatchIf(b.Key(), p, set); err == nil || !strings.Contains(err.Error(), "the condition of a patch has no subqueries") {
			t.Errorf("transaction: %s: %v", p, err)
		}
	}
	if err := stored.PatchIf(t.Context(), b.Key(), repository.And(f.Tags.Len().Eq(1), f.Tags.Contains("a"), f.Lines.Len().Lt(1)), set); err != nil {
		t.Error(err)
	}
	if err := stored.PatchIf(t.Context(), b.Key(), f.Tags.Len().Gt(1), set); !errors.Is(err, repository.ErrPreconditionFailed) {
		t.Error(err)
	}
}

// Names and values are no text of SQL, however they are spelled.
func TestElementsAreNoText(t *testing.T) {
	t.Parallel()
	type hostile struct{}
	for _, name := range []string{`a"] OR true --`, `x'`, "é\u2028", `\`, "e1", "SELECT", "", "a.b[0]", "@pkgen0"} {
		for _, value := range []string{`") OR true --`, `'`, "\x00", "@pkgen0", "é\u2029"} {
			list := documents.List[hostile, hostile]("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
			field := documents.String[hostile, string](list)
			p := list.Any(field.Eq(value), list.All(field.StartsWith(value)))
			yes, _ := documentOf(t, map[string]any{name: []any{map[string]any{name: value}}})
			no, _ := documentOf(t, map[string]any{name: []any{map[string]any{name: value + "x"}}, "a": true})
			if !selects(t, p.Node(), yes) || selects(t, p.Node(), no) {
				t.Errorf("%q = %q: %s", name, value, sqlOf(t, p.Node()))
			}
		}
	}
}

// Conditions on elements, rows of them and groups cost a request to each physical partition, as a
// query without them does, and no more request units than the documents that they read.
func TestCosts(t *testing.T) {
	t.Parallel()
	const partitions = 4
	account, container := harness.NewContainer(t, emulator.Options{Partitions: partitions}, lists.BasketContainer(), repository.Configure(nil))
	stored := lists.NewBasketRepository(container)
	for i := range 48 {
		b := &lists.Basket{ID: fmt.Sprint(i), Day: "d", Customer: fmt.Sprint("c", i), Value: i % 5}
		for j := range i % 7 {
			b.Lines = append(b.Lines, lists.Line{SKU: fmt.Sprint("s", j), Count: j})
		}
		if err := stored.Create(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	q := stored.ByDay("d")
	if _, err := q.Count(t.Context()); err != nil { // reads the physical partitions
		t.Fatal(err)
	}
	type byValue struct {
		Value int `json:"value"`
		N     int `json:"n"`
	}
	measure := func(run func(ctx context.Context) (int, error)) (n, requests int, units float64) {
		t.Helper()
		var meter repository.Meter
		before := account.Sent(emulator.OpQueryItems)
		n, err := run(repository.WithMeter(t.Context(), &meter))
		if err != nil {
			t.Fatal(err)
		}
		return n, account.Sent(emulator.OpQueryItems) - before, meter.RequestUnits()
	}
	_, _, whole := measure(func(ctx context.Context) (int, error) { all, err := q.Collect(ctx); return len(all), err })
	for name, c := range map[string]struct {
		want int
		run  func(context.Context) (int, error)
	}{
		"any": {13, func(ctx context.Context) (int, error) {
			all, err := q.Where(f.Lines.Any(l.SKU.Eq("s4"), l.Count.Gt(3))).Collect(ctx)
			return len(all), err
		}},
		"not any": {35, func(ctx context.Context) (int, error) {
			return q.Where(repository.Not(f.Lines.Any(l.Count.Eq(4)))).Count(ctx)
		}},
		"length": {6, func(ctx context.Context) (int, error) { return q.Where(f.Lines.Len().Gt(5)).Count(ctx) }}, //nolint:pkgen // this measures it
		"exists": {1, func(ctx context.Context) (int, error) {
			found, err := q.Where(f.Lines.Any(l.Count.Eq(5))).Exists(ctx)
			return map[bool]int{true: 1}[found], err
		}},
		"join": {39, func(ctx context.Context) (int, error) {
			rows, err := repository.Join[basket, line](q, f.Lines, l.Count.Ge(3)).Collect(ctx)
			return len(rows), err
		}},
		"condition": {3, func(ctx context.Context) (int, error) {
			rows, err := repository.GroupBy[byValue](q, f.Value).Count("n").Having(func(g byValue) bool { return g.N == 10 }).Collect(ctx)
			return len(rows), err
		}},
	} {
		n, requests, units := measure(c.run)
		if n != c.want || requests != partitions && name != "exists" || units > whole {
			t.Errorf("%s: %d of %d, %d requests, %.1f request units of %.1f", name, n, c.want, requests, units, whole)
		}
	}
}
