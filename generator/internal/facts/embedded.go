package facts

import (
	"go/types"
	"slices"
)

// isPart reports whether d can only be a part of other documents: it lacks an id or
// a partition key, or has type parameters.
func (d *Document) isPart() bool {
	hasID := d.ByProperty(IDProperty) != nil || slices.ContainsFunc(d.Roles, func(t *Tagged) bool { return t.ID })
	hasKey := d.Options.Edge || d.Options.Offset("key") >= 0 || slices.ContainsFunc(d.Roles, func(t *Tagged) bool { return t.PK })
	return !hasID || !hasKey || d.Spec.TypeParams != nil
}

// PartsOf returns the documents that are a part of others: those that can only be a
// part, and that another document of the run embeds, also from another package. If
// all tags of a type are about properties, it is also a part if it has no id, or if
// another document contains it.
func PartsOf(documents []*Document) map[*Document]bool {
	out := make(map[*Document]bool)
	for _, d := range documents {
		if !d.isPart() {
			continue
		}
		plain := d.Options.Words() == 0 && !slices.ContainsFunc(d.Roles, func(t *Tagged) bool { return t.HasRole() })
		out[d] = plain && d.ByProperty(IDProperty) == nil || slices.ContainsFunc(documents, func(other *Document) bool {
			return other != d && (embeds(other.Struct, d.Named.Obj(), 0) || plain && holds(other.Struct, d.Named.Obj(), make(map[types.Type]bool)))
		})
	}
	return out
}

// holds reports whether a type is the struct type t, or contains it. Seen are the
// types that it has looked at.
func holds(in types.Type, t *types.TypeName, seen map[types.Type]bool) bool {
	in = types.Unalias(in)
	if seen[in] {
		return false
	}
	seen[in] = true
	if named, ok := in.(*types.Named); ok && sameName(named.Obj(), t) {
		return true
	}
	switch u := in.Underlying().(type) {
	case *types.Struct:
		for field := range u.Fields() {
			if holds(field.Type(), t, seen) {
				return true
			}
		}
	case *types.Pointer:
		return holds(u.Elem(), t, seen)
	case *types.Slice:
		return holds(u.Elem(), t, seen)
	case *types.Array:
		return holds(u.Elem(), t, seen)
	case *types.Map:
		return holds(u.Elem(), t, seen)
	}
	return false
}

// embeds reports whether a struct embeds a type, however deep. Types of one name
// and import path are one type: each package has been checked by itself.
func embeds(strct *types.Struct, t *types.TypeName, depth int) bool {
	for field := range strct.Fields() {
		if !field.Embedded() {
			continue
		}
		elem := Dereference(field.Type())
		if named, ok := elem.(*types.Named); ok && sameName(named.Obj(), t) {
			return true
		}
		if inner, ok := elem.Underlying().(*types.Struct); ok && depth < maxDepth && embeds(inner, t, depth+1) {
			return true
		}
	}
	return false
}

func sameName(a, b *types.TypeName) bool {
	return a.Name() == b.Name() && a.Pkg() != nil && b.Pkg() != nil && a.Pkg().Path() == b.Pkg().Path()
}
