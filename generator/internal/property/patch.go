package property

import (
	"go/types"
	"slices"

	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// patchOf returns the type of package repository by which patches change a
// property of a Go type. Within are the types of the maps around the property.
func patchOf(t types.Type, from *types.Package, within ...types.Type) templates.FieldKind {
	t, _ = facts.Pointee(t)
	value := templates.FieldKind{Name: "PatchValue", Value: typeOrAny(t, from)}
	if facts.HasMethod(t, "MarshalJSON") || facts.HasText(t) {
		return value
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		again := slices.ContainsFunc(within, func(around types.Type) bool { return types.Identical(around, facts.Origin(t)) })
		if facts.KeyedByText(u.Key()) && !again {
			element := patchOf(u.Elem(), from, append(within, facts.Origin(t))...)
			return templates.FieldKind{Name: "PatchMap", Value: elementType(u.Elem(), from), Element: &element}
		}
	case *types.Slice:
		if !facts.IsBytes(u) {
			return templates.FieldKind{Name: "PatchList", Value: elementType(u.Elem(), from)}
		}
	case *types.Basic:
		if written, ok := valueType(t, u, from); ok {
			value.Value = written
			if basicKind(u) == "Number" {
				value.Name = "PatchNumber"
			}
		}
	}
	return value
}
