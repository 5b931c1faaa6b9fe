package model

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// place sets the paths of the key's levels. Stored is the field that holds the stored key, or nil.
func (k *key) place(stored *pk.Field) {
	pos := k.Position()
	given := k.Options.Path != ""
	if given {
		pos = k.Options.At(k.Options.Offset("path"))
	}
	if k.leveled {
		if given {
			k.Errorf(pos, "\"path\" is for a key of one level, and each level here has its own path: remove it")
			return
		}
		k.placeLevels(stored, pos)
		return
	}
	if !k.plain {
		k.Levels[0].Path = k.madePath(stored, cmp.Or(k.Options.Path, defaultPath), given, pos)
		return
	}
	ref := k.refs[0]
	path := k.propertyPath(ref, pos)
	k.Levels[0].Path = path
	switch {
	case k.kind != templates.ItemID && slices.Equal(ref.Property, []string{facts.IDProperty}):
		k.Errorf(k.KeyPosition(), "field %s is the item id: tag it \"id,pk\"", ref.Selector)
	case given && k.Options.Path != path:
		k.Errorf(pos, "path %s is not where the key is: %s is the property %s, so leave \"path\" out, or make a synthetic key", k.Options.Path, ref.Selector, path)
	}
}

// placeLevels sets the paths of a hierarchical key's levels.
func (k *key) placeLevels(stored *pk.Field, pos token.Position) {
	made := len(k.made())
	for i := range k.Levels {
		level := &k.Levels[i]
		switch {
		case !level.Made:
			level.Path = k.propertyPath(k.refs[i], pos)
		case made == 1:
			level.Path = k.madePath(stored, defaultPath, false, pos)
		default:
			level.Path = k.madePath(stored, fmt.Sprintf("%s%d", defaultPath, i+1), false, pos)
		}
	}
}

// propertyPath returns the path of a plain property in the key.
func (d *subject) propertyPath(ref *facts.FieldRef, pos token.Position) string {
	if name := badName(ref.Property); name != "" {
		d.Errorf(d.JSONPosition(ref, pos), "property %q cannot be named in a partition key path, which takes ASCII letters, digits and \"_\": choose another JSON name", name)
	}
	return d.KeyPath(ref)
}

// madePath returns the path to which the run time writes a text: that of the field which holds it,
// or the given one.
func (k *key) madePath(stored *pk.Field, path string, given bool, pos token.Position) string {
	for _, t := range k.Roles {
		if !t.Synthetic || stored == nil {
			continue
		}
		at := k.JSONPosition(t.Ref, t.Word("synthetic"))
		switch name := badName(t.Ref.Property); {
		case name != "":
			k.Errorf(at, "property %q cannot be named in a partition key path, which takes ASCII letters, digits and \"_\": choose another JSON name", name)
			return path
		case !given:
			path = k.KeyPath(t.Ref)
		case k.KeyPath(t.Ref) != path:
			k.Errorf(at, "field %s holds the synthetic key, but its property is %s and the path is %s: write the same name in both", t.Ref.Selector, k.KeyPath(t.Ref), path)
			return path
		}
		pos = at
	}
	names := strings.Split(path[1:], "/")
	if slices.Contains(facts.SystemProperties, names[0]) {
		k.Errorf(pos, "the synthetic key cannot be written to the system property %q: choose another name", names[0])
		return path
	}
	k.freePath(stored, path, names)
	return path
}

// freePath checks that no other field of the document has the path of a text that the run time
// writes.
func (k *key) freePath(stored *pk.Field, path string, names []string) {
	ref := k.ByProperty(names[0])
	if k.API() == annotations.Mongo {
		ref = k.byStoredName(names[0])
	}
	if ref == nil || stored != nil || len(names) > 1 && !occupied(ref.Field(), names[1:]) {
		return
	}
	advice := "tag it `cosmos:\"synthetic\"`, or choose another path"
	switch {
	case k.leveled || k.isComputed(names[0]):
		advice = "give it another JSON name"
	case !facts.IsString(ref.Field().Type()) || len(names) > 1:
		advice = "give it another JSON name, or choose another path"
	}
	k.Errorf(k.DeclaredAt(ref), "the run time writes the synthetic key to %s, where field %s is: %s", path, ref.Selector, advice)
}

// byStoredName returns the field that MongoDB stores under a name, or nil. The field that holds the
// stored key excludes others of its name.
func (d *subject) byStoredName(name string) *facts.FieldRef {
	for _, p := range facts.JSONFields(d.Struct) {
		if ref := d.ByProperty(p.Name); ref != nil && d.Pointer(ref) == jsonpointer.Of(name) {
			return ref
		}
	}
	return nil
}

// occupied reports whether a field cannot contain the rest of a path: it is not an object, or that
// object already has the property.
func occupied(v *types.Var, names []string) bool {
	strct, ok := facts.Dereference(v.Type()).Underlying().(*types.Struct)
	if !ok {
		return true
	}
	for _, p := range facts.JSONFields(strct) {
		if p.Name == names[0] {
			return len(names) == 1 || occupied(p.Field(), names[1:])
		}
	}
	return false
}

// badName returns the first property that a partition key path cannot name. Microsoft's page on
// partitioning allows alphanumerics and the underscore
// (https://learn.microsoft.com/azure/cosmos-db/partitioning-overview).
func badName(names []string) string {
	for _, name := range names {
		for _, r := range name {
			if r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
				return name
			}
		}
	}
	return ""
}
