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
	switch form := facts.FormOf(t); form {
	case facts.Map:
		of := t.Underlying().(*types.Map)
		again := slices.ContainsFunc(within, func(around types.Type) bool { return types.Identical(around, facts.Origin(t)) })
		if facts.KeyedByText(of.Key()) && !again {
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
