package vet

import (
	"go/ast"
	"go/types"
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/operations"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// The packages with relevant methods.
const (
	repositoryPath = "github.com/cosmos-pkgen/pkgen/repository"
	azcosmosPath   = "github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// runTimes are the packages that generated code calls, one for each API, and the one that they
// share. This module lacks some drivers, so only the paths are known.
var runTimes = []string{repositoryPath, modulePath + "/documents", modulePath + "/table", modulePath + "/mongo", modulePath + "/gremlin"}

// uses reports whether a package imports a run time, directly or indirectly. Without one, generated
// code reads and writes no document.
func uses(pkg *types.Package) bool {
	seen := make(map[*types.Package]bool)
	var reaches func(*types.Package) bool
	reaches = func(p *types.Package) bool {
		if seen[p] {
			return false
		}
		seen[p] = true
		for _, imported := range p.Imports() {
			if slices.Contains(runTimes, imported.Path()) || reaches(imported) {
				return true
			}
		}
		return false
	}
	return reaches(pkg)
}

// called returns the function or method that an expression calls, or nil.
func called(info *types.Info, e ast.Expr) *types.Func {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return nil
	}
	f, _ := typeutil.Callee(info, call).(*types.Func)
	return f
}

// packageOf returns the path of the package that declares an object, or "" for nil and predeclared
// objects.
func packageOf(object types.Object) string {
	if object == nil || object.Pkg() == nil {
		return ""
	}
	return object.Pkg().Path()
}

// all returns the nodes of a type in a tree, outer nodes first.
func all[T ast.Node](root ast.Node) iter.Seq[T] {
	return func(yield func(T) bool) {
		for n := range ast.Preorder(root) {
			if n, ok := n.(T); ok && !yield(n) {
				return
			}
		}
	}
}

// operation returns the name of the called method if it belongs to a generated repository or to a
// run time that it embeds; otherwise "".
func operation(info *types.Info, call *ast.CallExpr) string {
	method := called(info, call)
	if method == nil {
		return ""
	}
	if method.Signature().Recv() == nil { // functions of package feed are operations, too
		o := operations.Named(method.Name())
		if o == nil || !o.Feed || packageOf(method) != repositoryPath+"/feed" {
			return ""
		}
		return o.Name
	}
	recv := method.Signature().Recv().Type()
	if named := namedOf(recv); named == nil || !inRunTime(named) && !isRepository(recv) {
		return ""
	}
	return method.Name()
}

// does returns the effect of the called method on documents.
func does(info *types.Info, call *ast.CallExpr) operations.Does {
	if o := operations.Named(operation(info, call)); o != nil {
		return o.Does
	}
	return operations.Nothing
}

// namedOf returns the named type that t is or points to, or nil.
func namedOf(t types.Type) *types.Named {
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		t = pointer.Elem()
	}
	named, _ := types.Unalias(t).(*types.Named)
	return named
}

// inRunTime reports whether the run time of an API declares a type.
func inRunTime(named *types.Named) bool {
	return slices.Contains(runTimes, packageOf(named.Obj()))
}

// isRepository reports whether t is, or points to, a generated repository: a struct that embeds the
// *Documents of a run time, or the *Edges of a graph.
func isRepository(t types.Type) bool {
	for named := range embedded(t) {
		if inRunTime(named) && (named.Obj().Name() == "Documents" || named.Obj().Name() == "Edges") {
			return true
		}
	}
	return false
}

// embedded returns the named types embedded in the struct that t is or points to.
func embedded(t types.Type) iter.Seq[*types.Named] {
	return func(yield func(*types.Named) bool) {
		strct := structOf(t)
		for i := 0; strct != nil && i < strct.NumFields(); i++ {
			if named := namedOf(strct.Field(i).Type()); strct.Field(i).Embedded() && named != nil && !yield(named) {
				return
			}
		}
	}
}

// variable returns the variable of an expression, or nil.
func variable(info *types.Info, e ast.Expr) *types.Var {
	ident, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := info.ObjectOf(ident).(*types.Var)
	return v
}

// selected returns the variable at the start of a selector, and the full path of the selected
// field, including promoting fields; or nil.
func selected(info *types.Info, e ast.Expr) (v *types.Var, path string) {
	switch e := ast.Unparen(e).(type) {
	case *ast.StarExpr:
		return selected(info, e.X)
	case *ast.Ident:
		return variable(info, e), ""
	case *ast.SelectorExpr:
		selection := info.Selections[e]
		if selection == nil || selection.Kind() != types.FieldVal {
			return nil, ""
		}
		v, path = selected(info, e.X)
		for _, name := range namesOn(selection.Recv(), selection.Index()) {
			if path != "" {
				path += "."
			}
			path += name
		}
		return v, path
	}
	return nil, ""
}

// keyFact has the facts of a document type for packages that import its package, which need not
// read the tags again.
type keyFact struct {
	// Fields are the fields of the key, including the id, as paths of Go names from the document,
	// embedded fields by name: "ID", "Base.Date". It omits fields whose value is only partly in the
	// key, such as a time of which the key has the day: assigning to them need not change the key.
	Fields []string
	// API is where the documents are stored.
	API templates.API
	// Container is the id of the documents' container, or the template of ids.
	Container string
	// ID is the path of the field with the item id, and Prefix the beginning of every id, or "".
	ID, Prefix string
	// Unique is set if documents have unique values, and cannot move; Marks if Delete only marks
	// them.
	Unique, Marks bool
	// Alone is set if the key ends in the id, so that no transaction accepts the documents.
	Alone bool
	// Unindexed are the properties that no index of the container serves.
	Unindexed []unindexedProperty
}

// AFact marks keyFact as a fact.
func (*keyFact) AFact() {}

func (f *keyFact) String() string { return "key of " + strings.Join(f.Fields, ", ") }

// exportKey exports the fact of a document type, for this pass and for importing packages.
func (c *checker) exportKey(doc generator.TypeInfo) {
	name, ok := c.pass.Pkg.Scope().Lookup(doc.Model.Name).(*types.TypeName)
	if !ok {
		return
	}
	fact := &keyFact{API: doc.Model.API, Prefix: doc.Model.Prefix, Unique: len(doc.Model.Unique) > 0, Marks: doc.Model.Deleted != nil, Alone: doc.Model.Alone(), Unindexed: unindexedOf(doc.Model)}
	if doc.Model.API == templates.NoSQL { // other packages open tables, collections and graphs
		fact.Container = doc.Model.Container
	}
	fact.ID = fieldPath(name.Type(), c.pass.Pkg, strings.Split(doc.Model.ID.Selector, "."))
	for _, selector := range keySelectors(doc.Model) {
		if path := fieldPath(name.Type(), c.pass.Pkg, strings.Split(selector, ".")); path != "" {
			fact.Fields = append(fact.Fields, path)
		}
	}
	c.pass.ExportObjectFact(name, fact)
}

// keySelectors returns the Go selectors of the fields whose whole value is in the key, or in the id
// of the container.
func keySelectors(m *templates.Type) []string {
	out := []string{m.ID.Selector}
	for _, c := range slices.Concat(m.Components(), pk.Level{Parts: slices.Concat(m.Containers, m.Row)}.Components()) {
		if c.Layout == "" && !c.Lower {
			out = append(out, c.Selector)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// keyOf returns the fact of the document type that t is or points to, and the type, or nil.
func (c *checker) keyOf(t types.Type) (*keyFact, *types.Named) {
	named := namedOf(t)
	if named == nil {
		return nil, nil
	}
	var fact keyFact
	if !c.pass.ImportObjectFact(named.Obj(), &fact) {
		return nil, nil
	}
	return &fact, named
}

// fieldPath returns the full path of the field that names select from a value of type t, including
// promoting fields; "" if there is none.
func fieldPath(t types.Type, from *types.Package, names []string) string {
	var path []string
	for _, name := range names {
		object, index, _ := types.LookupFieldOrMethod(t, true, from, name)
		field, ok := object.(*types.Var)
		if !ok {
			return ""
		}
		path = append(path, namesOn(t, index)...)
		t = field.Type()
	}
	return strings.Join(path, ".")
}

// namesOn returns the names of the fields that an index goes through from a
// value of type t.
func namesOn(t types.Type, index []int) []string {
	var names []string
	for _, i := range index {
		strct := structOf(t)
		if strct == nil {
			return nil
		}
		names = append(names, strct.Field(i).Name())
		t = strct.Field(i).Type()
	}
	return names
}

// structOf returns the struct that t is or points to, or nil.
func structOf(t types.Type) *types.Struct {
	if t == nil {
		return nil // in code that does not compile
	}
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		t = pointer.Elem()
	}
	strct, _ := t.Underlying().(*types.Struct)
	return strct
}

// has reports whether the field at a path is in the key.
func (f *keyFact) has(path string) bool { return slices.Contains(f.Fields, path) }

// within reports whether a field of the key is inside the one at a path.
func (f *keyFact) within(path string) bool {
	return slices.ContainsFunc(f.Fields, func(field string) bool { return strings.HasPrefix(field, path+".") })
}
