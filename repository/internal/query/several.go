package query

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
)

// Several says in which containers the documents of a query are, in a type that has
// several.
type Several struct {
	// Time is the path of the property by whose time a document has its container; nil
	// if containers are not for periods of time.
	Time []string

	// Wrong returns why no request is sent, nil if nothing is wrong.
	Wrong func() error

	// Parts returns the containers of a query in their order. Given are the keys of the
	// query before they are resolved, and keys after that. It is called for each run, so
	// that a container is read that was just made.
	Parts func(ctx context.Context, given, keys generated.Keys) ([]Part, error)

	// Place returns the name of a container with its place in the order. It returns
	// false if the type has no such container.
	Place func(name string) (Place, bool)
}

// Place is the place of a container in the order of containers.
type Place struct {
	Name  string
	Start time.Time // of its period; zero if containers are not for periods
}

// Part is one of several containers that a query reads.
type Part struct {
	Place
	Store *store.Store
	Keys  generated.Keys // of the query in this container
}

// before reports whether a container comes before another one.
func (p Place) before(q Place) bool {
	if !p.Start.Equal(q.Start) {
		return p.Start.Before(q.Start)
	}
	return p.Name < q.Name
}

// Over returns q over the containers of a type that has several. Nil leaves q as it is.
func (q Selection) Over(s *Several, given generated.Keys) Selection {
	q.several, q.given = s, given
	return q
}

// In returns what decodes the documents of a container; nil is what all have in common.
func (q Selection) In(decode func(*store.Store) func([]byte) (any, error)) Selection {
	q.decodeIn = decode
	return q
}

// in returns q in one of its containers.
func (q Selection) in(p Part) Selection {
	q.Store, q.keys, q.several = p.Store, p.Keys, nil
	return q
}

// byTime reports whether q is sorted by the time that its containers are for.
func (q Selection) byTime() bool {
	return len(q.Orders) > 0 && q.several.Time != nil && slices.Equal(q.Orders[0].Path, q.several.Time)
}

// groups returns the containers of q in the order in which they are read. The documents of
// a group have to be merged.
func (q Selection) groups(ctx context.Context) ([][]Part, error) {
	parts, err := q.several.Parts(ctx, q.given, q.keys)
	if err != nil {
		return nil, err
	}
	var groups [][]Part
	for _, p := range parts {
		last := len(groups) - 1
		if last < 0 || len(q.Orders) == 0 || q.byTime() && !groups[last][0].Start.Equal(p.Start) {
			groups = append(groups, []Part{p})
			continue
		}
		groups[last] = append(groups[last], p)
	}
	if q.byTime() && q.Orders[0].Descending {
		slices.Reverse(groups)
	}
	return groups, nil
}

// runSeveral is Run over several containers: one after the other where that is the order
// of the documents, so that a limit ends early, and else merged. Without an order and a
// limit, the next containers are read ahead.
func (q Selection) runSeveral(ctx context.Context, s Statement, decode func([]byte) (any, error), limit int, yield func(any, error) bool) {
	ctx, end := q.start(ctx)
	var failure error
	defer func() { end(failure) }()
	groups, err := q.groups(ctx)
	if err != nil {
		failure = err
		yield(nil, err)
		return
	}
	n, stopped := 0, false
	take := func(item any, err error) bool {
		n++
		failure = err
		stopped = !yield(item, err) || n == limit || err != nil
		return !stopped
	}
	if len(q.Orders) == 0 && limit == 0 && (s.Top == 0 || s.Ranked != "") && len(groups) > 1 {
		q.runAhead(ctx, slices.Concat(groups...), s, decode, take)
		return
	}
	top := s.Top
	for _, group := range groups {
		if stopped {
			return
		}
		left := 0
		if limit > 0 {
			left = limit - n
		}
		if top > 0 && s.Ranked == "" {
			s.Top = top - n
		}
		if len(group) == 1 {
			q.in(group[0]).Run(ctx, s, q.decoding(group[0], decode), left, take)
			continue
		}
		q.runMerged(ctx, group, s, decode, take)
	}
}

// decoding returns what decodes the documents of a container.
func (q Selection) decoding(p Part, decode func([]byte) (any, error)) func([]byte) (any, error) {
	if q.decodeIn != nil {
		return q.decodeIn(p.Store)
	}
	return decode
}

// runMerged merges the documents of several containers.
func (q Selection) runMerged(ctx context.Context, group []Part, s Statement, decode func([]byte) (any, error), take func(any, error) bool) {
	e, jobs, err := q.together(ctx, group, s, func(p Part) func([]byte) (any, error) {
		if own := q.decoding(p, decode); own != nil {
			return own
		}
		return p.Store.Decode
	})
	if err != nil {
		take(nil, err)
		return
	}
	for r, err := range e.merged(ctx, jobs) {
		if !take(r.item, err) {
			return
		}
	}
}

// together returns an execution of s in several containers, and the jobs of all of them.
func (q Selection) together(ctx context.Context, parts []Part, s Statement, decode func(Part) func([]byte) (any, error)) (*execution, []job, error) {
	planned, _, err := q.planned(ctx, parts, s)
	if err != nil {
		return nil, nil, err
	}
	e := newExecution(q.Store, s, nil)
	var all []job
	for i, p := range parts {
		e.parts = append(e.parts, newExecution(p.Store, s, decode(p)))
		for _, j := range planned[i] {
			j.part = i
			all = append(all, j)
		}
	}
	e.slots = make(chan struct{}, width(q.Store.Settings, all))
	for _, in := range e.parts {
		in.slots = e.slots
	}
	return e, all, nil
}

// planned returns the jobs of s in each of several containers, and their plans.
func (q Selection) planned(ctx context.Context, parts []Part, s Statement) ([][]job, []Plan, error) {
	jobs, plans := make([][]job, len(parts)), make([]Plan, len(parts))
	err := Together(ctx, len(parts), q.Store.Settings.Concurrency, func(ctx context.Context, i int) (err error) {
		jobs[i], plans[i], err = q.in(parts[i]).jobs(ctx, s)
		return err
	})
	return jobs, plans, err
}

// in returns the execution of a job, in its container.
func (e *execution) in(j job) *execution {
	if e.parts == nil {
		return e
	}
	return e.parts[j.part]
}

// planSeveral is Plan over several containers.
func (q Selection) planSeveral(ctx context.Context) (Plan, error) {
	groups, err := q.groups(ctx)
	if err != nil {
		return Plan{}, err
	}
	parts := slices.Concat(groups...)
	_, plans, err := q.planned(ctx, parts, q.Statement())
	if err != nil {
		return Plan{}, err
	}
	sum := Plan{Containers: []string{}}
	var reasons []string
	for i, p := range plans {
		if i == 0 {
			sum.Strategy = p.Strategy
		} else if p.Strategy != sum.Strategy {
			sum.Strategy = store.Automatic
		}
		if !slices.Contains(reasons, p.Why) {
			reasons = append(reasons, p.Why)
		}
		sum.Containers = append(sum.Containers, parts[i].Name)
		sum.LogicalPartitions += p.LogicalPartitions
		sum.PhysicalPartitions += p.PhysicalPartitions
		sum.Requests += p.Requests
		sum.RequestUnits += p.RequestUnits
	}
	how := "merged"
	if len(groups) == len(parts) {
		how = "one after the other"
	}
	sum.Why = fmt.Sprintf("%d containers, %s", len(parts), how)
	if len(reasons) > 0 {
		sum.Why += ": " + strings.Join(reasons, "; ")
	}
	return sum, nil
}
