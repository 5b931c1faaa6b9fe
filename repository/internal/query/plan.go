package query

import (
	"context"
	"errors"
	"fmt"

	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Plan says how a query is run.
type Plan struct {
	Strategy           store.Strategy
	Why                string
	LogicalPartitions  int      // 0 is the whole container
	PhysicalPartitions int      // 0 if that is not known
	Requests           int      // at least
	RequestUnits       float64  // that these cost without any results
	Containers         []string // of a type that has several, in their order; nil for one
}

// queryFloor is what a query costs that finds nothing, in request units, between
// 2.5 and 2.8 in Microsoft's documentation on request units.
const queryFloor = 2.8

// Plan returns how q is run. It may cost requests for metadata.
func (q Selection) Plan(ctx context.Context) (plan Plan, err error) {
	if err := q.Validate(); err != nil {
		return Plan{}, err
	}
	elsewhere := q.source != nil // a caller does not know the container
	err = q.over(ctx, func(ctx context.Context, q Selection, parts []Part) (_ bool, err error) {
		if parts != nil {
			plan, err = q.planOver(ctx, parts)
			return false, err
		}
		if _, plan, err = q.jobs(ctx, q.Statement()); elsewhere {
			plan.Containers = []string{q.Store.Client.ID()}
		}
		return false, err
	})
	return plan, err
}

// jobs returns the jobs that run st over what q selects, and their plan.
func (q Selection) jobs(ctx context.Context, st Statement) ([]job, Plan, error) {
	s := q.Store
	values := list(s, q.keys)
	if len(values) == 1 && !values[0].prefix {
		return planned(perKey(values), Plan{Strategy: store.PerKey, LogicalPartitions: 1, Why: "one logical partition"})
	}
	plan := Plan{LogicalPartitions: q.keys.Len()}
	switch s.Settings.Strategy {
	case store.Gateway:
		if st.combines() {
			return nil, Plan{}, fmt.Errorf("query %s: strategy %s is not possible: the gateway neither sorts nor aggregates documents of several logical partitions", s.Type, store.Gateway)
		}
		plan.Strategy, plan.Why = store.Gateway, "asked for"
		return planned(byGateway(values), plan)
	case store.PerKey:
		return eachKey(s, values, st.combines(), plan, "asked for", errPerKey)
	}
	m, version, unknown := s.Physical(ctx)
	switch {
	case m != nil:
		if err := locateAll(values); err != nil {
			return nil, Plan{}, err
		}
		prefix, ranged := "", false
		if st.unlisted() {
			prefix, ranged = q.keys.CommonPrefix(), q.keys.IsSorted() && len(values) > longList
		}
		jobs := scopedJobs(values, prefix, ranged, m, version)
		plan.Strategy = store.Scoped
		plan.Why = fmt.Sprintf("one query for each physical partition, of which the container has %d", len(m.Ranges))
		plan.PhysicalPartitions = physicalPartitions(jobs)
		return planned(jobs, plan)
	case s.LacksItself(unknown):
		return planned(nil, Plan{Strategy: store.Scoped, Why: "the container does not exist"})
	case ctx.Err() != nil:
		return nil, Plan{}, &wire.OperationError{Op: "query", Type: s.Type, Err: ctx.Err()}
	case s.Settings.Strategy == store.Scoped:
		return nil, Plan{}, unplanned(s, fmt.Sprintf("strategy %s is not possible", store.Scoped), unknown)
	case st.combines():
		return eachKey(s, values, true, plan, wire.DiscreetText(unknown), unknown)
	case s.GatewayRefused.Load():
		return eachKey(s, values, false, plan, wire.DiscreetText(unknown)+", and the gateway refuses to walk the partitions", unknown)
	}
	plan.Strategy, plan.Why = store.Gateway, wire.DiscreetText(unknown)
	return planned(byGateway(values), plan)
}

// errPerKey is why there is no map of physical partitions for PerKey.
var errPerKey = errors.New("one query for each key was asked for")

// eachKey plans one query for each logical partition. It refuses a query whose results
// have to be combined if the logical partitions are not known: the gateway would run
// it, and does not combine.
func eachKey(s *store.Store, values []Target, combines bool, plan Plan, why string, cause error) ([]job, Plan, error) {
	known := len(values) > 0
	for _, v := range values {
		known = known && !v.prefix
	}
	if combines && !known {
		what := "a prefix of the key"
		if values == nil {
			what = "the whole container"
		}
		return nil, Plan{}, unplanned(s, fmt.Sprintf("an order or aggregate over %s takes one query for each physical partition, which is not possible", what), cause)
	}
	if !known { // prefixes, or everything: the gateway walks them
		plan.Strategy, plan.Why = store.Gateway, why
		return planned(byGateway(values), plan)
	}
	plan.Strategy, plan.Why = store.PerKey, why
	return planned(perKey(values), plan)
}

// planned completes a plan.
func planned(jobs []job, p Plan) ([]job, Plan, error) {
	p.Requests = len(jobs)
	p.RequestUnits = queryFloor * float64(len(jobs))
	return jobs, p, nil
}

// physicalPartitions counts those of jobs.
func physicalPartitions(jobs []job) int {
	ids := map[string]bool{}
	for _, j := range jobs {
		ids[j.in.ID] = true
	}
	return len(ids)
}

// unplanned returns the error about a query that cannot be run. The cause is what
// a request for metadata returned, or what makes such a request of no use.
func unplanned(s *store.Store, what string, cause error) error {
	failure := wire.NewContainerError("query", s.Type, "", cause)
	failure.Err = fmt.Errorf("%s: %w", what, cause)
	return failure
}
