package server

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
)

// The features by which clients ask for the long and for the short form of a plan.
const (
	features  = "x-ms-cosmos-supported-query-features"
	longForm  = "HybridSearch, WeightedRankFusion"
	shortForm = "HybridSearch, WeightedRankFusion, HybridSearchSkipOrderByRewrite"
)

const searchable = hashDefinition + `,
"vectorEmbeddingPolicy":{"vectorEmbeddings":[{"path":"/v","dataType":"float32","dimensions":2,"distanceFunction":"euclidean"}]},
"fullTextPolicy":{"defaultLanguage":"en-US","fullTextPaths":[{"path":"/t","language":"en-US"},{"path":"/u","language":"en-US"}]},
"indexingPolicy":{"includedPaths":[{"path":"/*"}],"vectorIndexes":[{"path":"/v","type":"flat"}],"fullTextIndexes":[{"path":"/t"},{"path":"/u"}]}`

// rankingClient follows the plans of rankings, as SDKs do.
type rankingClient struct {
	*rig
	features   string
	parameters []map[string]any
	headers    []string // of each query of the plan
}

// queryInfo is what a client reads of a component.
type queryInfo struct {
	RewrittenQuery string
	OrderBy        []string
	Top            *int
}

// rankingPlan is what a client reads of a plan.
type rankingPlan struct {
	QueryInfo *json.RawMessage
	Hybrid    *struct {
		Statistics string      `json:"globalStatisticsQuery"`
		Components []queryInfo `json:"componentQueryInfos"`
		Weights    []float64   `json:"componentWeights"`
		Skip, Take *int
		Needed     bool `json:"requiresGlobalStatistics"`
	} `json:"hybridSearchQueryInfo"`
	Ranges []struct{ Min, Max string } `json:"queryRanges"`
}

// rankedRow is a row of a component, in either form.
type rankedRow struct {
	RID    string `json:"_rid"`
	Items  []struct{ Item *float64 }
	Scores []float64 `json:"componentScores"`
	inner  map[string]any
}

func (c *rankingClient) post(sql string, headers ...string) *answer {
	c.t.Helper()
	body, err := json.Marshal(map[string]any{"query": sql, "parameters": c.parameters})
	if err != nil {
		c.t.Fatal(err)
	}
	return c.send("POST", docs, string(body), append([]string{"x-ms-documentdb-query", "True", "x-ms-max-item-count", "7"}, headers...)...)
}

// ranges returns the physical partitions that overlap a part of the key space.
func (c *rankingClient) ranges(least, most string) []string {
	c.t.Helper()
	var list []string
	for _, r := range c.send("GET", "/dbs/db/colls/c/pkranges", "").status(200, "").json()["PartitionKeyRanges"].([]any) {
		r := r.(map[string]any)
		from, to := r["minInclusive"].(string), r["maxExclusive"].(string)
		if from <= most && (least < to || least == "") {
			list = append(list, r["id"].(string))
		}
	}
	return list
}

// rank returns the rows of a query with ORDER BY RANK.
func (c *rankingClient) rank(sql string) []map[string]any {
	c.t.Helper()
	var p rankingPlan
	a := c.post(sql, append([]string{"x-ms-cosmos-is-query-plan-request", "True", features, c.features}, c.headers...)...).status(200, "")
	if err := json.Unmarshal(a.Body.Bytes(), &p); err != nil || p.Hybrid == nil || p.QueryInfo != nil {
		c.t.Fatalf("the plan %s: %v", a.Body, err)
	}
	fill := []string{"{documentdb-formattableorderbyquery-filter}", "true"}
	if p.Hybrid.Needed {
		fill = append(fill, c.statistics(p.Hybrid.Statistics)...)
	}
	union := map[string]*rankedRow{}
	var merged []*rankedRow // of a single component
	for _, component := range p.Hybrid.Components {
		text := strings.NewReplacer(fill...).Replace(component.RewrittenQuery)
		for _, r := range p.Ranges {
			for _, id := range c.ranges(r.Min, r.Max) {
				for _, row := range c.component(text, id) {
					merged = append(merged, row)
					union[row.RID] = row
				}
			}
		}
	}
	list := merged
	if len(p.Hybrid.Components) > 1 {
		list = fuse(union, p.Hybrid.Components, p.Hybrid.Weights)
	} else {
		score := func(r *rankedRow) float64 {
			if r.Items[0].Item == nil {
				return -math.MaxFloat64
			}
			return *r.Items[0].Item
		}
		slices.SortStableFunc(list, func(a, b *rankedRow) int { return cmp.Compare(score(b), score(a)) })
	}
	rows := []map[string]any{}
	for _, row := range list {
		rows = append(rows, row.inner)
	}
	if p.Hybrid.Skip != nil {
		rows = rows[min(*p.Hybrid.Skip, len(rows)):]
	}
	if p.Hybrid.Take != nil {
		rows = rows[:min(*p.Hybrid.Take, len(rows))]
	}
	return rows
}

// statistics adds up the statistics of all physical partitions, and returns the places of
// component queries with what is written there.
func (c *rankingClient) statistics(sql string) []string {
	c.t.Helper()
	type texts struct {
		TotalWordCount int
		HitCounts      []int
	}
	documents, all := 0, []texts{}
	for _, id := range c.ranges("", "FF") {
		rows := c.post(sql, rangeID, id).status(200, "").rows()
		var one struct {
			DocumentCount      int
			FullTextStatistics []texts
		}
		if err := json.Unmarshal([]byte(rows[0]), &one); err != nil || len(rows) != 1 {
			c.t.Fatalf("statistics %s: %v", rows, err)
		}
		documents += one.DocumentCount
		for i, s := range one.FullTextStatistics {
			if i == len(all) {
				all = append(all, texts{HitCounts: make([]int, len(s.HitCounts))})
			}
			all[i].TotalWordCount += s.TotalWordCount
			for j, n := range s.HitCounts {
				all[i].HitCounts[j] += n
			}
		}
	}
	fill := []string{"{documentdb-formattablehybridsearchquery-totaldocumentcount}", strconv.Itoa(documents)}
	for i, s := range all {
		hits, _ := json.Marshal(s.HitCounts)
		fill = append(fill, fmt.Sprintf("{documentdb-formattablehybridsearchquery-totalwordcount-%d}", i), strconv.Itoa(s.TotalWordCount),
			fmt.Sprintf("{documentdb-formattablehybridsearchquery-hitcountsarray-%d}", i), string(hits))
	}
	return fill
}

// component returns the rows of a component from one physical partition: all in one page.
func (c *rankingClient) component(sql, id string) []*rankedRow {
	c.t.Helper()
	a := c.post(sql, append([]string{rangeID, id}, c.headers...)...).status(200, "")
	if token := a.Header().Get("x-ms-continuation"); token != "" {
		c.t.Errorf("a component has a second page: %s", sql)
	}
	var list []*rankedRow
	for _, text := range a.rows() {
		var row struct {
			rankedRow
			OrderByItems []struct{ Item *float64 }
			Payload      map[string]any
		}
		if err := json.Unmarshal([]byte(text), &row); err != nil || row.RID == "" {
			c.t.Fatalf("row %s: %v", text, err)
		}
		row.inner, row.Items = row.Payload, row.OrderByItems
		if scores, ok := row.Payload["componentScores"].([]any); ok {
			row.inner = row.Payload["payload"].(map[string]any)
			for _, s := range scores {
				row.Scores = append(row.Scores, s.(float64))
			}
		}
		list = append(list, &row.rankedRow)
	}
	return list
}

// fuse ranks rows by the sum of weight / (60 + rank). Equal scores share a rank, and equal
// sums are in the order of resource ids.
func fuse(union map[string]*rankedRow, components []queryInfo, weights []float64) []*rankedRow {
	var list []*rankedRow
	for _, row := range union {
		list = append(list, row)
	}
	sums := map[*rankedRow]float64{}
	for i, component := range components {
		ascending := len(component.OrderBy) > 0 && component.OrderBy[0] == "Ascending"
		slices.SortFunc(list, func(a, b *rankedRow) int {
			order := cmp.Compare(b.Scores[i], a.Scores[i])
			if ascending {
				order = -order
			}
			return order
		})
		rank, weight := 1, 1.0
		if len(weights) > 0 {
			weight = weights[i]
		}
		for j, row := range list {
			if j > 0 && row.Scores[i] != list[j-1].Scores[i] {
				rank++
			}
			sums[row] += weight / float64(60+rank)
		}
	}
	slices.SortFunc(list, func(a, b *rankedRow) int {
		return cmp.Or(cmp.Compare(sums[b], sums[a]), cmp.Compare(a.RID, b.RID))
	})
	return list
}

// article is a document of the tests, and what a ranking by brute force knows of it.
type article struct {
	id, key string
	t, u    []string // the words of texts; nil without a text
	v       []float64
	n       int
	rid     string
	part    string // its physical partition
	order   int    // in it
}

// library is a container and its documents.
type library struct {
	*rig
	articles []*article
	random   *rand.Rand
}

// vocabulary has words of different first letters.
var vocabulary = strings.Fields("apple brick cedar delta ember flint grape house inlet joker knots lemon maple night olive piano quilt river stone tulip umber vivid water xenon yacht zebra Élan 日本 w17 w18")

// newLibrary makes a container of random documents. Some lack a text or the vector, or have
// something else there.
func newLibrary(t *testing.T, partitions, size int, seed uint64) *library {
	l := &library{newRig(t, Options{Partitions: partitions, QueryTime: time.Hour}), nil, rand.New(rand.NewPCG(seed, 1))}
	l.container(searchable)
	for n := range size {
		a := &article{id: fmt.Sprint("d", n), key: fmt.Sprint("k", l.random.IntN(400)), n: n}
		doc := map[string]any{"id": a.id, "pk": a.key, "n": n}
		a.t, a.u = l.text(doc, "t", 60), l.text(doc, "u", 8)
		switch l.random.IntN(10) {
		case 0:
		case 1:
			doc["v"] = []any{1, "x"}
		default:
			a.v = []float64{l.random.Float64(), float64(l.random.IntN(50))}
			doc["v"] = a.v
		}
		body, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		got := l.send("POST", docs, string(body), pkKey, `["`+a.key+`"]`).status(http.StatusCreated, "").json()
		a.rid = got["_rid"].(string)
		l.articles = append(l.articles, a)
	}
	return l
}

// text puts a text of random words into a document, or something else. It returns the words
// as BM25 counts them.
func (l *library) text(doc map[string]any, name string, most int) []string {
	switch l.random.IntN(20) {
	case 0:
		return nil
	case 1:
		doc[name] = []any{"apple", nil}
		return nil
	}
	var b strings.Builder
	list := []string{}
	for range l.random.IntN(most) {
		word := vocabulary[int(math.Abs(l.random.NormFloat64())*8)%len(vocabulary)]
		list = append(list, strings.ToLower(word))
		if l.random.IntN(9) == 0 {
			word = strings.ToUpper(word)
		}
		b.WriteString(word)
		b.WriteString([]string{" ", ", ", "-", "\n", ". \"", "' {", "} \\ "}[l.random.IntN(7)])
	}
	doc[name] = b.String()
	return list
}

// locate finds out where the documents lie.
func (l *library) locate() {
	l.t.Helper()
	byID := map[string]*article{}
	for _, a := range l.articles {
		byID[a.id] = a
	}
	c := &rankingClient{rig: l.rig}
	for _, id := range c.ranges("", "FF") {
		token, order := "", 0
		for first := true; first || token != ""; first = false {
			page := l.query("SELECT VALUE c.id FROM c", rangeID, id, "x-ms-max-item-count", "1000", "x-ms-continuation", token).status(200, "")
			for _, row := range page.rows() {
				a := byID[strings.Trim(row, `"`)]
				a.part, a.order = id, order
				order++
			}
			token = page.Header().Get("x-ms-continuation")
		}
	}
}

// relevance scores all articles by BM25, by brute force over all of them. A document without a
// text has -1.
func (l *library) relevance(of func(*article) []string, words ...string) map[*article]float64 {
	total, count := 0, float64(len(l.articles))
	for _, a := range l.articles {
		total += len(of(a))
	}
	average := float64(total) / count
	scores := map[*article]float64{}
	for _, word := range words {
		hits := 0.0
		for _, a := range l.articles {
			if slices.Contains(of(a), word) {
				hits++
			}
		}
		rarity := math.Log(1 + (count-hits+0.5)/(hits+0.5))
		for _, a := range l.articles {
			times := 0.0
			for _, w := range of(a) {
				if w == word {
					times++
				}
			}
			scores[a] += rarity * times * 2.2 / (times + 1.2*(0.25+0.75*float64(len(of(a)))/average))
		}
	}
	for _, a := range l.articles {
		if of(a) == nil {
			scores[a] = -1
		}
	}
	return scores
}

// criterion is a score by brute force: the text in a query, the value of each document, and
// whether it can be a result of its component.
type criterion struct {
	text   string
	score  map[*article]float64
	listed map[*article]bool
	weight float64
}

// ascending is the score of a document by which a component with a negative weight sorts:
// without a text or a vector it comes last.
func (c *criterion) ascending(a *article) float64 {
	if s := c.score[a]; s != -1 && s != -1.79769e+308 {
		return s
	}
	return 1.79769e+308
}

func (l *library) criterion(kind int) *criterion {
	switch kind {
	case 2:
		c := &criterion{"VectorDistance(c.v, [0.5, 20])", map[*article]float64{}, map[*article]bool{}, 1}
		for _, a := range l.articles {
			c.score[a] = -1.79769e+308
			if a.v != nil {
				c.score[a], c.listed[a] = -math.Hypot(a.v[0]-0.5, a.v[1]-20), true
			}
		}
		return c
	default:
		name, of := "t", func(a *article) []string { return a.t }
		if kind == 1 {
			name, of = "u", func(a *article) []string { return a.u }
		}
		var words, quoted []string
		for range 1 + l.random.IntN(3) {
			word := vocabulary[l.random.IntN(len(vocabulary))]
			words, quoted = append(words, strings.ToLower(word)), append(quoted, `"`+word+`"`)
		}
		c := &criterion{"FullTextScore(c." + name + ", " + strings.Join(quoted, ", ") + ")", l.relevance(of, words...), map[*article]bool{}, 1}
		for _, a := range l.articles {
			c.listed[a] = true
		}
		return c
	}
}

// best returns the documents that components return: the ones with the best scores of each
// physical partition. If scores are equal, a descending order has the latest document first.
func best(list []*article, c *criterion, take int) []*article {
	parts := map[string][]*article{}
	for _, a := range list {
		if c.listed[a] {
			parts[a.part] = append(parts[a.part], a)
		}
	}
	var union []*article
	for _, part := range parts {
		slices.SortFunc(part, func(a, b *article) int {
			if c.weight < 0 {
				return cmp.Or(cmp.Compare(c.ascending(a), c.ascending(b)), cmp.Compare(a.order, b.order))
			}
			return cmp.Or(cmp.Compare(c.score[b], c.score[a]), cmp.Compare(b.order, a.order))
		})
		union = append(union, part[:min(take, len(part))]...)
	}
	return union
}

// reference ranks by brute force the union of what the components return.
func reference(list []*article, criteria []*criterion, skip, take int) []*article {
	reach := max(120, 2*(skip+take))
	seen := map[*article]bool{}
	var union []*article
	for _, c := range criteria {
		for _, a := range best(list, c, reach) {
			if !seen[a] {
				seen[a] = true
				union = append(union, a)
			}
		}
	}
	sums := map[*article]float64{}
	for _, c := range criteria {
		score := c.ascending
		if c.weight >= 0 {
			score = func(a *article) float64 { return -c.score[a] }
		}
		slices.SortFunc(union, func(a, b *article) int { return cmp.Compare(score(a), score(b)) })
		rank := 1
		for i, a := range union {
			if i > 0 && score(a) != score(union[i-1]) {
				rank++
			}
			sums[a] += math.Abs(c.weight) / float64(60+rank)
		}
	}
	slices.SortFunc(union, func(a, b *article) int { return cmp.Or(cmp.Compare(sums[b], sums[a]), cmp.Compare(a.rid, b.rid)) })
	union = union[min(skip, len(union)):]
	return union[:min(take, len(union))]
}

// check compares random rankings with those by brute force.
func (l *library) check(rounds int) {
	l.t.Helper()
	l.locate()
	for range rounds {
		var criteria []*criterion
		for range 2 + l.random.IntN(2) {
			criteria = append(criteria, l.criterion(l.random.IntN(3)))
		}
		var texts, weights []string
		weighted := l.random.IntN(2) == 0
		for _, c := range criteria {
			if weighted {
				c.weight = []float64{1, 2, 0.25, -1, -0.5}[l.random.IntN(5)]
			}
			texts, weights = append(texts, c.text), append(weights, strconv.FormatFloat(c.weight, 'g', -1, 64))
		}
		if weighted {
			texts = append(texts, "["+strings.Join(weights, ", ")+"]")
		}
		list, where := l.articles, ""
		if l.random.IntN(2) == 0 {
			where = " WHERE c.n >= 100"
			list = list[100:]
		}
		skip, take := l.random.IntN(30), 1+l.random.IntN(80)
		sql := fmt.Sprintf("SELECT c.id, c.n FROM c%s ORDER BY RANK RRF(%s) OFFSET %d LIMIT %d", where, strings.Join(texts, ", "), skip, take)
		want := reference(list, criteria, skip, take)
		for _, form := range []string{longForm, shortForm} {
			got := (&rankingClient{rig: l.rig, features: form}).rank(sql)
			for i := range max(len(got), len(want)) {
				if i >= len(got) || i >= len(want) || got[i]["id"] != want[i].id {
					l.t.Fatalf("%s, %s: row %d differs\ngot  %v\nwant %s", sql, form, i, got, ids(want))
				}
			}
		}
		l.checkSingle(list, where, criteria[0], skip, take)
	}
}

// checkSingle compares the ranking by one score. Documents of equal scores may come in any
// order.
func (l *library) checkSingle(list []*article, where string, c *criterion, skip, take int) {
	l.t.Helper()
	var want []float64
	for _, a := range list {
		if c.listed[a] {
			want = append(want, c.score[a])
		}
	}
	slices.SortFunc(want, func(a, b float64) int { return cmp.Compare(b, a) })
	want = want[min(skip, len(want)):]
	want = want[:min(take, len(want))]
	sql := fmt.Sprintf("SELECT * FROM c%s ORDER BY RANK %s OFFSET %d LIMIT %d", where, c.text, skip, take)
	got := (&rankingClient{rig: l.rig, features: shortForm}).rank(sql)
	if len(got) != len(want) {
		l.t.Fatalf("%s: %d rows, want %d", sql, len(got), len(want))
	}
	seen := map[any]bool{}
	for i, row := range got {
		a := l.articles[int(row["n"].(float64))]
		if seen[a.id] || math.Abs(c.score[a]-want[i]) > 1e-9 {
			l.t.Fatalf("%s: row %d, %s, has the score %v, want %v", sql, i, a.id, c.score[a], want[i])
		}
		seen[a.id] = true
	}
}

func ids(list []*article) string {
	var names []string
	for _, a := range list {
		names = append(names, a.id)
	}
	return strings.Join(names, " ")
}

// TestRankings compares rankings of random documents over some physical partitions with those
// by brute force over all documents, before and after splits and merges.
func TestRankings(t *testing.T) {
	for seed := range seeds.Of(3) {
		for _, partitions := range []int{1, 5, 20} {
			t.Run(fmt.Sprint(partitions, " partitions, seed ", seed), func(t *testing.T) {
				l := newLibrary(t, partitions, seeds.Rows(t, 600, 300), seed)
				l.check(3)
				for range 3 {
					list := (&rankingClient{rig: l.rig}).ranges("", "FF")
					if err := l.Split("db", "c", list[l.random.IntN(len(list))]); err != nil {
						t.Fatal(err)
					}
				}
				l.check(3)
				if list := (&rankingClient{rig: l.rig}).ranges("", "FF"); len(list) > 1 {
					if err := l.Merge("db", "c", list[0], list[1]); err != nil {
						t.Fatal(err)
					}
				}
				l.check(1)
			})
		}
	}
}

// TestRankingsOfManyDocuments does the same with so many documents that the time of a query
// counts, over physical partitions that are split again and again.
func TestRankingsOfManyDocuments(t *testing.T) {
	seeds.Gate(t, "rankings of 50,000 documents")
	l := newLibrary(t, 1, 50_000, 1)
	for _, partitions := range []int{1, 5, 20} {
		for {
			list := (&rankingClient{rig: l.rig}).ranges("", "FF")
			if len(list) == partitions {
				break
			}
			if err := l.Split("db", "c", list[l.random.IntN(len(list))]); err != nil {
				t.Fatal(err)
			}
		}
		l.check(1)
	}
}

// TestRankingIsPlanned checks what the gateway answers to a ranking that is sent directly.
func TestRankingIsPlanned(t *testing.T) {
	r := newRig(t, Options{Partitions: 3})
	r.container(searchable)
	r.create(`["a"]`, `{"id":"1","pk":"a","t":"red apple"}`)
	const sql = "SELECT TOP 3 * FROM c ORDER BY RANK FullTextScore(c.t, 'red')"
	const cross = "x-ms-documentdb-query-enablecrosspartition"
	for _, sql := range []string{sql, "SELECT TOP 3 * FROM c WHERE c.pk = 'a' ORDER BY RANK FullTextScore(c.t, 'red')"} {
		a := r.query(sql, cross, "True").status(400, "1004")
		if info := a.json()["additionalErrorInfo"]; info == nil || !strings.Contains(info.(string), `"hybridSearchQueryInfo"`) || strings.Contains(info.(string), `"queryInfo"`) {
			t.Errorf("%s: the plan %v", sql, info)
		}
	}
	// The service would answer these without ranking.
	for _, headers := range [][]string{{pkKey, `["a"]`}, {rangeID, "0"}, {"x-ms-start-epk", "", "x-ms-end-epk", "80", "x-ms-read-key-type", "EffectivePartitionKeyRange"}} {
		if a := r.query(sql, append(headers, cross, "True")...).status(400, ""); !strings.Contains(a.message(), "Name the key in the WHERE clause") {
			t.Errorf("%v: %s", headers, a.message())
		}
	}
	for list, want := range map[string]string{
		"":                        "Query contained HybridSearch, which the calling client does not support.",
		"OrderBy, Top":            "Query contained HybridSearch",
		"HybridSearch":            "",
		"OrderBy, HybridSearch":   "",
		"HybridSearchSkipOrderBy": "Query contained HybridSearch,",
	} {
		a := r.planOf(sql, features, list)
		if (a.Code == 200) != (want == "") || want != "" && !strings.Contains(a.message(), want) {
			t.Errorf("features %q: %s", list, a.Body)
		}
	}
	r.planOf("SELECT TOP 3 * FROM c ORDER BY RANK RRF(FullTextScore(c.t, 'red'), FullTextScore(c.t, 'blue'), [1, 2])", features, "HybridSearch").status(400, "")
	if a := r.send("POST", "/dbs", `{"query":"SELECT * FROM c ORDER BY RANK FullTextScore(c.id, 'x')"}`, "x-ms-documentdb-query", "True").status(400, ""); !strings.Contains(a.message(), "not evaluated as a whole") {
		t.Errorf("a ranking of databases: %s", a.message())
	}
	r.send("PATCH", docs+"/1", `{"condition":"from c order by rank FullTextScore(c.t, 'red')","operations":[{"op":"set","path":"/n","value":1}]}`, pkKey, `["a"]`).status(400, "")
}

// TestRankingOfOneKey checks that a plan for a partition key has its point as the only range,
// by the header or the filter, and that a client then ranks its documents.
func TestRankingOfOneKey(t *testing.T) {
	l := newLibrary(t, 4, 200, 5)
	l.locate()
	c := l.criterion(0)
	scores := map[string][]float64{}
	key := ""
	for _, a := range l.articles {
		if scores[a.key] = append(scores[a.key], c.score[a]); len(scores[a.key]) > len(scores[key]) {
			key = a.key
		}
	}
	want := scores[key]
	slices.SortFunc(want, func(a, b float64) int { return cmp.Compare(b, a) })
	header := []string{pkKey, `["` + key + `"]`}
	for sql, headers := range map[string][]string{
		"SELECT c.n FROM c ORDER BY RANK " + c.text:                                  header,
		"SELECT c.n FROM c WHERE c.pk = '" + key + "' ORDER BY RANK " + c.text:       nil,
		"SELECT TOP 9 c.n FROM c WHERE c.pk = '" + key + "' ORDER BY RANK " + c.text: nil,
	} {
		ranges := l.planOf(sql, append(headers, features, longForm)...).status(200, "").json()["queryRanges"].([]any)
		if only := ranges[0].(map[string]any); len(ranges) != 1 || only["min"] != only["max"] {
			t.Errorf("%s: ranges %v", sql, ranges)
		}
		got := (&rankingClient{rig: l.rig, features: longForm, headers: headers}).rank(sql)
		if len(got) < 2 || len(got) != len(want) {
			t.Fatalf("%s: %d rows, want %d", sql, len(got), len(want))
		}
		for i, row := range got {
			if score := c.score[l.articles[int(row["n"].(float64))]]; math.Abs(score-want[i]) > 1e-9 {
				t.Errorf("%s: row %d has the score %v, want %v", sql, i, score, want[i])
			}
		}
	}
}

// TestRankingParameters checks parameters with hostile texts and vectors, and words in them.
func TestRankingParameters(t *testing.T) {
	r := newRig(t, Options{Partitions: 3})
	r.container(searchable)
	for i, text := range []string{`"red" \ 'quoted' @word`, "RED{documentdb-formattableorderbyquery-filter}", "", "red,red;red", "\u0000 \ufffd blue", "{documentdb-formattablehybridsearchquery-totaldocumentcount}"} {
		body, _ := json.Marshal(map[string]any{"id": fmt.Sprint(i), "pk": fmt.Sprint("k", i), "t": text, "v": []int{i, 1}})
		r.create(fmt.Sprintf(`["k%d"]`, i), string(body))
	}
	rank := func(sql string, parameters ...any) string {
		c := &rankingClient{rig: r, features: longForm}
		for i := 0; i < len(parameters); i += 2 {
			c.parameters = append(c.parameters, map[string]any{"name": parameters[i], "value": parameters[i+1]})
		}
		var list []string
		for _, row := range c.rank(sql) {
			list = append(list, row["id"].(string))
		}
		return strings.Join(list, " ")
	}
	if got := rank("SELECT TOP 3 c.id FROM c ORDER BY RANK FullTextScore(c.t, @word)", "@word", "Red"); got != "3 0 1" {
		t.Errorf("by a word in a parameter: %s", got)
	}
	if got := rank("SELECT TOP 2 c.id FROM c WHERE c.t != @other ORDER BY RANK RRF(FullTextScore(c['t'], @word), VectorDistance(c.v, @v), [1, 1])", "@word", "red", "@v", []int{0, 1}, "@other", `"red" \ 'quoted' @word`); got != "1 3" {
		t.Errorf("by a word and a vector: %s", got)
	}
	for _, hostile := range []any{"red blue", "", "\"", "{documentdb-formattablehybridsearchquery-hitcountsarray-0}", 5, nil, []string{"red"}, "the", "red') OR (1=1"} {
		body, _ := json.Marshal(map[string]any{"query": "SELECT TOP 3 * FROM c ORDER BY RANK FullTextScore(c.t, @word)", "parameters": []map[string]any{{"name": "@word", "value": hostile}}})
		r.send("POST", docs, string(body), "x-ms-documentdb-query", "True", "x-ms-cosmos-is-query-plan-request", "True", features, longForm).status(400, "")
	}
}

// TestRankingIndexAndStems checks that a strict account demands a full-text index and texts
// whose score stems do not decide, and that a lenient one does not.
func TestRankingIndexAndStems(t *testing.T) {
	for _, lenient := range []bool{false, true} {
		r := newRig(t, Options{Partitions: 2, Lenient: lenient})
		r.container(searchable)
		r.create(`["a"]`, `{"id":"1","pk":"a","t":"swimming","other":"lake"}`)
		r.create(`["b"]`, `{"id":"2","pk":"b","t":"swim","other":"forest"}`)
		c := &rankingClient{rig: r, features: longForm}
		const unindexed = "SELECT TOP 3 c.id FROM c ORDER BY RANK FullTextScore(c.other, 'forest')"
		const stems = "SELECT TOP 3 c.id FROM c ORDER BY RANK FullTextScore(c.t, 'swim')"
		if lenient {
			if got := c.rank(unindexed); len(got) != 2 || got[0]["id"] != "2" {
				t.Errorf("without an index: %v", got)
			}
			if got := c.rank(stems); len(got) != 2 || got[0]["id"] != "2" {
				t.Errorf("with stems: %v", got)
			}
			continue
		}
		if a := r.planOf(unindexed, features, longForm).status(400, ""); !strings.Contains(a.message(), "FullTextScore requires a full text index: the indexing policy of the container has none for /other") {
			t.Errorf("without an index: %s", a.message())
		}
		r.planOf(stems, features, longForm).status(200, "")
		for _, sql := range []string{
			`SELECT COUNT(1) AS documentCount, [{"totalWordCount": SUM(_FullTextWordCount(c.t)), "hitCounts": [COUNTIF(FullTextContains(c.t, "swim"))]}] AS fullTextStatistics FROM c`,
			`SELECT TOP 120 c._rid FROM c ORDER BY _FullTextScore(c.t, ["swim"], 2, 2, [1]) DESC`,
		} {
			answers := r.query(sql, rangeID, "0").Body.String() + r.query(sql, rangeID, "1").Body.String()
			if !strings.Contains(answers, `is a form of`) {
				t.Errorf("%s: %s", sql, answers)
			}
		}
	}
}

// TestRankingPages checks that statistics are never divided, that the rows of a component come
// in one page, and that a component with more than 4 MB goes on.
func TestRankingPages(t *testing.T) {
	r := newRig(t, Options{ScanLimit: 3})
	r.container(searchable)
	filler := strings.Repeat("x", 300_000)
	for i := range 20 {
		r.create(`["a"]`, fmt.Sprintf(`{"id":"%d","pk":"a","t":"%sred","filler":%q}`, i, strings.Repeat("w ", i), filler))
	}
	rows := r.query(`SELECT COUNT(1) AS n, SUM(_FullTextWordCount(c.t)) AS w FROM c`, rangeID, "0").status(200, "").rows()
	if len(rows) != 1 || rows[0] != `{"n":20,"w":210}` {
		t.Errorf("statistics in parts: %s", rows)
	}
	const order = ` FROM c ORDER BY _FullTextScore(c.t, ["red"], 20, 210, [20]) DESC`
	one := r.query("SELECT TOP 120 VALUE c.id"+order, rangeID, "0", "x-ms-max-item-count", "2").status(200, "")
	if got := one.rows(); len(got) != 20 || got[0] != `"0"` || one.Header().Get("x-ms-continuation") != "" {
		t.Errorf("a component has %d rows in its page: %s", len(got), got)
	}
	token, pages, all := "", 0, []string{}
	for first := true; first || token != ""; first = false {
		a := r.query("SELECT TOP 120 c.id, c.filler"+order, rangeID, "0", "x-ms-max-item-count", "2", "x-ms-continuation", token).status(200, "")
		for _, row := range a.rows() {
			all = append(all, row[:12])
		}
		token = a.Header().Get("x-ms-continuation")
		pages++
	}
	if pages != 2 || len(all) != 20 || len(slices.Compact(slices.Sorted(slices.Values(all)))) != 20 {
		t.Errorf("%d rows in %d pages: %s", len(all), pages, all)
	}
}
