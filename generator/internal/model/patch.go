package model

import (
	"go/types"
	"slices"

	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// patchKind returns the type of package repository by which patches change a
// property of a Go type. Maps are the types of the maps around it.
func (d *subject) patchKind(t types.Type, within ...types.Type) templates.FieldKind {
	t, _ = facts.Pointee(t)
	value := templates.FieldKind{Name: "PatchValue", Value: d.typeOrAny(t)}
	if facts.HasMethod(t, "MarshalJSON") || facts.HasText(t) {
		return value
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		again := slices.ContainsFunc(within, func(around types.Type) bool { return types.Identical(around, facts.Origin(t)) })
		if facts.KeyedByText(u.Key()) && !again {
			element := d.patchKind(u.Elem(), append(within, facts.Origin(t))...)
			return templates.FieldKind{Name: "PatchMap", Value: d.elementType(u.Elem()), Element: &element}
		}
	case *types.Slice:
		if !facts.IsBytes(u) {
			return templates.FieldKind{Name: "PatchList", Value: d.elementType(u.Elem())}
		}
	case *types.Basic:
		if written, ok := d.valueType(t, u); ok {
			value.Value = written
			if basicKind(u) == "Number" {
				value.Name = "PatchNumber"
			}
		}
	}
	return value
}

// protect removes the patches of properties that no patch may change: the id, the
// partition key and the properties in it, the discriminator, the properties that the
// service sets, and the objects that contain one of these.
func protect(m *templates.Type) {
	var fixed []string
	for _, name := range facts.SystemProperties {
		if name != facts.TTLProperty {
			fixed = append(fixed, jsonpointer.Of(name))
		}
	}
	for _, c := range Components(m.Levels) {
		fixed = append(fixed, c.Pointer)
	}
	for _, level := range m.Levels {
		fixed = append(fixed, level.Path) // names without signs, so that a path is a pointer
	}
	if m.Discriminator != nil {
		fixed = append(fixed, jsonpointer.Of(m.Discriminator.Property))
	}
	protectAll(m.Properties, fixed)
}

func protectAll(properties []templates.Property, fixed []string) {
	for i := range properties {
		p := &properties[i]
		if slices.ContainsFunc(fixed, func(at string) bool {
			return jsonpointer.Contains(p.Pointer, at) || jsonpointer.Contains(at, p.Pointer)
		}) {
			p.Patch = templates.FieldKind{}
		}
		protectAll(p.Properties, fixed)
	}
}
