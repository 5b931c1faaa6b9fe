package evaluation

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// TestRowsOfOneDocument checks the rows that Rows gives, also when the caller
// stops it, and that the document alone decides about them.
func TestRowsOfOneDocument(t *testing.T) {
	tests := []struct {
		query string
		stop  int // after so many rows
		want  string
	}{
		{`SELECT * FROM c`, 9, `{"id":1,"t":[1,2,3]}`},
		{`SELECT VALUE c.none FROM c`, 9, ``},
		{`SELECT * FROM c WHERE c.id = 2`, 9, ``},
		{`SELECT VALUE t FROM c JOIN t IN c.t`, 9, `1 2 3`},
		{`SELECT VALUE t FROM c JOIN t IN c.t`, 2, `1 2`},
		{`SELECT VALUE [c.id, t] FROM c JOIN t IN c.t WHERE t > 1`, 9, `[1,2] [1,3]`},
		{`SELECT TOP 1 VALUE t FROM c JOIN t IN c.t ORDER BY c.id`, 9, `1 2 3`},
		{`SELECT VALUE s.x || "!" FROM (SELECT "a" AS x FROM c) s`, 9, `"a!"`},
	}
	doc := mustDecode(t, `{"id":1,"t":[1,2,3]}`)
	for _, tt := range tests {
		p := mustBind(t, tt.query, nil)
		for range 2 { // the second time with what the first one has left in the plan
			rows := []string{}
			err := p.Rows(doc, func(raw []byte) bool {
				rows = append(rows, string(raw))
				return len(rows) < tt.stop
			})
			if got := strings.Join(rows, " "); err != nil || got != tt.want {
				t.Errorf("%s: %s, %v, want %s", tt.query, got, err, tt.want)
			}
		}
		if ok, err := p.Match(doc); err != nil || ok != (tt.want != "" || strings.Contains(tt.query, "none")) {
			t.Errorf("%s: Match says %v, %v", tt.query, ok, err)
		}
		for _, other := range []value.Value{{}, value.OfNull(), mustDecode(t, `[1]`)} {
			if ok, err := p.Match(other); ok || err != nil {
				t.Errorf("%s: %s matches, %v", tt.query, other.JSON(), err)
			}
			if err := p.Rows(other, func([]byte) bool { t.Errorf("%s: a row of %s", tt.query, other.JSON()); return true }); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestWholeSetIsRefused checks that a caller cannot evaluate document by document
// what depends on all of them.
func TestWholeSetIsRefused(t *testing.T) {
	for _, query := range []string{`SELECT COUNT(1) FROM c`, `SELECT DISTINCT c.a FROM c`, `SELECT c.a FROM c GROUP BY c.a`, `SELECT 1`} {
		p := mustBind(t, query, nil)
		doc := mustDecode(t, `{}`)
		if _, err := p.Match(doc); err == nil {
			t.Errorf("%s: Match does not fail", query)
		}
		if err := p.Rows(doc, func([]byte) bool { return true }); err == nil {
			t.Errorf("%s: Rows does not fail", query)
		}
	}
}

// TestEvaluationFails checks what is found out only while evaluating: Run and,
// where it can be used, Rows give the same error, at its place in the query.
func TestEvaluationFails(t *testing.T) {
	numbers := "[" + strings.TrimSuffix(strings.Repeat("0,", 2100), ",") + "]"
	doc := `{"n":5,"s":"abc","emoji":"a😀","long":"` + strings.Repeat("x", 1<<20) + `","tags":` + numbers + `,"big":12345678901234567}`
	tests := []struct{ marked, message string }{
		{`SELECT VALUE c.n ^/ 0 FROM c`, "NaN or an infinity"},
		{`SELECT c.n, SQRT(-1) AS x FROM c WHERE 0 ^< 1`, "NaN or an infinity"},
		{`SELECT VALUE {a: [c.n / 0]} FROM c`, "NaN or an infinity"},
		{`SELECT VALUE SUM(1e308 * 10) FROM c`, "NaN or an infinity"},
		{`SELECT VALUE ^LEFT(c.emoji, 2) FROM c`, "LEFT cuts a character beyond U+FFFF"},
		{`SELECT VALUE ^TOSTRING(c.big) FROM c`, "not documented"},
		{`SELECT VALUE ^TOSTRING([{"a": 1 / 0}]) FROM c`, "not documented"},
		{`SELECT VALUE ^IIF(true, 1, c.none) FROM c`, "write condition ? then : otherwise"},
		{`SELECT VALUE ^ARRAY_SUM([c.none]) FROM c`, "an empty array"},
		{`SELECT VALUE ^INTADD(9223372036854775807, c.n) FROM c`, "beyond 64 bits"},
		{`SELECT VALUE ^INTDIV(-9223372036854775808, c.n - 6) FROM c`, "beyond 64 bits"},
		{`SELECT VALUE ^INTMUL(9223372036854775807, c.n) FROM c`, "beyond 64 bits"},
		{`SELECT VALUE ^INTSUB(-9223372036854775807, c.n) FROM c`, "beyond 64 bits"},
		{`SELECT VALUE ^INTBITLEFTSHIFT(c.n, 64) FROM c`, "beyond 64 bits"},
		{`SELECT VALUE ^DATETIMEDIFF("ns", "1601-01-01", "20" || "20-01-01") FROM c`, "beyond 64 bits"},
		{`SELECT VALUE ^DATETIMEBIN("2020-01-01", "ns", c.n, "1601-01-01") FROM c`, "beyond 64 bits"},
		{`SELECT * FROM c WHERE ^FULLTEXTCONTAINS("searching", "search")`, "stemming"},
		{`SELECT * FROM c WHERE ^FULLTEXTCONTAINS(c.s, "the")`, "stop word"},
		{`SELECT * FROM c WHERE ^FULLTEXTCONTAINS(c.s, "two words")`, "one word"},
		{`SELECT * FROM c WHERE c.s ^LIKE c.s || "["`, "the pattern has a set"},
		{`SELECT * FROM c WHERE ^(SELECT VALUE t FROM t IN c.tags) = 1`, "more than one row"},
		{`SELECT VALUE COUNT(1) FROM c JOIN a IN c.tags JOIN ^b IN c.tags`, "more than 4194304 combinations"},
		{`SELECT * FROM c WHERE EXISTS(SELECT 1 FROM a IN c.tags JOIN ^b IN c.tags WHERE a > b)`, "more than 4194304 combinations"},
		{`SELECT VALUE ^CONCAT(c.long, c.long, c.long, c.long, c.long, c.long, c.long, c.long, c.long, c.long, c.long, c.long, c.long, c.long, c.long, c.long, "x") FROM c`, "CONCAT makes a text of more than"},
		{`SELECT VALUE ^REPLACE(c.long, "x", "` + strings.Repeat("y", 20) + `") FROM c`, "REPLACE makes a text"},
		{`SELECT VALUE LENGTH(e ^|| e) FROM c JOIN (SELECT VALUE c.long || c.long) a JOIN (SELECT VALUE a || a) b JOIN (SELECT VALUE b || b) d JOIN (SELECT VALUE d || d) e`, "makes a value of more than"},
		{`SELECT VALUE 1 FROM c JOIN (SELECT VALUE [c.tags, c.tags, c.tags, c.tags, c.tags, c.tags, c.tags, c.tags]) a JOIN (SELECT VALUE [a, a, a, a, a, a, a, a]) b JOIN (SELECT VALUE [b, b, b, b, b, b, b, b]) d JOIN (SELECT VALUE ^[d, d, d, d, d, d, d, d]) e`, "makes a value of more than"},
		{`SELECT VALUE ^{a: c.long, b: c.long, d: [c.long, c.long, c.long, c.long, c.long, c.long, c.long], e: [c.long, c.long, c.long, c.long, c.long, c.long, c.long]} FROM c`, "makes a value of more than"},
		{`SELECT VALUE ^ARRAY(SELECT VALUE c.long FROM t IN c.tags) FROM c`, "makes a value of more than"},
		{`SELECT VALUE ^ARRAY_CONCAT(a, a) FROM c JOIN (SELECT VALUE ARRAY(SELECT VALUE 0 FROM x IN c.tags JOIN y IN (SELECT VALUE ARRAY_SLICE(c.tags, 0, 400)))) a`, "ARRAY_CONCAT makes an array"},
		{`SELECT DISTINCT c.n, t, c.long AS a, c.long AS b, c.long AS d, c.long AS e, c.long AS f, c.long AS g, c.long AS h, c.long AS i, c.long AS j, c.long AS k, c.long AS l, c.long AS m, c.long AS o, c.long AS p, c.long AS q, ^c.long AS r FROM c JOIN t IN c.tags`, "makes a value of more than"},
	}
	decoded := mustDecode(t, doc)
	part := seeds.Part(t, "queries that try 4 million combinations")
	for _, tt := range tests {
		if part && strings.Contains(tt.message, "combinations") {
			continue
		}
		query := strings.Replace(tt.marked, "^", "", 1)
		q, err := cosmossql.Parse(query)
		if err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		p, err := Bind(nil, q, nil)
		if err == nil {
			_, err = p.Run(slices.Values([]value.Value{decoded}))
		}
		var e *cosmossql.Error
		if !errors.As(err, &e) || e.Code != cosmossql.CodeEvaluation || !strings.Contains(e.Message, tt.message) {
			t.Errorf("%.200s: error %v, want %s", query, err, tt.message)
			continue
		}
		if at := strings.IndexByte(tt.marked, '^'); at >= 0 && e.Start != at && !strings.Contains(tt.message, "NaN") {
			t.Errorf("%.200s: error at %d, want %d", query, e.Start, at)
		}
		if p == nil || p.WholeSet() {
			continue
		}
		rowsErr := p.Rows(decoded, func([]byte) bool { return true })
		if rowsErr == nil || rowsErr.Error() != err.Error() {
			t.Errorf("%.200s: Rows fails with %v, Run with %v", query, rowsErr, err)
		}
		if err := p.Rows(mustDecode(t, `{}`), func([]byte) bool { return true }); err != nil && err.Error() == rowsErr.Error() && strings.Contains(tt.message, "combinations") {
			t.Errorf("%.200s: the next document fails too: %v", query, err)
		}
	}
}

// TestHeldMemory checks that results, groups and distinct rows are limited.
func TestHeldMemory(t *testing.T) {
	seeds.Gate(t, "results that fill memory")
	var docs []value.Value
	for i := range 40 {
		docs = append(docs, mustDecode(t, fmt.Sprintf(`{"i":%d}`, i)))
	}
	params := map[string]string{"@big": `"` + strings.Repeat("x", 4<<20) + `"`}
	for query, what := range map[string]string{
		`SELECT VALUE [c.i, @big] FROM c`:             "the result",
		`SELECT DISTINCT VALUE [c.i, @big] FROM c`:    "DISTINCT",
		`SELECT COUNT(1) FROM c GROUP BY [c.i, @big]`: "GROUP BY",
	} {
		_, err := mustBind(t, query, params).Run(slices.Values(docs))
		if err == nil || !strings.Contains(err.Error(), what+" holds more than") {
			t.Errorf("%s: error %v, want one about %s", query, err, what)
		}
	}
}

// TestMadeValues checks the text of values that a query makes, within decoded values
// and next to them.
func TestMadeValues(t *testing.T) {
	got := runCase(t, queryCase{
		docs:  `{"d":{ "x" : [ 1.50 ] },"q":"\"\n"}`,
		query: `SELECT [c.d, {q: c.q, n: 1.50, l: [[], {}]}, c.d.x] AS v, {"\"": c.q} AS w FROM c`,
	})
	if want := `{"v":[{ "x" : [ 1.50 ] },{"q":"\"\u000a","n":1.5,"l":[[],{}]},[ 1.50 ]],"w":{"\"":"\"\u000a"}}`; got[0] != want {
		t.Errorf("got  %s\nwant %s", got[0], want)
	}
}
