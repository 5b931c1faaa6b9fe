package repository

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Values returns the values of a field in the order of q, one for each document with a value of
// V's JSON type. It skips null and values of another type. If Go leaves a zero out, an absent
// property is a zero. The service sends little more than the value. As with [Select], values of
// old documents are not upgraded.
func Values[T, V any](q Query[T], field documents.Valued[T, V]) Rows[V] {
	f, err := fieldOf(field)
	return valuesOf[V](q.selection, f, err)
}

// valuesOf is Values for a valuedField. If err is not nil, the rows return it.
func valuesOf[V any](q query.Selection, f valuedField, err error) Rows[V] {
	if err != nil {
		err = fmt.Errorf("query %s: Values: %w", q.TypeName(), err)
	}
	if notReady := q.Validate(); notReady != nil {
		err = notReady
	}
	if err != nil {
		return Rows[V]{typ: q.TypeName(), err: err}
	}
	q = q.And(f.where)
	return Rows[V]{
		typ:   q.TypeName(),
		limit: q.Limit,
		plan:  q.Plan,
		run: func(ctx context.Context, distinct bool, limit int) iter.Seq2[V, error] {
			if distinct {
				return distinctValues[V](ctx, q, f, limit)
			}
			s := q.Statement()
			s.Top = limit
			s.Columns = q.Columns(f.column())
			return run(ctx, q, s, func(item []byte) (V, error) {
				return valueOf[V](q.Store.Settings.Unmarshal, f, text.ValueAt(item, query.ValuePath))
			}, limit)
		},
	}
}

func (f valuedField) column() string { return f.property + " AS " + query.ValueName }

// valueOf decodes the value of a field. A nil raw is a zero that Go has left out: the query
// selects no other document without a value.
func valueOf[V any](unmarshal func([]byte, any) error, f valuedField, raw []byte) (V, error) {
	if raw == nil {
		raw = f.zero
	}
	var v V
	var stored Time
	to := any(&v)
	own, ok := to.(*time.Time)
	if ok = ok && f.instant; ok {
		to = &stored
	}
	if err := unmarshal(raw, to); err != nil {
		return v, fmt.Errorf("%s: %w", f.property, wire.Undecoded(unmarshal, raw, func() any { return new(V) }, err))
	}
	if ok {
		*own = stored.Time()
	}
	return v, nil
}

// distinctValues yields each value of a field once, at most limit of them unless limit is 0. It
// sends no limit to the service, because a page may repeat values of earlier pages.
func distinctValues[V any](ctx context.Context, q query.Selection, f valuedField, limit int) iter.Seq2[V, error] {
	type value struct {
		key text.SortValue
		v   V
	}
	decode := func(item []byte) (value, error) {
		raw := text.ValueAt(item, query.ValuePath)
		if raw == nil {
			raw = f.zero
		}
		key, err := text.SortValueOf(raw)
		if err != nil {
			return value{}, err
		}
		v, err := valueOf[V](q.Store.Settings.Unmarshal, f, raw)
		return value{key, v}, err
	}
	return func(yield func(V, error) bool) {
		for _, o := range q.Orders {
			if o.Property != f.property {
				var none V
				yield(none, fmt.Errorf("query %s: distinct values of %s cannot be sorted by %s: sort them by themselves", q.TypeName(), f.property, o.Property))
				return
			}
		}
		s := q.Statement()
		s.Distinct, s.Combined, s.Columns = true, true, []string{f.column()}
		seen := map[text.SortValue]bool{}
		for item, err := range run(ctx, q, s, decode, 0) {
			if err == nil && seen[item.key] {
				continue
			}
			seen[item.key] = true
			if !yield(item.v, err) || len(seen) == limit {
				return
			}
		}
	}
}

// Count returns the number of documents of q. Each physical partition counts its own, with one
// query, and sends a number: about 3 request units each if the index has the answer. An order
// of q makes no difference. If q has a limit, Count returns an error.
//
// A client without [Configure] sends one query for each logical partition, and cannot count a
// whole container or a prefix of a key.
func (q Query[T]) Count(ctx context.Context) (int, error) {
	a, err := query.Aggregate(ctx, q.selection, "Count", query.CountColumn)
	return int(a.N), err
}

// Sum returns the sum of a number over the documents of q, 0 if there are none. Documents in
// which the property is absent, or is not a number, do not count. The service adds float64
// numbers, in no defined order. Sum costs as much as [Query.Count].
func Sum[T any, V documents.Numeric](ctx context.Context, q Query[T], field documents.Number[T, V]) (float64, error) {
	a, _, err := overNumbers(ctx, q, "Sum", field)
	return a.S, err
}

// Avg returns the mean of a number over the documents of q that have it, and false if no
// document has it. If Go leaves a zero out, an absent property counts as 0. Avg costs as much
// as [Query.Count].
func Avg[T any, V documents.Numeric](ctx context.Context, q Query[T], field documents.Number[T, V]) (float64, bool, error) {
	a, _, err := overNumbers(ctx, q, "Avg", field)
	if err != nil || a.N == 0 {
		return 0, false, err
	}
	return a.S / a.N, true, nil
}

// Min returns the least value of a field over the documents of q with a value of V's JSON type,
// and false if no document has one. If Go leaves a zero out, an absent property counts as zero.
// Min costs as much as [Query.Count].
func Min[T, V any](ctx context.Context, q Query[T], field documents.Valued[T, V]) (V, bool, error) {
	v, ok, err := extreme(ctx, q, "Min", field, -1)
	return v, ok, err
}

// Max returns the greatest value of a field. In all else it is like [Min].
func Max[T, V any](ctx context.Context, q Query[T], field documents.Valued[T, V]) (V, bool, error) {
	v, ok, err := extreme(ctx, q, "Max", field, 1)
	return v, ok, err
}

// overNumbers aggregates the values of a numeric field.
func overNumbers[T any, V documents.Numeric](ctx context.Context, q Query[T], name string, field documents.Number[T, V]) (query.Aggregates, valuedField, error) {
	f, err := fieldOf(field)
	if err == nil && f.typed != text.IsNumber {
		var zero V
		err = fmt.Errorf("field %s: %T is not a number in JSON", f.property, zero)
	}
	if err != nil {
		return query.Aggregates{}, f, fmt.Errorf("query %s: %s: %w", q.selection.TypeName(), name, err)
	}
	a, err := query.Aggregate(ctx, q.selection.And(f.where), name, "SUM("+f.property+") AS s", query.CountColumn)
	return a, f, err
}

// extreme returns the least value of a field if sign is -1, the greatest if 1.
func extreme[T, V any](ctx context.Context, q Query[T], name string, field documents.Valued[T, V], sign int) (V, bool, error) {
	var v V
	f, err := fieldOf(field)
	if err != nil {
		return v, false, fmt.Errorf("query %s: %s: %w", q.selection.TypeName(), name, err)
	}
	columns := []string{"MIN(" + f.property + ") AS low"}
	if sign > 0 {
		columns = []string{"MAX(" + f.property + ") AS high"}
	}
	if f.omitted {
		columns = append(columns, query.CountColumn, "COUNT("+f.property+") AS present")
	}
	a, err := query.Aggregate(ctx, q.selection.And(f.where), name, columns...)
	if err != nil {
		return v, false, err
	}
	best := a.Low
	if sign > 0 {
		best = a.High
	}
	if a.N > a.Present { // some have left a zero out
		if best, err = query.Extreme(best, f.zero, sign); err != nil {
			return v, false, err
		}
	}
	if best == nil {
		return v, false, nil
	}
	if v, err = valueOf[V](q.selection.Store.Settings.Unmarshal, f, best); err != nil {
		return v, false, &documents.Error{Op: "query", Type: q.selection.TypeName(), Err: fmt.Errorf("%s of %w", name, err)}
	}
	return v, true, nil
}
