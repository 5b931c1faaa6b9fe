package vet

import (
	"go/types"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// keyFact is what is known of a document type in the packages that import its
// own, whose tags they need not read again.
type keyFact struct {
	// Fields are the fields of the key, the id included, as paths of Go names
	// from the document, embedded fields by name: "ID", "Base.Date". Those of
	// which the key holds less than their value are left out, such as a time of
	// which it holds the day: to assign to one need not change the key.
	Fields []string
	// API is where the documents are stored.
	API templates.API
	// Container is the id of the container that holds the documents, or the template of
	// the ids of several.
	Container string
	// ID is the path of the field with the item id, and Prefix what every id
	// begins with, or "".
	ID, Prefix string
	// Unique says that documents have unique values, and do not move; Marks that Delete
	// only marks them.
	Unique, Marks bool
}

// AFact marks keyFact as a fact.
func (*keyFact) AFact() {}

func (f *keyFact) String() string { return "key of " + strings.Join(f.Fields, ", ") }

// exportKey makes the key of a document known to this pass and to those of the
// packages that import this one.
func (c *checker) exportKey(doc generator.TypeInfo) {
	name, ok := c.pass.Pkg.Scope().Lookup(doc.Model.Name).(*types.TypeName)
	if !ok {
		return
	}
	fact := &keyFact{API: doc.Model.API, Prefix: doc.Model.Prefix, Unique: len(doc.Model.Unique) > 0, Marks: doc.Model.Deleted != nil}
	if doc.Model.API == templates.NoSQL { // tables, collections and graphs are opened by other packages
		fact.Container = doc.Model.Container
	}
	fact.ID = fieldPath(name.Type(), c.pass.Pkg, strings.Split(doc.Model.ID.Selector, "."))
	for _, selector := range keySelectors(doc.Model) {
		if path := fieldPath(name.Type(), c.pass.Pkg, strings.Split(selector, ".")); path != "" {
			fact.Fields = append(fact.Fields, path)
		}
	}
	c.pass.ExportObjectFact(name, fact)
}

// keySelectors returns the Go selectors of the fields whose whole value is in the
// key, or in the id of the container.
func keySelectors(m *templates.Type) []string {
	out := []string{m.ID.Selector}
	add := func(component pk.Component) {
		if component.Layout == "" && !component.Lower {
			out = append(out, component.Selector)
		}
	}
	for _, level := range m.Levels {
		for _, part := range level.Parts {
			if part.Component != nil {
				add(*part.Component)
			}
			if part.Bucket != nil {
				for _, hashed := range part.Bucket.Hash {
					add(hashed)
				}
			}
		}
	}
	for _, part := range slices.Concat(m.Containers, m.Row) {
		if part.Component != nil {
			add(*part.Component)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// keyOf returns what is known of the document type that t is or points at, and
// the type, or nil.
func (c *checker) keyOf(t types.Type) (*keyFact, *types.Named) {
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		t = pointer.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return nil, nil
	}
	var fact keyFact
	if !c.pass.ImportObjectFact(named.Obj(), &fact) {
		return nil, nil
	}
	return &fact, named
}

// fieldPath returns the whole path of the field that names select from a value
// of type t, promoting fields included; "" if there is none.
func fieldPath(t types.Type, from *types.Package, names []string) string {
	var path []string
	for _, name := range names {
		object, index, _ := types.LookupFieldOrMethod(t, true, from, name)
		field, ok := object.(*types.Var)
		if !ok {
			return ""
		}
		path = append(path, namesOn(t, index)...)
		t = field.Type()
	}
	return strings.Join(path, ".")
}

// namesOn returns the names of the fields that an index goes through from a
// value of type t.
func namesOn(t types.Type, index []int) []string {
	var names []string
	for _, i := range index {
		strct := structOf(t)
		if strct == nil {
			return nil
		}
		names = append(names, strct.Field(i).Name())
		t = strct.Field(i).Type()
	}
	return names
}

// structOf returns the struct that t is or points at, or nil.
func structOf(t types.Type) *types.Struct {
	if t == nil {
		return nil // of code that does not compile
	}
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		t = pointer.Elem()
	}
	strct, _ := t.Underlying().(*types.Struct)
	return strct
}

// has reports whether the field at a path is one of the key.
func (f *keyFact) has(path string) bool { return slices.Contains(f.Fields, path) }

// within reports whether a field of the key lies within the one at a path.
func (f *keyFact) within(path string) bool {
	return slices.ContainsFunc(f.Fields, func(field string) bool { return strings.HasPrefix(field, path+".") })
}
