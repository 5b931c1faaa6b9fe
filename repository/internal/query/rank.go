package query

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/parallel"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// A ranked query is run by a plan of the service, as the SDKs for Python, .NET and JavaScript
// do it. The plan has a query for statistics, which count the documents and the words of texts,
// and a query for each score, with places for these statistics. Their functions are the
// service's own, and nothing here writes them.

// Ranking says by which scores documents are ranked.
type Ranking struct {
	Scores []Score

	// Local counts words in the physical partitions that the query reads, and not in all of them.
	Local bool
}

// Score is a score of documents, in terms of SQL.
type Score struct {
	Property string
	Words    []string        // of a text
	Vector   json.RawMessage // what a vector is compared with; nil for a text
	Weight   float64         // among several scores
}

// fusionOffset is what the weight of a score is divided by, besides the rank of a document:
// "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods" (2009), and
// RRF_CONSTANT of azure-cosmos 4.17.1.
const fusionOffset = 60

// Rank calls yield for the best documents of q: at most limit, the best first, those of equal
// scores by their _rid. All of them are read before the first is yielded.
func (q Selection) Rank(ctx context.Context, r Ranking, limit int, yield func(Near, error) bool) {
	if err := q.rankReady(r, limit); err != nil {
		yield(Near{}, err)
		return
	}
	err := q.over(ctx, func(ctx context.Context, q Selection, parts []Part) (given bool, err error) {
		ranked, err := q.rank(ctx, parts, r, limit)
		for _, n := range ranked {
			if given = true; !yield(n, nil) {
				break
			}
		}
		return given, err
	})
	if err != nil {
		yield(Near{}, err)
	}
}

// rankReady returns what is wrong with a ranked query.
func (q Selection) rankReady(r Ranking, limit int) error {
	if err := q.Validate(); err != nil {
		return err
	}
	s := q.Store.Settings.Strategy
	switch {
	case len(q.Orders) > 0:
		return fmt.Errorf("query %s: OrderByRank has the order of scores: remove OrderBy", q.TypeName())
	case len(r.Scores) == 0:
		return fmt.Errorf("query %s: OrderByRank has no score: pass one of a field, as in OrderByRank(q, f.Body.Score(\"red\"))", q.TypeName())
	case len(r.Scores) == 1 && r.Scores[0].Vector != nil:
		return fmt.Errorf("query %s: one distance needs no ranking: call Nearest, which costs fewer requests", q.TypeName())
	case limit == 0:
		return fmt.Errorf("query %s: OrderByRank needs a limit, as in OrderByRank(…).Limit(10): without it, each document would be sent", q.TypeName())
	case s == store.Gateway || s == store.PerKey:
		return fmt.Errorf("query %s: strategy %s is not possible: OrderByRank asks each physical partition", q.TypeName(), s)
	}
	if s := r.statement(q, limit); strings.Contains(s.sql(""), placeMark) {
		return fmt.Errorf("query %s: a condition has the text %q, with which the service marks places in plans: pass it as a parameter", q.TypeName(), placeMark)
	}
	return nil
}

// statement returns what the service is asked to plan. The partition keys of q are not in it:
// they differ by physical partition, and have their place in the plan.
func (r Ranking) statement(q Selection, limit int) Statement {
	q.Parameters = slices.Clip(q.Parameters)
	parameter := func(value any) string {
		name := text.OwnParameter + "R" + strconv.Itoa(len(q.Parameters))
		q.Parameters = append(q.Parameters, wire.Parameter{Name: name, Value: value})
		return name
	}
	var terms, weights []string
	weighted := false
	for _, s := range r.Scores {
		arguments := []string{s.Property}
		function := "FullTextScore("
		if s.Vector != nil {
			function = "VectorDistance("
			arguments = append(arguments, parameter(s.Vector))
		}
		for _, w := range s.Words {
			arguments = append(arguments, parameter(w))
		}
		terms = append(terms, function+strings.Join(arguments, ", ")+")")
		weights = append(weights, strconv.FormatFloat(s.Weight, 'g', -1, 64))
		weighted = weighted || s.Weight != 1
	}
	st := q.Statement()
	st.Top, st.Ranked = limit, "RANK "+terms[0]
	if len(terms) > 1 {
		if weighted {
			terms = append(terms, "["+strings.Join(weights, ", ")+"]")
		}
		st.Ranked = "RANK RRF(" + strings.Join(terms, ", ") + ")"
	}
	return st
}

// counts reports whether the statistics of texts are asked for.
func (r Ranking) counts() bool {
	return slices.ContainsFunc(r.Scores, func(s Score) bool { return s.Vector == nil })
}

// ranking is one run of a ranked query.
type ranking struct {
	Selection
	Ranking
	places []Selection // in each of the containers that the query reads
	plan   *hybridPlan
	asked  Statement // what was planned
}

// rank returns the best documents of q.
func (q Selection) rank(ctx context.Context, parts []Part, by Ranking, limit int) (near []Near, err error) {
	ctx, end := q.start(ctx)
	defer func() { end(err) }()
	take := limit
	if q.Store.Once != nil {
		take = copiesOf(limit)
	}
	r := &ranking{Selection: q, Ranking: by, asked: by.statement(q, take)}
	if err := r.settle(ctx, &r.asked); err != nil {
		return nil, err
	}
	r.places = placesOf(r.Selection, parts)
	if r.plan, err = r.ask(ctx, take); err != nil || r.plan == nil {
		return nil, err
	}
	for restarts := 0; ; restarts++ {
		best, err := r.once(ctx)
		if err == nil {
			return r.decode(best, limit)
		}
		if !errors.Is(err, errRelaid) || restarts == maxRestarts {
			return nil, err
		}
	}
}

// placesOf returns q in each of the containers that it reads.
func placesOf(q Selection, parts []Part) []Selection {
	if parts == nil {
		return []Selection{q}
	}
	places := make([]Selection, len(parts))
	for i, p := range parts {
		places[i] = q.in(p)
	}
	return places
}

// ask asks for the plan, in the first container that exists. It returns nil if none does.
func (r *ranking) ask(ctx context.Context, take int) (*hybridPlan, error) {
	for _, place := range r.places {
		e := place.newExecution(r.asked, nil)
		body, err := e.queryPlan(ctx)
		switch {
		case err != nil:
			return nil, err
		case body == nil:
			continue
		}
		plan, err := readHybridPlan(body, len(r.Scores), take)
		if err != nil {
			err = e.failure(job{}, fmt.Errorf("this release cannot run the service's plan of the query: %w", err))
		}
		return plan, err
	}
	return nil, nil //nolint:nilnil // no container, no document
}

// queryPlan asks for the plan of e's statement. It returns nil if the container does not exist
// and may be missing.
func (e *execution) queryPlan(ctx context.Context) (body []byte, err error) {
	if err := e.store.JoinSession(ctx, e.op); err != nil {
		return nil, err
	}
	j := job{key: wire.NewPartitionKey()}
	options := wire.QueryOptions(ctx)
	options.QueryParameters, options.PopulateIndexMetrics = e.parameters, false
	e.check = func(page wire.Page) error {
		_, err := wire.PlanOf(page)
		return err
	}
	ctx = wire.AskForPlan(ctx)
	var page wire.Page
	err = wire.Reread(ctx, func() (err error) {
		page, err = e.request(ctx, j, e.store.Target(ctx).NewQueryItemsPager(e.plain, j.key, &options), e.plain, options)
		return err
	})
	switch {
	case e.store.Lacks(err):
		return nil, nil
	case err != nil:
		return nil, e.failure(j, err)
	}
	return wire.PlanOf(page)
}

// fan returns a job for each physical partition that q reads, or several where it reads many
// logical partitions, and one for each physical partition of the container. A container that
// does not exist and may be missing has no jobs.
func (q Selection) fan(ctx context.Context) (own, all []job, err error) {
	s := q.Store
	values := list(s, q.keys)
	m, version, unknown := s.Physical(ctx)
	switch {
	case m != nil:
	case s.LacksItself(unknown):
		return nil, nil, nil
	case ctx.Err() != nil:
		return nil, nil, &documents.Error{Op: "query", Type: s.Type, Err: ctx.Err()}
	default:
		return nil, nil, unplanned(s, "ranking takes a query for each physical partition, which is not possible", unknown)
	}
	if err := locateAll(values); err != nil {
		return nil, nil, err
	}
	return scopedJobs(values, "", false, m, version), scopedJobs(nil, "", false, m, version), nil
}

// fans returns the jobs of all containers: part of a job is the number of its container.
func (r *ranking) fans(ctx context.Context) (own, counted []job, err error) {
	owns, alls := make([][]job, len(r.places)), make([][]job, len(r.places))
	err = parallel.Each(ctx, len(r.places), r.Store.Settings.Concurrency, func(ctx context.Context, i int) (err error) {
		owns[i], alls[i], err = r.places[i].fan(ctx)
		return err
	})
	for i := range r.places {
		for _, j := range owns[i] {
			j.part = i
			own = append(own, j)
		}
		for _, j := range alls[i] {
			j.part = i
			if !r.Local || slices.ContainsFunc(owns[i], func(o job) bool { return o.in.ID == j.in.ID }) {
				counted = append(counted, j)
			}
		}
	}
	return own, counted, err
}

// once asks for the statistics and for the documents of each score, once.
func (r *ranking) once(ctx context.Context) ([]*rankedRow, error) {
	own, counted, err := r.fans(ctx)
	if err != nil {
		return nil, err
	}
	homes := make([]*execution, len(r.places))
	for i, place := range r.places {
		homes[i] = place.newExecution(Statement{Planned: r.plan.Statistics, Key: statisticsKey, Combined: true, parameters: r.asked.parameters}, decodeStatistics)
	}
	var total statistics
	if r.plan.RequiresStatistics {
		if total, err = r.count(ctx, homes, counted); err != nil {
			return nil, err
		}
	}
	listed := slices.ContainsFunc(own, func(j job) bool { return j.listed })
	queries, err := r.plan.queries(total, listed)
	if err != nil {
		return nil, homes[0].failure(job{}, err)
	}
	e := r.newExecution(Statement{}, nil)
	var jobs []job
	for k, query := range queries {
		c := &r.plan.Components[k]
		for i, place := range r.places {
			in := place.newExecution(Statement{Planned: query, Key: wire.RIDPath[0], Within: rankedDocument, parameters: r.asked.parameters}, r.rowsOf(i, k))
			in.home, in.pageSize = homes[i], cmp.Or(in.pageSize, int32(c.most()))
			e.parts = append(e.parts, in)
		}
		for _, j := range own {
			j.part += k * len(r.places)
			jobs = append(jobs, j)
		}
	}
	found := make([][]*rankedRow, len(queries))
	for item, err := range e.each(ctx, jobs, func(ctx context.Context, j job, emit func([]any) bool) error { return e.in(j).read(ctx, j, emit) }) {
		if err != nil {
			return nil, err
		}
		if row, _ := item.(*rankedRow); row != nil {
			found[row.score] = append(found[row.score], row)
		}
	}
	return r.plan.fuse(found), nil
}

// count adds up the statistics of physical partitions.
func (r *ranking) count(ctx context.Context, homes []*execution, jobs []job) (total statistics, err error) {
	e := r.newExecution(Statement{}, nil)
	e.parts = homes
	whole := func(ctx context.Context, j job, emit func([]any) bool) error { return e.in(j).whole(ctx, j, emit) }
	for item, err := range e.each(ctx, jobs, whole) {
		if err == nil {
			part, _ := item.(statistics)
			err = total.add(part)
		}
		if err != nil {
			return statistics{}, err
		}
	}
	return total, nil
}

// decode returns at most limit documents of rows, the best first.
func (r *ranking) decode(rows []*rankedRow, limit int) (near []Near, err error) {
	if err := r.inTime(); err != nil {
		return nil, err
	}
	var once func(any) bool
	if r.Store.Once != nil {
		once = r.Store.Once()
	}
	for _, row := range rows {
		place := r.places[row.place]
		doc, err := place.Store.Decode(row.document)
		if err != nil {
			return nil, place.newExecution(r.asked, nil).failure(job{}, undecodableOf(place.Store, row.document, err))
		}
		if once != nil && !once(doc) {
			continue
		}
		if near = append(near, Near{Document: doc, Score: row.value, rid: row.rid}); len(near) == limit {
			break
		}
	}
	return near, nil
}

// PlanRank returns how a ranked query is run. It may cost requests for metadata.
func (q Selection) PlanRank(ctx context.Context, by Ranking) (plan Plan, err error) {
	if err := q.rankReady(by, 1); err != nil {
		return Plan{}, err
	}
	elsewhere := q.source != nil
	err = q.over(ctx, func(ctx context.Context, q Selection, parts []Part) (bool, error) {
		r := &ranking{Selection: q, Ranking: by, places: placesOf(q, parts)}
		own, counted, err := r.fans(ctx)
		if err != nil {
			return false, err
		}
		if !by.counts() {
			counted = nil
		}
		plan = Plan{
			Strategy: store.Scoped, PhysicalPartitions: physicalPartitions(own),
			Requests: 1 + len(counted) + len(by.Scores)*len(own), RequestUnits: queryFloor * float64(len(counted)+len(by.Scores)*len(own)),
			Why: fmt.Sprintf("1 request for the plan, %d for statistics, and %d for each of %d scores", len(counted), len(own), len(by.Scores)),
		}
		for _, place := range r.places {
			plan.LogicalPartitions += place.keys.Len()
			if elsewhere {
				plan.Containers = append(plan.Containers, place.Store.Client.ID())
			}
		}
		return false, nil
	})
	return plan, err
}

// rankedRow is a document as a query for one score has it.
type rankedRow struct {
	score    int // the number of the score that found it
	place    int // the number of its container
	rid      string
	own      float64   // by the score that found it
	scores   []float64 // by all; nil if there is one
	document []byte
	value    float64 // by which it is ranked in the end
}

// Names of a row of a query for a score: c._rid, orderByItems with the score itself, and payload
// with the document and all of its scores.
const (
	rowItems   = "orderByItems"
	rowItem    = "item"
	rowPayload = "payload"
	rowScores  = "componentScores"
)

// rankedDocument is where a row has its document.
var rankedDocument = []string{rowPayload, rowPayload}

// rowsOf returns what decodes a row of the query for a score, in a container. A document that
// has no such score, such as one without the text, is not found by it: its item is nil.
func (r *ranking) rowsOf(place, score int) func([]byte) (any, error) {
	return func(raw []byte) (any, error) {
		items := text.Elements(text.Member(raw, rowItems))
		if len(items) != 1 {
			return nil, errors.New("the service sent a document without its score")
		}
		item := text.Member(items[0], rowItem)
		if item == nil || string(item) == "null" {
			return (*rankedRow)(nil), nil
		}
		row := &rankedRow{score: score, place: place}
		var err error
		if row.own, err = strconv.ParseFloat(string(item), 64); err != nil {
			return nil, errors.New("a score is not a number")
		}
		if row.rid, err = ridOf(raw); err != nil {
			return nil, err
		}
		if row.document = text.ValueAt(raw, rankedDocument); row.document == nil {
			return nil, errors.New("the service sent a score without its document")
		}
		if n := len(r.Scores); n > 1 {
			var all []*float64
			if err := json.Unmarshal(text.ValueAt(raw, []string{rowPayload, rowScores}), &all); err != nil || len(all) != n {
				return nil, fmt.Errorf("the service sent other scores of a document than the %d that were asked for", n)
			}
			for k, value := range all {
				if value == nil {
					worst := r.plan.Components[k].worst()
					value = &worst
				}
				row.scores = append(row.scores, *value)
			}
		}
		return row, nil
	}
}

// fuse ranks what the queries for each score have found: by the one score, or by the sum of
// weight/(60+rank) over all. Documents of one score have one rank, and the next rank is one more,
// as in the SDKs for Python, .NET and JavaScript.
func (p *hybridPlan) fuse(found [][]*rankedRow) []*rankedRow {
	var all []*rankedRow
	known := map[string]bool{}
	for k, rows := range found {
		c := &p.Components[k]
		slices.SortFunc(rows, func(a, b *rankedRow) int {
			return cmp.Or(c.compare(a.own, b.own), cmp.Compare(a.rid, b.rid))
		})
		if most := c.most(); most > 0 {
			rows = rows[:min(most, len(rows))]
		}
		for _, row := range rows {
			if !known[row.rid] {
				known[row.rid] = true
				row.value = row.own
				all = append(all, row)
			}
		}
	}
	if len(found) > 1 {
		p.fuseRanks(all)
	}
	return all[min(p.Skip, len(all)):min(p.Skip+p.Take, len(all))]
}

// fuseRanks sorts documents by the sum of weight/(60+rank).
func (p *hybridPlan) fuseRanks(all []*rankedRow) {
	for _, row := range all {
		row.value = 0
	}
	for k := range p.Components {
		c := &p.Components[k]
		slices.SortFunc(all, func(a, b *rankedRow) int { return c.compare(a.scores[k], b.scores[k]) })
		rank := 0
		for i, row := range all {
			if i == 0 || row.scores[k] != all[i-1].scores[k] {
				rank++
			}
			row.value += p.weight(k) / float64(fusionOffset+rank)
		}
	}
	slices.SortFunc(all, func(a, b *rankedRow) int {
		return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.rid, b.rid))
	})
}
