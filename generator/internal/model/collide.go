package model

import (
	"cmp"
	"go/ast"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// declaresElements reports whether a generated name is that of the fields of elements.
func declaresElements(c *Candidate, name string) bool {
	return slices.ContainsFunc(c.Model.Rendered.Elements, func(x templates.Element) bool { return x.Name+"Fields" == name })
}

// Collide reports names that the generated files of a unit would declare twice.
func Collide(u *source.Unit, found []*Candidate) {
	taken := u.Declared()
	hidden(u, taken, found)
	byName := make(map[string]*Candidate)
	byFile := make(map[string]*Candidate)
	for _, d := range found {
		if d.Model == nil {
			continue
		}
		d.Model.methods()
		for _, name := range d.Model.Rendered.Names() {
			if pos, ok := taken[name]; ok {
				d.Errorf(u.Position(pos.Pos()), "%s is the name of something that pkgen generates for type %s: rename this declaration, or the type", name, d.Name())
			}
			if other := byName[name]; other != nil && OutputPath(other.Declaration) != OutputPath(d.Declaration) {
				wayOut := "rename one of them"
				if declaresElements(d, name) && declaresElements(other, name) {
					wayOut = "declare a type of your own for the elements of a list of one of them"
				}
				d.Errorf(d.Position(), "types %s and %s would both get a generated %s: %s", other.Name(), d.Name(), name, wayOut)
			}
			byName[name] = d
		}
		file := strings.ToLower(OutputPath(d.Declaration))
		if other := byFile[file]; other != nil {
			d.Errorf(d.Position(), "types %s and %s would both be generated into %s: rename one of them", other.Name(), d.Name(), filepath.Base(OutputPath(d.Declaration)))
		}
		byFile[file] = d
	}
}

// Paths reports documents of one container with different key paths, and containers of different
// APIs with the same name, of which a lock can have only one.
func Paths(found []*Candidate) {
	byContainer := make(map[string]*Candidate)
	for _, d := range found {
		if d.Model == nil || isEdge(d.Stated) {
			continue
		}
		id, path := d.Container(), pathsOf(d.Model.Rendered)
		if other := byContainer[id]; other != nil && other.API() != d.API() {
			d.Errorf(d.Position(), "types %s and %s are of the %s and the %s API, which have no containers in common, and both name theirs %q: give one a different name by container=",
				other.Name(), d.Name(), other.API(), d.API(), id)
			continue
		}
		if other := byContainer[id]; other != nil && pathsOf(other.Model.Rendered) != path {
			place := cmp.Or(places[d.API()], "container")
			d.Errorf(d.Position(), "types %s and %s share the "+place+" %q, which has one partition key path, and theirs are %s and %s: give one another "+place+", or both one path",
				other.Name(), d.Name(), id, pathsOf(other.Model.Rendered), path)
		}
		byContainer[id] = d
	}
}

// Reserved returns the identifiers in use in the files of a unit, sorted: those that the unit
// declares, those of the generated files, and those that files of its package declare in other
// builds. Imports and parameters avoid them, equally in all builds.
func Reserved(l *source.Loaded, u *source.Unit, found []*Candidate) []string {
	reserved := make(map[string]bool)
	for _, name := range l.ExcludedNames(u) {
		reserved[name] = true
	}
	for _, name := range u.Types.Scope().Names() {
		if u.Declares(u.Types.Scope().Lookup(name)) {
			reserved[name] = true
		}
	}
	for _, d := range found {
		if d.Model != nil {
			for _, name := range d.Model.Rendered.Names() {
				reserved[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(reserved))
}

// predeclared are the predeclared identifiers that generated code uses.
var predeclared = []string{"any", "append", "bool", "byte", "error", "float64", "int", "int32", "int64", "nil", "string", "true", "uint64"}

// hidden reports declarations of the package that hide predeclared identifiers from the generated
// code.
func hidden(u *source.Unit, taken map[string]ast.Node, found []*Candidate) {
	for _, name := range predeclared {
		node, ok := taken[name]
		if _, imported := node.(*ast.ImportSpec); !ok || imported {
			continue // an import hides it only in its own file
		}
		for _, d := range found {
			d.Errorf(u.Position(node.Pos()), "%s hides Go's own %s, which generated code uses: rename this declaration", name, name)
		}
	}
}

// pathsOf returns the paths of m's key, as the container's definition has them.
func pathsOf(m *templates.Type) string {
	text := strings.Join(m.Paths(), ",")
	if m.Kind == templates.Hierarchical && len(m.Levels) == 1 {
		text += " as a hierarchical key"
	}
	return text
}

// methods reports fields and methods of d with the name of a generated method.
func (d *Model) methods() {
	const without = "or put methods=none on the blank field: `_ struct{}` with `cosmos:\"methods=none\"`"
	for _, name := range d.Rendered.MethodNames() {
		object, index, _ := types.LookupFieldOrMethod(types.NewPointer(d.Named), true, d.Unit.Types, name)
		if object == nil {
			continue
		}
		where := d.Unit.Position(object.Pos())
		if source.IsOutputName(filepath.Base(where.Filename)) {
			continue // the method of an embedded document in another package
		}
		if len(index) > 1 || !d.Unit.Declares(object) {
			where = d.Position()
		}
		switch object.(type) {
		case *types.Var:
			advice := "rename the Go field and keep its JSON name in the tag"
			if len(index) > 1 {
				advice = "rename the embedded field"
			}
			d.Errorf(where, "field %s has the name of a method that type %s gets: %s, %s", name, d.Name(), advice, without)
		default:
			d.Errorf(where, "type %s gets a method %s, and has one already: rename it, %s", d.Name(), name, without)
		}
	}
}

// ByPath is the order of types in results.
func ByPath(a, b *Candidate) int {
	return cmp.Or(strings.Compare(a.File.Path, b.File.Path), cmp.Compare(a.Spec.Pos(), b.Spec.Pos()))
}
