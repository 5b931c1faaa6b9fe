package repository

import (
	"context"
	"fmt"
	"iter"

	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Values returns the values of a field in the order of q, one for each document
// that has a value of V's JSON type. It skips null and values of another type. If
// Go leaves a zero out, an absent property is a zero. The service sends little
// more of a document than the value.
func Values[T, V any](q Query[T], field Valued[T, V]) Rows[V] {
	f, err := fieldOf(field)
	return valuesOf[V](q.selection, f, err)
}

// valuesOf is Values of a field. With an error, the rows return it.
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

// valueOf decodes the value of a field. A nil raw is a zero that Go has left out:
// the query selects no other document without a value.
func valueOf[V any](unmarshal func([]byte, any) error, f valuedField, raw []byte) (V, error) {
	if raw == nil {
		raw = f.zero
	}
	var v V
	if err := unmarshal(raw, &v); err != nil {
		return v, fmt.Errorf("%s: %w", f.property, wire.Undecoded(unmarshal, raw, func() any { return new(V) }, err))
	}
	return v, nil
}

// distinctValues yields each value of a field once, at most limit of them unless
// limit is 0. It sends no limit to the service, because a value that is distinct
// within a page may come again in the next.
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
