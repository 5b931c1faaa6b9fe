package facts

import "slices"

// aliases checks the names that properties had before.
func (d *Document) aliases() {
	names := make(map[string]*Tagged)
	for _, t := range d.Roles {
		if t.Aliases == nil {
			continue
		}
		pos := t.At(t.ValueOffset("alias"))
		switch v := t.Ref.Field(); {
		case v.Embedded() && t.Ref.Property == nil:
			d.Errorf(pos, "field %s is embedded, and its fields are properties of the document: put \"alias\" on the one that had another name", t.Ref.Selector)
			continue
		case t.Ref.Property == nil:
			d.Errorf(d.JSONPosition(t.Ref, pos), "field %s cannot have had another name: %s", t.Ref.Selector, d.Unwritten(t.Ref))
			continue
		case len(t.Ref.Property) > 1:
			d.Errorf(pos, "field %s is within %q, and only a property of the document itself is read under an alias: write \"alias\" on the whole, or copy it in the stored documents by a program", t.Ref.Selector, t.Ref.Property[0])
			continue
		}
		for _, name := range t.Aliases {
			if other := names[t.Ref.Property[0]]; other != nil && name == other.Ref.Property[0] {
				continue // that they meet is reported there
			}
			if problem := d.alias(t, name, names); problem != "" {
				d.Errorf(pos, "field %s cannot have been called %q: %s", t.Ref.Selector, name, problem)
				names[name] = t
				break
			}
			names[name] = t
		}
	}
}

// alias returns why a property cannot have had this name before, or "". Names are
// those of properties that were checked before.
func (d *Document) alias(t *Tagged, name string, names map[string]*Tagged) string {
	if name == t.Ref.Property[0] {
		return "this is its present name; write an earlier one, or remove \"alias\""
	}
	if slices.Contains(SystemProperties, name) || name[0] == '_' {
		return "this property is one of the service or the run time, so that each document has it; write the name of a property of your own"
	}
	if other := names[name]; other != nil {
		return "field " + other.Ref.Selector + " was called so as well, and an old document has one value for both; remove it from one of them"
	}
	i := slices.IndexFunc(d.json, func(p Property) bool { return p.Name == name })
	if i < 0 {
		return ""
	}
	other := d.json[i]
	if slices.Contains(d.Said(&other).Aliases, t.Ref.Property[0]) {
		return "field " + other.Field().Name() + " has this name now and was called \"" + t.Ref.Property[0] + "\", so that the names meet again and no document tells which is which; give both properties new names"
	}
	return "field " + other.Field().Name() + " has this name now, so that a document which has the name has that property; remove \"alias\", or give that field another name"
}

// AliasKey reports a component of the key, or of an order, that documents have under
// several names: both are read by one.
func (d *Document) AliasKey(ref *FieldRef, what string) bool {
	for _, t := range d.Roles {
		if t.Aliases != nil && len(t.Ref.Property) == 1 && len(ref.Property) > 0 && t.Ref.Property[0] == ref.Property[0] {
			d.Errorf(t.Word("alias"), "field %s is in %s, which has one name for it: %s", ref.Selector, what, "remove \"alias\", and keep the name")
			return true
		}
	}
	return false
}
