package query

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Aggregates is a row of aggregates: those of a page, or their sum. The service may
// send several pages for one query.
type Aggregates struct {
	N       float64         `json:"n"`       // documents
	Present float64         `json:"present"` // those that have the property
	S       float64         `json:"s"`       // sum
	Low     json.RawMessage `json:"low"`     // nil if there is none
	High    json.RawMessage `json:"high"`
}

// add adds the aggregates of other documents.
func (a *Aggregates) add(b Aggregates) error {
	a.N += b.N
	a.Present += b.Present
	a.S += b.S
	var err, errHigh error
	a.Low, err = Extreme(a.Low, b.Low, -1)
	a.High, errHigh = Extreme(a.High, b.High, 1)
	return errors.Join(err, errHigh)
}

// Extreme returns the lesser of two JSON values if sign is -1, the greater if 1.
// If one is nil, it returns the other.
func Extreme(a, b json.RawMessage, sign int) (json.RawMessage, error) {
	if a == nil || b == nil {
		if a == nil {
			a = b
		}
		return a, nil
	}
	v, err := text.SortValueOf(a)
	if err != nil {
		return nil, err
	}
	w, err := text.SortValueOf(b)
	if err != nil {
		return nil, err
	}
	if w.Compare(v)*sign > 0 {
		return b, nil
	}
	return a, nil
}

// Aggregate adds up columns over what q selects. Name is for errors.
func Aggregate(ctx context.Context, q Selection, name string, columns ...string) (sum Aggregates, err error) {
	if err := q.Validate(); err != nil {
		return Aggregates{}, err
	}
	if q.Limit > 0 {
		return Aggregates{}, fmt.Errorf("query %s: %s goes over all documents: call it without Limit", q.TypeName(), name)
	}
	s := Statement{Columns: columns, Combined: true, conditions: q.Conditions, parameters: q.Parameters}
	err = q.combine(ctx, s, Untyped(decodeAggregated), func() { sum = Aggregates{} }, func(item any) error {
		part, _ := item.(Aggregates)
		return sum.add(part)
	})
	if err != nil {
		return Aggregates{}, err
	}
	return sum, nil
}

// combining returns the execution of a statement that combines documents, and its jobs, in
// the one container of q, or in several.
func (q Selection) combining(ctx context.Context, parts []Part, s Statement, decode func([]byte) (any, error)) (*execution, []job, error) {
	if parts == nil {
		jobs, _, err := q.jobs(ctx, s)
		return newExecution(q.Store, s, decode), jobs, err
	}
	return q.together(ctx, parts, s, func(Part) func([]byte) (any, error) { return decode })
}

func decodeAggregated(item []byte) (a Aggregates, err error) {
	err = json.Unmarshal(item, &a)
	return a, err
}

// errRelaid says that the parts of a query no longer add up to the whole: the
// physical partitions among which it was divided are gone, and the present ones are
// not pieces of them.
var errRelaid = errors.New("the physical partitions have been merged, or are of another container")

// whole emits what a job reads when it has all of it. If its physical partition
// was split, the halves count anew, each for itself. If it was merged with
// another one, whose documents the aggregates cannot leave out, or the container
// was made again, the error is errRelaid.
func (e *execution) whole(ctx context.Context, j job, emit func([]any) bool) error {
	var all []any
	err := e.pages(ctx, j, func(raw [][]byte, more bool) error {
		items, err := e.page(&j, raw, more)
		if err != nil {
			return e.failure(j, err)
		}
		all = append(all, items...)
		return nil
	})
	if err == nil && len(all) == 0 && !e.missing.Load() && e.certain() != "" && e.group == nil {
		err = e.failure(j, wire.Broken("it has no count"))
	}
	switch {
	case err == nil && emit(all):
		return nil
	case err == nil:
		return errStopped
	case !j.scoped || !route.Gone(err):
		return err
	}
	parts, err := e.successors(ctx, j, err)
	if err != nil {
		return err
	}
	for _, part := range parts {
		prefixes := slices.ContainsFunc(part.values, func(v Target) bool { return v.prefix })
		if part.rid != j.rid || (!part.listed || prefixes) && !route.Contains(part.low, part.high, part.in) {
			return e.failure(j, errRelaid)
		}
	}
	for _, part := range parts {
		if err := e.whole(ctx, part, emit); err != nil {
			return err
		}
	}
	return nil
}
