package repository

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Select returns of each document of q, in the order of q, what S has: a struct
// whose fields have the names of the document's properties in their json tags.
// The service sends these properties alone, and what it takes to sort documents
// and to tell them apart.
//
// A property is sent as a whole, also where the field of S has only a part of it.
func Select[S, T any](q Query[T]) Rows[S] {
	return selectColumns[S](q.selection)
}

// selectColumns is Select.
func selectColumns[S any](q selection) Rows[S] {
	columns, err := columnsOf(reflect.TypeFor[S]())
	if err != nil {
		err = fmt.Errorf("query %s: Select: %w", q.typ(), err)
	}
	if notReady := q.ready(); notReady != nil {
		err = notReady
	}
	if err != nil {
		return Rows[S]{typ: q.typ(), err: err}
	}
	return Rows[S]{
		typ:   q.typ(),
		limit: q.limit,
		whole: true,
		plan:  q.plan,
		run: func(ctx context.Context, _ bool, limit int) iter.Seq2[S, error] {
			s := q.statement()
			s.top = limit
			s.columns = q.columns(columns...)
			return run(ctx, q, s, func(item []byte) (v S, err error) {
				unmarshal := q.source.settings.unmarshal
				if err = unmarshal(item, &v); err != nil {
					err = wire.Undecoded(unmarshal, item, func() any { return new(S) }, err)
				}
				return v, err
			}, limit)
		},
	}
}

// columnsOf returns the properties that a struct type has in JSON, as SQL selects
// them.
func columnsOf(t reflect.Type) ([]string, error) {
	switch {
	case t.Kind() != reflect.Struct:
		return nil, fmt.Errorf("%v is not a struct, whose fields would name properties", t)
	case reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()):
		return nil, fmt.Errorf("%v has an UnmarshalJSON, so that its fields do not tell which properties it reads", t)
	}
	var columns []string
	for _, name := range propertyNames(t, nil) {
		columns = append(columns, text.Column(name))
	}
	if columns == nil {
		return nil, fmt.Errorf("%v has no exported fields, which would name properties", t)
	}
	return columns, nil
}

// propertyNames returns the names of the properties of a struct type, each once.
// Of embedded structs within outer ones it takes all fields, those too that
// others hide: more properties are then sent than are used.
func propertyNames(t reflect.Type, outer []reflect.Type) []string {
	var all []string
	listed := map[string]bool{}
	add := func(name string) {
		if !listed[name] {
			listed[name] = true
			all = append(all, name)
		}
	}
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		name, _, _ := strings.Cut(tag, ",")
		embedded := f.Type
		if embedded.Kind() == reflect.Pointer {
			embedded = embedded.Elem()
		}
		switch {
		case tag == "-":
		case f.Anonymous && name == "" && embedded.Kind() == reflect.Struct:
			if embedded == t || slices.Contains(outer, embedded) {
				continue
			}
			for _, name := range propertyNames(embedded, append(outer, t)) {
				add(name)
			}
		case !f.IsExported():
		case name == "":
			add(f.Name)
		default:
			add(name)
		}
	}
	return all
}
