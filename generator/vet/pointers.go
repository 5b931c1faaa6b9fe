package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/operations"
)

// place is a field of a document, or of a struct within it.
type place struct {
	document *types.Var
	path     string
}

// pointers returns the variables of a function that only point at a field of a
// document. Each has one value, such as &o.User, and its document has one value as
// well. The function reads and assigns the field, and does not pass the pointer on.
func (c *checker) pointers(body *ast.BlockStmt) map[*types.Var]place {
	all := c.values(body).of
	out := make(map[*types.Var]place)
	for p, values := range all {
		if len(values) != 1 || values[0] == nil {
			continue
		}
		address, ok := ast.Unparen(values[0]).(*ast.UnaryExpr)
		if !ok || address.Op != token.AND {
			continue
		}
		document, path := selected(c.pass.TypesInfo, address.X)
		if document == nil || path == "" || len(all[document]) > 1 {
			continue
		}
		if fact, _ := c.keyOf(document.Type()); fact != nil {
			out[p] = place{document, path}
		}
	}
	if len(out) > 0 {
		c.dropHanded(body, out)
	}
	return out
}

// dropHanded drops the pointers that a function uses otherwise than as *p or p.Name.
func (c *checker) dropHanded(body *ast.BlockStmt, pointers map[*types.Var]place) {
	reached := make(map[*ast.Ident]bool)
	ast.Inspect(body, func(n ast.Node) bool {
		var x ast.Expr
		switch n := n.(type) {
		case *ast.StarExpr:
			x = n.X
		case *ast.SelectorExpr:
			if s := c.pass.TypesInfo.Selections[n]; s != nil && s.Kind() == types.FieldVal {
				x = n.X
			}
		case *ast.FuncLit: // it runs at another time
			ast.Inspect(n.Body, func(n ast.Node) bool {
				if ident, ok := n.(*ast.Ident); ok {
					delete(pointers, variable(c.pass.TypesInfo, ident))
				}
				return true
			})
			return false
		}
		if x != nil {
			if ident, ok := ast.Unparen(x).(*ast.Ident); ok {
				reached[ident] = true
			}
		}
		return true
	})
	ast.Inspect(body, func(n ast.Node) bool {
		if ident, ok := n.(*ast.Ident); ok && !reached[ident] && c.pass.TypesInfo.Defs[ident] == nil {
			delete(pointers, variable(c.pass.TypesInfo, ident))
		}
		return true
	})
}

// field returns the variable that a selector starts from, and the path of the
// field that it reaches, by way of a pointer at a field or not.
func (c *checker) field(e ast.Expr) (v *types.Var, path string) {
	v, path = selected(c.pass.TypesInfo, e)
	if at, ok := c.pointsAt[v]; ok {
		return at.document, strings.TrimSuffix(at.path+"."+path, ".")
	}
	return v, path
}

// restores reports whether a value is a variable that has kept what a field was
// before it was changed.
func (w *walk) restores(value ast.Expr, v *types.Var, path string) bool {
	kept := variable(w.pass.TypesInfo, value)
	values := w.assigned[kept]
	if kept == nil || len(values) != 1 || values[0] == nil {
		return false
	}
	from, same := w.field(values[0])
	change := w.state.read[v][path]
	return from == v && same == path && (change == nil || values[0].Pos() < change.Pos())
}

// deletesKey reports whether a function deletes a document of a type by a key: it
// may be moving, by hand, a document that it stores by Upsert.
func (c *checker) deletesKey(body *ast.BlockStmt, document *types.Named) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && does(c.pass.TypesInfo, call) == operations.Removes {
			for _, arg := range call.Args {
				found = found || isKey(c.pass.TypesInfo.TypeOf(arg), document)
			}
		}
		return !found
	})
	return found
}
