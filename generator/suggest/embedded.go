package suggest

import (
	"cmp"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
)

// embed notes what a type has from a struct that it embeds, whose name it
// returns if that has cosmos tags.
func (s *structure) embed(named *types.Named, v *types.Var) string {
	s.own = true
	s.passWithin(v)
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
		case property == "id" && facts.IsString(v.Type()):
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

// pass notes a field that no tag can be written to, if it would find documents.
func (s *structure) pass(v *types.Var, property, options, reason string) {
	if f, ok := readField(v, property, options); ok && f.rank > 0 && !f.changes() {
		s.passed = append(s.passed, property+": "+reason)
	}
}

// passWithin notes such fields of an embedded struct.
func (s *structure) passWithin(v *types.Var) {
	strct, ok := held(v.Type()).Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i := range strct.NumFields() {
		inner, tag := strct.Field(i), reflect.StructTag(strct.Tag(i))
		property, options, _ := strings.Cut(tag.Get("json"), ",")
		if property == "" {
			property = inner.Name()
		}
		if inner.Exported() && !inner.Embedded() && property != "-" && property != "id" {
			s.pass(inner, property, options, fmt.Sprintf("it is a field of the embedded %s, which other types may share: tag it there by hand", v.Name()))
		}
	}
}
