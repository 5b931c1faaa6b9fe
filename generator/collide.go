package generator

import (
	"cmp"
	"go/ast"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/templates"
)

// collide reports what the generated files of a unit would declare twice.
func collide(u *unit, found []*candidate) {
	taken := u.declared()
	hidden(u, taken, found)
	byName := make(map[string]*candidate)
	byFile := make(map[string]*candidate)
	for _, d := range found {
		if d.model == nil {
			continue
		}
		d.model.methods()
		for _, name := range d.model.rendered.Names() {
			if pos, ok := taken[name]; ok {
				d.errorf(u.position(pos.Pos()), "%s is the name of something that pkgen generates for type %s: rename this declaration, or the type", name, d.name())
			}
			if other := byName[name]; other != nil && outputPath(other.declaration) != outputPath(d.declaration) {
				d.errorf(d.position(), "types %s and %s would both get a generated %s: rename one of them", other.name(), d.name(), name)
			}
			byName[name] = d
		}
		file := strings.ToLower(outputPath(d.declaration))
		if other := byFile[file]; other != nil {
			d.errorf(d.position(), "types %s and %s would both be generated into %s: rename one of them", other.name(), d.name(), filepath.Base(outputPath(d.declaration)))
		}
		byFile[file] = d
	}
}

// paths reports documents of one container that keep their keys at different
// places.
func paths(found []*candidate) {
	byContainer := make(map[string]*candidate)
	for _, d := range found {
		if d.model == nil {
			continue
		}
		id, path := d.container(), pathsOf(d.model.rendered)
		if other := byContainer[id]; other != nil && pathsOf(other.model.rendered) != path {
			d.errorf(d.position(), "types %s and %s share the container %q, which has one partition key path, and theirs are %s and %s: give one another container, or both one path",
				other.name(), d.name(), id, pathsOf(other.model.rendered), path)
		}
		byContainer[id] = d
	}
}

// reserve tells each model what the unit declares, with the generated files of
// the types found, and what files of its package declare in other builds: names of imports
// and parameters avoid that, in all builds alike.
func reserve(l *loaded, u *unit, found []*candidate) {
	reserved := make(map[string]bool)
	for _, name := range l.excludedNames(u) {
		reserved[name] = true
	}
	for _, name := range u.types.Scope().Names() {
		if u.declares(u.types.Scope().Lookup(name)) {
			reserved[name] = true
		}
	}
	for _, d := range found {
		if d.model != nil {
			for _, name := range d.model.rendered.Names() {
				reserved[name] = true
			}
		}
	}
	names := slices.Sorted(maps.Keys(reserved))
	for _, d := range found {
		if d.model != nil {
			d.model.rendered.Reserved = names
		}
	}
}

// predeclared are the identifiers of the language that generated code uses.
var predeclared = []string{"any", "append", "bool", "byte", "error", "float64", "int", "int32", "int64", "nil", "string", "true", "uint64"}

// hidden reports declarations of the package that hide predeclared identifiers
// from the generated code.
func hidden(u *unit, taken map[string]ast.Node, found []*candidate) {
	for _, name := range predeclared {
		node, ok := taken[name]
		if _, imported := node.(*ast.ImportSpec); !ok || imported {
			continue // an import hides it in its own file
		}
		for _, d := range found {
			d.errorf(u.position(node.Pos()), "%s hides Go's own %s, which generated code uses: rename this declaration", name, name)
		}
	}
}

// pathsOf returns what the definition of m's container says of its key.
func pathsOf(m *templates.Type) string {
	paths := make([]string, len(m.KeyLevels()))
	for i, level := range m.KeyLevels() {
		paths[i] = level.Path
	}
	text := strings.Join(paths, ",")
	if m.Kind == templates.Hierarchical && len(paths) == 1 {
		text += " as a hierarchical key"
	}
	return text
}

// methods reports fields and methods of d that are called like a method which d
// gets.
func (d *model) methods() {
	const without = "or put methods=none on the blank field: `_ struct{}` with `cosmos:\"methods=none\"`"
	for _, name := range d.rendered.MethodNames() {
		object, index, _ := types.LookupFieldOrMethod(types.NewPointer(d.named), true, d.unit.types, name)
		if object == nil {
			continue
		}
		where := d.unit.position(object.Pos())
		if isOutputName(filepath.Base(where.Filename)) {
			continue // the method of an embedded document of another package
		}
		if len(index) > 1 || !d.unit.declares(object) {
			where = d.position()
		}
		switch object.(type) {
		case *types.Var:
			advice := "rename the Go field and keep its JSON name in the tag"
			if len(index) > 1 {
				advice = "rename the embedded field"
			}
			d.errorf(where, "field %s has the name of a method that type %s gets: %s, %s", name, d.name(), advice, without)
		default:
			d.errorf(where, "type %s gets a method %s, and has one already: rename it, %s", d.name(), name, without)
		}
	}
}

// byPath orders types as the result lists them.
func byPath(a, b *candidate) int {
	return cmp.Or(strings.Compare(a.file.path, b.file.path), cmp.Compare(a.spec.Pos(), b.spec.Pos()))
}
