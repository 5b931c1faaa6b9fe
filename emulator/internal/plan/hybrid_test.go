package plan

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// The parts of which the service makes the plans of rankings, by the tests of the .NET SDK
// (QueryPlanRetrieverTests, QueryPlanBaselineTests).
const (
	statisticsOfText = `{"totalWordCount": SUM(_FullTextWordCount(c.text)), "hitCounts": [COUNTIF(FullTextContains(c.text, "swim")), COUNTIF(FullTextContains(c.text, "run"))]}`
	scoreOfText      = `_FullTextScore(c.text, ["swim", "run"], {documentdb-formattablehybridsearchquery-totaldocumentcount}, {documentdb-formattablehybridsearchquery-totalwordcount-0}, {documentdb-formattablehybridsearchquery-hitcountsarray-0})`
	scoreOfImage     = `_VectorScore(c.image, [1, 2, 3])`
	scoreOfBackup    = `_VectorScore(c.backup, [0.5, 0.2])`
	longForm         = "SELECT %sc._rid, [{\"item\": %s}] AS orderByItems, {\"payload\": %s, \"componentScores\": [%s]} AS payload\nFROM c\nWHERE %s\nORDER BY %s"
	shortForm        = "SELECT %sc._rid, c AS payload, [%s] AS componentScores\nFROM c\nORDER BY %s"
	everyRow         = "({documentdb-formattableorderbyquery-filter})"
)

// rankedPlan makes the plan of a ranking by text, by an image, or by both.
func rankedPlan(t *testing.T, query string, features Features) (*Plan, *cosmossql.Query, error) {
	t.Helper()
	q, err := cosmossql.Parse(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	counts := Counts{-1, -1, -1}
	if q.Top != nil {
		counts.Top = q.Top.Rows
	}
	if q.Offset != nil {
		counts.Offset, counts.Limit = q.Offset.Rows, q.Limit.Rows
	}
	p, err := Of(q, counts, false, whole, features)
	return p, q, err
}

// TestRankedQueries compares the queries of plans with those of the service.
func TestRankedQueries(t *testing.T) {
	const text, image = `FullTextScore(c.text, 'swim', "run")`, "VectorDistance(c.image, [1, 2, 3])"
	const backup = "VectorDistance(c.backup, [0.5, 0.2])"
	orNone := func(score string) string {
		if strings.HasPrefix(score, "_Full") {
			return "(" + score + " ?? -1)"
		}
		return "(" + score + " ?? -1.79769e+308)"
	}
	both := orNone(scoreOfText) + ", " + orNone(scoreOfImage)
	short := Features{featureShort}
	for _, test := range []struct {
		query      string
		features   Features
		statistics string
		want       []string
	}{
		{
			"SELECT TOP 10 * FROM c ORDER BY RANK " + text, nil, statisticsOfText,
			[]string{fmt.Sprintf(longForm, "TOP 120 ", scoreOfText, "c", orNone(scoreOfText), everyRow, scoreOfText+" DESC")},
		},
		{
			"SELECT TOP 10 * FROM c ORDER BY RANK " + text, short, statisticsOfText,
			[]string{fmt.Sprintf(longForm, "TOP 120 ", scoreOfText, "c", "", everyRow, scoreOfText+" DESC")},
		},
		{
			"SELECT TOP 10 * FROM c ORDER BY RANK RRF(" + text + ", " + image + ")", nil, statisticsOfText,
			[]string{
				fmt.Sprintf(longForm, "TOP 120 ", scoreOfText, "c", both, everyRow, scoreOfText+" DESC"),
				fmt.Sprintf(longForm, "TOP 120 ", scoreOfImage, "c", both, everyRow, scoreOfImage),
			},
		},
		{
			"SELECT TOP 10 * FROM c ORDER BY RANK RRF(" + text + ", " + image + ")", short, statisticsOfText,
			[]string{fmt.Sprintf(shortForm, "TOP 120 ", both, scoreOfText+" DESC"), fmt.Sprintf(shortForm, "TOP 120 ", both, scoreOfImage)},
		},
		{
			"SELECT TOP 10 * FROM c ORDER BY RANK RRF(" + backup + ", " + image + ", [1, -0.3])", nil, "",
			[]string{
				fmt.Sprintf(longForm, "TOP 120 ", scoreOfBackup, "c", orNone(scoreOfBackup)+", ("+scoreOfImage+" ?? 1.79769e+308)", everyRow, scoreOfBackup),
				fmt.Sprintf(longForm, "TOP 120 ", scoreOfImage, "c", orNone(scoreOfBackup)+", ("+scoreOfImage+" ?? 1.79769e+308)", everyRow, scoreOfImage+" ASC"),
			},
		},
		{
			"SELECT TOP 10 * FROM c ORDER BY RANK RRF(" + backup + ", " + image + ", [1, -0.3])", short, "",
			[]string{
				fmt.Sprintf(shortForm, "TOP 120 ", orNone(scoreOfBackup)+", (-1 * ("+scoreOfImage+" ?? 1.79769e+308))", scoreOfBackup),
				fmt.Sprintf(shortForm, "TOP 120 ", orNone(scoreOfBackup)+", (-1 * ("+scoreOfImage+" ?? 1.79769e+308))", scoreOfImage+" ASC"),
			},
		},
		{
			"SELECT c.name FROM c WHERE c.n > 1 ORDER BY RANK " + text + " OFFSET 10 LIMIT 100", nil, statisticsOfText,
			[]string{fmt.Sprintf(longForm, "", scoreOfText, `{"name": c.name}`, orNone(scoreOfText), "((c.n > 1) AND "+everyRow+")", scoreOfText+" DESC") + "\nOFFSET 0 LIMIT 220"},
		},
		{
			"SELECT VALUE c.name FROM c ORDER BY RANK " + image, nil, "",
			[]string{fmt.Sprintf(longForm, "", scoreOfImage, "c.name", orNone(scoreOfImage), "("+everyRow+" AND IS_DEFINED(c.name))", scoreOfImage)},
		},
	} {
		p, _, err := rankedPlan(t, test.query, test.features)
		if err != nil {
			t.Errorf("%s: %v", test.query, err)
			continue
		}
		if want := "SELECT COUNT(1) AS documentCount, [" + test.statistics + "] AS fullTextStatistics\nFROM c"; p.Hybrid.StatisticsQuery != want {
			t.Errorf("%s: statistics\ngot  %s\nwant %s", test.query, p.Hybrid.StatisticsQuery, want)
		}
		if p.Hybrid.NeedStatistics != (test.statistics != "") || len(p.Hybrid.Components) != len(test.want) {
			t.Errorf("%s: %d components, statistics %t", test.query, len(p.Hybrid.Components), p.Hybrid.NeedStatistics)
			continue
		}
		for i, c := range p.Hybrid.Components {
			if c.RewrittenQuery != test.want[i] {
				t.Errorf("%s: component %d\ngot  %s\nwant %s", test.query, i, c.RewrittenQuery, test.want[i])
			}
			filled := strings.NewReplacer("{documentdb-formattableorderbyquery-filter}", "true", placeDocuments, "3",
				fmt.Sprintf(placeWords, 0), "4", fmt.Sprintf(placeHits, 0), "[1,2]").Replace(c.RewrittenQuery)
			if _, err := cosmossql.Parse(filled); err != nil {
				t.Errorf("%s: %s: %v", test.query, filled, err)
			}
		}
		if _, err := cosmossql.Parse(p.Hybrid.StatisticsQuery); err != nil {
			t.Errorf("%s: %s: %v", test.query, p.Hybrid.StatisticsQuery, err)
		}
	}
}

// TestRankedPlanJSON checks whole plans as clients read them.
func TestRankedPlanJSON(t *testing.T) {
	const tail = `,"queryRanges":[{"min":"","max":"FF","isMinInclusive":true,"isMaxInclusive":false}]}`
	const info = `"groupByExpressions":[],"groupByAliases":[],"aggregates":[],"groupByAliasToAggregateType":{}`
	for _, test := range []struct {
		query    string
		features Features
		want     string
	}{
		{
			"SELECT c.a FROM c ORDER BY RANK VectorDistance(c.v, [1]) OFFSET 5 LIMIT 10", nil,
			`"componentQueryInfos":[{"distinctType":"None","top":null,"offset":0,"limit":120,"orderBy":["Descending"],"orderByExpressions":["_VectorScore(c.v, [1])"],` + info +
				`,"rewrittenQuery":"SELECT c._rid, [{\"item\": _VectorScore(c.v, [1])}] AS orderByItems, {\"payload\": {\"a\": c.a}, \"componentScores\": [(_VectorScore(c.v, [1]) ?? -1.79769e+308)]} AS payload\nFROM c\nWHERE ({documentdb-formattableorderbyquery-filter})\nORDER BY _VectorScore(c.v, [1])\nOFFSET 0 LIMIT 120","hasSelectValue":false,"hasNonStreamingOrderBy":true}]` +
				`,"componentWithoutPayloadQueryInfos":[],"projectionQueryInfo":null,"componentWeights":[],"skip":5,"take":10,"requiresGlobalStatistics":false}`,
		},
		{
			"SELECT * FROM c ORDER BY RANK RRF(VectorDistance(c.v, [1]), VectorDistance(c.v, [2]), [-2, 0.5])", Features{featureShort},
			`"componentQueryInfos":[{"distinctType":"None","top":null,"offset":null,"limit":null,"orderBy":[],"orderByExpressions":[],` + info +
				`,"rewrittenQuery":"SELECT c._rid, c AS payload, [(-1 * (_VectorScore(c.v, [1]) ?? 1.79769e+308)), (_VectorScore(c.v, [2]) ?? -1.79769e+308)] AS componentScores\nFROM c\nORDER BY _VectorScore(c.v, [1]) ASC","hasSelectValue":false,"hasNonStreamingOrderBy":false}` +
				`,{"distinctType":"None","top":null,"offset":null,"limit":null,"orderBy":[],"orderByExpressions":[],` + info +
				`,"rewrittenQuery":"SELECT c._rid, c AS payload, [(-1 * (_VectorScore(c.v, [1]) ?? 1.79769e+308)), (_VectorScore(c.v, [2]) ?? -1.79769e+308)] AS componentScores\nFROM c\nORDER BY _VectorScore(c.v, [2])","hasSelectValue":false,"hasNonStreamingOrderBy":false}]` +
				`,"componentWithoutPayloadQueryInfos":[],"projectionQueryInfo":null,"componentWeights":[2.0,0.5],"skip":null,"take":null,"requiresGlobalStatistics":false}`,
		},
	} {
		p, _, err := rankedPlan(t, test.query, test.features)
		if err != nil {
			t.Fatal(err)
		}
		want := `{"partitionedQueryExecutionInfoVersion":2,"hybridSearchQueryInfo":{"globalStatisticsQuery":"SELECT COUNT(1) AS documentCount, [] AS fullTextStatistics\nFROM c",` + test.want + tail
		if got, err := json.Marshal(p); err != nil || string(got) != want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", test.query, err, got, want)
		}
	}
}

// TestRankedNumbers checks that each FullTextScore has its own place for statistics, in their
// order, and that a component asks for enough documents.
func TestRankedNumbers(t *testing.T) {
	p, _, err := rankedPlan(t, "SELECT TOP 10 * FROM c ORDER BY RANK RRF(VectorDistance(c.v, [1]), FullTextScore(c.a, 'x'), FullTextScore(c.b, @y))", nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := `[{"totalWordCount": SUM(_FullTextWordCount(c.a)), "hitCounts": [COUNTIF(FullTextContains(c.a, "x"))]}, {"totalWordCount": SUM(_FullTextWordCount(c.b)), "hitCounts": [COUNTIF(FullTextContains(c.b, @y))]}]`; !strings.Contains(p.Hybrid.StatisticsQuery, want) {
		t.Errorf("statistics: %s", p.Hybrid.StatisticsQuery)
	}
	for i, want := range []string{"c.v, [1])", `c.a, ["x"], ` + placeDocuments + ", " + fmt.Sprintf(placeWords, 0), `c.b, [@y], ` + placeDocuments + ", " + fmt.Sprintf(placeWords, 1)} {
		if got := p.Hybrid.Components[i].OrderByExpressions[0]; !strings.Contains(got, want) {
			t.Errorf("component %d sorts by %s", i, got)
		}
	}
	for window, want := range map[string]int{"TOP 0": 120, "TOP 60": 120, "TOP 61": 122, "TOP 2147483647": cosmossql.MaxCount} {
		p, _, err := rankedPlan(t, "SELECT "+window+" * FROM c ORDER BY RANK FullTextScore(c.a, 'x')", nil)
		if got := p.Hybrid.Components[0].Top; err != nil || *got != want {
			t.Errorf("%s: %d documents, %v", window, *got, err)
		}
	}
}

// TestRankedRefusals checks the clients and the queries for which there is no plan.
func TestRankedRefusals(t *testing.T) {
	const plain, weighted = "SELECT * FROM c ORDER BY RANK VectorDistance(c.v, [1])", "SELECT * FROM c ORDER BY RANK RRF(VectorDistance(c.v, [1]), VectorDistance(c.w, [1]), [1, 2])"
	for _, test := range []struct{ query, features, want string }{
		{plain, "", "Query contained HybridSearch"},
		{plain, "OrderBy, NonStreamingOrderBy", "Query contained HybridSearch"},
		{plain, "HybridSearch", ""},
		{weighted, "HybridSearch", "Query contained WeightedRankFusion"},
		{weighted, "HybridSearch, WeightedRankFusion", ""},
	} {
		p, q, err := rankedPlan(t, test.query, nil)
		if err == nil {
			err = p.Check(q, ParseFeatures(test.features))
		}
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s for %q: %v, want %q", test.query, test.features, err, test.want)
		}
	}
	if _, _, err := rankedPlan(t, "SELECT * FROM c WHERE c.s = '{documentdb-formattableorderbyquery-filter}' ORDER BY RANK VectorDistance(c.v, [1])", nil); err == nil {
		t.Error("a text that clients replace is accepted")
	}
}
