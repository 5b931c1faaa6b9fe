package generator

import (
	"go/types"

	"github.com/cosmos-pkgen/pkgen/templates"
)

// rest returns the field that keeps unknown properties, nil if there is none.
func (d *subject) rest() *templates.Field {
	t := d.role("rest", func(t *tagged) bool { return t.Rest })
	if t == nil {
		return nil
	}
	ref, pos := t.ref, t.word("rest")
	var change fix
	refuse := func(reason string) {
		d.fixable(pos, change, "field "+ref.selector+" cannot keep unknown properties: "+reason)
	}
	reason := d.unnameable(ref)
	switch {
	case !ref.field().Exported():
		refuse("it is unexported, and whoever handles the document has to see it; export it")
	case !isRawMap(ref.field().Type()):
		refuse("it is of type " + d.typeString(ref.field().Type()) + "; declare it as map[string]json.RawMessage, which holds any JSON as it is")
	case ref.property != nil:
		pos, change = d.jsonPosition(ref, pos), d.jsonFix(ref, "-")
		refuse("encoding/json would write it as the property \"" + ref.propertyPath() + "\"; write `json:\"-\"`, and the run time puts what it holds beside the other properties")
	case reason != "":
		refuse(reason)
	default:
		if method := d.ownJSON(); method != "" {
			refuse("type " + d.name() + " has a method " + method + ", so nobody but itself knows which properties it has; let that method keep them, or remove it")
			return nil
		}
		return &templates.Field{Selector: ref.selector, Pointers: ref.pointers, Name: ref.name()}
	}
	return nil
}

// ownJSON names a method of d, be it promoted, by which encoding/json reads or
// writes it as something else than its fields; "" if there is none.
func (d *subject) ownJSON() string {
	for _, name := range []string{"MarshalJSON", "UnmarshalJSON"} {
		object, _, _ := types.LookupFieldOrMethod(d.named, true, d.unit.types, name)
		if _, ok := object.(*types.Func); ok {
			return name
		}
	}
	return ""
}

// isRawMap reports whether t is map[string]json.RawMessage.
func isRawMap(t types.Type) bool {
	m, ok := types.Unalias(t).(*types.Map)
	return ok && types.Identical(m.Key(), types.Typ[types.String]) && isNamed(types.Unalias(m.Elem()), "encoding/json", "RawMessage")
}
