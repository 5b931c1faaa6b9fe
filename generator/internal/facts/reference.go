package facts

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/marks"
	"github.com/cosmos-pkgen/pkgen/internal/spelling"
)

// FieldRef refers to a field of a document, at any depth.
type FieldRef struct {
	Path     []*types.Var // the fields on the way; the last one is the field itself
	Selector string       // its Go selector, such as Date or Meta.Date
	Pointers []string     // the selectors of the pointers on the way
	Property []string     // the JSON properties on the way; nil if the field has no JSON
	JSON     Property     // the last of these properties
}

// Name returns the Go name of the field.
func (f *FieldRef) Name() string { return f.Field().Name() }

// Field returns the field itself.
func (f *FieldRef) Field() *types.Var { return f.Path[len(f.Path)-1] }

// Same reports whether two references refer to the same field.
func (f *FieldRef) Same(g *FieldRef) bool { return f.Selector == g.Selector }

// PropertyPath returns the JSON property in the notation of layouts.
func (f *FieldRef) PropertyPath() string { return strings.Join(f.Property, ".") }

// Pointer returns the JSON property as a JSON pointer (RFC 6901).
func (f *FieldRef) Pointer() string {
	return jsonpointer.Of(f.Property...)
}

// KeyPath returns the JSON property in the notation of partition key paths.
func (f *FieldRef) KeyPath() string { return "/" + strings.Join(f.Property, "/") }

// The JSON properties with a meaning to Cosmos DB or the run time.
const (
	IDProperty   = "id"
	ETagProperty = "_etag"
	MoveProperty = marks.Property // of documents that move
	TSProperty   = "_ts"
	TTLProperty  = "ttl"
)

// SystemProperties are the properties that the service sets or uses itself.
var SystemProperties = append([]string{IDProperty, ETagProperty, TTLProperty}, HiddenProperties...)

// HiddenProperties are the properties that the service sets in every API, and that APIs other than
// NoSQL do not show.
var HiddenProperties = []string{"_rid", "_self", TSProperty, "_attachments"}

// reference describes the field at the end of a path.
func (d *Document) reference(path []*types.Var) *FieldRef {
	ref := &FieldRef{Path: path, Selector: d.Selector(path)}
	for i, v := range path[:len(path)-1] {
		if _, ok := types.Unalias(v.Type()).(*types.Pointer); ok {
			ref.Pointers = append(ref.Pointers, d.Selector(path[:i+1]))
		}
	}
	ref.Property, ref.JSON = jsonPath(d.json, path)
	return ref
}

// Selector returns the shortest Go selector of the field at the end of a path. It omits embedded
// fields that promote others.
func (d *Document) Selector(path []*types.Var) string {
	return strings.Join(SelectorFrom(d.Named, d.Unit.Types, path), ".")
}

// SelectorFrom returns the names with which the package from selects the field at the end of a path
// from a struct of type t.
func SelectorFrom(t types.Type, from *types.Package, path []*types.Var) []string {
	names := make([]string, len(path))
	for i, v := range path {
		names[i] = v.Name()
	}
	for i := len(names) - 1; i > 0; i-- {
		if found, _, _ := FollowFrom(t, from, names[i:]); slices.Equal(found, path) {
			return names[i:]
		}
	}
	return names
}

// Follow resolves a Go field path from the document. It returns the fields on the way, including
// embedded ones that promote others. On failure, n is how many names it could follow, and in is the
// struct that lacks the next one, or nil if there is no struct.
func (d *Document) Follow(names []string) (path []*types.Var, n int, in *types.Struct) {
	return FollowFrom(d.Named, d.Unit.Types, names)
}

// FollowFrom is [Document.Follow] from a struct of type t, as the package from selects fields.
func FollowFrom(t types.Type, from *types.Package, names []string) (path []*types.Var, n int, in *types.Struct) {
	for n, name := range names {
		object, index, _ := types.LookupFieldOrMethod(t, true, from, name)
		if _, ok := object.(*types.Var); !ok {
			return nil, n, structOf(t)
		}
		for _, i := range index {
			strct := structOf(t)
			if strct == nil || i >= strct.NumFields() {
				return nil, n, nil
			}
			path = append(path, strct.Field(i))
			t = strct.Field(i).Type()
		}
	}
	return path, len(names), nil
}

// jsonPath returns the JSON properties on the way to a field, and the last of them; nil if
// encoding/json does not write the field.
func jsonPath(properties []Property, path []*types.Var) ([]string, Property) {
	for _, p := range properties {
		n := len(p.Path)
		if n > len(path) || !slices.Equal(p.Path, path[:n]) {
			continue
		}
		if n == len(path) {
			return []string{p.Name}, p
		}
		inner, last := jsonPath(propertiesOf(p.Field().Type()), path[n:])
		if inner == nil {
			return nil, Property{}
		}
		return append([]string{p.Name}, inner...), last
	}
	return nil, Property{}
}

// fieldNames returns the exported fields that a selector on the struct reaches in one step, its own
// before the promoted ones.
func fieldNames(strct *types.Struct, depth int) []string {
	var own, promoted []string
	for field := range strct.Fields() {
		if field.Exported() {
			own = append(own, field.Name())
		}
		if inner := structOf(field.Type()); inner != nil && field.Embedded() && depth < maxDepth {
			promoted = append(promoted, fieldNames(inner, depth+1)...)
		}
	}
	return append(own, promoted...)
}

// ByName returns the field that a Go selector reaches, or nil.
func (d *Document) ByName(selector string) *FieldRef {
	path, _, _ := d.Follow(strings.Split(selector, "."))
	if path == nil {
		return nil
	}
	return d.reference(path)
}

// ByProperty returns the field with a JSON property, or nil.
func (d *Document) ByProperty(name string) *FieldRef {
	for _, p := range d.json {
		if p.Name == name {
			return d.reference(p.Path)
		}
	}
	return nil
}

// Role returns the field with a role, and reports a second one.
func (d *Document) Role(word string, has func(*Tagged) bool) *Tagged {
	var first *Tagged
	for _, t := range d.Roles {
		switch {
		case !has(t):
		case first == nil:
			first = t
		default:
			d.Errorf(t.Word(word), "field %s is a second %q besides %s: keep one", t.Ref.Selector, word, first.Ref.Selector)
		}
	}
	return first
}

// ByPropertyPath returns the field of a property at any depth, or nil.
func (d *Document) ByPropertyPath(names []string) *FieldRef {
	if d == nil {
		return nil // the type is unknown
	}
	properties := d.json
	var path []*types.Var
	for _, name := range names {
		i := slices.IndexFunc(properties, func(p Property) bool { return p.Name == name })
		if i < 0 {
			return nil
		}
		path = append(path, properties[i].Path...)
		properties = propertiesOf(properties[i].Field().Type())
	}
	return d.reference(path)
}

// Hiding returns the selector of a struct on the way to a field that writes its own JSON, so that
// documents lack the field's property, or "". A resource id that is written as one text is an
// example: its parts may be in a key, but queries cannot refer to them.
//
// Hiding ignores methods that the document itself has or inherits from an embedded struct.
func (d *Document) Hiding(ref *FieldRef) string {
	for i, v := range ref.Path[:len(ref.Path)-1] {
		if !v.Embedded() && OwnJSON(v.Type()) {
			return d.Selector(ref.Path[:i+1])
		}
	}
	return ""
}

// Unnameable returns why generated code cannot select a field, or "".
func (d *Document) Unnameable(ref *FieldRef) string {
	for _, selector := range append(slices.Clone(ref.Pointers), ref.Selector) {
		if path, _, _ := d.Follow(strings.Split(selector, ".")); path == nil {
			return "another package has not exported " + selector
		}
	}
	return ""
}

// PropertiesAt returns the properties of the struct at a path of properties, or
// nil.
func (d *Document) PropertiesAt(path []string) []Property {
	if len(path) == 0 {
		return d.json
	}
	ref := d.ByPropertyPath(path)
	if ref == nil {
		return nil
	}
	return propertiesOf(ref.Field().Type())
}

// propertiesOf returns the properties of the struct that a type is or points to, or nil.
func propertiesOf(t types.Type) []Property {
	if strct := structOf(t); strct != nil {
		return JSONFields(strct)
	}
	return nil
}

// structOf returns the struct that a type is or points to, or nil.
func structOf(t types.Type) *types.Struct {
	strct, _ := Dereference(t).Underlying().(*types.Struct)
	return strct
}

// NamedField returns the field that a path in a tag's word names, or reports why there is none.
func (d *Document) NamedField(word, text string, pos token.Position) *FieldRef {
	names := strings.Split(text, ".")
	path, n, in := d.Follow(names)
	if path != nil {
		return d.reference(path)
	}
	switch {
	case in == nil && n > 0:
		d.Errorf(pos, "%s names no field: %s is not a struct, so it has no field %s", word, strings.Join(names[:n], "."), names[n])
	case in == nil:
		d.Errorf(pos, "%s names no field: %s has no field %s", word, d.Name(), names[n])
	default:
		candidates := fieldNames(in, 0)
		owner := d.Name()
		if n > 0 {
			owner = strings.Join(names[:n], ".")
		}
		advice := "name a Go field as it is written in the struct"
		near := spelling.Nearest(names[n], candidates)
		for _, p := range JSONFields(in) {
			if p.Name == names[n] {
				near = p.Field().Name()
			}
		}
		if near != "" {
			advice = "did you mean " + strconv.Quote(strings.Join(append(slices.Clone(names[:n]), near), ".")) + "?"
		}
		d.Errorf(pos, "%s names no field: %s has no field %s; %s", word, owner, names[n], advice)
	}
	return nil
}
