package vet

import (
	"go/ast"
	"go/types"
	"strings"
)

// scopedDirective is the comment by which a package asks that its code use repositories
// of one tenant alone.
const scopedDirective = "//pkgen:scoped"

// isScoped reports whether a file of a package has the directive on a line of its own.
func isScoped(files []*ast.File) bool {
	for _, file := range files {
		for _, group := range file.Comments {
			for _, comment := range group.List {
				if words := strings.Fields(comment.Text); len(words) > 0 && words[0] == scopedDirective {
					return true
				}
			}
		}
	}
	return false
}

// unscoped reports each method and field but For that a file uses of a generated
// repository whose documents are tenants', whether it calls the method or keeps it. It
// reports a conversion to the embedded Documents as well, since that is a field.
func (c *checker) unscoped(file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		e, ok := n.(*ast.SelectorExpr)
		if !ok || e.Sel.Name == "For" {
			return true
		}
		selection := c.pass.TypesInfo.Selections[e]
		if selection == nil {
			return true
		}
		named := namedOf(selection.Recv())
		if named == nil || !isRepository(named) || !ofTenants(named) {
			return true
		}
		c.pass.Reportf(e.Sel.Pos(), "%s.%s is of the documents of all tenants, and this package has %s: call For, and use the repository of one tenant",
			named.Obj().Name(), e.Sel.Name, scopedDirective)
		return true
	})
}

// ofTenants reports whether a generated repository has the method For, which returns
// the repository of one tenant.
func ofTenants(named *types.Named) bool {
	object, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, named.Obj().Pkg(), "For")
	method, ok := object.(*types.Func)
	if !ok || method.Signature().Results().Len() != 1 {
		return false
	}
	strct := structOf(method.Signature().Results().At(0).Type())
	if strct == nil {
		return false
	}
	for field := range strct.Fields() {
		if of := namedOf(field.Type()); field.Embedded() && of != nil && of.Obj().Name() == "Tenant" && declaredIn(of, repositoryPath) {
			return true
		}
	}
	return false
}
