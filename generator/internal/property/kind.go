package property

import (
	"go/types"
	"slices"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/generator/internal/gotypes"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// Kind returns the type of package repository by which queries refer to a
// property of a Go type, or that of the package of another API.
func Kind(d *facts.Document, t types.Type) templates.FieldKind {
	if d.API() != "" {
		return singleKind(d, t)
	}
	return kindOf(t, d.Unit.Types)
}

// singleKind does the work of Kind for the APIs other than NoSQL, which compare single
// values, times among them. A struct in a document of MongoDB has a kind without a
// name, and a value that no query compares is Opaque.
func singleKind(d *facts.Document, t types.Type) templates.FieldKind {
	t, _ = facts.Pointee(t)
	if facts.IsTime(t) {
		return templates.FieldKind{Name: "Instant"}
	}
	if facts.IsNamed(t, "encoding/json", "Number") || d.API() == annotations.Mongo && facts.HasBSON(t) { // whose text is not what is stored
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

// kindOf does the work of Kind for a property of a struct in the package from. Within
// are the types of the maps around the property.
func kindOf(t types.Type, from *types.Package, within ...types.Type) templates.FieldKind {
	t, _ = facts.Pointee(t)
	switch form := facts.FormOf(t); form {
	case facts.Instant:
		return templates.FieldKind{Name: "Instant"}
	case facts.Text, facts.TextAndCode:
		if value, reason := gotypes.Of(t, from); types.Comparable(t) && reason == "" && !gotypes.Hides(t, from) {
			return templates.FieldKind{Name: "Text", Value: value}
		}
	case facts.Object:
		return templates.FieldKind{Name: "Object"}
	case facts.Map:
		of := t.Underlying().(*types.Map)
		again := slices.ContainsFunc(within, func(around types.Type) bool { return types.Identical(around, facts.Origin(t)) })
		if facts.KeyedByText(of.Key()) && !again {
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

// basicKind names the type of package repository for the form of a basic type. It returns
// "" for a form that queries do not compare.
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

// valueType returns the type of a basic value for generated code: the named type or,
// if generated code cannot name it, the basic type, whose JSON is the same.
func valueType(t types.Type, from *types.Package) (pk.GoType, bool) {
	for _, t := range []types.Type{t, t.Underlying()} {
		if g, reason := gotypes.Of(t, from); reason == "" && !gotypes.Hides(t, from) {
			return g, true
		}
	}
	return pk.GoType{}, false
}

// elementType returns the type of a list's elements for generated code.
func elementType(t types.Type, from *types.Package) pk.GoType {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	return typeOrAny(t, from)
}

// typeOrAny returns a type for generated code, or any if the code cannot write it.
func typeOrAny(t types.Type, from *types.Package) pk.GoType {
	if g, reason := gotypes.Of(t, from); reason == "" && !gotypes.Hides(t, from) {
		return g
	}
	return pk.GoType{Name: "any"}
}
