// Package property says how queries and patches refer to the JSON properties of a
// document: the name, the pointer and the kind of each.
//
// It does not know keys, containers, or which properties a patch may not change;
// package model does.
package property

import (
	"go/types"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/generator/internal/gotypes"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
	"github.com/cosmos-pkgen/pkgen/internal/goname"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// maxNesting limits the depth at which queries can refer to properties. A deeper struct is an
// object without known properties.
const maxNesting = 5

// elements is the word for lists whose elements can have conditions.
const elements = "elements"

// place is the place of a struct in the JSON of a document.
type place struct {
	names  []string // the properties on the way to it
	holder int      // how many of them lead to the innermost struct reached by a pointer, 0 for none
	// omitted is set if a struct from there on is omitted when it is zero, with everything in it.
	omitted bool
	aliases []string     // former names of the first property on the way
	within  []types.Type // the struct and the structs around it
	path    []*types.Var // the fields on the way to it
}

// Found are the properties of documents or elements that queries can refer to.
type Found struct {
	Properties []templates.Property
	Used       [][]*types.Var // the paths to the properties
	Elements   []Element      // the lists of structs whose elements can have conditions
}

// Element is the struct type of the elements of a list.
type Element struct {
	Type *types.Named
	List *types.Var // the list's field
}

// Of returns the properties of a document that queries can refer to. The Patch of each depends only
// on its type, not on its role.
func Of(d *facts.Document) Found {
	w := &walk{Document: d, home: d.Unit.Types}
	w.Properties = w.properties(d.Named, place{})
	return w.Found
}

// OfElements returns the properties of list elements of a type. They have no Patch, and no former
// names.
func OfElements(d *facts.Document, t *types.Named) Found {
	w := &walk{Document: d, home: t.Obj().Pkg(), elements: true}
	w.Properties = w.properties(t, place{})
	return w.Found
}

// walk collects properties.
type walk struct {
	*facts.Document
	Found
	home     *types.Package // declares the structs whose properties are known
	elements bool           // the properties are those of elements
}

// properties returns the properties of a struct that queries can refer to.
func (w *walk) properties(t types.Type, at place) []templates.Property {
	strct, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	at.within = append(slices.Clone(at.within), facts.Origin(t))
	fields := w.Fields(strct)
	properties := make([]templates.Property, len(fields))
	for i := range fields {
		properties[i] = w.property(&fields[i], at)
	}
	w.nameProperties(t, fields, properties, len(at.names) > 0)
	return properties
}

// property describes a property of the struct at a place for queries.
func (w *walk) property(p *facts.Property, at place) templates.Property {
	t, pointer := facts.Pointee(p.Field().Type())
	inner := place{names: append(slices.Clone(at.names), p.Name), holder: at.holder, omitted: at.omitted, within: at.within, path: slices.Concat(at.path, p.Path)}
	w.Used = append(w.Used, inner.path)
	said := w.Said(p)
	if said.Unique && (w.elements || len(at.names) > 0) {
		w.Errorf(w.Position(), "field %s is tagged \"unique\" and lies within another property: only top-level properties can be unique; move the field to the document, or embed its struct", p.Field().Name())
	}
	if said.Computed != "" && (w.elements || len(at.names) > 0) {
		w.Errorf(w.Position(), "field %s is tagged \"computed\" and lies within another property: only top-level properties can be computed; move the field to the document, or embed its struct", p.Field().Name())
	}
	if slices.ContainsFunc(p.Path[:len(p.Path)-1], func(v *types.Var) bool { _, ok := facts.Pointee(v.Type()); return ok }) {
		// The embedded pointer is nil if the outer struct is omitted. If only the pointer is nil,
		// JSON looks as if the property were zero.
		inner.omitted = false
	}
	inner.omitted = inner.omitted || leftOut(p, t) || said.Later || said.Schema > 0
	if pointer {
		inner.holder, inner.omitted = len(inner.names), false
	}
	inner.aliases = at.aliases
	switch {
	case w.elements && said.Aliases() != nil:
		w.Errorf(w.WordAt(p.Field(), said.AliasWord()), "field %s is one of the elements of a list, and only a top-level property is read under two names: remove %q, or remove \"elements\" from the list", p.Field().Name(), said.AliasWord())
	case len(at.names) == 0:
		inner.aliases = said.Aliases()
	case said.Aliases() != nil:
		w.Errorf(w.Unit.Position(p.Field().Pos()), "field %s is within the property %q, and only a top-level property is read under two names: write %q there, or copy the value in the stored documents by a program", p.Field().Name(), at.names[0], said.AliasWord())
	}
	out := templates.Property{
		Aliases: inner.aliases,
		Pointer: jsonpointer.Of(inner.names...),
		Omitted: inner.omitted,
		Kind:    Kind(w.Document, t),
	}
	if w.API() != "" {
		if said.Elements && len(at.names) > 0 {
			w.Errorf(w.WordAt(p.Field(), elements), "field %s is tagged \"elements\", which is not for the %s API: remove it", p.Field().Name(), w.API())
		}
		return w.single(out, t, inner)
	}
	if said.Elements {
		out.Element = w.element(t, p.Field())
	}
	if w.elements {
		return w.opened(out, p, t, inner)
	}
	out.Patch = patchOf(t, w.Unit.Types)
	w.searched(&out, p)
	if said.Computed != "" {
		if e, err := cosmossql.ParseExpression(said.Computed); err == nil { // otherwise it is reported elsewhere
			out.Computed = cosmossql.Format(e)
		}
		out.Patch, out.Omitted = templates.FieldKind{}, false
	}
	if word := searchWord(said); word != "" && inner.aliases != nil {
		w.Errorf(w.Unit.Position(p.Field().Pos()), "field %s is tagged %q, and old documents have %q under another name, where the service does not search: rewrite them by Upgrade or pkgen-data upgrade, remove \"was\" and \"next\", and then write %q", p.Field().Name(), word, inner.names[0], word)
	}
	if inner.aliases != nil {
		out.Kind = underNames(out.Kind)
		switch patch := out.Patch.Name; {
		case len(at.names) > 0:
			out.Patch = templates.FieldKind{}
		case patch == "PatchList":
			out.Patch.Name = "PatchRenamed list"
		case patch == "PatchMap":
			out.Patch = templates.FieldKind{Name: "PatchRenamed map", Value: out.Patch.Value}
		default:
			out.Patch.Name = "PatchRenamed"
		}
	}
	return w.opened(out, p, t, inner)
}

// opened completes a property of the NoSQL API. A struct has properties of its own.
func (w *walk) opened(out templates.Property, p *facts.Property, t types.Type, at place) templates.Property {
	switch {
	case p.Quoted:
		out.Kind, out.Patch = templates.FieldKind{Name: "Opaque"}, templates.FieldKind{}
	case out.Kind.Name == "Object" && opens(w.home, t, at.names, at.within):
		out.Properties = w.properties(t, at)
	}
	if out.Omitted {
		out.Holder = at.holder
	}
	return out
}

// element records the element type of a list tagged "elements", or, if elements are not structs,
// returns the property Element for them.
func (w *walk) element(t types.Type, list *types.Var) *templates.Property {
	refuse := func(format string, args ...any) *templates.Property {
		w.Errorf(w.WordAt(list, elements), "field %s is tagged \"elements\", and "+format, append([]any{list.Name()}, args...)...)
		return nil
	}
	t, _ = facts.Pointee(t)
	inMap := false
	for seen := 0; facts.FormOf(t) == facts.Map && seen < maxNesting; seen++ {
		t, _ = facts.Pointee(t.Underlying().(*types.Map).Elem())
		inMap = true
	}
	if form := facts.FormOf(t); form != facts.List && form != facts.Array {
		return refuse("%s is no list in JSON: put the word on the field of a slice or an array, or remove it", w.TypeString(list.Type()))
	}
	elem, _ := facts.Pointee(t.Underlying().(interface{ Elem() types.Type }).Elem())
	kind := kindOf(elem, w.Unit.Types)
	named, isNamed := types.Unalias(elem).(*types.Named)
	switch {
	case kind.Name == "Opaque":
		return refuse("pkgen cannot tell the JSON of its elements, which are of type %s: remove the word, and use WhereRaw", w.TypeString(elem))
	case kind.Name == "Object" && !isNamed:
		return refuse("its elements are of a struct type without a name: declare a type for them")
	case kind.Name == "Object":
		if _, ok := written(elem, w.Unit.Types); !ok {
			return refuse("generated code cannot name the type of its elements, %s: export it, or declare a type of your own for them", w.TypeString(elem))
		}
		w.Elements = append(w.Elements, Element{named, list})
		return nil
	case inMap:
		return refuse("it is a map of lists of %s: put the word on a list, or on a map of lists of structs", w.TypeString(elem))
	}
	out := &templates.Property{Name: "Element", Pointer: templates.ElementPointer, Kind: kind}
	if kind.Name == "List" {
		out.Element = w.element(elem, list)
	}
	return out
}

// single completes a property of an API other than NoSQL. Flat APIs write zero values.
func (w *walk) single(out templates.Property, t types.Type, at place) templates.Property {
	if w.API() != annotations.Mongo {
		out.Omitted = false
		return out
	}
	if out.Kind.Name != "" {
		return out
	}
	out.Omitted = false
	if !Opens(w.Document, t, at.names, at.within) {
		out.Kind = templates.FieldKind{Name: "Opaque"}
		return out
	}
	out.Properties = w.properties(t, at)
	return out
}

// Opens reports whether queries can refer to the properties of a struct: it is in the document's
// package, and not recursive.
func Opens(d *facts.Document, t types.Type, names []string, within []types.Type) bool {
	return opens(d.Unit.Types, t, names, within)
}

// opens is Opens for structs of a package.
func opens(home *types.Package, t types.Type, names []string, within []types.Type) bool {
	if len(names) > maxNesting || isWithin(t, within) {
		return false
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj().Pkg() == home
	}
	strct, ok := t.Underlying().(*types.Struct)
	return ok && strct.NumFields() > 0 && strct.Field(0).Pkg() == home
}

// isWithin reports whether a type, or another instance of it, is among its outer types.
func isWithin(t types.Type, around []types.Type) bool {
	return slices.ContainsFunc(around, func(a types.Type) bool { return types.Identical(a, facts.Origin(t)) })
}

// leftOut reports whether Go omits a property that is zero.
func leftOut(p *facts.Property, t types.Type) bool {
	if p.OmitZero || !p.OmitEmpty {
		return p.OmitZero
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return false
	case *types.Array:
		return u.Len() == 0
	}
	return true
}

// nameProperties names the properties of a struct after their Go selectors, without the dots:
// AuditName for a Name that Go only reaches through the embedded Audit.
func (w *walk) nameProperties(t types.Type, fields []facts.Property, properties []templates.Property, nested bool) {
	taken := make(map[string]bool)
	if nested {
		taken["Object"] = true // the generated struct embeds it
	}
	selectors := make([][]string, len(fields))
	order := make([]int, len(fields))
	for i := range fields {
		selectors[i] = facts.SelectorFrom(t, w.Unit.Types, fields[i].Path)
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return len(selectors[i]) - len(selectors[j]) })
	for _, i := range order {
		name := goname.UpperFirst(strings.Join(selectors[i], "")) // an embedded struct that is a property may be in lower case
		for taken[name] {
			name += "Value"
		}
		taken[name] = true
		properties[i].Name = name
	}
}

// Kind returns the type of package repository, or of another API's package, by which queries refer
// to a property of a Go type.
func Kind(d *facts.Document, t types.Type) templates.FieldKind {
	if d.API() != "" {
		return singleKind(d, t)
	}
	return kindOf(t, d.Unit.Types)
}

// singleKind is Kind for the APIs other than NoSQL, which compare single values, including times. A
// struct in a document of MongoDB has a kind without a name, and a value that no query compares is
// Opaque.
func singleKind(d *facts.Document, t types.Type) templates.FieldKind {
	t, _ = facts.Pointee(t)
	if facts.IsTime(t) {
		return templates.FieldKind{Name: "Instant"}
	}
	if facts.IsNamed(t, "encoding/json", "Number") || d.API() == annotations.Mongo && facts.HasBSON(t) { // its stored form is not its text
		return templates.FieldKind{Name: "Opaque"}
	}
	switch kind := kindOf(t, d.Unit.Types); kind.Name {
	case "Object":
		return templates.FieldKind{}
	case "String", "Number", "Bool", "Text":
		return kind
	}
	return templates.FieldKind{Name: "Opaque"}
}

// kindOf is Kind for a property of a struct in the package from. Within are the types of the maps
// around the property.
func kindOf(t types.Type, from *types.Package, within ...types.Type) templates.FieldKind {
	t, _ = facts.Pointee(t)
	switch form := facts.FormOf(t); form {
	case facts.Instant:
		return templates.FieldKind{Name: "Instant"}
	case facts.Text, facts.TextAndCode:
		if value, ok := written(t, from); types.Comparable(t) && ok {
			return templates.FieldKind{Name: "Text", Value: value}
		}
	case facts.Object:
		return templates.FieldKind{Name: "Object"}
	case facts.Map:
		of := t.Underlying().(*types.Map)
		if facts.KeyedByText(of.Key()) && !isWithin(t, within) {
			element := kindOf(of.Elem(), from, append(within, facts.Origin(t))...)
			return templates.FieldKind{Name: "Map", Element: &element}
		}
	case facts.Array, facts.List:
		of := t.Underlying().(interface{ Elem() types.Type })
		return templates.FieldKind{Name: "List", Value: elementType(of.Elem(), from)}
	default:
		if name := basicKind(form); name != "" {
			if value, ok := valueType(t, from); ok {
				return templates.FieldKind{Name: name, Value: value}
			}
		}
	}
	return templates.FieldKind{Name: "Opaque"}
}

// basicKind returns the type of package repository for the form of a basic type, or "" for a form
// that queries do not compare.
func basicKind(form facts.Form) string {
	switch form {
	case facts.String:
		return "String"
	case facts.Bool:
		return "Bool"
	case facts.Int, facts.Uint, facts.Float:
		return "Number"
	}
	return ""
}

// valueType returns the type of a basic value in generated code: the named type or, if generated
// code cannot name it, the basic type, whose JSON is the same.
func valueType(t types.Type, from *types.Package) (pk.GoType, bool) {
	if g, ok := written(t, from); ok {
		return g, true
	}
	return written(t.Underlying(), from)
}

// elementType returns the type of a list's elements for generated code.
func elementType(t types.Type, from *types.Package) pk.GoType {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	return typeOrAny(t, from)
}

// underNames returns the kind of a property with several names in documents: the service cannot
// sort it, compare its order, or sum it.
func underNames(k templates.FieldKind) templates.FieldKind {
	switch k.Name {
	case "Number", "Bool":
		k.Name = "Renamed"
	case "String", "Text", "Instant":
		k.Name = "Renamed" + k.Name
	case "Map":
		element := underNames(*k.Element)
		k.Element = &element
	}
	return k
}

// typeOrAny returns a type in generated code, or any if the code cannot name it.
func typeOrAny(t types.Type, from *types.Package) pk.GoType {
	if g, ok := written(t, from); ok {
		return g
	}
	return pk.GoType{Name: "any"}
}

// written returns a type in generated code, and false if the code cannot name it.
func written(t types.Type, from *types.Package) (pk.GoType, bool) {
	g, reason := gotypes.Of(t, from)
	return g, reason == "" && !gotypes.Hides(t, from)
}

// patchOf returns the type of package repository by which patches change a
// property of a Go type. Within are the types of the maps around the property.
func patchOf(t types.Type, from *types.Package, within ...types.Type) templates.FieldKind {
	t, _ = facts.Pointee(t)
	value := templates.FieldKind{Name: "PatchValue", Value: typeOrAny(t, from)}
	switch form := facts.FormOf(t); form {
	case facts.Map:
		of := t.Underlying().(*types.Map)
		if facts.KeyedByText(of.Key()) && !isWithin(t, within) {
			element := patchOf(of.Elem(), from, append(within, facts.Origin(t))...)
			return templates.FieldKind{Name: "PatchMap", Value: elementType(of.Elem(), from), Element: &element}
		}
	case facts.List:
		return templates.FieldKind{Name: "PatchList", Value: elementType(t.Underlying().(*types.Slice).Elem(), from)}
	case facts.Number, facts.String, facts.Bool, facts.Int, facts.Uint, facts.Float:
		if written, ok := valueType(t, from); ok {
			value.Value = written
			if basicKind(form) == "Number" {
				value.Name = "PatchNumber"
			}
		}
	}
	return value
}

// searched sets the kind of a property of vectors or full text.
func (w *walk) searched(out *templates.Property, p *facts.Property) {
	said := w.Said(p)
	switch {
	case said.Dimensions > 0 && out.Kind.Name == "List":
		out.Kind.Name, out.Vector = "Vector", w.Vector(p)
	case said.Language != "" && out.Kind.Name == "String":
		out.Kind.Name, out.Language = "FullText", said.Language
	}
}

// searchWord returns the word by which queries search a property, or "".
func searchWord(said annotations.Field) string {
	switch {
	case said.Dimensions > 0:
		return "vector"
	case said.Language != "":
		return "text"
	}
	return ""
}
