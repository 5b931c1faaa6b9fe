package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// Check refuses a plan that a client could not follow. supported is the list of the
// features that the client names, separated by commas; an empty list is not checked.
func (p *Plan) Check(q *cosmossql.Query, supported string) error {
	if strings.TrimSpace(supported) == "" {
		return nil
	}
	known := strings.Split(strings.ReplaceAll(supported, " ", ""), ",")
	var missing []string
	for _, f := range p.features(q) {
		if !slices.Contains(known, f) {
			missing = append(missing, fmt.Sprintf("Query contained %s, which the calling client does not support.", f))
		}
	}
	switch {
	case len(missing) == 0:
		return nil
	case slices.Contains(p.features(q), "NonValueAggregate") && !slices.Contains(known, "NonValueAggregate"):
		return status.BadRequest("Cross partition query only supports 'VALUE <AggregateFunc>' for aggregates.")
	}
	return status.BadRequest("Query contains 1 or more unsupported features. Upgrade your SDK to a version that does support the requested features:\n%s",
		strings.Join(missing, "\n"))
}

// features are what a client must be able to do for the plan.
func (p *Plan) features(q *cosmossql.Query) []string {
	info := p.QueryInfo
	var list []string
	note := func(needed bool, feature string) {
		if needed {
			list = append(list, feature)
		}
	}
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
	}
	return list
}
