package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// values are the values that a function assigns to its variables. Those that
// come out of a call with several results, or out of an operator, are nil.
type values struct {
	*checker

	of map[*types.Var][]ast.Expr
}

// values collects the values of a function and of those within it.
func (c *checker) values(body *ast.BlockStmt) *values {
	v := &values{checker: c, of: make(map[*types.Var][]ast.Expr)}
	add := func(left ast.Expr, i int, right []ast.Expr, of int) {
		variable := variable(c.pass.TypesInfo, left)
		if variable == nil {
			return
		}
		var value ast.Expr
		if of == len(right) {
			value = right[i]
		}
		v.of[variable] = append(v.of[variable], value)
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			right := n.Rhs
			if n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
				right = nil
			}
			for i, left := range n.Lhs {
				add(left, i, right, len(n.Lhs))
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				add(name, i, n.Values, len(n.Names))
			}
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if e != nil {
					add(e, 0, nil, 1)
				}
			}
		}
		return true
	})
	return v
}

// makes reports whether an expression is certainly a partition key that the
// function makes of other things than a generated one.
func (v *values) makes(key ast.Expr) bool {
	return v.every(key, func(e ast.Expr) bool {
		call, ok := e.(*ast.CallExpr)
		if !ok {
			return false
		}
		f, ok := typeutil.Callee(v.pass.TypesInfo, call).(*types.Func)
		if !ok || f.Pkg() == nil || f.Pkg().Path() != azcosmosPath || len(call.Args) != 1 {
			return false
		}
		switch {
		case strings.HasPrefix(f.Name(), "NewPartitionKey"):
			return v.text(call.Args[0])
		case strings.HasPrefix(f.Name(), "Append"):
			before := ast.Unparen(call.Fun).(*ast.SelectorExpr).X
			return v.text(call.Args[0]) || v.makes(before)
		}
		return false
	})
}

// text reports whether an expression is certainly made of other things than a
// generated key: it is constant, joined, or formatted, or a field of a document's
// key.
func (v *values) text(e ast.Expr) bool {
	return v.every(e, func(e ast.Expr) bool {
		if v.generated(e) {
			return false
		}
		if v.pass.TypesInfo.Types[e].Value != nil {
			return true
		}
		switch e := e.(type) {
		case *ast.BinaryExpr:
			return true
		case *ast.SelectorExpr:
			document, path := selected(v.pass.TypesInfo, e)
			if document == nil {
				return false
			}
			fact, _ := v.keyOf(document.Type())
			return fact != nil && fact.has(path)
		case *ast.CallExpr:
			f, ok := typeutil.Callee(v.pass.TypesInfo, e).(*types.Func)
			return ok && f.Pkg() != nil && (f.FullName() == "strings.Join" || f.Pkg().Path() == "fmt" && strings.HasPrefix(f.Name(), "Sprint"))
		}
		return false
	})
}

// generated reports whether an expression calls a PartitionKey method, or uses a
// variable whose value does.
func (v *values) generated(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			found = found || n.Sel.Name == "PartitionKey"
		case *ast.Ident:
			if variable := variable(v.pass.TypesInfo, n); variable != nil {
				for _, value := range v.of[variable] {
					found = found || value != nil && value.Pos() < e.Pos() && v.generated(value)
				}
			}
		}
		return !found
	})
	return found
}

// every reports whether holds is true of an expression, or where it is a
// variable of the function, of all values that the variable has before.
func (v *values) every(e ast.Expr, holds func(ast.Expr) bool) bool {
	e = ast.Unparen(e)
	local := variable(v.pass.TypesInfo, e)
	if local == nil {
		return holds(e)
	}
	for _, value := range v.of[local] {
		if value == nil || value.Pos() >= e.Pos() || !v.every(value, holds) {
			return false
		}
	}
	return len(v.of[local]) > 0
}
