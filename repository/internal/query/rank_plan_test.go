package query

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// plan is one of two scores, with changes to the properties of the hybrid part, of its first
// query, and of the whole. A nil value removes a property.
func planWith(whole, hybrid, first map[string]any) []byte {
	change := func(object, by map[string]any) map[string]any {
		for name, value := range by {
			if value == nil {
				delete(object, name)
			} else {
				object[name] = value
			}
		}
		return object
	}
	component := func() map[string]any {
		return map[string]any{
			"distinctType": "None", "top": 120, "offset": nil, "limit": nil, "orderBy": []string{"Descending"}, "orderByExpressions": []string{"_Score(c.t)"},
			"groupByExpressions": []string{}, "groupByAliases": []string{}, "aggregates": []string{}, "groupByAliasToAggregateType": map[string]any{},
			"rewrittenQuery":         "SELECT 1 FROM c WHERE ({documentdb-formattableorderbyquery-filter}) ORDER BY _Score(c.t)",
			"hasSelectValue":         false,
			"dCountInfo":             nil,
			"hasNonStreamingOrderBy": true,
		}
	}
	body, err := json.Marshal(change(map[string]any{
		"partitionedQueryExecutionInfoVersion": 2,
		"hybridSearchQueryInfo": change(map[string]any{
			"globalStatisticsQuery": "SELECT COUNT(1) AS documentCount FROM c", "requiresGlobalStatistics": true,
			"componentQueryInfos":               []any{change(component(), first), component()},
			"componentWithoutPayloadQueryInfos": []any{}, "projectionQueryInfo": nil,
			"componentWeights": []float64{}, "skip": nil, "take": 10,
		}, hybrid),
		"queryRanges": []any{map[string]any{"min": "", "max": "FF", "isMinInclusive": true, "isMaxInclusive": false}},
	}, whole))
	if err != nil {
		panic(err)
	}
	return body
}

type changes = map[string]any

func TestHybridPlan(t *testing.T) {
	t.Parallel()
	p, err := readHybridPlan(planWith(nil, changes{"componentWeights": []float64{2, 0.5}}, changes{"orderBy": []string{"Ascending"}, "limit": 50}), 2, 10)
	if err != nil {
		t.Fatal(err)
	}
	if !p.RequiresStatistics || p.weight(0) != 2 || p.weight(1) != 0.5 || p.Take != 10 || !p.Components[0].Ascending || p.Components[1].Ascending || p.Components[0].most() != 50 || p.Components[1].most() != 120 {
		t.Errorf("got %+v", p)
	}
	if c := p.Components; c[0].compare(1, 2) >= 0 || c[1].compare(1, 2) <= 0 || c[0].compare(c[0].worst(), 1e308) <= 0 || c[1].compare(c[1].worst(), -1e308) <= 0 {
		t.Errorf("got %+v", c)
	}
}

// TestHybridPlanRefuses reads plans that say something unknown, or are those of another query.
func TestHybridPlanRefuses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		body []byte
		says string
	}{
		{[]byte(`{"partitionedQueryExecutionInfoVersion":2,"queryInfo":{"rewrittenQuery":""},"queryRanges":[]}`), "no hybridSearchQueryInfo"},
		{[]byte(`[]`), "cannot unmarshal"},
		{planWith(changes{"partitionedQueryExecutionInfoVersion": 3}, nil, nil), "version is 3"},
		{planWith(changes{"queryInfo": changes{"top": 1}}, nil, nil), "it has queryInfo, which"},
		{planWith(changes{"hybridSearchQueryInfo": "x"}, nil, nil), "cannot unmarshal"},
		{planWith(nil, changes{"rerank": true}, nil), "it has rerank, which this release does not support"},
		{planWith(nil, changes{"componentWithoutPayloadQueryInfos": []any{1}, "projectionQueryInfo": changes{"a": 1}}, nil), "it has componentWithoutPayloadQueryInfos, projectionQueryInfo, which"},
		{planWith(nil, changes{"take": "10"}, nil), "its take is of another type"},
		{planWith(nil, changes{"take": 11}, nil), "takes 11 documents, and the query takes 10"},
		{planWith(nil, changes{"skip": 1}, nil), "skips 1"},
		{planWith(nil, changes{"componentWeights": []float64{1}}, nil), "1 weights of 2 scores"},
		{planWith(nil, changes{"componentQueryInfos": []any{}}, nil), "it has 0 scores, and the query 2"},
		{planWith(nil, changes{"globalStatisticsQuery": nil}, nil), "needs statistics and has no query"},
		{planWith(nil, nil, changes{"rewrittenQuery": ""}), "a score has no query"},
		{planWith(nil, nil, changes{"orderBy": []string{"Descending", "Descending"}}), "the order of a score"},
		{planWith(nil, nil, changes{"orderBy": []string{"Sideways"}}), "the order of a score"},
		{planWith(nil, nil, changes{"orderBy": []string{}}), "the order of a score"},
		{planWith(nil, nil, changes{"distinctType": "Ordered"}), "it has distinctType"},
		{planWith(nil, nil, changes{"aggregates": []string{"Sum"}}), "it has aggregates"},
		{planWith(nil, nil, changes{"offset": 5}), "it has offset"},
		{planWith(nil, nil, changes{"hasSelectValue": true}), "it has hasSelectValue"},
	} {
		if _, err := readHybridPlan(test.body, 2, 10); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v", test.says, err)
		}
	}
}

func counted(documents float64, texts ...textStatistics) statistics {
	return statistics{Documents: documents, Texts: texts, some: true}
}

func inTexts(words float64, hits ...float64) textStatistics {
	return textStatistics{Words: &words, Hits: hits}
}

func TestStatistics(t *testing.T) {
	t.Parallel()
	var total statistics
	for _, row := range []string{
		`{"documentCount":3,"fullTextStatistics":[{"totalWordCount":40,"hitCounts":[1,2]},{"totalWordCount":5,"hitCounts":[1]}]}`,
		`{"documentCount":0,"fullTextStatistics":[{"hitCounts":[0,0]},{"totalWordCount":null,"hitCounts":[0]}]}`,
		`{"documentCount":9007199254740000,"fullTextStatistics":[{"totalWordCount":1e15,"hitCounts":[2,0]},{"totalWordCount":1,"hitCounts":[0]}]}`,
	} {
		part, err := decodeStatistics([]byte(row))
		if err == nil {
			err = total.add(part.(statistics))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	p := hybridPlan{Components: []component{{Query: "{documentdb-formattablehybridsearchquery-totaldocumentcount} {documentdb-formattablehybridsearchquery-totalwordcount-0} {documentdb-formattablehybridsearchquery-hitcountsarray-0} {documentdb-formattablehybridsearchquery-totalwordcount-1} {documentdb-formattablehybridsearchquery-hitcountsarray-1}"}, {}}}
	queries, err := p.queries(total, false)
	if want := "9007199254740003 1000000000000040 [3,2] 6 [1]"; err != nil || queries[0] != want {
		t.Errorf("got %v, %v, want %s", queries, err, want)
	}
	for _, row := range []string{`[]`, `{"documentCount":"3"}`, `{"documentCount":3,"fullTextStatistics":[{"hitCounts":[1]}]}`} {
		if _, err := decodeStatistics([]byte(row)); err == nil {
			t.Errorf("%s is read", row)
		}
	}
	for _, other := range []statistics{counted(1), counted(1, inTexts(1, 1)), counted(1, inTexts(1, 1, 2), inTexts(1, 1, 2))} {
		sum := counted(1, inTexts(1, 1, 2), inTexts(1, 1))
		if err := sum.add(other); err == nil {
			t.Errorf("%+v is added", other)
		}
	}
}

// TestPlaces fills the places of statistics, whose number counts the texts in some plans and all
// scores in others, and refuses plans that it does not fill whole.
func TestPlaces(t *testing.T) {
	t.Parallel()
	const documents, filter = "{documentdb-formattablehybridsearchquery-totaldocumentcount}", "{documentdb-formattableorderbyquery-filter}"
	text := func(n string) string {
		return "{documentdb-formattablehybridsearchquery-totalwordcount-" + n + "} {documentdb-formattablehybridsearchquery-hitcountsarray-" + n + "}"
	}
	two := counted(7, inTexts(40, 1, 2), inTexts(5, 3))
	for _, test := range []struct {
		queries    []string
		of         statistics
		conditions bool
		want       string // or the error
	}{
		{[]string{documents + " " + text("0"), "v", documents + " " + text("1")}, two, false, "7 40 [1,2]; v; 7 5 [3]"},
		{[]string{"v", text("1"), text("2")}, two, false, "v; 40 [1,2]; 5 [3]"},
		{[]string{text("0") + " " + text("2"), "v", text("2") + " " + text("0")}, two, false, "40 [1,2] 5 [3]; v; 5 [3] 40 [1,2]"},
		{[]string{"a " + filter, "b " + filter}, statistics{}, true, "a " + filter + "; b " + filter},
		{[]string{"a " + filter, "b"}, statistics{}, true, "no place for the partition keys"},
		{[]string{text("0"), text("1")}, counted(7, inTexts(40, 1)), false, "more texts than there are"},
		{[]string{text("0"), "v"}, two, false, "no place for the statistics of a text"},
		{[]string{text("0"), text("2")}, two, false, "no place for the statistics"},
		{[]string{text("0")}, statistics{}, false, "placeholders that this release does not support"},
		{[]string{"{documentdb-formattable-other}"}, statistics{}, false, "does not support"},
	} {
		p := &hybridPlan{}
		for _, query := range test.queries {
			p.Components = append(p.Components, component{Query: query})
		}
		got, err := p.queries(test.of, test.conditions)
		if err != nil {
			got = []string{err.Error()}
		}
		if text := strings.Join(got, "; "); !strings.Contains(text, test.want) || err == nil && text != test.want {
			t.Errorf("%v: got %s, want %s", test.queries, text, test.want)
		}
	}
}

// TestFuseInAnyOrder fuses rows that come in any order: the same each time, as a formula says.
func TestFuseInAnyOrder(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		p := &hybridPlan{Take: 1 + r.IntN(12), Weights: []float64{1, 2, 0.5}[:1+r.IntN(3)]}
		for range p.Weights {
			c := component{Ascending: r.IntN(3) == 0}
			if top := r.IntN(10); top > 0 { // else all documents count
				c.Top = &top
			}
			p.Components = append(p.Components, c)
		}
		documents := map[string][]float64{}
		for i := range r.IntN(30) {
			scores := make([]float64, len(p.Weights))
			for k := range scores {
				scores[k] = float64(r.IntN(8))
			}
			documents[string(rune('a'+i))] = scores
		}
		fill := func() [][]*rankedRow {
			found := make([][]*rankedRow, len(p.Weights))
			for k := range found {
				for rid, scores := range documents { // in any order
					row := &rankedRow{rid: rid, score: k, own: scores[k]}
					if len(scores) > 1 {
						row.scores = scores
					}
					found[k] = append(found[k], row)
				}
			}
			return found
		}
		want := fusedByFormula(p, documents)
		var got []string
		for _, row := range p.fuse(fill()) {
			got = append(got, row.rid)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v of %v by %+v", got, want, documents, p)
		}
	}
}

// FuzzHybridPlan reads plans, statistics and rows that a service may send: each is refused, or
// gives no more documents than were asked for.
func FuzzHybridPlan(f *testing.F) {
	const counts = `{"documentCount":3,"fullTextStatistics":[{"totalWordCount":40,"hitCounts":[1,2]}]}`
	const row = `{"_rid":"r","orderByItems":[{"item":0.5}],"payload":{"payload":{"id":"1"},"componentScores":[0.5,-1]}}`
	f.Add(planWith(nil, nil, nil), []byte(counts), []byte(row))
	f.Add(planWith(nil, changes{"componentWeights": []float64{2, -1}}, changes{"top": nil, "limit": -1, "orderBy": []string{"Ascending"}}), []byte(`{"documentCount":0}`), []byte(`{"_rid":"r","orderByItems":[{}]}`))
	f.Add(planWith(nil, changes{"requiresGlobalStatistics": false}, changes{"top": -5, "limit": 3}), []byte(`[]`), []byte(`{"orderByItems":[{"item":"1"}],"payload":null}`))
	f.Fuzz(func(t *testing.T, plan, counts, row []byte) {
		p, err := readHybridPlan(plan, 2, 10)
		if err != nil {
			return
		}
		var total statistics
		for range 2 {
			if part, err := decodeStatistics(counts); err == nil && total.add(part.(statistics)) != nil {
				t.Fatalf("%s does not go with itself", counts)
			}
		}
		if queries, err := p.queries(total, true); err == nil {
			for _, query := range queries {
				if strings.Count(query, placeMark) != strings.Count(query, placeFilter) {
					t.Fatalf("a place was not filled: %s", query)
				}
			}
		}
		r := &ranking{Ranking: Ranking{Scores: make([]Score, 2)}, plan: p}
		found := make([][]*rankedRow, 2)
		for n := range 30 {
			item, err := r.rowsOf(0, n%2)(row)
			if err != nil {
				return
			}
			if x, _ := item.(*rankedRow); x != nil {
				x.rid += string(rune('a' + n/2))
				found[n%2] = append(found[n%2], x)
			}
		}
		if got := p.fuse(found); len(got) > 10 {
			t.Fatalf("%d documents", len(got))
		}
	})
}

// TestCopies has limits whose copies do not fit an int: a negative limit would be none.
func TestCopies(t *testing.T) {
	t.Parallel()
	for limit, want := range map[int]int{1: 4, 1000: 4000, math.MaxInt / 2: math.MaxInt - 3, math.MaxInt: math.MaxInt - 3} {
		if got := copiesOf(limit); got != want {
			t.Errorf("%d: got %d, want %d", limit, got, want)
		}
	}
}

// fusedByFormula returns the names of the best documents.
func fusedByFormula(p *hybridPlan, documents map[string][]float64) []string {
	better := func(k int, a, b float64) bool { return a > b != p.Components[k].Ascending && a != b }
	names := slices.Sorted(maps.Keys(documents))
	best := func(names []string, before func(a, b string) bool, most int) []string {
		sorted := slices.Clone(names)
		slices.SortStableFunc(sorted, func(a, b string) int {
			switch {
			case before(a, b):
				return -1
			case before(b, a):
				return 1
			}
			return 0
		})
		return sorted[:min(most, len(sorted))]
	}
	var union []string
	for k, c := range p.Components {
		union = append(union, best(names, func(a, b string) bool { return better(k, documents[a][k], documents[b][k]) }, cmp.Or(c.most(), len(names)))...)
	}
	slices.Sort(union)
	union = slices.Compact(union)
	value := map[string]float64{}
	for _, name := range union {
		for k := range p.Components {
			if len(p.Components) == 1 {
				value[name] = documents[name][0]
				if p.Components[0].Ascending {
					value[name] *= -1
				}
				continue
			}
			ahead := map[float64]bool{}
			for _, other := range union {
				if better(k, documents[other][k], documents[name][k]) {
					ahead[documents[other][k]] = true
				}
			}
			value[name] += p.Weights[k] / float64(61+len(ahead))
		}
	}
	return best(union, func(a, b string) bool { return value[a] > value[b] }, p.Take)
}
