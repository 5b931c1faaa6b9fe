package repository

import (
	"context"
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
)

// Plan describes how a query would run.
type Plan struct {
	// Strategy is how the query would run, and Why gives the reason.
	Strategy Strategy
	Why      string

	// Containers are the names of the containers that the query would read, separated by
	// commas, if the type has several; empty for one. They are in the order of their periods,
	// or by name. In a bounded range of time some may not exist, and have no documents.
	Containers string

	// LogicalPartitions is the number of partition keys, or prefixes, that the
	// query names; 0 is the whole container.
	LogicalPartitions int

	// PhysicalPartitions is the number of physical partitions that have them, 0 if unknown.
	PhysicalPartitions int

	// Requests is the number of requests if every query has one page of results; more pages
	// take more requests. A query with a limit and no order may end early.
	Requests int

	// RequestUnits estimates the cost of these requests without any results: about 2.8 each,
	// the least that a query costs according to Microsoft.
	RequestUnits float64
}

// String returns the plan on one line.
func (p Plan) String() string {
	what := "the whole container"
	switch {
	case p.Containers != "":
		what = "containers " + p.Containers
	case p.LogicalPartitions > 0:
		what = fmt.Sprintf("%d logical partitions", p.LogicalPartitions)
	}
	return fmt.Sprintf("%s: %s, %d requests, about %.1f request units: %s",
		p.Strategy, what, p.Requests, p.RequestUnits, p.Why)
}

// Plan returns how q would run now. It sends no query. The first plan or query of a container
// reads its physical partitions, with up to three metadata requests.
func (q Query[T]) Plan(ctx context.Context) (Plan, error) {
	plan, err := q.selection.Plan(ctx)
	return planOf(plan), err
}

func planOf(p query.Plan) Plan {
	return Plan{
		Strategy: Strategy(p.Strategy), Why: p.Why,
		LogicalPartitions: p.LogicalPartitions, PhysicalPartitions: p.PhysicalPartitions,
		Requests: p.Requests, Containers: strings.Join(p.Containers, ", "), RequestUnits: p.RequestUnits,
	}
}

// Strategy is a way to read many logical partitions.
type Strategy int

const (
	// Automatic chooses Scoped if the client was made with Configure. Otherwise it chooses
	// Gateway for filters and PerKey for all other queries.
	Automatic Strategy = Strategy(store.Automatic)

	// Scoped sends one query to each physical partition that has some of the logical
	// partitions, in parallel. It needs a client made with Configure.
	Scoped Strategy = Strategy(store.Scoped)

	// Gateway sends one query, and the service's gateway reads the physical partitions one
	// after the other. It can only filter: no order, no limit, no aggregate.
	Gateway Strategy = Strategy(store.Gateway)

	// PerKey sends one query to each logical partition, several at once.
	PerKey Strategy = Strategy(store.PerKey)
)

// String returns the name of s in lower case.
func (s Strategy) String() string { return store.Strategy(s).String() }

// WithStrategy makes queries over many logical partitions use s, for tests and comparisons.
// Programs use [Automatic]. A query that s cannot run returns an error with the reason.
func WithStrategy(s Strategy) Option {
	return func(o *untyped.Settings) { o.Strategy = store.Strategy(s) }
}
