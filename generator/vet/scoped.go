package vet

import (
	"go/ast"
	"go/types"
	"strings"
)

// scopedDirective is the comment with which a package restricts its code to repositories of one
// tenant.
const scopedDirective = "//pkgen:scoped"

// isScoped reports whether a file of a package has the directive on a line of its own.
func isScoped(files []*ast.File) bool {
	for comment := range comments(files) {
		if words := strings.Fields(comment.Text); len(words) > 0 && words[0] == scopedDirective {
			return true
		}
	}
	return false
}

// unscoped reports each use of a method or field, except For, of a generated repository whose
// documents have a tenant, called or not. A conversion to the embedded Documents is reported as
// well, since it is a field.
func (c *checker) unscoped(file *ast.File) {
	for e := range all[*ast.SelectorExpr](file) {
		selection := c.pass.TypesInfo.Selections[e]
		if selection == nil || e.Sel.Name == "For" {
			continue
		}
		if named := namedOf(selection.Recv()); named != nil && isRepository(named) && ofTenants(named) {
			c.pass.Reportf(e.Sel.Pos(), "%s.%s reaches the documents of all tenants, and this package has %s: call For, and use the repository of one tenant",
				named.Obj().Name(), e.Sel.Name, scopedDirective)
		}
	}
}

// ofTenants reports whether a generated repository has the method For, which returns the repository
// of one tenant.
func ofTenants(named *types.Named) bool {
	object, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, named.Obj().Pkg(), "For")
	method, ok := object.(*types.Func)
	if !ok || method.Signature().Results().Len() != 1 {
		return false
	}
	for of := range embedded(method.Signature().Results().At(0).Type()) {
		if of.Obj().Name() == "Tenant" && packageOf(of.Obj()) == repositoryPath {
			return true
		}
	}
	return false
}
