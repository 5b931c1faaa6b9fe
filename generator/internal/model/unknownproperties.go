package model

import (
	"go/types"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// rest returns the field that keeps unknown properties, or nil.
func (d *subject) rest() *pk.Field {
	t := d.Role("rest", func(t *facts.Tagged) bool { return t.Rest })
	if t == nil {
		return nil
	}
	ref, pos := t.Ref, t.Word("rest")
	var change diag.Fix
	refuse := func(reason string) {
		d.Fixable(pos, change, "field "+ref.Selector+" cannot keep unknown properties: "+reason)
	}
	reason := d.Unnameable(ref)
	switch {
	case !ref.Field().Exported():
		refuse("it is unexported, and your code needs it; export it")
	case !isRawMap(ref.Field().Type()):
		refuse("it is of type " + d.TypeString(ref.Field().Type()) + "; declare it as map[string]json.RawMessage, which holds any JSON as it is")
	case ref.Property != nil:
		pos, change = d.JSONPosition(ref, pos), d.JSONFix(ref, "-")
		refuse("encoding/json would write it as the property \"" + ref.PropertyPath() + "\"; write `json:\"-\"`, and the run time writes its content next to the other properties")
	case reason != "":
		refuse(reason)
	default:
		if method := d.ownJSON(); method != "" {
			refuse("type " + d.Name() + " has a method " + method + ", so pkgen cannot tell its properties; keep them in that method, or remove it")
			return nil
		}
		return &pk.Field{Selector: ref.Selector, Pointers: ref.Pointers, Name: ref.Name()}
	}
	return nil
}

// ownJSON returns a method of d, possibly promoted, that replaces encoding/json's handling of the
// fields, or "".
func (d *subject) ownJSON() string {
	for _, name := range []string{"MarshalJSON", "UnmarshalJSON"} {
		object, _, _ := types.LookupFieldOrMethod(d.Named, true, d.Unit.Types, name)
		if _, ok := object.(*types.Func); ok {
			return name
		}
	}
	return ""
}

// isRawMap reports whether t is map[string]json.RawMessage.
func isRawMap(t types.Type) bool {
	m, ok := types.Unalias(t).(*types.Map)
	return ok && types.Identical(m.Key(), types.Typ[types.String]) && facts.IsNamed(types.Unalias(m.Elem()), "encoding/json", "RawMessage")
}
