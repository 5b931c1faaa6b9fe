package query

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Columns returns the columns of a statement: own, and the properties that sort, identify
// and locate documents. A row has these properties at their places in the document.
func (q Selection) Columns(own ...string) []string {
	listed := map[string]bool{}
	for _, column := range own {
		listed[column] = true
	}
	columns := own[:len(own):len(own)]
	add := func(name string) {
		if column := text.Column(name); !listed[column] {
			listed[column] = true
			columns = append(columns, column)
		}
	}
	for _, o := range q.Orders {
		add(o.Path[0])
	}
	add(wire.RIDPath[0])
	if !listed[text.Column(wire.IDPath[0])] {
		columns = append(columns, text.Column(wire.IDPath[0])+" AS "+idName)
	}
	for _, path := range q.Store.Paths {
		add(jsonpointer.Names(path)[0])
	}
	return columns
}

// WithAliases returns columns with the aliases of their properties, and the properties that
// have aliases.
func WithAliases(columns []string, all []text.Aliased) ([]string, []text.Aliased) {
	var renamed []text.Aliased
	for _, p := range all {
		if !slices.Contains(columns, text.Column(p.Name)) {
			continue
		}
		renamed = append(renamed, p)
		for _, name := range p.Aliases {
			if column := text.Column(name); !slices.Contains(columns, column) {
				columns = append(columns[:len(columns):len(columns)], column)
			}
		}
	}
	return columns, renamed
}

// WithEntryID returns columns, and whether their id is that of an index entry. If so, the
// columns also have the id of the document.
func WithEntryID(columns []string, s *store.Store) ([]string, bool) {
	if !s.Entries || !slices.Contains(columns, text.Column(wire.IDPath[0])) {
		return columns, false
	}
	return append(columns[:len(columns):len(columns)], text.Column(text.EntryID)), true
}

// ColumnsOf returns the JSON properties of a struct type as columns in SQL.
func ColumnsOf(t reflect.Type) ([]string, error) {
	names, err := NamesOf(t)
	for i, name := range names {
		names[i] = text.Column(name)
	}
	return names, err
}

// NamesOf returns the names of the JSON properties of a struct type.
func NamesOf(t reflect.Type) ([]string, error) {
	switch {
	case t.Kind() != reflect.Struct:
		return nil, fmt.Errorf("%v is not a struct, whose fields would name properties", t)
	case reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()):
		return nil, fmt.Errorf("%v has an UnmarshalJSON, so its fields do not show which properties it reads", t)
	}
	names := propertyNames(t, nil)
	if names == nil {
		return nil, fmt.Errorf("%v has no exported fields, which would name properties", t)
	}
	return names, nil
}

// propertyNames returns the property names of a struct type, each once. For embedded
// structs it includes hidden fields, so more properties may be sent than are used.
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

// ValueName is the name of a field's value in a row.
const ValueName = "pkgenValue"

// ValuePath is the path of a field's value in a row.
var ValuePath = []string{ValueName}

// idName is the name of the id in a row of other properties. Under its own name it could
// become the value of a field ID with the property "ID".
const idName = "pkgenId"
