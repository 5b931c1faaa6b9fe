package suggest

import (
	"go/types"
	"iter"
	"reflect"
	"slices"
)

// holders returns the types that are parts of others, each with the first struct
// that has it in a field, or in a part of one: embedded, or, where that struct
// looks like a document, as it is or in a list or map. A struct that answers a
// request or keeps documents in memory has them in fields too, and they are
// documents all the same.
func holders(pkgs []pkg) map[types.Type]*types.TypeName {
	out := make(map[types.Type]*types.TypeName)
	for _, p := range pkgs {
		for _, d := range p.structs() {
			strct, ok := d.named.Underlying().(*types.Struct)
			if !ok {
				continue
			}
			s, reason := read(d.named, d.syntax)
			document := s != nil || reason != "" // a document to correct is one
			for v := range stored(strct) {
				if t := held(v.Type()); document {
					hold(out, d.named, t)
				} else if v.Embedded() && t != d.named && out[t] == nil {
					out[t] = d.named.Obj()
				}
			}
		}
	}
	return out
}

// hold notes that a type is a part of a document, and so is what it holds in turn.
func hold(out map[types.Type]*types.TypeName, document *types.Named, t types.Type) {
	if t == document || out[t] != nil {
		return
	}
	strct, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	out[t] = document.Obj()
	for v := range stored(strct) {
		hold(out, document, held(v.Type()))
	}
}

// stored yields the fields of a struct that JSON writes. What a program keeps
// in the others is stored elsewhere.
func stored(strct *types.Struct) iter.Seq[*types.Var] {
	return func(yield func(*types.Var) bool) {
		for i := range strct.NumFields() {
			v := strct.Field(i)
			if tag := reflect.StructTag(strct.Tag(i)).Get("json"); tag == "-" || !v.Exported() && !v.Embedded() {
				continue
			}
			if !yield(v) {
				return
			}
		}
	}
}

// held returns what a type holds or points at in the end, or the type itself
// where that has no end, as in type L []L.
func held(t types.Type) types.Type {
	var through []*types.Named
	for {
		switch inner := types.Unalias(t).(type) {
		case *types.Named:
			switch inner.Underlying().(type) {
			case *types.Pointer, *types.Slice, *types.Array, *types.Map:
			default:
				return inner
			}
			if slices.Contains(through, inner) {
				return inner
			}
			through, t = append(through, inner), inner.Underlying()
		case *types.Pointer:
			t = inner.Elem()
		case *types.Slice:
			t = inner.Elem()
		case *types.Array:
			t = inner.Elem()
		case *types.Map:
			t = inner.Elem()
		default:
			return inner
		}
	}
}
