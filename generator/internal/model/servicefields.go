package model

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// id returns the item id, or the zero value after an error.
func (d *subject) id() (id pk.Field) {
	ref, pos := d.ByProperty(facts.IDProperty), d.Position()
	if t := d.Role("id", func(t *facts.Tagged) bool { return t.ID }); t != nil {
		ref, pos = t.Ref, t.Word("id")
	} else if ref != nil {
		pos = d.DeclaredAt(ref)
	}
	if ref == nil {
		if outer := d.Untagged(); outer != "" {
			d.Lacksf(pos, "type %s has no id, and %s, which embeds it, has no cosmos tags: for a document %[2]s, tag a field of it, such as its id `cosmos:\"id\"`", d.Name(), outer)
			return id
		}
		d.Lacksf(pos, "type %s has no id, which every item needs: give a string field the JSON name id, as in `json:\"id\"`", d.Name())
		return id
	}
	const what = "the item id"
	value, ok := idValue(ref.Field().Type())
	switch {
	case !ok && ref.Field().Exported():
		d.Errorf(pos, "field %s cannot hold %s: it is of type %s, and must be a string, a type made from one whose JSON is that string, or a comparable type with a MarshalText method",
			ref.Selector, what, d.TypeString(ref.Field().Type()))
	case d.holds(ref, what, pos):
		if f, ok := d.field(ref, value, pos); ok && d.isProperty(ref, facts.IDProperty, what, pos) {
			return f
		}
	}
	return id
}

// idValue returns the kind of an item id, and false for a type that cannot be an id.
func idValue(t types.Type) (pk.Value, bool) {
	_, pointer := t.Underlying().(*types.Pointer)
	switch facts.FormOf(t) {
	case facts.String, facts.Number:
		return pk.String, true
	case facts.Text, facts.TextAndCode:
		return textOf(t), !pointer && types.Comparable(t)
	}
	return 0, false
}

// written returns the paths of the id and of the key's properties whose types have a MarshalJSON
// besides their text.
func (k *key) written(idSelector string) []string {
	var paths []string
	add := func(ref *facts.FieldRef, path string) {
		if t := ref.Field().Type(); facts.FormOf(t) == facts.TextAndCode && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	add(k.ByName(idSelector), "/"+facts.IDProperty)
	for i, level := range k.Levels {
		if ref := k.refs[i]; ref != nil && level.Parts[0].Component.Value.Marshaled() {
			add(ref, level.Path)
		}
	}
	return paths
}

// etag returns the field of the ETag, or nil if there is none.
func (d *subject) etag() *pk.Field {
	if t := d.Role("etag", func(t *facts.Tagged) bool { return t.ETag }); t != nil {
		return d.systemField(t.Ref, facts.ETagProperty, "the ETag", t.Word("etag"))
	}
	ref := d.ByProperty(facts.ETagProperty)
	if ref == nil {
		return nil
	}
	pos := d.DeclaredAt(ref)
	if !facts.IsString(ref.Field().Type()) {
		if d.unreadable(ref) != "" {
			return nil // which is an error
		}
		d.NoteOf(annotations.NoteETag, ref.Path, pos, "field "+ref.Selector+" has the property _etag but is not a string, so Replace does not send it as If-Match: declare it as string or azcore.ETag")
		return nil
	}
	return d.systemField(ref, facts.ETagProperty, "the ETag", pos)
}

// systemField checks the field of a system property.
func (d *subject) systemField(ref *facts.FieldRef, property, what string, pos token.Position) *pk.Field {
	f := d.stringField(ref, what, pos)
	if f == nil || !d.isProperty(ref, property, what, pos) {
		return nil
	}
	return f
}

// isProperty checks that a field has the property of its role.
func (d *subject) isProperty(ref *facts.FieldRef, property, what string, pos token.Position) bool {
	if slices.Equal(ref.Property, []string{property}) {
		return true
	}
	d.Fixable(d.JSONPosition(ref, pos), d.JSONFix(ref, property),
		fmt.Sprintf("field %s holds %s, which is the property %q, but its JSON name is %q: write `json:%q`", ref.Selector, what, property, ref.PropertyPath(), property))
	return false
}

// stringField checks the field of a string that the service sets.
func (d *subject) stringField(ref *facts.FieldRef, what string, pos token.Position) *pk.Field {
	if typ := ref.Field().Type(); ref.Field().Exported() && !facts.IsString(typ) {
		d.Errorf(pos, "field %s cannot hold %s: it is of type %s, and must be a string, or a type made from one whose JSON is that string", ref.Selector, what, d.TypeString(typ))
		return nil
	}
	if !d.holds(ref, what, pos) {
		return nil
	}
	if f, ok := d.field(ref, pk.String, pos); ok {
		return &f
	}
	return nil
}

// holds checks that JSON writes and reads a field of the service unchanged.
func (d *subject) holds(ref *facts.FieldRef, what string, pos token.Position) bool {
	switch {
	case !ref.Field().Exported():
		d.Errorf(pos, "field %s cannot hold %s: it is unexported, so encoding/json does not write it; export it and keep its JSON name", ref.Selector, what)
	case ref.Property == nil:
		d.Errorf(d.JSONPosition(ref, pos), "field %s cannot hold %s: %s", ref.Selector, what, d.Unwritten(ref))
	case ref.JSON.Quoted:
		d.Errorf(d.JSONPosition(ref, pos), "field %s cannot hold %s: the option \"string\" of its json tag writes it in quotes; remove the option", ref.Selector, what)
	default:
		return true
	}
	return false
}
