package model

import (
	"go/types"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/generator/internal/gotypes"
	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// guard returns the guard of m's file, which stops the build if the source has changed: the structs
// of the package on the way to a used field, and the used fields of other structs.
func (d *subject) guard(m *templates.Type, used [][]*types.Var) templates.Guard {
	g := newGuarding(d, d.Named)
	for _, path := range d.namedPaths(m) {
		g.add(path, true)
	}
	for _, path := range used {
		g.add(path, false)
	}
	if len(g.guard.Structs) == 0 {
		return templates.Guard{} // the file refers to its fields by name
	}
	return g.guard
}

// guarding collects the guarded structs and fields.
type guarding struct {
	d       *subject
	root    *types.Named // the struct in which paths to fields begin
	guard   templates.Guard
	structs map[string]bool // structs visited so far, and whether they are guarded as a whole
	fields  map[string]bool // the selectors of guarded fields
}

func newGuarding(d *subject, root *types.Named) *guarding {
	return &guarding{d: d, root: root, structs: make(map[string]bool), fields: make(map[string]bool)}
}

// add guards the field at the end of a path. Named is set if generated code selects it.
func (g *guarding) add(path []*types.Var, named bool) {
	whole := g.through(g.root)
	for _, v := range path[:len(path)-1] {
		around, _ := facts.Pointee(v.Type())
		if named, ok := types.Unalias(around).(*types.Named); ok { // an unnamed type is part of the type around it
			whole = g.through(named)
		}
	}
	last := path[len(path)-1]
	if whole || !named && last.Pkg() == g.d.Unit.Types {
		return
	}
	names := facts.SelectorFrom(g.root, g.d.Unit.Types, path)
	selector := strings.Join(names, ".")
	found, _, _ := facts.FollowFrom(g.root, g.d.Unit.Types, names)
	if typ, ok := g.typeOf(last); ok && !g.fields[selector] && last.Exported() && slices.Equal(found, path) {
		g.fields[selector] = true
		g.guard.Fields = append(g.guard.Fields, templates.GuardedField{Selector: selector, Type: typ})
	}
}

// through guards a struct as a whole, if possible, and reports whether it did.
func (g *guarding) through(named *types.Named) bool {
	name := types.TypeString(named, nil)
	if whole, met := g.structs[name]; met {
		return whole
	}
	s, whole := g.structOf(named)
	if g.structs[name] = whole; whole {
		g.guard.Structs = append(g.guard.Structs, s)
	}
	return whole
}

// structOf describes a struct type of the package. It returns false for a struct of another
// package, one that differs in another build, and one with a field whose type cannot be written.
func (g *guarding) structOf(named *types.Named) (templates.GuardedStruct, bool) {
	strct, ok := named.Underlying().(*types.Struct)
	if !ok || named.Obj().Pkg() != g.d.Unit.Types {
		return templates.GuardedStruct{}, false
	}
	file := g.d.Unit.FileOf(named.Obj())
	if file == nil || file != g.d.File && source.ConstraintOf(file) != "" && source.ConstraintOf(file) != source.ConstraintOf(g.d.File) {
		return templates.GuardedStruct{}, false
	}
	var out templates.GuardedStruct
	if out.Name, ok = gotypes.Text(named, g.d.Unit.Types); !ok {
		return out, false
	}
	for i := range strct.NumFields() {
		v := strct.Field(i)
		typ, ok := g.typeOf(v)
		if !ok || named.TypeArgs().Len() > 0 && !g.known(v) {
			return out, false
		}
		field := templates.StructField{Name: v.Name(), Type: typ, Tag: strct.Tag(i)}
		if v.Embedded() {
			field.Name = ""
		}
		out.Fields = append(out.Fields, field)
	}
	return out, true
}

// typeOf writes the type of a field: the type itself or, if that is impossible, the text of the
// source.
func (g *guarding) typeOf(v *types.Var) (templates.TypeText, bool) {
	if typ, ok := gotypes.Text(v.Type(), g.d.Unit.Types); ok {
		return typ, true
	}
	return gotypes.SourceText(g.d.Unit, v)
}

// known reports whether the type of a field is known well enough to write it.
func (g *guarding) known(v *types.Var) bool {
	_, ok := gotypes.Text(v.Type(), g.d.Unit.Types)
	return ok
}

// namedPaths returns the paths of the fields that generated code selects.
func (d *subject) namedPaths(m *templates.Type) [][]*types.Var {
	var out [][]*types.Var
	add := func(f *pk.Field) {
		if f == nil {
			return
		}
		if ref := d.ByName(f.Selector); ref != nil {
			out = append(out, ref.Path)
		}
	}
	add(&m.ID)
	for _, c := range AllComponents(m) {
		add(&c.Field)
	}
	for _, f := range []*pk.Field{m.Stored, m.ETag, m.Rest} {
		add(f)
	}
	for _, x := range m.Indexes {
		add(x.Field)
		for _, c := range x.Entry.Components() {
			add(&c.Field)
		}
	}
	return out
}
