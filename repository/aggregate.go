package repository

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

// Count returns the number of documents of q. The physical partitions count, one
// query each, and send a number: about 3 request units each for what the index
// answers. An order of q makes no difference, and with a limit Count is an error.
//
// A client without [Configure] sends one query for each logical partition, and
// cannot count a whole container or a prefix of a key.
func (q Query[T]) Count(ctx context.Context) (int, error) {
	a, err := aggregate(ctx, q.selection, "Count", countColumn)
	return int(a.N), exported(err)
}

// Sum returns the sum of a number over the documents of q, 0 if there are none.
// Documents that have something else there, or nothing, do not count. The service
// adds float64 numbers, in no certain order. It costs what [Query.Count] does.
func Sum[T any, V Numeric](ctx context.Context, q Query[T], field Number[T, V]) (float64, error) {
	a, _, err := overNumbers(ctx, q, "Sum", field)
	return a.S, exported(err)
}

// Avg returns the mean of a number over the documents of q that have it, and
// false if none has. Where Go leaves a zero out, an absent property counts as 0.
// It costs what [Query.Count] does.
func Avg[T any, V Numeric](ctx context.Context, q Query[T], field Number[T, V]) (float64, bool, error) {
	a, _, err := overNumbers(ctx, q, "Avg", field)
	if err != nil || a.N == 0 {
		return 0, false, exported(err)
	}
	return a.S / a.N, true, nil
}

// Min returns the least value of a field over the documents of q that have one,
// and false if none has: null and values of another type than V's are none.
// Where Go leaves a zero out, an absent property counts as zero. It costs what
// [Query.Count] does.
func Min[T, V any](ctx context.Context, q Query[T], field Valued[T, V]) (V, bool, error) {
	v, ok, err := extreme(ctx, q, "Min", field, -1)
	return v, ok, exported(err)
}

// Max returns the greatest value of a field, as [Min] does the least.
func Max[T, V any](ctx context.Context, q Query[T], field Valued[T, V]) (V, bool, error) {
	v, ok, err := extreme(ctx, q, "Max", field, 1)
	return v, ok, exported(err)
}

// overNumbers aggregates the values of a field that is a number in JSON.
func overNumbers[T any, V Numeric](ctx context.Context, q Query[T], name string, field Number[T, V]) (aggregated, valuedField, error) {
	f, err := fieldOf(field)
	if err == nil && f.typed != text.IsNumber {
		var zero V
		err = fmt.Errorf("field %s: %T is not a number in JSON", f.property, zero)
	}
	if err != nil {
		return aggregated{}, f, fmt.Errorf("query %s: %s: %w", q.selection.typ(), name, err)
	}
	a, err := aggregate(ctx, q.selection.and(f.where), name, "SUM("+f.property+") AS s", countColumn)
	return a, f, err
}

// extreme returns the least value of a field if sign is -1, the greatest if 1.
func extreme[T, V any](ctx context.Context, q Query[T], name string, field Valued[T, V], sign int) (V, bool, error) {
	var v V
	f, err := fieldOf(field)
	if err != nil {
		return v, false, fmt.Errorf("query %s: %s: %w", q.selection.typ(), name, err)
	}
	columns := []string{"MIN(" + f.property + ") AS low"}
	if sign > 0 {
		columns = []string{"MAX(" + f.property + ") AS high"}
	}
	if f.omitted {
		columns = append(columns, countColumn, "COUNT("+f.property+") AS present")
	}
	a, err := aggregate(ctx, q.selection.and(f.where), name, columns...)
	if err != nil {
		return v, false, err
	}
	best := a.Low
	if sign > 0 {
		best = a.High
	}
	if a.N > a.Present { // some have left a zero out
		if best, err = better(best, f.zero, sign); err != nil {
			return v, false, err
		}
	}
	if best == nil {
		return v, false, nil
	}
	if err := q.selection.source.settings.unmarshal(best, &v); err != nil {
		return v, false, &wire.OperationError{Op: "query", Type: q.selection.typ(), Err: fmt.Errorf("%s of %s: %w", name, f.property, wire.Undecoded(q.selection.source.settings.unmarshal, best, func() any { return new(V) }, err))}
	}
	return v, true, nil
}

// countColumn counts documents. Whatever it is asked about sends a row with it.
const countColumn = "COUNT(1) AS n"

// aggregated is a row of aggregates: those of a page, of which the service may
// send several for one query, or what they come to.
type aggregated struct {
	N       float64         `json:"n"`       // documents
	Present float64         `json:"present"` // those that have the property
	S       float64         `json:"s"`       // sum
	Low     json.RawMessage `json:"low"`     // nil if there is none
	High    json.RawMessage `json:"high"`
}

// add adds the aggregates of other documents.
func (a *aggregated) add(b aggregated) error {
	a.N += b.N
	a.Present += b.Present
	a.S += b.S
	var err, errHigh error
	a.Low, err = better(a.Low, b.Low, -1)
	a.High, errHigh = better(a.High, b.High, 1)
	return errors.Join(err, errHigh)
}

// better returns the lesser of two JSON values if sign is -1, the greater if 1.
// Of one that is nil it returns the other.
func better(a, b json.RawMessage, sign int) (json.RawMessage, error) {
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

// aggregate adds up columns over what q selects. Name is for errors.
func aggregate(ctx context.Context, q selection, name string, columns ...string) (_ aggregated, err error) {
	if err := q.ready(); err != nil {
		return aggregated{}, err
	}
	if q.limit > 0 {
		return aggregated{}, fmt.Errorf("query %s: %s goes over all documents: it cannot be had with Limit", q.typ(), name)
	}
	ctx, end := q.source.span(ctx, "query")
	defer func() { end(err) }()
	s := statement{columns: columns, combined: true, conditions: q.conditions, parameters: q.parameters}
	for restarts := 0; ; restarts++ {
		jobs, _, err := q.jobs(ctx, s)
		if err != nil {
			return aggregated{}, err
		}
		var sum aggregated
		e := newExecution(q.source, s, anyOf(decodeAggregated))
		for part, partErr := range typed[aggregated](e.each(ctx, jobs, e.whole)) {
			if err = partErr; err == nil {
				err = sum.add(part)
			}
			if err != nil {
				break
			}
		}
		switch {
		case err == nil:
			return sum, nil
		case !errors.Is(err, errRelaid) || restarts == maxRestarts:
			return aggregated{}, err
		}
	}
}

func decodeAggregated(item []byte) (a aggregated, err error) {
	err = json.Unmarshal(item, &a)
	return a, err
}

// errRelaid says that the parts of a query no longer add up to the whole: the
// physical partitions are not those any more among which it was divided, nor
// pieces of them.
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
	if err == nil && len(all) == 0 && e.certain() != "" {
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
		prefixes := slices.ContainsFunc(part.values, func(v located) bool { return v.prefix })
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
