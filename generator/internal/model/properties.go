package model

import (
	"go/types"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/goname"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// maxNesting is how many structs deep queries can refer to properties. A struct
// that is deeper is an object without known properties.
const maxNesting = 5

// place is the place of a struct in the JSON of a document.
type place struct {
	names  []string // the properties on the way to it
	holder int      // how many of them lead to the last struct that a pointer leads to, 0 for none
	// omitted says that a struct from there on is left out when it is zero, with
	// everything in it.
	omitted bool
	within  []types.Type // the struct, and those around it
	path    []*types.Var // the fields on the way to it
}

// properties returns the properties of a document that queries can refer to, and the
// ways to them.
func (d *subject) properties() (properties []templates.Property, used [][]*types.Var) {
	w := &propertyWalk{subject: d}
	properties = w.properties(d.Named, place{})
	return properties, w.used
}

// propertyWalk collects properties.
type propertyWalk struct {
	*subject
	used [][]*types.Var // the ways to the properties so far
}

// properties returns the properties of a struct that queries can refer to.
func (w *propertyWalk) properties(t types.Type, at place) []templates.Property {
	strct, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	at.within = append(slices.Clone(at.within), facts.Origin(t))
	fields := facts.JSONFields(strct)
	properties := make([]templates.Property, len(fields))
	for i := range fields {
		properties[i] = w.property(&fields[i], at)
	}
	w.nameProperties(t, fields, properties, len(at.names) > 0)
	return properties
}

// property returns how queries refer to a property of the struct at a place.
func (w *propertyWalk) property(p *facts.Property, at place) templates.Property {
	t, pointer := facts.Pointee(p.Field().Type())
	inner := place{names: append(slices.Clone(at.names), p.Name), holder: at.holder, omitted: at.omitted, within: at.within, path: slices.Concat(at.path, p.Path)}
	w.used = append(w.used, inner.path)
	if slices.ContainsFunc(p.Path[:len(p.Path)-1], func(v *types.Var) bool { _, ok := facts.Pointee(v.Type()); return ok }) {
		// The embedded pointer is nil if the struct around it is left out. If only the
		// pointer is nil, JSON looks as if the property were zero.
		inner.omitted = false
	}
	inner.omitted = inner.omitted || leftOut(p, t) || p.Later
	if pointer {
		inner.holder, inner.omitted = len(inner.names), false
	}
	out := templates.Property{
		Pointer: jsonpointer.Of(inner.names...),
		Omitted: inner.omitted,
		Kind:    w.fieldKind(t),
		Patch:   w.patchKind(t),
	}
	switch {
	case p.Quoted:
		out.Kind, out.Patch = templates.FieldKind{Name: "Opaque"}, templates.FieldKind{}
	case out.Kind.Name == "Object" && Opens(w.Document, t, inner.names, inner.within):
		out.Properties = w.properties(t, inner)
	}
	if out.Omitted {
		out.Holder = inner.holder
	}
	return out
}

// Opens reports whether queries can refer to the properties of a struct: it is of
// the document's package, and not within itself.
func Opens(d *facts.Document, t types.Type, names []string, within []types.Type) bool {
	if len(names) > maxNesting || slices.ContainsFunc(within, func(around types.Type) bool { return types.Identical(around, facts.Origin(t)) }) {
		return false
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj().Pkg() == d.Unit.Types
	}
	strct, ok := t.Underlying().(*types.Struct)
	return ok && strct.NumFields() > 0 && strct.Field(0).Pkg() == d.Unit.Types
}

// leftOut reports whether Go leaves a property out when it is zero.
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

// fieldKind returns the type of package repository by which queries refer to a
// property of a Go type. Maps are the types of the maps around it.
func (d *subject) fieldKind(t types.Type, within ...types.Type) templates.FieldKind {
	t, _ = facts.Pointee(t)
	switch {
	case facts.IsInstant(t):
		return templates.FieldKind{Name: "Instant"}
	case facts.HasText(t) && types.Comparable(t) && !facts.IsTime(t):
		if value, reason := goType(t, d.Unit.Types); reason == "" && !d.hides(t) {
			return templates.FieldKind{Name: "Text", Value: value}
		}
		return templates.FieldKind{Name: "Opaque"}
	case facts.IsNamed(t, "encoding/json", "Number"), facts.HasMethod(t, "MarshalJSON"), facts.HasText(t):
		return templates.FieldKind{Name: "Opaque"}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return templates.FieldKind{Name: "Object"}
	case *types.Map:
		again := slices.ContainsFunc(within, func(around types.Type) bool { return types.Identical(around, facts.Origin(t)) })
		if facts.KeyedByText(u.Key()) && !again {
			element := d.fieldKind(u.Elem(), append(within, facts.Origin(t))...)
			return templates.FieldKind{Name: "Map", Element: &element}
		}
	case *types.Array:
		return templates.FieldKind{Name: "List", Value: d.elementType(u.Elem())}
	case *types.Slice:
		if !facts.IsBytes(u) {
			return templates.FieldKind{Name: "List", Value: d.elementType(u.Elem())}
		}
	case *types.Basic:
		if value, ok := d.valueType(t, u); ok {
			return templates.FieldKind{Name: basicKind(u), Value: value}
		}
	}
	return templates.FieldKind{Name: "Opaque"}
}

// basicKind names the type of package repository for a basic type. It returns "" for
// a type that JSON does not have, or that queries do not compare.
func basicKind(basic *types.Basic) string {
	switch info := basic.Info(); {
	case basic.Kind() == types.Invalid || basic.Kind() == types.Uintptr:
		return ""
	case info&types.IsString != 0:
		return "String"
	case info&types.IsBoolean != 0:
		return "Bool"
	case info&(types.IsInteger|types.IsFloat) != 0:
		return "Number"
	}
	return ""
}

// valueType returns the type of a basic value for generated code: the named type or,
// if generated code cannot name it, the basic type, whose JSON is the same.
func (d *subject) valueType(t types.Type, basic *types.Basic) (templates.GoType, bool) {
	if basicKind(basic) == "" {
		return templates.GoType{}, false
	}
	for _, t := range []types.Type{t, basic} {
		if g, reason := goType(t, d.Unit.Types); reason == "" && !d.hides(t) {
			return g, true
		}
	}
	return templates.GoType{}, false
}

// elementType returns the type of a list's elements for generated code.
func (d *subject) elementType(t types.Type) templates.GoType {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	return d.typeOrAny(t)
}

// typeOrAny returns a type for generated code, or any if the code cannot write it.
func (d *subject) typeOrAny(t types.Type) templates.GoType {
	if g, reason := goType(t, d.Unit.Types); reason == "" && !d.hides(t) {
		return g
	}
	return templates.GoType{Name: "any"}
}

// hides reports whether a predeclared name in t means something else in the
// package, or nothing is known of t.
func (d *subject) hides(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Kind() == types.Invalid || d.Unit.Types.Scope().Lookup(t.Name()) != nil
	case *types.Named:
		return slices.ContainsFunc(slices.Collect(t.TypeArgs().Types()), d.hides)
	}
	return false
}

// nameProperties names the properties of a struct after their Go selectors, without
// the dots: AuditName for a Name that Go only reaches through the embedded Audit.
func (d *subject) nameProperties(t types.Type, fields []facts.Property, properties []templates.Property, nested bool) {
	taken := make(map[string]bool)
	if nested {
		taken["Object"] = true // the struct of fields embeds it
	}
	selectors := make([][]string, len(fields))
	order := make([]int, len(fields))
	for i := range fields {
		selectors[i] = facts.SelectorFrom(t, d.Unit.Types, fields[i].Path)
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return len(selectors[i]) - len(selectors[j]) })
	for _, i := range order {
		name := goname.UpperFirst(strings.Join(selectors[i], "")) // lower case for an embedded struct that is a property
		for taken[name] {
			name += "Value"
		}
		taken[name] = true
		properties[i].Name = name
	}
}
