package vet

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/cosmos-pkgen/pkgen/internal/operations"
)

// The packages whose methods mean something here.
const (
	repositoryPath = "github.com/cosmos-pkgen/pkgen/repository"
	azcosmosPath   = "github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// runTimes are the packages that generated code calls, one for each API, and the one that
// they share. This module does not have the drivers of all, so that they are known by their
// paths alone.
var runTimes = []string{repositoryPath, modulePath + "/documents", modulePath + "/table", modulePath + "/mongo", modulePath + "/gremlin"}

// uses reports whether a package imports a run time, by way of others or not:
// without one no document is read or written by generated code.
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

// operation returns the name of the method that is called, if it is one of a
// generated repository or of a package that those embed from; else "".
func operation(info *types.Info, call *ast.CallExpr) string {
	method, ok := typeutil.Callee(info, call).(*types.Func)
	if !ok {
		return ""
	}
	if method.Signature().Recv() == nil { // a function of package feed is an operation, too
		o := operations.Named(method.Name())
		if o == nil || !o.Feed || method.Pkg() == nil || method.Pkg().Path() != repositoryPath+"/feed" {
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

// does returns what the method that is called does with documents.
func does(info *types.Info, call *ast.CallExpr) operations.Does {
	if o := operations.Named(operation(info, call)); o != nil {
		return o.Does
	}
	return operations.Nothing
}

// namedOf returns the named type that t is or points at, or nil.
func namedOf(t types.Type) *types.Named {
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		t = pointer.Elem()
	}
	named, _ := types.Unalias(t).(*types.Named)
	return named
}

// declaredIn reports whether the package at a path declares a type.
func declaredIn(named *types.Named, path string) bool {
	return named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == path
}

// inRunTime reports whether the run time of an API declares a type.
func inRunTime(named *types.Named) bool {
	return named.Obj().Pkg() != nil && slices.Contains(runTimes, named.Obj().Pkg().Path())
}

// isRepository reports whether t is a generated repository, or points at one: a
// struct that embeds the *Documents of a run time, or the *Edges of a graph.
func isRepository(t types.Type) bool {
	strct := structOf(t)
	if strct == nil {
		return false
	}
	for field := range strct.Fields() {
		named := namedOf(field.Type())
		if field.Embedded() && named != nil && inRunTime(named) && (named.Obj().Name() == "Documents" || named.Obj().Name() == "Edges") {
			return true
		}
	}
	return false
}

// variable returns the variable that an expression names, or nil.
func variable(info *types.Info, e ast.Expr) *types.Var {
	ident, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := info.ObjectOf(ident).(*types.Var)
	return v
}

// selected returns the variable that a selector starts from, and the whole path
// of the field that it reaches, promoting fields included; or nil.
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
