package generator

import (
	"go/types"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// remembered returns the properties that Go writes of a document, as the lock
// has them.
func (d *document) remembered() []lock.Property {
	out := d.rememberedIn(d.named, place{})
	slices.SortFunc(out, func(a, b lock.Property) int { return strings.Compare(a.Pointer, b.Pointer) })
	return out
}

// rememberedIn returns the properties of a struct at a place, and those of the
// structs of this package within it.
func (d *document) rememberedIn(t types.Type, at place) []lock.Property {
	strct, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	at.within = append(slices.Clone(at.within), origin(t))
	var out []lock.Property
	for _, p := range jsonFields(strct) {
		inner := place{names: append(slices.Clone(at.names), p.name), within: at.within}
		elem, _ := pointee(p.field().Type())
		kind := jsonKind(elem)
		if p.quoted {
			kind = "string"
		}
		out = append(out, lock.Property{Pointer: jsonPointer(inner.names), JSON: kind})
		if kind == "object" && d.opens(elem, inner) {
			out = append(out, d.rememberedIn(elem, inner)...)
		}
	}
	return out
}

// jsonKind returns what encoding/json makes of a type: "any" where code decides.
func jsonKind(t types.Type) string {
	switch {
	case isTime(t) || isNamed(t, repositoryPath, "Time"):
		return "string"
	case isNamed(t, "encoding/json", "Number"):
		return "number"
	case hasMethod(t, "MarshalJSON"):
		return "any"
	case hasText(t):
		return "string"
	}
	switch u := t.Underlying().(type) {
	case *types.Struct, *types.Map:
		return "object"
	case *types.Array:
		return "array"
	case *types.Slice:
		if isBytes(u) {
			return "string"
		}
		return "array"
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsString != 0:
			return "string"
		case info&types.IsBoolean != 0:
			return "boolean"
		case info&(types.IsInteger|types.IsFloat) != 0:
			return "number"
		}
	}
	return "any"
}
