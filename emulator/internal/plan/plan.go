package plan

import "github.com/cosmos-pkgen/pkgen/internal/cosmossql"

// Plan is the plan of a query. The names of its JSON are those of the service.
type Plan struct {
	Version int `json:"partitionedQueryExecutionInfoVersion"`
	// A query with ORDER BY RANK has Hybrid, any other QueryInfo.
	QueryInfo *Info   `json:"queryInfo,omitempty"`
	Hybrid    *Hybrid `json:"hybridSearchQueryInfo,omitempty"`
	Ranges    []Range `json:"queryRanges"`
}

// Info is the query that the client sends to each physical partition, and how it combines the
// results.
type Info struct {
	DistinctType       string             `json:"distinctType"`
	Top                *int               `json:"top"`
	Offset             *int               `json:"offset"`
	Limit              *int               `json:"limit"`
	OrderBy            []string           `json:"orderBy"`
	OrderByExpressions []string           `json:"orderByExpressions"`
	GroupByExpressions []string           `json:"groupByExpressions"`
	GroupByAliases     []string           `json:"groupByAliases"`
	Aggregates         []string           `json:"aggregates"`
	GroupByAliasTypes  map[string]*string `json:"groupByAliasToAggregateType"`
	// RewrittenQuery is the query for each partition. If it is empty, the client sends
	// the query as it is.
	RewrittenQuery         string  `json:"rewrittenQuery"`
	HasSelectValue         bool    `json:"hasSelectValue"`
	HasNonStreamingOrderBy bool    `json:"hasNonStreamingOrderBy"`
	DistinctCount          *DCount `json:"dCountInfo,omitempty"`
}

// DCount tells the client to count distinct values. The alias names the property of the
// result; it is empty for SELECT VALUE.
type DCount struct {
	Alias string `json:"dCountAlias"`
}

// Range is a part of the key space that the query reads. Its bounds are effective
// partition keys.
type Range struct {
	Min          string `json:"min"`
	Max          string `json:"max"`
	MinInclusive bool   `json:"isMinInclusive"`
	MaxInclusive bool   `json:"isMaxInclusive"`
}

// point reports whether a range holds the documents of a single partition key.
func (r Range) point() bool { return r.Min == r.Max }

// Counts are the numbers of TOP, OFFSET and LIMIT, or -1 for a missing clause.
type Counts struct{ Top, Offset, Limit int }

// version is the version of the plan format.
const version = 2

// Kinds of DISTINCT. From ordered rows a client removes consecutive duplicates; otherwise it
// remembers all rows.
const (
	distinctNone      = "None"
	distinctOrdered   = "Ordered"
	distinctUnordered = "Unordered"
)

// Of makes the plan of a query. Like the service, it refuses a query whose partial results a
// client could not combine, with an error for the user of the query. descending is the
// direction of ORDER BY VectorDistance, which depends on the metric. features select the form
// of the plan; [Plan.Check] reports whether they suffice.
func Of(q *cosmossql.Query, counts Counts, descending bool, ranges []Range, features Features) (*Plan, error) {
	p := &Plan{Version: version, Ranges: ranges}
	if q.Rank != nil {
		var err error
		p.Hybrid, err = ranked(q, counts, features.has(featureShort))
		return p, err
	}
	info := emptyInfo(q)
	p.QueryInfo = &info
	r := &rewriting{query: q, counts: counts, descending: descending, info: p.QueryInfo}
	if len(ranges) == 1 && ranges[0].point() && !q.Main.WholeSet() {
		return p, nil // one partition answers the query unchanged
	}
	return p, r.rewrite()
}

// emptyInfo is the info of a query that is not rewritten.
func emptyInfo(q *cosmossql.Query) Info {
	return Info{
		DistinctType:       distinctNone,
		OrderBy:            []string{},
		OrderByExpressions: []string{},
		GroupByExpressions: []string{},
		GroupByAliases:     []string{},
		Aggregates:         []string{},
		GroupByAliasTypes:  map[string]*string{},
		HasSelectValue:     q.Main.Kind == cosmossql.SelectValue,
	}
}
