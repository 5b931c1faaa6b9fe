package generator

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// id returns the item id, the zero value after an error.
func (d *subject) id() (id templates.Field) {
	ref, pos := d.byProperty(idProperty), d.position()
	if t := d.role("id", func(t *tagged) bool { return t.ID }); t != nil {
		ref, pos = t.ref, t.word("id")
	} else if ref != nil {
		pos = d.declaredAt(ref)
	}
	if ref == nil {
		if outer := d.untagged(); outer != "" {
			d.lacksf(pos, "type %s has no id, and %s, which embeds it, has no cosmos tags: for a document %[2]s, tag a field of it, such as its id `cosmos:\"id\"`", d.name(), outer)
			return id
		}
		d.lacksf(pos, "type %s has no id, which every item needs: give a string field the JSON name id, as in `json:\"id\"`", d.name())
		return id
	}
	const what = "the item id"
	value, ok := idValue(ref.field().Type())
	switch {
	case !ok && ref.field().Exported():
		d.errorf(pos, "field %s cannot hold %s: it is of type %s, and must be a string, a type made from one whose JSON is that string, or a comparable type with a MarshalText method",
			ref.selector, what, d.typeString(ref.field().Type()))
	case d.holds(ref, what, pos):
		if f, ok := d.field(ref, value, pos); ok && d.isProperty(ref, idProperty, what, pos) {
			return f
		}
	}
	return id
}

// idValue says how the text of an item id is made, and false for a type that can
// be none.
func idValue(t types.Type) (templates.Value, bool) {
	_, pointer := t.Underlying().(*types.Pointer)
	switch {
	case isString(t):
		return templates.String, true
	case pointer || !hasText(t) || !types.Comparable(t) || isTime(t) || isInstant(t):
		return 0, false
	case hasValueMethod(t, "MarshalText"):
		return templates.Text, true
	}
	return templates.TextPtr, true
}

// written returns the paths of the id and of the properties of the key whose
// types have a MarshalJSON beside their text.
func (k *key) written(idSelector string) []string {
	var paths []string
	add := func(ref *fieldRef, path string) {
		if t := ref.field().Type(); hasText(t) && hasMethod(t, "MarshalJSON") && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	add(k.byName(idSelector), "/"+idProperty)
	for i, level := range k.levels {
		if ref := k.refs[i]; ref != nil && isText(level.Parts[0].Component.Value) {
			add(ref, level.Path)
		}
	}
	return paths
}

// etag returns the field that holds the ETag, nil if there is none.
func (d *subject) etag() *templates.Field {
	if t := d.role("etag", func(t *tagged) bool { return t.ETag }); t != nil {
		return d.systemField(t.ref, etagProperty, "the ETag", t.word("etag"))
	}
	ref := d.byProperty(etagProperty)
	if ref == nil {
		return nil
	}
	pos := d.declaredAt(ref)
	if !isString(ref.field().Type()) {
		d.noteOf(annotations.NoteETag, ref.path, pos, "field "+ref.selector+" has the property _etag but is not a string, so Replace does not send it as If-Match: declare it as string or azcore.ETag")
		return nil
	}
	return d.systemField(ref, etagProperty, "the ETag", pos)
}

// stored returns the field that remembers the synthetic key, nil if there is none.
func (k *key) stored() *templates.Field {
	t := k.role("synthetic", func(t *tagged) bool { return t.Synthetic })
	random, made := false, 0
	for _, level := range k.levels {
		random = random || level.Random()
		if level.Made {
			made++
		}
	}
	switch {
	case random && k.leveled && made > 1:
		k.errorf(k.randomPosition(), "a random suffix cannot be computed again, so a \"synthetic\" field has to remember it, which holds one text, and %d levels are texts that are made: leave the other options of levels out", made)
	case t == nil && random:
		k.errorf(k.randomPosition(), "a random suffix cannot be computed again, so the document must remember its key: add a string field tagged `json:%q cosmos:\"synthetic\"`", strings.TrimPrefix(cmp.Or(k.options.Path, defaultPath), "/"))
	case t != nil && k.plain:
		k.errorf(t.word("synthetic"), "the key of %s is a property of the document, so there is no synthetic key to remember: remove the tag", k.name())
	case t != nil && k.leveled && made > 1:
		k.errorf(t.word("synthetic"), "field %s can hold one text, and %d levels are texts that are made: remove the tag", t.ref.selector, made)
	case t != nil:
		stored := k.stringField(t.ref, "the synthetic key", t.word("synthetic"))
		if slices.ContainsFunc(keyComponents(k.levels), func(c *templates.Component) bool { return c.Selector == t.ref.selector }) {
			k.errorf(t.word("synthetic"), "field %s holds the synthetic key, which cannot be made of itself: name another field in the key", t.ref.selector)
		}
		return stored
	}
	return nil
}

// systemField checks a field that holds a system property.
func (d *subject) systemField(ref *fieldRef, property, what string, pos token.Position) *templates.Field {
	f := d.stringField(ref, what, pos)
	if f == nil || !d.isProperty(ref, property, what, pos) {
		return nil
	}
	return f
}

// isProperty checks that a field has the property that its role is for.
func (d *subject) isProperty(ref *fieldRef, property, what string, pos token.Position) bool {
	if slices.Equal(ref.property, []string{property}) {
		return true
	}
	d.fixable(d.jsonPosition(ref, pos), d.jsonFix(ref, property),
		fmt.Sprintf("field %s holds %s, which is the property %q, but its JSON name is %q: write `json:%q`", ref.selector, what, property, ref.propertyPath(), property))
	return false
}

// stringField checks a field that holds a string of the service.
func (d *subject) stringField(ref *fieldRef, what string, pos token.Position) *templates.Field {
	if typ := ref.field().Type(); ref.field().Exported() && !isString(typ) {
		d.errorf(pos, "field %s cannot hold %s: it is of type %s, and must be a string, or a type made from one whose JSON is that string", ref.selector, what, d.typeString(typ))
		return nil
	}
	if !d.holds(ref, what, pos) {
		return nil
	}
	if f, ok := d.field(ref, templates.String, pos); ok {
		return &f
	}
	return nil
}

// holds checks that JSON has a field of the service as it is, whatever its type.
func (d *subject) holds(ref *fieldRef, what string, pos token.Position) bool {
	switch {
	case !ref.field().Exported():
		d.errorf(pos, "field %s cannot hold %s: it is unexported, so encoding/json does not write it; export it and keep its JSON name", ref.selector, what)
	case ref.property == nil:
		d.errorf(d.jsonPosition(ref, pos), "field %s cannot hold %s: %s", ref.selector, what, d.unwritten(ref))
	case ref.json.quoted:
		d.errorf(d.jsonPosition(ref, pos), "field %s cannot hold %s: the option \"string\" of its json tag writes it in quotes; remove the option", ref.selector, what)
	default:
		return true
	}
	return false
}
