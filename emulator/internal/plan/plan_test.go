package plan

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// whole is the range of a query over all physical partitions, and point that of a query
// over one logical partition.
var (
	whole = []Range{{Min: "", Max: "FF", MinInclusive: true}}
	point = []Range{{Min: "0A", Max: "0A", MinInclusive: true, MaxInclusive: true}}
)

// planned makes the plan of a query whose counts are literals.
func planned(t *testing.T, text string, ranges []Range) (*Plan, *cosmossql.Query, error) {
	t.Helper()
	q, err := cosmossql.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	number := func(n *cosmossql.Count) int {
		if n == nil {
			return -1
		}
		return n.Rows
	}
	p, err := Of(q, Counts{number(q.Top), number(q.Offset), number(q.Limit)}, true, ranges, nil)
	return p, q, err
}

// TestRewrittenQueries compares queries with those that the service makes, by the query
// plan baselines of the .NET SDK. Line feeds are written as blanks.
func TestRewrittenQueries(t *testing.T) {
	const f = "({documentdb-formattableorderbyquery-filter})"
	for _, test := range []struct{ query, want string }{
		{"SELECT * FROM c", ""},
		{"SELECT * FROM Root r ORDER BY r.blah", `SELECT r._rid, [{"item": r.blah}] AS orderByItems, r AS payload FROM Root AS r WHERE ` + f + ` ORDER BY r.blah`},
		{"SELECT * FROM Root r ORDER BY r.key DESC", `SELECT r._rid, [{"item": r.key}] AS orderByItems, r AS payload FROM Root AS r WHERE ` + f + ` ORDER BY r.key DESC`},
		{"SELECT * FROM Root r WHERE r.key IN (1, 2) ORDER BY r.key", `SELECT r._rid, [{"item": r.key}] AS orderByItems, r AS payload FROM Root AS r WHERE ((r.key IN (1, 2)) AND ` + f + `) ORDER BY r.key`},
		{"SELECT TOP 10 * FROM Root r ORDER BY r.key", `SELECT TOP 10 r._rid, [{"item": r.key}] AS orderByItems, r AS payload FROM Root AS r WHERE ` + f + ` ORDER BY r.key`},
		{"SELECT c.blah, c.blah2 FROM Root c ORDER BY c.key", `SELECT c._rid, [{"item": c.key}] AS orderByItems, {"blah": c.blah, "blah2": c.blah2} AS payload FROM Root AS c WHERE ` + f + ` ORDER BY c.key`},
		{"SELECT VALUE c.blah FROM Root c ORDER BY c.key", `SELECT c._rid, [{"item": c.key}] AS orderByItems, c.blah AS payload FROM Root AS c WHERE (` + f + ` AND IS_DEFINED(c.blah)) ORDER BY c.key`},
		{"SELECT TOP 50 r[0] FROM r ORDER BY r.key", `SELECT TOP 50 r._rid, [{"item": r.key}] AS orderByItems, {"$1": r[0]} AS payload FROM r WHERE ` + f + ` ORDER BY r.key`},
		{"SELECT * FROM c ORDER BY c.a, c.b DESC OFFSET 2 LIMIT 3", `SELECT c._rid, [{"item": c.a}, {"item": c.b}] AS orderByItems, c AS payload FROM c WHERE ` + f + ` ORDER BY c.a, c.b DESC OFFSET 0 LIMIT 5`},
		{"SELECT * FROM c OFFSET 1 LIMIT 2", "SELECT * FROM c OFFSET 0 LIMIT 3"},
		{"SELECT * FROM c WHERE c.blah = 5 OFFSET 1 LIMIT 2", "SELECT * FROM c WHERE (c.blah = 5) OFFSET 0 LIMIT 3"},
		{"SELECT c.name FROM c OFFSET 2147483647 LIMIT 10", "SELECT c.name FROM c OFFSET 0 LIMIT 2147483647"},
		{"SELECT DISTINCT c.blah FROM c", ""},
		{"SELECT DISTINCT * FROM c WHERE c.key = 5 OFFSET 1 LIMIT 2", "SELECT DISTINCT * FROM c WHERE (c.key = 5)"},
		{"SELECT DISTINCT VALUE c.blah FROM c ORDER BY c.blah", `SELECT c._rid, [{"item": c.blah}] AS orderByItems, c.blah AS payload FROM c WHERE (` + f + ` AND IS_DEFINED(c.blah)) ORDER BY c.blah`},
		{"SELECT DISTINCT TOP 2 VALUE c.blah FROM c ORDER BY c.blah", `SELECT c._rid, [{"item": c.blah}] AS orderByItems, c.blah AS payload FROM c WHERE (` + f + ` AND IS_DEFINED(c.blah)) ORDER BY c.blah`},
		{"SELECT VALUE COUNT(1) FROM c", `SELECT VALUE [{"item": COUNT(1)}] FROM c`},
		{"SELECT VALUE SUM(c.blah) FROM c", `SELECT VALUE [{"item": SUM(c.blah)}] FROM c`},
		{"SELECT VALUE AVG(c.blah) FROM c", `SELECT VALUE [{"item": {"sum": SUM(c.blah), "count": COUNT(c.blah)}}] FROM c`},
		{"SELECT VALUE MIN(c.blah + 1) FROM c", `SELECT VALUE [{"item": MIN((c.blah + 1)), "item2": {"min": MIN((c.blah + 1)), "count": COUNT((c.blah + 1))}}] FROM c`},
		{"SELECT VALUE MAX(c.blah) FROM c WHERE c.key > 1", `SELECT VALUE [{"item": MAX(c.blah), "item2": {"max": MAX(c.blah), "count": COUNT(c.blah)}}] FROM c WHERE (c.key > 1)`},
		{"SELECT VALUE COUNT(1) FROM c WHERE c.key = 5 OFFSET 1 LIMIT 2", `SELECT VALUE [{"item": COUNT(1)}] FROM c WHERE (c.key = 5)`},
		{"SELECT VALUE COUNTIF(c.valid) FROM c", `SELECT VALUE [{"item": COUNTIF(c.valid)}] FROM c`},
		{"SELECT c.zip, COUNTIF(c.valid) AS n FROM c GROUP BY c.zip", `SELECT [{"item": c.zip}] AS groupByItems, {"zip": c.zip, "n": {"item": COUNTIF(c.valid)}} AS payload FROM c GROUP BY c.zip`},
		{"SELECT AVG(c.blah) FROM c", `SELECT {"$1": {"item": {"sum": SUM(c.blah), "count": COUNT(c.blah)}}} AS payload FROM c`},
		{"SELECT SUM(c.blah) AS sum_blah FROM c", `SELECT {"sum_blah": {"item": SUM(c.blah)}} AS payload FROM c`},
		{"SELECT c.name FROM c WHERE c.key = 5 GROUP BY c.name OFFSET 1 LIMIT 2", `SELECT [{"item": c.name}] AS groupByItems, {"name": c.name} AS payload FROM c WHERE (c.key = 5) GROUP BY c.name`},
		{"SELECT c.team, COUNT(1) AS n FROM c GROUP BY c.team, UPPER(c.name)", `SELECT [{"item": c.team}, {"item": UPPER(c.name)}] AS groupByItems, {"team": c.team, "n": {"item": COUNT(1)}} AS payload FROM c GROUP BY c.team, UPPER(c.name)`},
		{"SELECT VALUE c.age FROM c GROUP BY c.age", `SELECT [{"item": c.age}] AS groupByItems, c.age AS payload FROM c GROUP BY c.age`},
		{"SELECT VALUE COUNT(1) FROM c GROUP BY c.age", `SELECT [{"item": c.age}] AS groupByItems, [{"item": COUNT(1)}] AS payload FROM c GROUP BY c.age`},
		{"SELECT COUNT(1) AS n FROM (SELECT DISTINCT VALUE c.a FROM c WHERE c.b = 1)", "SELECT DISTINCT VALUE c.a FROM c WHERE (c.b = 1)"},
	} {
		p, q, err := planned(t, test.query, whole)
		if err != nil {
			t.Errorf("%s: %v", test.query, err)
			continue
		}
		got := p.QueryInfo.RewrittenQuery
		if strings.ReplaceAll(got, "\n", " ") != test.want {
			t.Errorf("%s\ngot  %s\nwant %s", test.query, got, test.want)
		}
		if text := strings.Replace(got, filter, "(true)", 1); text != "" {
			if _, err := cosmossql.Parse(text); err != nil {
				t.Errorf("%s: the rewritten query %s: %v", test.query, text, err)
			}
		}
		if err := p.Check(q, ParseFeatures("NonValueAggregate,Aggregate,Distinct,MultipleOrderBy,OffsetAndLimit,OrderBy,Top,GroupBy,MultipleAggregates,DCount,CountIf")); err != nil {
			t.Errorf("%s: %v", test.query, err)
		}
	}
}

// TestPlanJSON checks whole plans as clients read them.
func TestPlanJSON(t *testing.T) {
	const head = `{"partitionedQueryExecutionInfoVersion":2,"queryInfo":{`
	const tail = `},"queryRanges":[{"min":"","max":"FF","isMinInclusive":true,"isMaxInclusive":false}]}`
	for _, test := range []struct{ query, want string }{
		{"SELECT * FROM c", `"distinctType":"None","top":null,"offset":null,"limit":null,"orderBy":[],"orderByExpressions":[],"groupByExpressions":[],"groupByAliases":[],"aggregates":[],"groupByAliasToAggregateType":{},"rewrittenQuery":"","hasSelectValue":false,"hasNonStreamingOrderBy":false`},
		{"SELECT TOP 3 * FROM c", `"distinctType":"None","top":3,"offset":null,"limit":null,"orderBy":[],"orderByExpressions":[],"groupByExpressions":[],"groupByAliases":[],"aggregates":[],"groupByAliasToAggregateType":{},"rewrittenQuery":"","hasSelectValue":false,"hasNonStreamingOrderBy":false`},
		{"SELECT c.a, COUNT(1) AS n FROM c GROUP BY c.a OFFSET 1 LIMIT 2", `"distinctType":"None","top":null,"offset":1,"limit":2,"orderBy":[],"orderByExpressions":[],"groupByExpressions":["c.a"],"groupByAliases":["a","n"],"aggregates":[],"groupByAliasToAggregateType":{"a":null,"n":"Count"},"rewrittenQuery":"SELECT [{\"item\": c.a}] AS groupByItems, {\"a\": c.a, \"n\": {\"item\": COUNT(1)}} AS payload\nFROM c\nGROUP BY c.a","hasSelectValue":false,"hasNonStreamingOrderBy":false`},
		{"SELECT VALUE AVG(c.a) FROM c", `"distinctType":"None","top":null,"offset":null,"limit":null,"orderBy":[],"orderByExpressions":[],"groupByExpressions":[],"groupByAliases":[],"aggregates":["Average"],"groupByAliasToAggregateType":{},"rewrittenQuery":"SELECT VALUE [{\"item\": {\"sum\": SUM(c.a), \"count\": COUNT(c.a)}}]\nFROM c","hasSelectValue":true,"hasNonStreamingOrderBy":false`},
		{"SELECT COUNT(1) FROM (SELECT DISTINCT VALUE c.a FROM c)", `"distinctType":"Unordered","top":null,"offset":null,"limit":null,"orderBy":[],"orderByExpressions":[],"groupByExpressions":[],"groupByAliases":[],"aggregates":[],"groupByAliasToAggregateType":{},"rewrittenQuery":"SELECT DISTINCT VALUE c.a FROM c","hasSelectValue":false,"hasNonStreamingOrderBy":false,"dCountInfo":{"dCountAlias":"$1"}`},
	} {
		p, _, err := planned(t, test.query, whole)
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(p)
		if err != nil || string(got) != head+test.want+tail {
			t.Errorf("%s: %v\ngot  %s\nwant %s", test.query, err, got, head+test.want+tail)
		}
	}
}

func TestDistinctTypes(t *testing.T) {
	for query, want := range map[string]string{
		"SELECT DISTINCT VALUE c.a FROM c ORDER BY c.a":           "Ordered",
		"SELECT DISTINCT c.a, c.b FROM c ORDER BY c.b, c.a DESC":  "Ordered",
		"SELECT DISTINCT c.a FROM c ORDER BY c.a, c.b":            "Unordered",
		"SELECT DISTINCT c.a, c.b FROM c ORDER BY c.a":            "Unordered",
		"SELECT DISTINCT * FROM c ORDER BY c.a":                   "Unordered",
		"SELECT DISTINCT VALUE c.a FROM c":                        "Unordered",
		"SELECT VALUE c.a FROM c ORDER BY c.a":                    "None",
		"SELECT VALUE COUNT(1) FROM (SELECT DISTINCT c.a FROM c)": "Unordered",
	} {
		if p, _, err := planned(t, query, whole); err != nil || p.QueryInfo.DistinctType != want {
			t.Errorf("%s: %v, %v; want %s", query, p.QueryInfo.DistinctType, err, want)
		}
	}
}

// TestOnePartitionKey checks that a query which one physical partition can answer is not
// rewritten, unless it has aggregates, groups or DISTINCT.
func TestOnePartitionKey(t *testing.T) {
	for query, rewritten := range map[string]bool{
		"SELECT * FROM c WHERE c.k = 1 ORDER BY c.a OFFSET 1 LIMIT 2": false,
		"SELECT TOP 2 * FROM c WHERE c.k = 1":                         false,
		"SELECT VALUE COUNT(1) FROM c WHERE c.k = 1":                  true,
	} {
		p, _, err := planned(t, query, point)
		if err != nil || (p.QueryInfo.RewrittenQuery != "") != rewritten || !rewritten && (p.QueryInfo.Top != nil || p.QueryInfo.Offset != nil || len(p.QueryInfo.OrderBy) > 0) {
			t.Errorf("%s: %+v, %v", query, p.QueryInfo, err)
		}
	}
}

func TestRefusedPlans(t *testing.T) {
	for query, want := range map[string]string{
		"SELECT VALUE ABS(AVG(c.a)) FROM c":                                   "Compositions of aggregates",
		"SELECT VALUE [COUNT(1)] FROM c GROUP BY c.a":                         "Compositions of aggregates",
		"SELECT COUNT(1) + 1 AS n FROM c":                                     "Compositions of aggregates",
		"SELECT VALUE SUM(x) FROM (SELECT DISTINCT VALUE c.a FROM c) x":       "cannot run over several partitions",
		"SELECT VALUE COUNT(1) FROM (SELECT c.a FROM c GROUP BY c.a)":         "cannot run over several partitions",
		"SELECT VALUE COUNT(x.a) FROM (SELECT DISTINCT c.a FROM c) x":         "cannot run over several partitions",
		"SELECT VALUE COUNT(1) FROM (SELECT DISTINCT c.a FROM c) x WHERE x.a": "cannot run over several partitions",
	} {
		if _, _, err := planned(t, query, whole); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", query, err)
		}
	}
}

func TestFeatures(t *testing.T) {
	for query, want := range map[string]string{
		"SELECT * FROM c":                                    "[]",
		"SELECT TOP 1 * FROM c ORDER BY c.a":                 "[Top OrderBy]",
		"SELECT * FROM c ORDER BY c.a, c.b OFFSET 1 LIMIT 1": "[OffsetAndLimit MultipleOrderBy]",
		"SELECT DISTINCT c.a FROM c":                         "[Distinct]",
		"SELECT VALUE COUNT(1) FROM c":                       "[Aggregate]",
		"SELECT COUNT(1), MAX(c.a) FROM c":                   "[NonValueAggregate MultipleAggregates]",
		"SELECT c.a, COUNT(1) FROM c GROUP BY c.a":           "[GroupBy]",
		"SELECT COUNT(1) FROM (SELECT DISTINCT c.a FROM c)":  "[Distinct DCount]",
		"SELECT VALUE COUNTIF(c.a > 1) FROM c":               "[Aggregate CountIf]",
	} {
		p, q, err := planned(t, query, whole)
		if got := fmt.Sprint(p.features(q)); err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", query, got, err, want)
		}
		if err := p.Check(q, ParseFeatures("None")); (err == nil) != (want == "[]") {
			t.Errorf("%s: %v for a client that supports nothing", query, err)
		}
	}
}
