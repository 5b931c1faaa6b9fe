package repository

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/repository/internal/query"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// GroupBy groups the documents of q by the values of fields, and returns a row of type S for
// each group. The json tags of the struct S have the last name of each field, and the names
// passed to the methods of [Groups]:
//
//	type perVehicle struct {
//		VIN     string  `json:"vin"`
//		Events  int     `json:"events"`
//		Average float64 `json:"average"`
//	}
//	rows, err := repository.GroupBy[perVehicle](day, f.VIN).Count("events").Avg("average", f.Speed).Collect(ctx)
//
// Values group as they are stored: absent and null are a group each, and numbers are compared
// as float64. A value of a type other than the field's has its own group, which may not fit
// into S; then the rows end with an error. If Go leaves a zero out, an absent property counts
// as zero. To tell null from absent, use a json.RawMessage in S.
//
// Each physical partition groups its own documents, and the query merges the groups. The
// service reads every document of q, at about 1 request unit per KB plus 3 per physical
// partition, and sends one row for each group in a physical partition. All groups are held in
// memory, a few hundred bytes each: choose fields with few values.
//
// A query with an order or a limit is refused. Without [Configure], so is one over more than
// known logical partitions, see [Query.Count].
func GroupBy[S, T any](q Query[T], fields ...documents.GroupField[T]) Groups[S, T] {
	g := Groups[S, T]{selection: q.selection}
	if len(fields) == 0 {
		return g.fail("GroupBy has no field: name one, or use Count and Sum, which are over all documents")
	}
	for _, f := range fields {
		own, name, err := groupFieldOf(f)
		if err != nil {
			return g.fail("%w", err)
		}
		key := query.GroupKey{Name: name, Property: own.property}
		if own.omitted {
			if own.held {
				return g.fail("GroupBy: %s may be absent because what holds it is nil, which is not its zero: group by a field outside of it", own.property)
			}
			key.Zero = own.zero
		}
		g.grouping.By = append(g.grouping.By, key)
	}
	return g
}

// Groups are the groups of the documents of a query, made by [GroupBy], and their aggregates.
// They send nothing until a method runs them.
//
// A Groups is an immutable value: its methods return a changed copy. It may be run any number
// of times and from several goroutines.
type Groups[S, T any] struct {
	selection query.Selection
	grouping  query.Grouping
	having    []func(S) bool
	err       error
}

// Count adds the number of documents of each group to S as name.
func (g Groups[S, T]) Count(name string) Groups[S, T] {
	return g.with(query.GroupColumn{Name: name, Of: query.GroupCount})
}

// Sum adds the sum of a number over the documents of each group to S as name, 0 if no document
// has the number. Each physical partition adds float64 numbers in no defined order; their sums
// are added exactly.
func (g Groups[S, T]) Sum(name string, field documents.NumberField[T]) Groups[S, T] {
	return g.of(name, query.GroupSum, field)
}

// Avg adds the mean of a number over the documents of each group that have it to S as name. If
// no document has it, the row lacks the mean, and a pointer stays nil. If Go leaves a zero out,
// an absent property counts as 0.
func (g Groups[S, T]) Avg(name string, field documents.NumberField[T]) Groups[S, T] {
	return g.of(name, query.GroupAvg, field)
}

// Min adds the least value of a field to S as name, among the documents of each group with a
// value of the field's JSON type. If no document has one, the row lacks it. If Go leaves a zero
// out, an absent property counts as zero.
func (g Groups[S, T]) Min(name string, field documents.GroupField[T]) Groups[S, T] {
	return g.of(name, query.GroupMin, field)
}

// Max adds the greatest value of a field. In all else it is like [Groups.Min].
func (g Groups[S, T]) Max(name string, field documents.GroupField[T]) Groups[S, T] {
	return g.of(name, query.GroupMax, field)
}

// Having keeps the groups for which test is true. Cosmos DB's SQL has no such clause.
//
//	repository.GroupBy[perVehicle](day, f.VIN).Count("events").Having(func(g perVehicle) bool { return g.Events > 10 })
//
// A page of a physical partition has only part of a group, so test runs in the program, once
// for each merged group. Having therefore saves no requests and no request units. A condition
// on documents belongs into [Query.Where], which saves both. Having may be called several
// times; all tests must be true. With a nil test the rows return an error.
func (g Groups[S, T]) Having(test func(S) bool) Groups[S, T] {
	if test == nil {
		return g.fail("Having: the test is nil: pass a function of a group")
	}
	g.having = append(slices.Clip(g.having), test)
	return g
}

// of adds an aggregate over the values of a field. The SQL is undefined for other values: a
// condition would also keep their documents from being counted.
func (g Groups[S, T]) of(name string, function query.GroupFunction, field documents.GroupField[T]) Groups[S, T] {
	own, _, err := groupFieldOf(field)
	if err != nil {
		return g.fail("%w", err)
	}
	if (function == query.GroupSum || function == query.GroupAvg) && own.typed != text.IsNumber {
		return g.fail("%s of %s: the type of the field is not a number in JSON", function, own.property)
	}
	other := "undefined"
	if own.omitted {
		other = "(" + own.absent + " ? " + string(own.zero) + " : undefined)"
	}
	return g.with(query.GroupColumn{Name: name, Of: function, Value: "(" + own.typed + "(" + own.property + ") ? " + own.property + " : " + other + ")"})
}

func (g Groups[S, T]) with(c query.GroupColumn) Groups[S, T] {
	g.grouping.Columns = append(slices.Clone(g.grouping.Columns), c)
	return g
}

func (g Groups[S, T]) fail(format string, args ...any) Groups[S, T] {
	if g.err == nil {
		g.err = fmt.Errorf("query "+g.selection.TypeName()+": "+format, args...)
	}
	return g
}

// All returns the groups in the order of their keys: absent, null, false, true, numbers, texts.
// It sends all requests before it returns the first group. It stops, and returns errors, as
// [Query.All] does.
func (g Groups[S, T]) All(ctx context.Context) iter.Seq2[S, error] {
	return func(yield func(S, error) bool) {
		var none S
		if err := g.ready(); err != nil {
			yield(none, err)
			return
		}
		rows, err := g.selection.Group(ctx, g.grouping)
		if err != nil {
			yield(none, err)
			return
		}
		unmarshal := g.selection.Store.Settings.Unmarshal
		for _, row := range rows {
			var s S
			if err := unmarshal(row, &s); err != nil {
				err = wire.Undecoded(unmarshal, row, func() any { return new(S) }, err)
				yield(none, &documents.Error{Op: "query", Type: g.selection.TypeName(), Err: fmt.Errorf("a group does not fit into %T: %w", none, err)})
				return
			}
			if !slices.ContainsFunc(g.having, func(test func(S) bool) bool { return !test(s) }) && !yield(s, nil) {
				return
			}
		}
	}
}

// Collect returns all groups in a slice. If [Groups.All] ends with an error, Collect returns
// that error and no groups.
func (g Groups[S, T]) Collect(ctx context.Context) ([]S, error) {
	return query.Collect(g.All(ctx))
}

// ready returns the first error, including a mismatch between S and the aggregates.
func (g Groups[S, T]) ready() error {
	if err := g.selection.Validate(); err != nil {
		return err
	}
	if g.err != nil {
		return g.err
	}
	typ := g.selection.TypeName()
	wanted, err := query.NamesOf(reflect.TypeFor[S]())
	if err != nil {
		return fmt.Errorf("query %s: GroupBy: %w", typ, err)
	}
	given := map[string]bool{}
	add := func(name string) error {
		switch {
		case given[name]:
			return fmt.Errorf("query %s: GroupBy gives %s twice: choose another name", typ, name)
		case !slices.Contains(wanted, name):
			return fmt.Errorf("query %s: GroupBy gives %s, for which %v has no field: add one with this json tag", typ, name, reflect.TypeFor[S]())
		}
		given[name] = true
		return nil
	}
	for _, k := range g.grouping.By {
		if err := add(k.Name); err != nil {
			return err
		}
	}
	for _, c := range g.grouping.Columns {
		if err := add(c.Name); err != nil {
			return err
		}
	}
	for _, name := range wanted {
		if !given[name] {
			return fmt.Errorf("query %s: %v has a field %s, which GroupBy does not give: name it in Count, Sum, Avg, Min or Max, or tag it json:\"-\"", typ, reflect.TypeFor[S](), name)
		}
	}
	return nil
}

// groupFieldOf returns the SQL of a field, and the field's last name.
func groupFieldOf[D any](field documents.GroupField[D]) (own valuedField, name string, err error) {
	if field == nil {
		return own, "", errors.New("GroupBy: a field is nil: name one of the generated fields")
	}
	if own, err = fieldOf(field); err != nil {
		return own, "", err
	}
	names := jsonpointer.Names(documents.PathOf[D](field))
	return own, names[len(names)-1], nil
}
