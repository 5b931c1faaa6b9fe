package facts

import (
	"go/types"
	"slices"
	"strconv"

	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
	"github.com/cosmos-pkgen/pkgen/internal/spelling"
)

// computedProperties checks the fields with computed properties. The parser of tags has checked the
// expressions themselves.
func (d *Document) computedProperties() {
	for _, t := range d.Roles {
		if t.Computed == "" {
			continue
		}
		pos := t.Word("computed")
		if !d.isProperty(t, pos, "be computed", `put "computed" on a field of its own`) {
			continue
		}
		refuse := func(reason string) {
			d.Errorf(d.JSONPosition(t.Ref, pos), "field %s cannot be computed by the service: %s", t.Ref.Selector, reason)
		}
		switch name := t.Ref.JSON.Name; {
		case len(t.Ref.Property) > 1:
			refuse("it is within " + strconv.Quote(t.Ref.Property[0]) + ", and only top-level properties can be computed; move the field to the document, or embed its struct")
		case slices.Contains(SystemProperties, name) || name[0] == '_':
			refuse("its property " + strconv.Quote(name) + " is one of the service; give it another JSON name")
		case !cosmossql.IsName(name):
			refuse("its property " + strconv.Quote(name) + " has characters other than ASCII letters, digits and \"_\", which Microsoft does not document for names of computed properties; give it another JSON name")
		case t.Ref.JSON.Quoted:
			refuse("the option string of its json tag writes the value as text; remove it")
		default:
			d.computed(t)
		}
	}
}

// computed checks the type of a field against the values of its expression over stored properties.
func (d *Document) computed(t *Tagged) {
	pos := t.At(t.ValueOffset("computed"))
	e, err := cosmossql.ParseExpression(t.Computed)
	if err != nil {
		return // reported
	}
	elem, _ := Pointee(t.Ref.Field().Type())
	want, ok := computedKinds[FormOf(elem)]
	if !ok {
		d.Errorf(pos, "field %s is of type %s, and computed properties are texts, numbers, bools, a repository.Time or lists: declare it as one of these", t.Ref.Selector, d.TypeString(t.Ref.Field().Type()))
		return
	}
	known := true
	kinds := cosmossql.ResultKinds(e, func(a *cosmossql.Access) cosmossql.Kinds {
		kinds, ok := d.kindsAt(a)
		known = known && ok
		return kinds
	})
	for _, a := range cosmossql.References(e) { // including paths that do not affect the value
		if _, ok := d.kindsAt(a); !ok {
			known = false
		}
	}
	if !known {
		d.strayReferences(t, e)
		return
	}
	null := cosmossql.KindsOf(cosmossql.KindNull)
	open := cosmossql.KindsOf(cosmossql.KindBool, cosmossql.KindNumber, cosmossql.KindString) // the kinds of values that code or elements determine
	if other := kinds &^ (want | null); other != 0 && kinds&open != open || kinds&want == 0 {
		d.Errorf(pos, "field %s is of type %s, and the expression gives %s: change one of them", t.Ref.Selector, d.TypeString(t.Ref.Field().Type()), kinds)
	}
}

// computedKinds are the kinds of values by the forms of fields that can hold them.
var computedKinds = map[Form]cosmossql.Kinds{
	String: cosmossql.KindsOf(cosmossql.KindString), Text: cosmossql.KindsOf(cosmossql.KindString), Instant: cosmossql.KindsOf(cosmossql.KindString),
	Int: cosmossql.KindsOf(cosmossql.KindNumber), Uint: cosmossql.KindsOf(cosmossql.KindNumber), Float: cosmossql.KindsOf(cosmossql.KindNumber),
	Bool: cosmossql.KindsOf(cosmossql.KindBool), List: cosmossql.KindsOf(cosmossql.KindArray),
}

// writtenByRunTime are properties that documents have without a field.
var writtenByRunTime = []string{"type", "partitionKey"}

// kindsAt returns the kinds of values at a path of stored documents, and false if the path does not
// exist, or is computed itself.
func (d *Document) kindsAt(a *cosmossql.Access) (cosmossql.Kinds, bool) {
	name := a.Steps[0].Name
	i := slices.IndexFunc(d.json, func(p Property) bool { return p.Name == name })
	switch {
	case i >= 0:
		if p := d.json[i]; d.Said(&p).Computed == "" {
			return kindsIn(&p, a.Steps[1:])
		}
		return 0, false
	case name == TSProperty:
		return cosmossql.KindsOf(cosmossql.KindNumber), len(a.Steps) == 1
	case slices.Contains(SystemProperties, name):
		return cosmossql.KindsOf(cosmossql.KindString), len(a.Steps) == 1
	}
	return cosmossql.AnyKind, slices.Contains(writtenByRunTime, name) || slices.Contains(d.aliasNames(), name)
}

// aliasNames returns the names of properties in old documents.
func (d *Document) aliasNames() []string {
	var names []string
	for _, t := range d.Roles {
		names = append(names, t.Aliases()...)
	}
	return names
}

// kindsIn returns the kinds of values at steps from a property, and false if JSON never has a value
// there.
func kindsIn(p *Property, steps []cosmossql.AccessStep) (cosmossql.Kinds, bool) {
	if p.Quoted {
		return cosmossql.KindsOf(cosmossql.KindString), len(steps) == 0
	}
	return kindsOfType(p.Field().Type(), steps)
}

func kindsOfType(t types.Type, steps []cosmossql.AccessStep) (cosmossql.Kinds, bool) {
	elem, _ := Pointee(t)
	null := cosmossql.KindsOf(cosmossql.KindNull)
	form := FormOf(elem)
	leaf := func(kind cosmossql.Kind) (cosmossql.Kinds, bool) {
		return cosmossql.KindsOf(kind) | null, len(steps) == 0
	}
	switch form {
	case Time, Instant, Text, Bytes, String:
		return leaf(cosmossql.KindString)
	case Number, Int, Uint, Float, Address:
		return leaf(cosmossql.KindNumber)
	case Bool:
		return leaf(cosmossql.KindBool)
	case Object, Map:
		if len(steps) == 0 {
			return leaf(cosmossql.KindObject)
		}
	case Array, List:
		if len(steps) == 0 {
			return leaf(cosmossql.KindArray)
		}
		return kindsOfType(elem.Underlying().(interface{ Elem() types.Type }).Elem(), steps[1:])
	default:
		return cosmossql.AnyKind, true // code determines it
	}
	if form == Map || steps[0].Index != nil {
		if m, ok := elem.Underlying().(*types.Map); ok {
			return kindsOfType(m.Elem(), steps[1:])
		}
		return cosmossql.AnyKind, true
	}
	for _, p := range JSONFields(elem.Underlying().(*types.Struct)) {
		if p.Name == steps[0].Name {
			return kindsIn(&p, steps[1:])
		}
	}
	return 0, false
}

// strayReferences reports the paths of an expression that do not exist in stored documents.
func (d *Document) strayReferences(t *Tagged, e cosmossql.Expr) {
	for _, a := range cosmossql.References(e) {
		if _, ok := d.kindsAt(a); ok {
			continue
		}
		pos, path := t.At(t.ValueOffset("computed")+a.Start), cosmossql.Format(a)
		name := a.Steps[0].Name
		ref := d.ByProperty(name)
		switch {
		case ref != nil && ref.Field() == t.Ref.Field():
			d.Errorf(pos, "field %s is computed from %s, that is, from itself: name stored properties", t.Ref.Selector, path)
		case ref != nil && d.Said(&ref.JSON).Computed != "":
			d.Errorf(pos, "field %s is computed from %s, which is itself computed, and the service computes only from stored properties: write its expression here", t.Ref.Selector, path)
		case ref != nil:
			d.Errorf(pos, "field %s is computed from %s, and the JSON of type %s has no value there: name a property as in JSON", t.Ref.Selector, path, d.Name())
		default:
			var names []string
			for _, p := range d.json {
				names = append(names, p.Name)
			}
			advice := "name stored properties of the document"
			if near := spelling.Nearest(name, names); near != "" {
				advice = "did you mean " + strconv.Quote(near) + "?"
			} else if field := d.ByName(name); field != nil && len(field.Property) > 0 {
				advice = "did you mean " + strconv.Quote(field.Property[0]) + "?"
			}
			d.Errorf(pos, "field %s is computed from %s, and type %s has no property %q: %s", t.Ref.Selector, path, d.Name(), name, advice)
		}
	}
}

// IsComputed reports whether the service computes a property, so that no document stores it.
func (d *Document) IsComputed(p *Property) bool { return d.Said(p).Computed != "" }

// ComputedKey reports a computed property in a key, because stored documents lack it.
func (d *Document) ComputedKey(ref *FieldRef, what string) bool {
	for _, t := range d.Roles {
		if t.Computed != "" && len(ref.Property) > 0 && len(t.Ref.Property) > 0 && t.Ref.Property[0] == ref.Property[0] {
			d.Errorf(t.Word("computed"), "field %s is in %s, which needs a stored property: remove \"computed\", or name another field there", ref.Selector, what)
			return true
		}
	}
	return false
}
