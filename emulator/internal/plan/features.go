package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// Features are the names of the plan features that a client supports.
type Features []string

// ParseFeatures reads a list of features, separated by commas.
func ParseFeatures(list string) Features {
	list = strings.ReplaceAll(list, " ", "")
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

func (f Features) has(feature string) bool { return slices.Contains(f, feature) }

// Check refuses a plan that the client could not follow. A client that names no features
// supports the plans that are as old as the header: all but the plans of rankings.
func (p *Plan) Check(q *cosmossql.Query, known Features) error {
	if len(known) == 0 && p.Hybrid == nil {
		return nil
	}
	needed := p.features(q)
	var missing []string
	for _, f := range needed {
		if !known.has(f) {
			missing = append(missing, fmt.Sprintf("Query contained %s, which the calling client does not support.", f))
		}
	}
	switch {
	case len(missing) == 0:
		return nil
	case slices.Contains(needed, "NonValueAggregate") && !known.has("NonValueAggregate"):
		return status.BadRequest("Cross partition query only supports 'VALUE <AggregateFunc>' for aggregates.")
	}
	return status.BadRequest("Query contains 1 or more unsupported features. Upgrade your SDK to a version that does support the requested features:\n%s",
		strings.Join(missing, "\n"))
}

// features returns the features that a client needs for the plan.
func (p *Plan) features(q *cosmossql.Query) []string {
	var list []string
	note := func(needed bool, feature string) {
		if needed {
			list = append(list, feature)
		}
	}
	if p.Hybrid != nil {
		note(true, featureHybrid)
		note(len(p.Hybrid.Weights) > 0, featureWeights)
		return list
	}
	info := p.QueryInfo
	grouped := len(info.GroupByExpressions) > 0
	note(info.Top != nil, "Top")
	note(info.Offset != nil, "OffsetAndLimit")
	note(info.DistinctType != distinctNone, "Distinct")
	note(info.DistinctCount != nil, "DCount")
	note(len(info.OrderBy) == 1, "OrderBy")
	note(len(info.OrderBy) > 1, "MultipleOrderBy")
	note(info.HasNonStreamingOrderBy, "NonStreamingOrderBy")
	note(grouped, "GroupBy")
	note(len(info.Aggregates) > 0, "Aggregate")
	if info.RewrittenQuery != "" && info.DistinctCount == nil {
		note(!grouped && len(info.GroupByAliasTypes) > 0, "NonValueAggregate")
		note(len(q.Main.Aggregates) > 1, "MultipleAggregates")
		note(slices.ContainsFunc(q.Main.Aggregates, func(a *cosmossql.Aggregate) bool { return a.Function.Name == "COUNTIF" }), "CountIf")
	}
	return list
}
