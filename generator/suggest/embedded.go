package suggest

import (
	"cmp"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"
)

// embed notes what a type has from a struct that it embeds, whose name it
// returns if that has cosmos tags.
func (s *structure) embed(named *types.Named, v *types.Var) string {
	s.own = true
	s.passed = append(s.passed, within(v)...)
	id, tagged := embedded(v.Type())
	if id != "" && promoted(named, id) {
		s.embeddedID = id
	}
	if tagged {
		return v.Name()
	}
	return ""
}

// embedded returns the Go name of the item id in an embedded struct or in those
// that it embeds, or "", and whether one of them has cosmos tags.
func embedded(t types.Type, within ...types.Type) (id string, tagged bool) {
	t = held(t)
	strct, ok := t.Underlying().(*types.Struct)
	if !ok || slices.Contains(within, t) {
		return "", false
	}
	for i := range strct.NumFields() {
		v, tag := strct.Field(i), reflect.StructTag(strct.Tag(i))
		property, _, _ := strings.Cut(tag.Get("json"), ",")
		switch {
		case property == "id" && plainString(v.Type()):
			id = v.Name()
		case v.Embedded() && property == "":
			inner, innerTagged := embedded(v.Type(), append(within, t)...)
			id, tagged = cmp.Or(id, inner), tagged || innerTagged
		}
		_, ok := tag.Lookup("cosmos")
		tagged = tagged || ok
	}
	return id, tagged
}

// promoted reports whether a name selects a field of an embedded struct.
func promoted(named *types.Named, name string) bool {
	object, index, _ := types.LookupFieldOrMethod(named, true, named.Obj().Pkg(), name)
	v, ok := object.(*types.Var)
	return ok && v.IsField() && len(index) > 1
}

// within says which fields of an embedded struct would find documents.
func within(v *types.Var) []string {
	strct, ok := held(v.Type()).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var out []string
	for i := range strct.NumFields() {
		inner, tag := strct.Field(i), reflect.StructTag(strct.Tag(i))
		property, options, _ := strings.Cut(tag.Get("json"), ",")
		if !inner.Exported() || property == "-" || property == "id" || inner.Embedded() {
			continue
		}
		if property == "" {
			property = inner.Name()
		}
		if f, ok := readField(inner, property, options); ok && f.rank > 0 {
			out = append(out, fmt.Sprintf("%s: it is a field of the embedded %s, which other types may share: tag it there by hand", property, v.Name()))
		}
	}
	return out
}
