package model

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
)

// bson checks that the driver of MongoDB can store and read the fields of d.
func (d *subject) bson() {
	if method := facts.OwnBSON(d.Named); method != "" {
		d.Errorf(d.Position(), "type %s has a method %s, of its own or of a struct that it embeds, and pkgen writes its key and its id among its fields: remove it, or store another type", d.Name(), method)
		return
	}
	w := &bsonWalk{d: d, seen: make(map[string]bool), taken: d.writtenNames()}
	w.strct(d.Struct, d.Name(), make(map[string]string))
}

// bsonWalk visits the types of a document.
type bsonWalk struct {
	d    *subject
	seen map[string]bool // visited types

	// taken are the top-level names that the run time writes, with the fields that hold these
	// values, or nil.
	taken map[string]*types.Var
}

// writtenNames returns the BSON names that the run time writes, with their fields.
func (d *subject) writtenNames() map[string]*types.Var {
	field := func(has func(*facts.Tagged) bool, property string) *types.Var {
		ref := d.ByProperty(property)
		if i := slices.IndexFunc(d.Roles, has); i >= 0 {
			ref = d.Roles[i].Ref
		}
		if ref == nil {
			return nil
		}
		return ref.Field()
	}
	etag := field(func(t *facts.Tagged) bool { return t.ETag }, facts.ETagProperty)
	if etag != nil && !facts.IsString(etag.Type()) {
		etag = nil
	}
	return map[string]*types.Var{"_id": field(func(t *facts.Tagged) bool { return t.ID }, facts.IDProperty), facts.ETagProperty: etag}
}

// strct visits the fields of a struct. Names are the BSON names in use, including those of outer
// structs that it is inlined into.
func (w *bsonWalk) strct(strct *types.Struct, owner string, names map[string]string) {
	for i := range strct.NumFields() {
		v := strct.Field(i)
		name := owner + "." + v.Name()
		inner, _ := facts.Pointee(v.Type())
		fields, isStruct := inner.Underlying().(*types.Struct)
		if v.Embedded() && isStruct && !v.Exported() && promoted(strct, i) {
			w.refuse(v, "%s embeds the unexported type %s, which the driver of MongoDB leaves out: export the type, or write its fields into the struct", owner, v.Name())
			continue
		}
		tag := facts.BSONOf(strct, i)
		switch {
		case tag.Name == "":
			continue
		case tag.Inline && !v.Embedded():
			w.refuse(v, "field %s has the option inline, with which its fields have other places in BSON than in JSON: embed it, or remove the option", name)
			continue
		case v.Embedded() && isStruct && !tag.Inline && promoted(strct, i):
			w.refuse(v, "%s embeds %s, whose fields are those of the document in JSON, and the driver of MongoDB would store them as an object: write `bson:\",inline\"` after it", owner, v.Name())
			continue
		case tag.Inline:
			w.strct(fields, owner, names)
			continue
		case strings.HasPrefix(tag.Name, "?"), looksNoSQL(tag.Name), strings.ContainsAny(tag.Name, "\x00"):
			w.refuse(v, "field %s has the name %q in BSON, which conditions cannot name: choose another name by `bson:\"…\"`", name, tag.Name)
			continue
		case strings.ContainsAny(tag.Name, ".$"):
			w.refuse(v, "field %s has the name %q in BSON, and conditions cannot name a property with \".\" or \"$\": choose another name by `bson:\"…\"`", name, tag.Name)
			continue
		}
		if other, taken := names[tag.Name]; taken {
			w.refuse(v, "fields %s and %s have one name in BSON, %q: give one a different name by `bson:\"…\"`", other, name, tag.Name)
			continue
		}
		names[tag.Name] = name
		if holder, written := w.taken[tag.Name]; written && holder != v && owner == w.d.Name() {
			w.refuse(v, "field %s has the name %q in BSON, which the run time uses: give it another name by `bson:\"…\"`", name, tag.Name)
			continue
		}
		if slices.Contains(facts.HiddenProperties, tag.Name) && owner == w.d.Name() {
			w.refuse(v, "field %s has the name %q in BSON: %sgive it another by `bson:\"…\"`", name, tag.Name, notShown)
			continue
		}
		if reason := w.reason(v.Type()); reason != "" {
			w.refuse(v, "field %s cannot be stored by the MongoDB API: %s", name, reason)
		}
	}
}

// reason returns why the driver cannot store a type unchanged, or "".
func (w *bsonWalk) reason(t types.Type) string {
	t, _ = facts.Pointee(t)
	switch {
	case facts.IsTime(t):
		return ""
	case facts.IsInstant(t):
		return "it is a repository.Time, whose text sorts in the NoSQL API; declare it as a time.Time, which BSON has a type for"
	case facts.HasBSON(t):
		if !facts.ReadsBSON(t) {
			return "its type writes BSON of its own and has no method that reads it back; give it UnmarshalBSONValue with MarshalBSONValue, or UnmarshalBSON with MarshalBSON"
		}
		return ""
	case facts.HasText(t):
		if !types.Implements(types.NewPointer(t), facts.TextUnmarshaler) {
			return "its type has a MarshalText method and no UnmarshalText, so that it could not be read back; give it that method"
		}
		return ""
	case facts.HasMethod(t, "MarshalJSON"):
		return "its type writes JSON of its own, which the driver does not call; give it MarshalBSONValue and UnmarshalBSONValue, or MarshalText and UnmarshalText"
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Kind() == types.Invalid:
			return unresolved
		case u.Info()&types.IsComplex != 0 || u.Kind() == types.Uintptr || u.Kind() == types.UnsafePointer:
			return "it is of type " + w.d.TypeString(t) + ", which BSON has no type for; use a number or a string"
		}
	case *types.Struct:
		if key := types.TypeString(t, nil); !w.seen[key] {
			w.seen[key] = true
			w.strct(u, w.d.TypeString(t), make(map[string]string))
		}
	case *types.Slice:
		return w.reason(u.Elem())
	case *types.Array:
		return w.reason(u.Elem())
	case *types.Map:
		if !facts.KeyedByText(u.Key()) {
			return "it is a map with keys of type " + w.d.TypeString(u.Key()) + ", and names in BSON are texts; use a map with keys that are strings"
		}
		return w.reason(u.Elem())
	case *types.Interface:
		return "it is an interface, and the driver reads a value of a type of its own back; use a concrete type"
	case *types.Chan, *types.Signature:
		return "it is of type " + w.d.TypeString(t) + ", which has no value to store; leave it out by `bson:\"-\"` and `json:\"-\"`"
	}
	return ""
}

// refuse reports a field at its declaration, or at the type if another package declares it.
func (w *bsonWalk) refuse(v *types.Var, format string, args ...any) {
	var pos token.Position
	if _, syntax := w.d.Unit.SyntaxOf(v); syntax != nil {
		pos = w.d.Unit.Position(syntax.Pos())
	} else {
		pos = w.d.Position()
	}
	w.d.Errorf(pos, "%s", fmt.Sprintf(format, args...))
}

// promoted reports whether encoding/json writes the fields of an embedded struct into the outer
// one.
func promoted(strct *types.Struct, i int) bool {
	return slices.ContainsFunc(facts.JSONFields(strct), func(p facts.Property) bool { return len(p.Path) > 1 && p.Path[0] == strct.Field(i) })
}
