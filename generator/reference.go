package generator

import (
	"go/types"
	"slices"
	"strings"
)

// The JSON properties that Cosmos DB gives a meaning to.
const (
	idProperty   = "id"
	etagProperty = "_etag"
	tsProperty   = "_ts"
	ttlProperty  = "ttl"
)

// systemProperties are those that the service sets, or takes for its own use.
var systemProperties = []string{idProperty, etagProperty, "_rid", "_self", tsProperty, "_attachments", ttlProperty}

// fieldRef is a field of a document, however deep.
type fieldRef struct {
	path     []*types.Var // the fields on the way, the field itself last
	selector string       // how Go reaches it, such as Date or Meta.Date
	pointers []string     // the selectors of the pointers on the way
	property []string     // the JSON properties on the way; nil if JSON does not have it
	json     property     // the last of these
}

// name returns the Go name of the field.
func (f *fieldRef) name() string { return f.field().Name() }

// field returns the field itself.
func (f *fieldRef) field() *types.Var { return f.path[len(f.path)-1] }

// same reports whether both are one field.
func (f *fieldRef) same(g *fieldRef) bool { return f.selector == g.selector }

// propertyPath returns the JSON property in the notation of layouts.
func (f *fieldRef) propertyPath() string { return strings.Join(f.property, ".") }

// pointer returns the JSON property as a JSON pointer (RFC 6901).
func (f *fieldRef) pointer() string {
	return jsonPointer(f.property)
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// jsonPointer returns the pointer to the last of properties within each other.
func jsonPointer(names []string) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteByte('/')
		_, _ = pointerEscapes.WriteString(&b, name) // a Builder takes all
	}
	return b.String()
}

// keyPath returns the JSON property in the notation of partition key paths.
func (f *fieldRef) keyPath() string { return "/" + strings.Join(f.property, "/") }

// reference describes the field at the end of a path.
func (d *document) reference(path []*types.Var) *fieldRef {
	ref := &fieldRef{path: path, selector: d.selector(path)}
	for i, v := range path[:len(path)-1] {
		if _, ok := types.Unalias(v.Type()).(*types.Pointer); ok {
			ref.pointers = append(ref.pointers, d.selector(path[:i+1]))
		}
	}
	ref.property, ref.json = jsonPath(d.json, path)
	return ref
}

// selector returns the shortest Go selector of the field at the end of a path:
// promoted fields without what they are promoted from.
func (d *document) selector(path []*types.Var) string {
	return strings.Join(selectorFrom(d.named, d.unit.types, path), ".")
}

// selectorFrom returns the names by which the package from selects the field at
// the end of a path that starts in a struct of type t.
func selectorFrom(t types.Type, from *types.Package, path []*types.Var) []string {
	names := make([]string, len(path))
	for i, v := range path {
		names[i] = v.Name()
	}
	for i := len(names) - 1; i > 0; i-- {
		if found, _, _ := followFrom(t, from, names[i:]); slices.Equal(found, path) {
			return names[i:]
		}
	}
	return names
}

// follow resolves a Go field path from the document. It returns the fields on
// the way, promoting ones included. Otherwise it returns the number of names
// that it could follow, and the struct that lacks the next one, which is nil
// where there is no struct.
func (d *document) follow(names []string) (path []*types.Var, n int, in *types.Struct) {
	return followFrom(d.named, d.unit.types, names)
}

// followFrom does the work of follow from a struct of type t.
func followFrom(t types.Type, from *types.Package, names []string) (path []*types.Var, n int, in *types.Struct) {
	for n, name := range names {
		object, index, _ := types.LookupFieldOrMethod(t, true, from, name)
		if _, ok := object.(*types.Var); !ok {
			in, _ := dereference(t).Underlying().(*types.Struct)
			return nil, n, in
		}
		for _, i := range index {
			strct, ok := dereference(t).Underlying().(*types.Struct)
			if !ok || i >= strct.NumFields() {
				return nil, n, nil
			}
			path = append(path, strct.Field(i))
			t = strct.Field(i).Type()
		}
	}
	return path, len(names), nil
}

// jsonPath returns the JSON properties on the way to a field, and the last of
// them; nil when encoding/json does not write the field.
func jsonPath(properties []property, path []*types.Var) ([]string, property) {
	for _, p := range properties {
		n := len(p.path)
		if n > len(path) || !slices.Equal(p.path, path[:n]) {
			continue
		}
		if n == len(path) {
			return []string{p.name}, p
		}
		strct, ok := dereference(p.field().Type()).Underlying().(*types.Struct)
		if !ok {
			return nil, property{}
		}
		inner, last := jsonPath(jsonFields(strct), path[n:])
		if inner == nil {
			return nil, property{}
		}
		return append([]string{p.name}, inner...), last
	}
	return nil, property{}
}

// fieldNames returns the exported fields that a selector on the struct reaches
// in one step, its own before the promoted ones.
func fieldNames(strct *types.Struct, depth int) []string {
	var own, promoted []string
	for field := range strct.Fields() {
		if field.Exported() {
			own = append(own, field.Name())
		}
		if inner, ok := dereference(field.Type()).Underlying().(*types.Struct); ok && field.Embedded() && depth < maxDepth {
			promoted = append(promoted, fieldNames(inner, depth+1)...)
		}
	}
	return append(own, promoted...)
}

// byName returns the field that a Go selector reaches, or nil.
func (d *document) byName(selector string) *fieldRef {
	path, _, _ := d.follow(strings.Split(selector, "."))
	if path == nil {
		return nil
	}
	return d.reference(path)
}

// byProperty returns the field whose JSON property it is, or nil.
func (d *document) byProperty(name string) *fieldRef {
	for _, p := range d.json {
		if p.name == name {
			return d.reference(p.path)
		}
	}
	return nil
}

// role returns the field that has a role, and reports a second one.
func (d *document) role(word string, has func(*tagged) bool) *tagged {
	var first *tagged
	for _, t := range d.roles {
		switch {
		case !has(t):
		case first == nil:
			first = t
		default:
			d.errorf(t.word(word), "field %s is a second %q beside %s: keep one", t.ref.selector, word, first.ref.selector)
		}
	}
	return first
}

// byPropertyPath returns the field of a property, however deep, or nil.
func (d *document) byPropertyPath(names []string) *fieldRef {
	if d == nil {
		return nil // the type is not known
	}
	properties := d.json
	var path []*types.Var
	for i, name := range names {
		found := false
		for _, p := range properties {
			if p.name != name {
				continue
			}
			path, found = append(path, p.path...), true
			strct, ok := dereference(p.field().Type()).Underlying().(*types.Struct)
			if !ok && i < len(names)-1 {
				return nil
			}
			if properties = nil; ok {
				properties = jsonFields(strct)
			}
			break
		}
		if !found {
			return nil
		}
	}
	return d.reference(path)
}

// hiding returns the selector of the struct on the way to a field that writes
// its own JSON, so that documents do not have the field's property, or "". A
// resource id, which is written as one text, is such a struct: a key can be made
// of its parts, but no query can ask for them.
//
// The methods of an embedded struct are those of what it is embedded in, which
// is not asked here: what the document itself writes is its own affair.
func (d *document) hiding(ref *fieldRef) string {
	for i, v := range ref.path[:len(ref.path)-1] {
		if !v.Embedded() && (hasMethod(v.Type(), "MarshalJSON") || hasText(v.Type())) {
			return d.selector(ref.path[:i+1])
		}
	}
	return ""
}

// unnameable returns why generated code cannot select a field, or "".
func (d *document) unnameable(ref *fieldRef) string {
	for _, selector := range append(slices.Clone(ref.pointers), ref.selector) {
		if path, _, _ := d.follow(strings.Split(selector, ".")); path == nil {
			return "another package has not exported " + selector
		}
	}
	return ""
}

// propertiesAt returns the properties of the struct at a path of properties, or
// nil.
func (d *document) propertiesAt(path []string) []property {
	if len(path) == 0 {
		return d.json
	}
	ref := d.byPropertyPath(path)
	if ref == nil {
		return nil
	}
	strct, ok := dereference(ref.field().Type()).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	return jsonFields(strct)
}
