package vet

import (
	"go/ast"
	"go/types"
	"strings"
)

// original reports whether a value is the same that the field of a document had
// when it was read: the field itself, a variable that has kept it, a field of a key,
// or a value that the function has made a key or a query from.
func (w *walk) original(value ast.Expr, v *types.Var, path string, document *types.Named) bool {
	if value == nil {
		return false
	}
	if w.given[types.ExprString(value)] {
		return true
	}
	if w.restores(value, v, path) {
		return true
	}
	s, ok := ast.Unparen(value).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	if from, same := selected(w.pass.TypesInfo, s); from == v && same == path {
		return true
	}
	return isKey(w.pass.TypesInfo.TypeOf(s.X), document)
}

// isKey reports whether t is the key type of a document, or points at it.
func isKey(t types.Type, document *types.Named) bool {
	if t == nil {
		return false
	}
	key := namedOf(t)
	return key != nil && key.Obj().Pkg() == document.Obj().Pkg() && key.Obj().Name() == document.Obj().Name()+"Key"
}

// keyValues returns the values, as Go text, that a function puts into keys of
// documents, or hands to a method that selects documents by them.
func (c *checker) keyValues(body *ast.BlockStmt) map[string]bool {
	given := make(map[string]bool)
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if c.hasKeyMethod(n) {
				for _, e := range n.Elts {
					if pair, ok := e.(*ast.KeyValueExpr); ok {
						e = pair.Value
					}
					given[types.ExprString(e)] = true
				}
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				s, ok := left.(*ast.SelectorExpr)
				if ok && len(n.Lhs) == len(n.Rhs) && c.hasKeyMethod(s.X) {
					given[types.ExprString(n.Rhs[i])] = true
				}
			}
		case *ast.CallExpr:
			if name := operation(c.pass.TypesInfo, n); strings.HasPrefix(name, "By") || name == "FindInBuckets" {
				for _, arg := range n.Args {
					given[types.ExprString(arg)] = true
				}
			}
		}
		return true
	})
	return given
}

// hasKeyMethod reports whether a value has the methods of a generated key type,
// and is no document.
func (c *checker) hasKeyMethod(e ast.Expr) bool {
	t := c.pass.TypesInfo.TypeOf(e)
	if t == nil {
		return false
	}
	if fact, _ := c.keyOf(t); fact != nil {
		return false
	}
	for _, name := range []string{"PartitionKey", "Validate"} {
		object, _, _ := types.LookupFieldOrMethod(t, true, c.pass.Pkg, name)
		if _, ok := object.(*types.Func); !ok {
			return false
		}
	}
	return true
}
