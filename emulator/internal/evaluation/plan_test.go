package evaluation

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
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
	for query, want := range map[string]int{
		`SELECT * FROM c WHERE c.a["b"] = 1`:                                           1,
		`SELECT VALUE t FROM c JOIN t IN c.tags WHERE c.a.b IN (1, 2) AND t.x = 1`:     2,
		`SELECT VALUE COUNT(1) FROM (SELECT DISTINCT c.x FROM c WHERE c.a.b = 1) s`:    1,
		`SELECT VALUE t FROM c JOIN t IN c.tags WHERE t.a.b = 1`:                       -1,
		`SELECT VALUE s FROM (SELECT * FROM c) s WHERE s.a.b = 1`:                      -1,
		`SELECT VALUE x FROM x IN c.tags WHERE x.a.b = 1`:                              -1,
		`SELECT * FROM c WHERE c.a.b = 1 / 0`:                                          0,
		`SELECT * FROM c WHERE EXISTS(SELECT VALUE x FROM x IN c.l WHERE x.a.b = "q")`: -1,
	} {
		values, ok := mustBind(t, query, nil).Restricts("a", "b")
		if ok != (want >= 0) || len(values) != max(want, 0) {
			t.Errorf("%s: %v, %v", query, values, ok)
		}
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
		singles := make([]*Plan, len(terms))
		for i := range terms {
			terms[i] = term()
			singles[i] = mustBind(t, "SELECT * FROM c WHERE "+terms[i], nil)
		}
		chain := mustBind(t, "SELECT * FROM c WHERE "+strings.Join(terms, " OR "), nil)
		for _, doc := range docs {
			want := value.False
			for _, single := range singles {
				want = value.Or(want, single.main.test(row{doc: doc.Members()}))
			}
			if got := chain.main.test(row{doc: doc.Members()}); got != want {
				t.Fatalf("%s over %s: got %v, want %v", strings.Join(terms, " OR "), doc.JSON(), got, want)
			}
		}
	}
}

func TestPlanDescribesItself(t *testing.T) {
	p := mustBind(t, `SELECT TOP 5 c.x FROM c ORDER BY c.a["b"] DESC, c.t[0]`, nil)
	if got := fmt.Sprint(p.OrderBy()); got != "[{[a b] true} {[] false}]" {
		t.Errorf("OrderBy: %s", got)
	}
	tests := []struct {
		query                          string
		combines                       string
		order, wholeSet, readsDocument bool
		skip, take                     int
	}{
		{query: `SELECT * FROM c`, readsDocument: true, take: -1},
		{query: `SELECT TOP 5 c.x FROM c ORDER BY c.a`, combines: "TOP, ORDER BY", order: true, readsDocument: true, take: 5},
		{query: `SELECT * FROM c OFFSET 3 LIMIT 4`, combines: "OFFSET LIMIT", readsDocument: true, skip: 3, take: 4},
		{query: `SELECT COUNT(1) FROM c ORDER BY LOWER(c.a)`, combines: "aggregates", wholeSet: true, readsDocument: true, take: -1},
		{query: `SELECT c.a FROM c GROUP BY c.a`, combines: "GROUP BY", wholeSet: true, readsDocument: true, take: -1},
		{query: `SELECT DISTINCT VALUE MAX(c.a) FROM c GROUP BY c.b`, combines: "DISTINCT, GROUP BY, aggregates", wholeSet: true, readsDocument: true, take: -1},
		{query: `SELECT DISTINCT c.a FROM c ORDER BY c.a`, combines: "DISTINCT, ORDER BY", order: true, wholeSet: true, readsDocument: true, take: -1},
		{query: `SELECT VALUE t FROM c JOIN t IN c.tags WHERE EXISTS(SELECT DISTINCT COUNT(1) FROM c)`, readsDocument: true, take: -1},
		{query: `SELECT VALUE s FROM (SELECT c.a FROM c) s`, readsDocument: true, take: -1},
		{query: `SELECT VALUE s FROM (SELECT DISTINCT c.a FROM c) s`, combines: "DISTINCT", wholeSet: true, readsDocument: true, take: -1},
		{query: `SELECT COUNT(1) FROM (SELECT DISTINCT c.a FROM c)`, combines: "DISTINCT, aggregates", wholeSet: true, readsDocument: true, take: -1},
		{query: `SELECT 1`, wholeSet: true, take: -1},
		{query: `SELECT x FROM (SELECT 1) x`, wholeSet: true, take: -1},
	}
	for _, tt := range tests {
		p := mustBind(t, tt.query, nil)
		skip, take := p.Window()
		if got := strings.Join(p.query.Combines(), ", "); got != tt.combines || skip != tt.skip || take != tt.take ||
			p.HasOrderBy() != tt.order || p.WholeSet() != tt.wholeSet || p.ReadsDocuments() != tt.readsDocument {
			t.Errorf("%s: combines %q, window %d %d, order %v, whole set %v, reads %v", tt.query, got, skip, take,
				p.HasOrderBy(), p.WholeSet(), p.ReadsDocuments())
		}
	}
}

// TestRunStopsReading checks that an unordered query with a limit does not read
// on when its rows are complete.
func TestRunStopsReading(t *testing.T) {
	read := 0
	docs := func(yield func(value.Value) bool) {
		for _, v := range mustDocs(t, people) {
			read++
			if !yield(v) {
				return
			}
		}
	}
	if rows, err := mustBind(t, "SELECT TOP 2 * FROM c", nil).Run(docs); err != nil || len(rows) != 2 || read != 2 {
		t.Errorf("%d rows after reading %d documents, want 2 and 2", len(rows), read)
	}
}

// TestConcurrentUse shares a query and a plan between goroutines; the race
// detector watches.
func TestConcurrentUse(t *testing.T) {
	docs := mustDocs(t, people)
	q, err := cosmossql.Parse(readManyQuery(20))
	if err != nil {
		t.Fatal(err)
	}
	params := map[string]value.Value{}
	for name, text := range readManyParams(20) {
		params[name] = mustDecode(t, text)
	}
	shared, err := Bind(nil, q, params)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			own, err := Bind(nil, q, params)
			if err != nil {
				t.Error(err)
				return
			}
			for _, p := range []*Plan{shared, own} {
				if rows, err := p.Run(slices.Values(docs)); err != nil || len(rows) != 2 {
					t.Errorf("%d rows, want 2", len(rows))
				}
			}
		})
	}
	group.Wait()
}

// TestRowsAreNotOverwritten checks that appending to a row does not reach the
// document it came from.
func TestRowsAreNotOverwritten(t *testing.T) {
	doc := mustDecode(t, `{"a":{"x":1},"b":2}`)
	if err := mustBind(t, "SELECT VALUE c.a FROM c", nil).Rows(doc, func(raw []byte) bool {
		_ = append(raw, "garbage"...)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	if got := string(doc.JSON()); got != `{"a":{"x":1},"b":2}` {
		t.Errorf("the document became %s", got)
	}
	if rows := mustRun(t, mustBind(t, "SELECT * FROM c", nil), []value.Value{{}}); len(rows) != 0 {
		t.Errorf("an undefined document gives the row %s", rows)
	}
}
