package cosmossql

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestRestricts(t *testing.T) {
	params := map[string]string{"@k": `"x"`, "@list": `["x"]`}
	tests := []struct {
		where string
		want  string // JSON values, or "no" if the key is not limited
	}{
		{`c.pk = "a"`, `"a"`},
		{`"a" = c["pk"]`, `"a"`},
		{`(c.pk = @k)`, `"x"`},
		{`c.pk = @list`, `["x"]`},
		{`c.pk = 1 AND c.n > 2`, `1`},
		{`c.n > 2 AND (c.x = 1 AND c.pk = true)`, `true`},
		{`c.pk IN ("a", @k, "a", null)`, `"a" "x" null`},
		{`c.pk IN ("a", "b") AND c.pk = "b"`, `"b"`},
		{`c.pk = "a" OR c.pk IN ("b")`, `"a" "b"`},
		{`(c.id = 1 AND c.pk = "a") OR (c.id = 2 AND c.pk = "b") OR (c.id = 3 AND c.pk = "a")`, `"a" "b"`},
		{`c.pk = undefined`, ``},
		{`c.pk = ("a" || "b")`, `"ab"`},
		{`true`, `no`},
		{`c.pk != "a"`, `no`},
		{`NOT (c.pk = "a")`, `no`},
		{`c.pk NOT IN ("a")`, `no`},
		{`c.pk = "a" OR c.n = 1`, `no`},
		{`c.pk = c.n`, `no`},
		{`c.pk IN ("a", c.n)`, `no`},
		{`c.pk > "a"`, `no`},
		{`c.pk.sub = "a"`, `no`},
		{`c.other.pk = "a"`, `no`},
		{`STARTSWITH(c.pk, "a")`, `no`},
	}
	for _, tt := range tests {
		query := "SELECT * FROM c WHERE " + tt.where
		values, ok := mustBind(t, query, params).Restricts("pk")
		got := "no"
		if ok {
			texts := []string{}
			for _, v := range values {
				texts = append(texts, string(v.JSON()))
			}
			got = strings.Join(texts, " ")
		}
		if got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.where, got, tt.want)
		}
	}
	if _, ok := mustBind(t, "SELECT * FROM c", nil).Restricts("pk"); ok {
		t.Error("a query without WHERE limits the key")
	}
	values, ok := mustBind(t, `SELECT * FROM c WHERE c.a["b"] = 1`, nil).Restricts("a", "b")
	if !ok || len(values) != 1 {
		t.Errorf("nested path: %v, %v", values, ok)
	}
}

// TestDispatchAgrees compares long OR chains, which are evaluated by a hash
// table, with the same terms evaluated one by one.
func TestDispatchAgrees(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(choices ...string) string { return choices[random.IntN(len(choices))] }
	term := func() string {
		id := fmt.Sprintf("c.id = %s", pick("1", "2", `"1"`, "null", "true", "undefined", "c.pk"))
		switch random.IntN(5) {
		case 0:
			return id
		case 1:
			return fmt.Sprintf("(%s AND c.pk = %s)", id, pick("1", `"x"`, "c.id", "c.none"))
		case 2:
			return fmt.Sprintf("c.pk IN (%s)", pick("1", `"x"`, "1, 2", "undefined"))
		case 3:
			return fmt.Sprintf("(c.n > %s AND %s)", pick("1", `"x"`), id)
		default:
			return fmt.Sprintf("NOT (%s)", id)
		}
	}
	docs := mustDocs(t, `{"id":1,"pk":1,"n":2}
{"id":2,"pk":"x","n":0}
{"id":"1","pk":1}
{"id":null,"pk":null,"n":"y"}
{"id":true}
{"pk":"x","n":5}
{"id":[1],"pk":2}
{}`)
	for range 2000 {
		terms := make([]string, 8+random.IntN(4))
		for i := range terms {
			terms[i] = term()
		}
		chain := mustBind(t, "SELECT * FROM c WHERE "+strings.Join(terms, " OR "), nil)
		for _, doc := range docs {
			want := isFalse
			for _, text := range terms {
				single := mustBind(t, "SELECT * FROM c WHERE "+text, nil)
				want = or(want, single.test(row{doc: doc}))
			}
			if got := chain.test(row{doc: doc}); got != want {
				t.Fatalf("%s over %s: got %v, want %v", strings.Join(terms, " OR "), doc.JSON(), got, want)
			}
		}
	}
}

func TestPlanDescribesItself(t *testing.T) {
	q, err := Parse(`SELECT TOP 5 COUNT(1) FROM c ORDER BY c.a["b"] DESC, c.t[0]`)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(q.Combines(), ", "); got != "TOP, ORDER BY, aggregates" {
		t.Errorf("Combines: %s", got)
	}
	p, err := q.Bind(nil)
	if err != nil {
		t.Fatal(err)
	}
	if !p.HasAggregates() || !p.HasOrderBy() {
		t.Error("HasAggregates or HasOrderBy is false")
	}
	if got := fmt.Sprint(p.OrderBy()); got != "[{[a b] true} {[] false}]" {
		t.Errorf("OrderBy: %s", got)
	}
	if skip, take := p.Window(); skip != 0 || take != 5 {
		t.Errorf("Window: %d, %d", skip, take)
	}

	plain := mustBind(t, `SELECT * FROM c`, nil)
	if skip, take := plain.Window(); skip != 0 || take != -1 || plain.HasAggregates() || plain.HasOrderBy() || len(plain.OrderBy()) != 0 {
		t.Errorf("a plain query: window %d, %d", skip, take)
	}
	paged := mustBind(t, `SELECT * FROM c OFFSET 3 LIMIT 4`, nil)
	if skip, take := paged.Window(); skip != 3 || take != 4 {
		t.Errorf("Window: %d, %d", skip, take)
	}
	if got := strings.Join(paged.query.Combines(), ", "); got != "OFFSET LIMIT" {
		t.Errorf("Combines: %s", got)
	}
}

// TestRunStopsReading checks that an unordered query with a limit does not read
// on when its rows are complete.
func TestRunStopsReading(t *testing.T) {
	read := 0
	docs := func(yield func(Value) bool) {
		for _, v := range mustDocs(t, people) {
			read++
			if !yield(v) {
				return
			}
		}
	}
	if rows := mustBind(t, "SELECT TOP 2 * FROM c", nil).Run(docs); len(rows) != 2 || read != 2 {
		t.Errorf("%d rows after reading %d documents, want 2 and 2", len(rows), read)
	}
}

// TestConcurrentUse shares a query and a plan between goroutines; the race
// detector watches.
func TestConcurrentUse(t *testing.T) {
	docs := mustDocs(t, people)
	q, err := Parse(readManyQuery(20))
	if err != nil {
		t.Fatal(err)
	}
	params := map[string]Value{}
	for name, text := range readManyParams(20) {
		params[name] = mustDecode(t, text)
	}
	shared, err := q.Bind(params)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			own, err := q.Bind(params)
			if err != nil {
				t.Error(err)
				return
			}
			for _, p := range []*Plan{shared, own} {
				if rows := p.Run(slices.Values(docs)); len(rows) != 2 {
					t.Errorf("%d rows, want 2", len(rows))
				}
			}
		})
	}
	group.Wait()
}

// TestAggregationGoesOn checks that a result may be asked for in between.
func TestAggregationGoesOn(t *testing.T) {
	a := mustBind(t, "SELECT VALUE AVG(c.n) FROM c", nil).Aggregation()
	if raw, ok := a.Result(); ok {
		t.Errorf("the average of nothing is %s", raw)
	}
	for i, want := range []string{"1", "1.75", "1.75"} {
		a.Add(mustDocs(t, people)[i])
		if raw, ok := a.Result(); !ok || string(raw) != want {
			t.Errorf("after %d documents: %s, want %s", i+1, raw, want)
		}
	}
}

// TestRowsAreNotOverwritten checks that appending to a row does not reach the
// document it came from.
func TestRowsAreNotOverwritten(t *testing.T) {
	doc := mustDecode(t, `{"a":{"x":1},"b":2}`)
	raw, _ := mustBind(t, "SELECT VALUE c.a FROM c", nil).Project(doc)
	_ = append(raw, "garbage"...)
	if got := string(doc.JSON()); got != `{"a":{"x":1},"b":2}` {
		t.Errorf("the document became %s", got)
	}
	if rows := mustBind(t, "SELECT * FROM c", nil).Run(slices.Values([]Value{{}})); len(rows) != 0 {
		t.Errorf("an undefined document gives the row %s", rows)
	}
}
