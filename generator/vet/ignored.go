package vet

import (
	"go/ast"
	"go/types"
)

// ignored reports results that a function does not look at, so that it reads, or
// deletes, something else than it says: the copy of a query with a condition, and the
// error at the end of a loop over documents.
func (c *checker) ignored(body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		for _, e := range discarded(n) {
			c.copyDropped(e)
		}
		if loop, ok := n.(*ast.RangeStmt); ok {
			c.errorDropped(loop)
		}
		return true
	})
}

// copyDropped reports an expression whose value nobody uses, if it is a call of a
// method that returns a changed copy of a query: the query has not changed.
func (c *checker) copyDropped(e ast.Expr) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return
	}
	name := operation(c.pass.TypesInfo, call)
	selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if name == "" || !ok {
		return
	}
	of, result := c.pass.TypesInfo.TypeOf(selector.X), c.pass.TypesInfo.TypeOf(call)
	if named, ok := types.Unalias(result).(*types.Named); !ok || !inRunTime(named) || !types.Identical(of, result) {
		return
	}
	does := "use what it returns"
	if v := variable(c.pass.TypesInfo, selector.X); v != nil {
		does = "write " + v.Name() + " = " + v.Name() + "." + name + "(…)"
	}
	c.pass.ReportRangef(e, "%s returns a changed copy and leaves the query as it is, and nobody uses the copy: %s", name, does)
}

// errorDropped reports a loop over documents that has no variable for their error.
func (c *checker) errorDropped(loop *ast.RangeStmt) {
	call, ok := ast.Unparen(loop.X).(*ast.CallExpr)
	if !ok || loop.Value != nil && !isBlank(loop.Value) {
		return
	}
	name := operation(c.pass.TypesInfo, call)
	result := namedOf(c.pass.TypesInfo.TypeOf(call))
	if name == "" || result == nil || !isOf(result, "iter", "Seq2") || !isError(result.TypeArgs().At(1)) {
		return
	}
	c.pass.ReportRangef(loop.X, "this loop drops the error of %s: where a request fails, it ends as if there were no more documents: take the error as the second variable, and return it", name)
}

// isError reports whether t is the type error.
func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }
