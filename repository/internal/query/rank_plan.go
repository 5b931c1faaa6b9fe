package query

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// hybridPlan is the plan of a ranked query. The names of its JSON are those of the service, as in
// HybridSearchQueryInfo of the SDK for .NET.
type hybridPlan struct {
	Statistics         string // the query that counts documents and words
	RequiresStatistics bool
	Components         []component // a query for each score
	Weights            []float64   // of the scores; empty if all are 1
	Skip, Take         int
}

// component is the query for the documents of one score.
type component struct {
	Query     string
	Ascending bool
	Top       *int
	Limit     *int
}

// Marks of the places in queries that have to be filled. The number of a text counts the scores.
const (
	placeMark      = "{documentdb-"
	placeFilter    = "{documentdb-formattableorderbyquery-filter}"
	placeDocuments = "{documentdb-formattablehybridsearchquery-totaldocumentcount}"
	placeWords     = "{documentdb-formattablehybridsearchquery-totalwordcount-%d}"
	placeHits      = "{documentdb-formattablehybridsearchquery-hitcountsarray-%d}"
)

// Directions of the service.
const (
	ascending  = "Ascending"
	descending = "Descending"
)

// latestPlan is the latest supported version of plans.
const latestPlan = 2

// fields are the properties of an object. Reading one removes it, and rest checks the others.
type fields map[string]json.RawMessage

func fieldsOf(raw []byte) (fields, error) {
	var f fields
	err := json.Unmarshal(raw, &f)
	return f, err
}

// take reads a property, which may be null or absent.
func (f fields) take(name string, v any) error {
	raw, ok := f[name]
	if delete(f, name); !ok {
		return nil
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return fmt.Errorf("its %s is of another type", name)
	}
	return nil
}

// harmless are values of properties that a client may ignore.
var harmless = []string{"null", "false", "0", `""`, "[]", "{}", `"None"`}

// rest returns an error if a property is left that a client may not ignore.
func (f fields) rest() error {
	var unknown []string
	for name, raw := range f {
		var compact bytes.Buffer
		if json.Compact(&compact, raw) != nil || !slices.Contains(harmless, compact.String()) {
			unknown = append(unknown, name)
		}
	}
	if unknown == nil {
		return nil
	}
	slices.Sort(unknown)
	return fmt.Errorf("it has %s, which this release does not support", strings.Join(unknown, ", "))
}

// readHybridPlan reads a plan for a number of scores and a number of documents.
func readHybridPlan(body []byte, scores, take int) (*hybridPlan, error) {
	whole, err := fieldsOf(body)
	if err != nil {
		return nil, err
	}
	var version int
	var hybrid, ranges json.RawMessage // the run time has its own ranges
	if err := errors.Join(whole.take("partitionedQueryExecutionInfoVersion", &version), whole.take("hybridSearchQueryInfo", &hybrid), whole.take("queryRanges", &ranges)); err != nil {
		return nil, err
	}
	switch {
	case version > latestPlan:
		return nil, fmt.Errorf("its version is %d, and %d is the latest that this release supports", version, latestPlan)
	case len(hybrid) == 0 || string(hybrid) == "null":
		return nil, errors.New("it has no hybridSearchQueryInfo: full-text search may be off in the account")
	}
	f, err := fieldsOf(hybrid)
	if err = cmp.Or(err, whole.rest()); err != nil {
		return nil, err
	}
	p := &hybridPlan{}
	var components []json.RawMessage
	var skip, taken *int
	err = errors.Join(
		f.take("globalStatisticsQuery", &p.Statistics), f.take("requiresGlobalStatistics", &p.RequiresStatistics),
		f.take("componentQueryInfos", &components), f.take("componentWeights", &p.Weights),
		f.take("skip", &skip), f.take("take", &taken))
	if err = cmp.Or(err, f.rest()); err != nil {
		return nil, err
	}
	for _, raw := range components {
		c, err := readComponent(raw)
		if err != nil {
			return nil, err
		}
		p.Components = append(p.Components, c)
	}
	if skip != nil {
		p.Skip = *skip
	}
	if p.Take = take; taken != nil {
		p.Take = *taken
	}
	return p, p.fits(scores, take)
}

// fits returns an error if a plan is for another query.
func (p *hybridPlan) fits(scores, take int) error {
	switch {
	case len(p.Components) != scores:
		return fmt.Errorf("it has %d scores, and the query %d", len(p.Components), scores)
	case len(p.Weights) > 0 && len(p.Weights) != scores:
		return fmt.Errorf("it has %d weights of %d scores", len(p.Weights), scores)
	case p.Skip != 0 || p.Take != take:
		return fmt.Errorf("it skips %d and takes %d documents, and the query takes %d", p.Skip, p.Take, take)
	case p.RequiresStatistics && p.Statistics == "":
		return errors.New("it needs statistics and has no query for them")
	}
	return nil
}

func readComponent(raw []byte) (component, error) {
	f, err := fieldsOf(raw)
	if err != nil {
		return component{}, err
	}
	var c component
	var order []string
	var late bool
	var expressions []json.RawMessage
	err = errors.Join(
		f.take("rewrittenQuery", &c.Query), f.take("orderBy", &order), f.take("orderByExpressions", &expressions),
		f.take("top", &c.Top), f.take("limit", &c.Limit), f.take("hasNonStreamingOrderBy", &late))
	if err = cmp.Or(err, f.rest()); err != nil {
		return component{}, err
	}
	switch {
	case c.Query == "":
		return component{}, errors.New("a score has no query")
	case len(order) != 1 || order[0] != ascending && order[0] != descending:
		return component{}, fmt.Errorf("the order of a score is %q", order)
	}
	c.Ascending = order[0] == ascending
	return c, nil
}

// most is how many documents count of those that a score has found; 0 is all.
func (c *component) most() int {
	n := 0
	for _, bound := range []*int{c.Top, c.Limit} {
		if bound != nil {
			n = LowerLimit(n, *bound)
		}
	}
	return n
}

// compare orders two scores, the better one first.
func (c *component) compare(a, b float64) int {
	if c.Ascending {
		return cmp.Compare(a, b)
	}
	return cmp.Compare(b, a)
}

// worst is the score of a document that has none.
func (c *component) worst() float64 {
	if c.Ascending {
		return math.Inf(1)
	}
	return math.Inf(-1)
}

func (p *hybridPlan) weight(k int) float64 {
	if len(p.Weights) == 0 {
		return 1
	}
	return p.Weights[k]
}

// statisticsKey is a property that each row of statistics has.
const statisticsKey = "documentCount"

// statistics are counts of some documents.
type statistics struct {
	Documents float64          `json:"documentCount"`
	Texts     []textStatistics `json:"fullTextStatistics"` // of each score of a text
	some      bool
}

type textStatistics struct {
	Words *float64  `json:"totalWordCount"`
	Hits  []float64 `json:"hitCounts"` // of each word, how many texts have it
}

// decodeStatistics reads the statistics of a physical partition, or of a page of it.
func decodeStatistics(raw []byte) (any, error) {
	s := statistics{some: true}
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, errors.New("the statistics of a physical partition are no numbers")
	}
	for i := range s.Texts {
		if t := &s.Texts[i]; t.Words == nil {
			if s.Documents > 0 {
				return nil, errors.New("the statistics of a physical partition lack the number of words")
			}
			t.Words = new(float64)
		}
	}
	return s, nil
}

// add adds the statistics of other documents.
func (s *statistics) add(other statistics) error {
	if !s.some {
		*s = other
		return nil
	}
	if len(s.Texts) != len(other.Texts) {
		return errUneven
	}
	s.Documents += other.Documents
	for i, t := range other.Texts {
		own := &s.Texts[i]
		if len(own.Hits) != len(t.Hits) {
			return errUneven
		}
		*own.Words += *t.Words
		for n, hits := range t.Hits {
			own.Hits[n] += hits
		}
	}
	return nil
}

var errUneven = errors.New("physical partitions sent statistics of different words")

// queries returns the query for each score, with the statistics in their places. It leaves the
// place of a condition, which has to be there if conditions is true.
func (p *hybridPlan) queries(total statistics, conditions bool) ([]string, error) {
	all := make([]string, len(p.Components))
	for i := range p.Components {
		all[i] = p.Components[i].Query
	}
	replace := func(place, with string) {
		for i := range all {
			all[i] = strings.ReplaceAll(all[i], place, with)
		}
	}
	filled := 0
	if total.some {
		replace(placeDocuments, whole(total.Documents))
		for n := range all { // places have the number of a score, and statistics are of texts alone
			words := fmt.Sprintf(placeWords, n)
			if !slices.ContainsFunc(all, func(query string) bool { return strings.Contains(query, words) }) {
				continue
			}
			if filled == len(total.Texts) {
				return nil, errors.New("the plan has places for statistics of more texts than there are")
			}
			t := total.Texts[filled]
			filled++
			hits := make([]string, len(t.Hits))
			for i, h := range t.Hits {
				hits[i] = whole(h)
			}
			replace(words, whole(*t.Words))
			replace(fmt.Sprintf(placeHits, n), "["+strings.Join(hits, ",")+"]")
		}
		if filled < len(total.Texts) {
			return nil, errors.New("the plan has no place for the statistics of a text")
		}
	}
	for _, query := range all {
		if strings.Contains(strings.ReplaceAll(query, placeFilter, ""), placeMark) {
			return nil, errors.New("the plan has placeholders that this release does not support")
		}
		if conditions && !strings.Contains(query, placeFilter) {
			return nil, errors.New("the plan has no place for the partition keys of the query")
		}
	}
	return all, nil
}

// whole writes a whole number. Numbers of documents and words are far below 2^53.
func whole(n float64) string { return strconv.FormatFloat(math.Trunc(n), 'f', -1, 64) }
