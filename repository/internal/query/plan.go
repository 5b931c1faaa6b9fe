package query

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Plan says how a query runs.
type Plan struct {
	Strategy           store.Strategy
	Why                string
	LogicalPartitions  int      // 0 means the whole container
	PhysicalPartitions int      // 0 if unknown
	Requests           int      // a lower bound
	RequestUnits       float64  // their cost without results
	Containers         []string // if the type has several, in their order; nil for one
}

// queryFloor is the cost of a query without results, in request units. Microsoft's
// documentation on request units gives 2.5 to 2.8.
const queryFloor = 2.8

// Plan returns how q runs. It may cost requests for metadata.
func (q Selection) Plan(ctx context.Context) (plan Plan, err error) {
	if err := q.Validate(); err != nil {
		return Plan{}, err
	}
	elsewhere := q.source != nil // the caller does not choose the container
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

// jobs returns the jobs of st over the documents of q, and their plan.
func (q Selection) jobs(ctx context.Context, st Statement) ([]job, Plan, error) {
	s := q.Store
	values := list(s, q.keys)
	if len(values) == 1 && !values[0].prefix {
		jobs := perKey(values)
		if st.Ranked != "" { // a vector index with a shard for each key is searched by a condition
			jobs[0].values, jobs[0].listed = values, true
		}
		return planned(jobs, Plan{Strategy: store.PerKey, LogicalPartitions: 1, Why: "one logical partition"})
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
		return nil, Plan{}, &documents.Error{Op: "query", Type: s.Type, Err: ctx.Err()}
	case s.Settings.Strategy == store.Scoped:
		return nil, Plan{}, unplanned(s, fmt.Sprintf("strategy %s is not possible", store.Scoped), unknown)
	case st.combines():
		return eachKey(s, values, true, plan, failure.DiscreetText(unknown), unknown)
	case s.GatewayRefused.Load():
		return eachKey(s, values, false, plan, failure.DiscreetText(unknown)+", and the gateway refuses to walk the partitions", unknown)
	}
	plan.Strategy, plan.Why = store.Gateway, failure.DiscreetText(unknown)
	return planned(byGateway(values), plan)
}

// errPerKey is the reason why PerKey has no map of physical partitions.
var errPerKey = errors.New("one query for each key was asked for")

// eachKey plans one query for each logical partition. If these are unknown, it refuses a
// query that combines results: the gateway would run it without combining.
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
	if !known { // prefixes, or everything: the gateway finds the partitions
		plan.Strategy, plan.Why = store.Gateway, why
		return planned(byGateway(values), plan)
	}
	plan.Strategy, plan.Why = store.PerKey, why
	return planned(perKey(values), plan)
}

func planned(jobs []job, p Plan) ([]job, Plan, error) {
	p.Requests = len(jobs)
	p.RequestUnits = queryFloor * float64(len(jobs))
	return jobs, p, nil
}

func physicalPartitions(jobs []job) int {
	ids := map[string]bool{}
	for _, j := range jobs {
		ids[j.in.ID] = true
	}
	return len(ids)
}

// unplanned returns the error of a query that cannot run. Cause is the error of a request
// for metadata, or the reason not to send one.
func unplanned(s *store.Store, what string, cause error) error {
	failure := wire.NewContainerError("query", s.Type, "", cause)
	failure.Err = fmt.Errorf("%s: %w", what, cause)
	return failure
}

// job is one query of a fan-out, to its last page.
type job struct {
	key    wire.PartitionKey // for the header; without values there is no header
	name   string            // the logical partition, for errors
	values []Target          // what the job reads; nil means everything
	listed bool              // a condition lists the values
	prefix string            // replaces the list: the values begin with it
	ranged bool              // replaces the list: the values are between the least and the greatest
	texts  map[string]bool   // the values, if prefix or ranged replaces the list

	part int // index of the container, if there are several

	// For a job that is scoped to a physical partition:
	scoped    bool
	in        route.Range
	rid       string
	version   int    // of the map of physical partitions
	low, high string // the effective partition keys for which it is responsible

	// What was delivered, for later pages and for the jobs that replace this one if its
	// physical partition is gone. Without an order: the names of all documents. With an
	// order: how far this stream was delivered, and how far its predecessor.
	restarts       int
	seen           map[docName]bool
	reached, after *reached
}

// split divides a job among the physical partitions of m: one job for each with some of its
// values, or several for many values. Each is responsible for the common part of j and the
// physical partition.
func (j job) split(m *route.Map, version int) []job {
	var jobs []job
	for _, r := range m.Overlapping(j.low, j.high) {
		part := j
		part.scoped, part.in, part.rid, part.version = true, r, m.RID, version
		part.after, part.reached = j.last(), nil
		part.low = slices.MaxFunc([]string{j.low, r.Min}, partition.CompareEPK)
		part.high = slices.MinFunc([]string{j.high, r.Max}, partition.CompareEPK)
		if j.values == nil {
			part.seen = maps.Clone(j.seen)
			jobs = append(jobs, part)
			continue
		}
		var held []Target
		for _, v := range j.values {
			if v.within(r) {
				held = append(held, v)
			}
		}
		if j.prefix != "" || j.ranged {
			if len(held) > 0 {
				jobs = append(jobs, part.unlisted(held))
			}
			continue
		}
		for _, some := range chunks(held) {
			chunk := part
			chunk.values, chunk.listed = some, true
			if len(some) == 1 {
				chunk.name = wire.NameOf(some[0].Value)
			}
			chunk.seen = maps.Clone(j.seen)
			jobs = append(jobs, chunk)
		}
	}
	return jobs
}

// unlisted returns a job that reads its values by a prefix or a range instead of a list.
func (j job) unlisted(held []Target) job {
	j.values, j.listed = held, true
	j.seen = maps.Clone(j.seen)
	j.texts = make(map[string]bool, len(held))
	for _, v := range held {
		if text, ok := v.Value.(string); ok {
			j.texts[text] = true
		}
	}
	return j
}

// stray reports whether a document is in the prefix or range of j, but its partition key is
// not one of the values.
func stray(s *store.Store, j *job, document []byte) (bool, error) {
	if j.texts == nil {
		return false, nil
	}
	var key string
	err := json.Unmarshal(text.ValueAt(document, jsonpointer.Names(s.Paths[0])), &key)
	return !j.texts[key], err
}

// reached is how far an ordered stream was delivered: the sort values of the last document,
// and the names of all documents with these values.
type reached struct {
	keys  []text.SortValue
	names map[docName]bool
}

// last returns how far the stream of j, or its predecessor, was delivered.
func (j *job) last() *reached {
	if j.reached != nil {
		return j.reached
	}
	return j.after
}

// listCondition returns the condition that selects the values of j: for one level by IN, by
// their prefix or by their range; for several levels each by its levels. Documents also
// have their ids. Alone compares a single value by = instead of IN.
func listCondition(s *store.Store, j job, alone bool) (string, []wire.Parameter) {
	if !j.listed {
		return "", nil
	}
	var parameters []wire.Parameter
	parameter := func(value any) string {
		name := text.OwnParameter + "K" + strconv.Itoa(len(parameters))
		parameters = append(parameters, wire.Parameter{Name: name, Value: value})
		return name
	}
	if j.prefix != "" {
		return "STARTSWITH(" + text.Property(s.Paths[0]) + ", " + parameter(j.prefix) + ")", parameters
	}
	if j.ranged {
		texts := slices.Sorted(maps.Keys(j.texts))
		key := text.Property(s.Paths[0])
		condition := key + " >= " + parameter(texts[0]) + " AND " + key + " <= " + parameter(texts[len(texts)-1])
		return condition, parameters
	}
	terms := make([]string, len(j.values))
	listed := len(s.Paths) == 1 && j.values[0].ID == "" && (!alone || len(j.values) > 1)
	for i, v := range j.values {
		if listed {
			terms[i] = parameter(v.Value)
			continue
		}
		levels, ok := v.Value.([]any)
		if !ok {
			levels = []any{v.Value}
		}
		var equal []string
		if v.ID != "" {
			equal = append(equal, text.Property("/id")+" = "+parameter(v.ID))
		}
		for n, level := range levels {
			equal = append(equal, text.Property(s.Paths[n])+" = "+parameter(level))
		}
		terms[i] = "(" + strings.Join(equal, " AND ") + ")"
	}
	if listed {
		return text.Property(s.Paths[0]) + " IN (" + strings.Join(terms, ", ") + ")", parameters
	}
	return strings.Join(terms, " OR "), parameters
}

// perKey returns one job for each value, or one for the whole container. A prefix of levels
// has no header, because azcosmos requires all levels there. Its levels become a condition,
// and the gateway finds the physical partitions.
func perKey(values []Target) []job {
	if values == nil {
		return []job{{key: wire.NewPartitionKey()}}
	}
	jobs := make([]job, len(values))
	for i, v := range values {
		jobs[i].key, jobs[i].name = wire.PartitionKeyOf(v.Value)
		if v.prefix {
			jobs[i].key, jobs[i].listed = wire.NewPartitionKey(), true
			jobs[i].values = values[i : i+1]
		}
	}
	return jobs
}

// byGateway returns jobs for which the gateway finds the physical partitions.
func byGateway(values []Target) []job {
	if values == nil {
		return []job{{key: wire.NewPartitionKey()}}
	}
	lists := chunks(values)
	jobs := make([]job, len(lists))
	for i, list := range lists {
		jobs[i] = job{key: wire.NewPartitionKey(), values: list, listed: true}
	}
	return jobs
}

// scopedJobs returns the jobs that read values, one for each physical partition with some
// of them, in the order of the key space. A prefix or a range, if given, replaces the list
// of values.
func scopedJobs(values []Target, prefix string, ranged bool, m *route.Map, version int) []job {
	all := job{key: wire.NewPartitionKey(), values: values, prefix: prefix, ranged: ranged, low: route.FirstKey, high: route.LastKey}
	jobs := all.split(m, version)
	slices.SortStableFunc(jobs, func(a, b job) int {
		return cmp.Or(partition.CompareEPK(a.low, b.low), cmp.Compare(a.in.ID, b.in.ID))
	})
	return jobs
}
