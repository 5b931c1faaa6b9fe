package plan

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// Hybrid is the plan of a query with ORDER BY RANK. A client adds up the statistics of all
// ranges, writes them into the component queries, reads the best documents by each score,
// and ranks them by the sum of weight / (60 + rank) over the scores.
type Hybrid struct {
	// StatisticsQuery has one row in each range, with numbers to add up: documentCount,
	// and fullTextStatistics with totalWordCount and hitCounts for each FullTextScore.
	StatisticsQuery string `json:"globalStatisticsQuery"`
	// Components has a query for each score.
	Components []Info `json:"componentQueryInfos"`
	// The service leaves the next two empty.
	WithoutPayload []Info `json:"componentWithoutPayloadQueryInfos"`
	Projection     *Info  `json:"projectionQueryInfo"`
	// Weights is empty if the query has no weights. Weights are positive or zero: the component
	// has the direction of the order.
	Weights        []Weight `json:"componentWeights"`
	Skip           *int     `json:"skip"`
	Take           *int     `json:"take"`
	NeedStatistics bool     `json:"requiresGlobalStatistics"`
}

// Weight is the weight of a score.
type Weight float64

// MarshalJSON writes a weight with a decimal point, as the service does: the SDK for Java
// reads no other form.
func (w Weight) MarshalJSON() ([]byte, error) {
	text := cosmossql.AppendNumber(nil, float64(w))
	if !bytes.ContainsAny(text, ".e") {
		text = append(text, ".0"...)
	}
	return text, nil
}

// Features of clients that select the form of a ranking's plan.
const (
	featureHybrid  = "HybridSearch"
	featureWeights = "WeightedRankFusion"
	featureShort   = "HybridSearchSkipOrderByRewrite"
)

// Placeholders in component queries that a client replaces by the statistics. Each
// FullTextScore has a number.
const (
	placeDocuments = "{documentdb-formattablehybridsearchquery-totaldocumentcount}"
	placeWords     = "{documentdb-formattablehybridsearchquery-totalwordcount-%d}"
	placeHits      = "{documentdb-formattablehybridsearchquery-hitcountsarray-%d}"
)

// places is the beginning of every placeholder.
const places = "{documentdb-formattable"

// Scores of documents that lack the text or the vector: worse than all others.
const (
	noText   = "-1"
	noVector = "-1.79769e+308"
	last     = "1.79769e+308" // for an order in which the lowest score is the best
)

// leastTaken is the minimum number of documents that a component query returns. It and the
// factor in reachOf come from the plans in Microsoft's QueryPlanBaselineTests (Top and
// OffsetLimit).
const leastTaken = 120

// component is one score of a ranking.
type component struct {
	expression string // of the score, in the component's own order
	clause     string // after ORDER BY
	score      string // for clients to compare; defined for all documents
	ascending  bool
}

// ranked plans a query with ORDER BY RANK. short selects the form for clients that need no
// ORDER BY values.
func ranked(q *cosmossql.Query, counts Counts, short bool) (*Hybrid, error) {
	if strings.Contains(q.Text, places) {
		return nil, status.BadRequest("A query with ORDER BY RANK must not hold %q: clients replace it in the queries of the plan.", places)
	}
	h := &Hybrid{Components: []Info{}, WithoutPayload: []Info{}, Weights: []Weight{}}
	switch {
	case counts.Top >= 0:
		h.Take = &counts.Top
	case counts.Offset >= 0:
		h.Skip, h.Take = &counts.Offset, &counts.Limit
	}
	h.StatisticsQuery, h.NeedStatistics = statistics(q)
	list := components(q.Rank, short)
	for _, w := range q.Rank.Weights {
		h.Weights = append(h.Weights, Weight(math.Abs(w)))
	}
	var scores []string
	if len(list) > 1 || !short { // with one score there is nothing to compare
		for _, c := range list {
			scores = append(scores, c.score)
		}
	}
	for _, c := range list {
		h.Components = append(h.Components, c.info(q, counts, scores, short && len(list) > 1))
	}
	return h, nil
}

// statistics returns the query for the statistics of the texts. It counts all documents,
// whatever the condition. needed is whether a score uses the statistics.
func statistics(q *cosmossql.Query) (text string, needed bool) {
	var list []string
	for _, s := range q.Rank.Scores {
		if s.Function.Name != cosmossql.FullTextScore {
			continue
		}
		path := cosmossql.Format(s.Args[0])
		var hits []string
		for _, word := range s.Args[1:] {
			hits = append(hits, fmt.Sprintf("COUNTIF(FullTextContains(%s, %s))", path, cosmossql.Format(word)))
		}
		list = append(list, fmt.Sprintf(`{"totalWordCount": SUM(_FullTextWordCount(%s)), "hitCounts": [%s]}`, path, strings.Join(hits, ", ")))
	}
	return fmt.Sprintf("SELECT COUNT(1) AS documentCount, [%s] AS fullTextStatistics\nFROM %s",
		strings.Join(list, ", "), cosmossql.FormatFrom(q.Main)), len(list) > 0
}

// components returns the scores of a ranking. In the short form, a greater score is better.
func components(r *cosmossql.Ranking, short bool) []component {
	list := make([]component, len(r.Scores))
	texts := 0
	for i, s := range r.Scores {
		c := &list[i]
		c.ascending = r.Weights != nil && r.Weights[i] < 0
		missing, direction := noVector, ""
		if s.Function.Name == cosmossql.FullTextScore {
			words := cosmossql.Format(&cosmossql.Array{Items: s.Args[1:]})
			c.expression = fmt.Sprintf("_FullTextScore(%s, %s, %s, %s, %s)", cosmossql.Format(s.Args[0]), words,
				placeDocuments, fmt.Sprintf(placeWords, texts), fmt.Sprintf(placeHits, texts))
			texts++
			missing, direction = noText, " DESC"
		} else {
			var args []string
			for _, a := range s.Args {
				args = append(args, cosmossql.Format(a))
			}
			c.expression = "_VectorScore(" + strings.Join(args, ", ") + ")"
		}
		if c.ascending {
			missing, direction = last, " ASC"
		}
		c.clause = c.expression + direction
		c.score = "(" + c.expression + " ?? " + missing + ")"
		if short && c.ascending {
			c.score = "(-1 * " + c.score + ")"
		}
	}
	return list
}

// info is the query of a component. In the long form each row has its ORDER BY value, by which
// the client merges the ranges. In the short form the client sorts by the scores.
func (c component) info(q *cosmossql.Query, counts Counts, scores []string, short bool) Info {
	info := emptyInfo(q)
	r := &rewriting{query: q, counts: counts, info: &info}
	top, reach := "", ""
	switch {
	case counts.Top >= 0:
		n := reachOf(counts.Top)
		top, info.Top = fmt.Sprintf("TOP %d ", n), &n
	case counts.Offset >= 0:
		n, from := reachOf(counts.Offset+counts.Limit), 0
		reach, info.Offset, info.Limit = fmt.Sprintf("OFFSET 0 LIMIT %d", n), &from, &n
	}
	payload, list := r.payload(), "["+strings.Join(scores, ", ")+"]"
	items := top + q.Main.Sources[0].Name() + "._rid, "
	var terms []string
	if short {
		info.Top, info.Offset, info.Limit = nil, nil, nil
		items += payload + " AS payload, " + list + " AS componentScores"
	} else {
		items += fmt.Sprintf(`[{"item": %s}] AS orderByItems, {"payload": %s, "componentScores": %s} AS payload`, c.expression, payload, list)
		terms = append(terms, filter)
		info.HasNonStreamingOrderBy, info.OrderBy, info.OrderByExpressions = true, []string{"Descending"}, []string{c.expression}
		if c.ascending {
			info.OrderBy = []string{"Ascending"}
		}
	}
	if q.Main.Kind == cosmossql.SelectValue {
		terms = append(terms, "IS_DEFINED("+payload+")")
	}
	info.RewrittenQuery = r.text(items, condition(q.Main, terms...), "ORDER BY "+c.clause, reach)
	return info
}

// reachOf is the number of documents that a component query returns for a window of the result
// that ends after n documents. Ranks count only documents that some component returns.
func reachOf(n int) int { return min(max(2*n, leastTaken), cosmossql.MaxCount) }
