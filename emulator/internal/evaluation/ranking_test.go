package evaluation

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/function"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

const articles = `
{"id":"1","_rid":"r1","t":"a red bike, red and fast","v":[1,0],"n":1}
{"id":"2","_rid":"r2","t":"Red boats","v":[0,1],"n":2}
{"id":"3","_rid":"r3","t":"blue","v":[1],"n":3}
{"id":"4","_rid":"r4","n":4}
{"id":"5","_rid":"r5","t":["red"],"v":[3,4],"n":5}`

// rankingCases are the queries of plans, with the statistics that clients fill in.
var rankingCases = []queryCase{
	{
		name:  "statistics",
		docs:  articles,
		query: `SELECT COUNT(1) AS documentCount, [{"totalWordCount": SUM(_FullTextWordCount(c.t)), "hitCounts": [COUNTIF(FullTextContains(c.t, "red")), COUNTIF(FullTextContains(c.t, "blue"))]}] AS fullTextStatistics FROM c`,
		want:  `{"documentCount":5,"fullTextStatistics":[{"totalWordCount":9,"hitCounts":[2,1]}]}`,
	},
	{
		name:  "statistics of nothing",
		query: `SELECT COUNT(1) AS documentCount, [{"totalWordCount": SUM(_FullTextWordCount(c.t)), "hitCounts": [COUNTIF(FullTextContains(c.t, "red"))]}] AS fullTextStatistics FROM c`,
		want:  `{"documentCount":0,"fullTextStatistics":[{"totalWordCount":0,"hitCounts":[0]}]}`,
	},
	{
		name:  "count of what holds",
		docs:  articles,
		query: `SELECT COUNTIF(c.n > 2) AS a, COUNTIF(c.t) AS b, COUNTIF(true) AS d, COUNTIF(c.none) AS e FROM c`,
		want:  `{"a":3,"b":0,"d":5,"e":0}`,
	},
	{
		name:  "by text",
		docs:  articles,
		query: `SELECT TOP 120 c._rid, [{"item": ROUND(100 * _FullTextScore(c.t, ["red"], 5, 9, [2]))}] AS orderByItems, {"payload": c.n, "componentScores": []} AS payload FROM c WHERE (true) ORDER BY _FullTextScore(c.t, ["red"], 5, 9, [2]) DESC`,
		want: `
{"_rid":"r2","orderByItems":[{"item":84}],"payload":{"payload":2,"componentScores":[]}}
{"_rid":"r1","orderByItems":[{"item":73}],"payload":{"payload":1,"componentScores":[]}}
{"_rid":"r3","orderByItems":[{"item":0}],"payload":{"payload":3,"componentScores":[]}}
{"_rid":"r4","orderByItems":[{}],"payload":{"payload":4,"componentScores":[]}}
{"_rid":"r5","orderByItems":[{}],"payload":{"payload":5,"componentScores":[]}}`,
	},
	{
		name:  "by text, the lowest score first",
		docs:  articles,
		query: `SELECT c.n, [(_FullTextScore(c.t, ["red"], 5, 9, [2]) ?? 1.79769e+308) > 0] AS s FROM c ORDER BY _FullTextScore(c.t, ["red"], 5, 9, [2]) ASC OFFSET 0 LIMIT 4`,
		want: `
{"n":3,"s":[false]}
{"n":1,"s":[true]}
{"n":2,"s":[true]}
{"n":4,"s":[true]}`,
	},
	{
		name:  "by vector: the nearest first, without documents that cannot be compared",
		docs:  articles,
		query: `SELECT TOP 120 c._rid, c.n AS payload, [(_VectorScore(c.v, [1, 1], true, {distanceFunction: "euclidean"}) ?? -1.79769e+308), (-1 * (_VectorScore(c.v, [1, 1], true, {distanceFunction: "dotproduct"}) ?? 1.79769e+308))] AS componentScores FROM c ORDER BY _VectorScore(c.v, [0, 1], true, {distanceFunction: "euclidean"})`,
		want: `
{"_rid":"r2","payload":2,"componentScores":[-1,-1]}
{"_rid":"r1","payload":1,"componentScores":[-1,-1]}
{"_rid":"r5","payload":5,"componentScores":[-3.605551275463989,-7]}`,
	},
	{
		name:  "by a vector that is made of properties",
		docs:  articles,
		query: `SELECT VALUE c.n FROM c ORDER BY VectorDistance([c.n, 1], [4, 1], true, {distanceFunction: "euclidean"})`,
		want:  "4\n3\n5\n2\n1",
	},
	{
		name:  "by vector: the farthest first",
		docs:  articles,
		query: `SELECT VALUE c.n FROM c ORDER BY _VectorScore(c.v, [0, 1], true, {distanceFunction: "euclidean"}) ASC`,
		want:  "5\n1\n2",
	},
}

// TestScoreThatFails has a score that fails for a document, before any condition has looked at it.
func TestScoreThatFails(t *testing.T) {
	doc, err := value.Decode([]byte(`{"t":"running red"}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{
		"SELECT VALUE c.t FROM c ORDER BY _FullTextScore(c.t, ['run'], 1, 2, [1])",
		"SELECT VALUE c.t FROM c WHERE c.n = 1 ORDER BY _FullTextScore(c.t, ['run'], 1, 2, [1]) DESC",
		"SELECT VALUE c.t FROM c WHERE c.n = 1 ORDER BY VectorDistance(FullTextContains(c.t, 'run') ? [1] : [2], [1], true, {distanceFunction: 'cosine'})",
	} {
		parsed, err := cosmossql.Parse(query)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Bind(nil, parsed, nil)
		if err == nil {
			err = p.Resolve(Policies{})
		}
		if err != nil {
			t.Fatal(err)
		}
		if key := p.SortKey(doc); len(key) != 1 {
			t.Errorf("%s: %d keys", query, len(key))
		}
		rows, err := p.Run(slices.Values([]value.Value{doc}))
		if fails := !strings.Contains(query, "WHERE"); (err != nil) != fails || len(rows) > 0 {
			t.Errorf("%s: %d rows, %v", query, len(rows), err)
		}
	}
}

// TestStemsOfRankings checks that a ranking fails where stems would decide, unless words are
// found as they are, and that no evaluation passes over it.
func TestStemsOfRankings(t *testing.T) {
	docs := mustDocs(t, `{"t":"swimming and reading"}`)
	for _, query := range []string{
		`SELECT * FROM c ORDER BY _FullTextScore(c.t, ["swim"], 1, 3, [1]) DESC`,
		`SELECT VALUE _FullTextScore(c.t, ["swim"], 1, 3, [1]) FROM c`,
		`SELECT COUNTIF(FullTextContains(c.t, "swim")) FROM c`,
	} {
		p := mustBind(t, query, nil)
		if _, err := p.Run(slices.Values(docs)); err == nil || !strings.Contains(err.Error(), `whether "swimming" is a form of "swim"`) {
			t.Errorf("%s: %v", query, err)
		}
		if err := p.Resolve(Policies{Search: function.Search{WholeWords: true}}); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Run(slices.Values(docs)); err != nil {
			t.Errorf("%s, whole words: %v", query, err)
		}
	}
	p := mustBind(t, `SELECT * FROM c ORDER BY _FullTextScore(c.t, ["swim"], 1, 3, [1]) DESC`, nil)
	if _, err := p.Match(docs[0]); err == nil {
		t.Error("a document that cannot be scored matches")
	}
	if key := p.SortKey(docs[0]); key[0].Kind() != value.Undefined {
		t.Errorf("a document that cannot be scored has the score %s", key[0].JSON())
	}
}

// TestBindRanking checks the parameters of ORDER BY RANK, which have values only here.
func TestBindRanking(t *testing.T) {
	for _, test := range []struct{ clause, params, want string }{
		{`FullTextScore(c.t, @p)`, `"red"`, ""},
		{`FullTextScore(c[@p], "red")`, `"t"`, ""},
		{`FullTextScore(c[@p], "red")`, `1`, "without elements of arrays"},
		{`FullTextScore(c[c.n], "red")`, `1`, "a property path"},
		{`FullTextScore(c.t, @p)`, `5`, "a word of full-text search is a string, not number"},
		{`FullTextScore(c.t, @p)`, `"two words"`, `"two words" is not one word`},
		{`FullTextScore(c.t, @p)`, `"the"`, "stop word"},
		{`FullTextScore(c.t, "a", "+")`, `1`, "is not one word"},
		{`FullTextScore(c.t, "{documentdb-formattableorderbyquery-filter}")`, `1`, "is not one word"},
		{`FullTextScore(c.t, @other)`, `1`, "@other"},
		{`RRF(FullTextScore(c.t, "red"), VectorDistance(c.v, @p))`, `[1, 2]`, ""},
		{`RRF(FullTextScore(c.t, "red"), VectorDistance(c.v, @p))`, `"x"`, "arrays of numbers"},
	} {
		q, err := cosmossql.Parse("SELECT TOP 1 * FROM c ORDER BY RANK " + test.clause)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Bind(nil, q, map[string]value.Value{"@p": mustDecode(t, test.params)})
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s with %s: %v, want %q", test.clause, test.params, err, test.want)
		}
	}
}

// TestResolveRanking checks what a ranking needs of a container.
func TestResolveRanking(t *testing.T) {
	vectors := []Embedding{{Path: []string{"v"}, Metric: function.Cosine, Dimensions: 2}}
	indexed := [][]string{{"a", "t"}}
	for _, test := range []struct {
		clause   string
		policies Policies
		want     string
	}{
		{`FullTextScore(c.a.t, "red")`, Policies{TextIndexes: indexed, NeedTextIndex: true}, ""},
		{`FullTextScore(c.a.u, "red")`, Policies{TextIndexes: indexed, NeedTextIndex: true}, "requires a full text index: the indexing policy of the container has none for /a/u"},
		{`FullTextScore(c.a.u, "red")`, Policies{TextIndexes: indexed}, ""},
		{`VectorDistance(c.v, [1, 2])`, Policies{Vectors: vectors}, ""},
		{`VectorDistance(c.v, [1, 2, 3])`, Policies{Vectors: vectors}, "3 dimensions"},
		{`VectorDistance(c.w, [1, 2])`, Policies{Vectors: vectors}, "needs a distance function"},
	} {
		p := mustBind(t, "SELECT TOP 1 * FROM c ORDER BY RANK "+test.clause, nil)
		if err := p.Resolve(test.policies); (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.clause, err, test.want)
		}
		if _, err := p.Run(slices.Values(mustDocs(t, articles))); err == nil {
			t.Errorf("%s is evaluated as a whole", test.clause)
		}
	}
}

// TestPlanScoreArguments checks what the score of a text refuses.
func TestPlanScoreArguments(t *testing.T) {
	for args, want := range map[string]string{
		`c.t, c.words, 1, 1, [1]`:    "argument 2 of _FullTextScore is a constant array",
		`c.t, ["a1"], "1", 1, [1]`:   "argument 3 of _FullTextScore is a constant number",
		`c.t, ["a1"], 1, c.n, [1]`:   "argument 4 of _FullTextScore is a constant number",
		`c.t, ["a1"], 1, 1, 1`:       "argument 5 of _FullTextScore is a constant array",
		`c.t, ["a1"], 1, 1, [1, 2]`:  "a number for each word",
		`c.t, ["a1"], 1, 1, ["1"]`:   "a number for each word",
		`c.t, ["a1", 5], 1, 1, [1]`:  "a word of full-text search is a string",
		`c.t, ["a 1"], 1, 1, [1]`:    "is not one word",
		`c.t, ["a1"], 1, 1`:          "takes 5 arguments",
		`c.t, ["a1"], 1, 1, [1], 12`: "takes 5 arguments",
	} {
		query := fmt.Sprintf("SELECT * FROM c ORDER BY _FullTextScore(%s) DESC", args)
		q, err := cosmossql.Parse(query)
		if err == nil {
			_, err = Bind(nil, q, nil)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", query, err, want)
		}
	}
}
