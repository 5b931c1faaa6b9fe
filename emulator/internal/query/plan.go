package query

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/plan"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// supportedFeatures is the header in which a client names the plan features that it supports.
const supportedFeatures = "x-ms-cosmos-supported-query-features"

// Plan returns the JSON of the plan by which a client runs the query over the physical
// partitions of a container. Pin must have been called. It takes the lock of the container
// only to find the part that the query covers.
func (q *Query) Plan(c *store.Container, h http.Header, now time.Time) ([]byte, error) {
	var s *scope
	err := c.Read(now, func() error {
		if err := q.resolve(c); err != nil {
			return err
		}
		var err error
		s, err = scopeOf(c, h, q)
		return err
	})
	if err != nil {
		return nil, err
	}
	features := plan.ParseFeatures(h.Get(supportedFeatures))
	p, err := q.planOver(c, s, features)
	if err != nil {
		return nil, err
	}
	if err := p.Check(q.parsed, features); err != nil {
		return nil, err
	}
	return json.Marshal(p)
}

// planOver plans the query over a scope.
func (q *Query) planOver(c *store.Container, s *scope, features plan.Features) (*plan.Plan, error) {
	counts := plan.Counts{Top: -1, Offset: -1, Limit: -1}
	switch skip, take := q.plan.Window(); {
	case q.parsed.Top != nil:
		counts.Top = take
	case q.parsed.Offset != nil:
		counts.Offset, counts.Limit = skip, take
	}
	order := q.plan.OrderBy()
	return plan.Of(q.parsed, counts, len(order) == 1 && order[0].Descending, planRanges(c, q, s), features)
}

// planRanges returns the parts of the key space that hold what a query can match: a
// point for each partition key, or a range for each prefix of a hierarchical key.
func planRanges(c *store.Container, q *Query, s *scope) []plan.Range {
	keys := s.keys
	if keys == nil && s.prefix != nil {
		keys = []*store.Key{s.prefix}
	}
	if keys == nil {
		keys = q.prefixes
	}
	if len(keys) == 0 {
		return []plan.Range{{Min: store.MinEPK, Max: store.MaxEPK, MinInclusive: true}}
	}
	ranges := make([]plan.Range, 0, len(keys))
	for _, k := range keys {
		r := plan.Range{Min: k.EPK, Max: k.EPK, MinInclusive: true, MaxInclusive: true}
		if k.Len < len(c.Paths) {
			r.Max, r.MaxInclusive = k.EPK+store.MaxEPK, false
		}
		ranges = append(ranges, r)
	}
	slices.SortFunc(ranges, func(a, b plan.Range) int { return partition.CompareEPK(a.Min, b.Min) })
	return slices.Compact(ranges)
}

// WithPlan adds the plan to the error of NewReader for a query that the gateway does not
// combine, so that clients that read it need not request the plan. q may be nil.
func (q *Query) WithPlan(err error, c *store.Container) error {
	var f *status.Error
	if q == nil || q.refused == nil || !errors.As(err, &f) || f.Substatus != status.CrossPartition {
		return err
	}
	p, refused := q.planOver(c, q.refused, nil)
	if refused != nil {
		return err
	}
	text, failed := json.Marshal(p)
	if failed != nil { // the plan holds only strings and numbers
		return err
	}
	more := *f
	more.Info = string(text)
	return &more
}
