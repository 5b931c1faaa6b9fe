package vet

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/operations"
)

// dropped reports calls without effect: operations that run only in a loop over their result,
// without a loop, and transactions without a Commit.
func (c *checker) dropped(body *ast.BlockStmt) {
	values, uses := c.values(body), c.usesOf(body)
	for n := range ast.Preorder(body) {
		for _, e := range discarded(n) {
			c.notRanged(e)
		}
		switch n := n.(type) {
		case *ast.GoStmt:
			c.notRanged(n.Call)
		case *ast.DeferStmt:
			c.notRanged(n.Call)
		case *ast.CallExpr:
			// The transaction of In is not kept: there is nothing to commit.
			if c.addsTo(n) && c.begins(n.Args[0]) {
				c.notCommitted(n.Args[0])
			}
		}
	}
	for v, all := range values.of {
		if v.Parent() == c.pass.Pkg.Scope() || v.IsField() {
			continue // other functions may use it
		}
		used := uses[v]
		for _, value := range all {
			switch {
			case value == nil:
			case used.operations == 0 && used.others == 0:
				c.notRanged(value)
			case used.others == 0 && len(all) == 1 && c.begins(value):
				c.notCommitted(value)
			}
		}
	}
}

// discarded returns the discarded expressions of a statement: a whole statement, and values
// assigned to the blank identifier.
func discarded(n ast.Node) (values []ast.Expr) {
	switch n := n.(type) {
	case *ast.ExprStmt:
		return []ast.Expr{n.X}
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			if len(n.Lhs) == len(n.Rhs) && isBlank(left) {
				values = append(values, n.Rhs[i])
			}
		}
	}
	return values
}

// usage counts the uses of a variable in a function: those that add operations to it, and other
// effective uses.
type usage struct{ operations, others int }

// usesOf counts the uses of a function's variables, without assignments to them and to the blank
// identifier.
func (c *checker) usesOf(body *ast.BlockStmt) map[*types.Var]usage {
	idle := make(map[*ast.Ident]bool)
	added := make(map[*ast.Ident]bool)
	note := func(into map[*ast.Ident]bool, e ast.Expr) {
		if ident, ok := ast.Unparen(e).(*ast.Ident); ok {
			into[ident] = true
		}
	}
	uses := make(map[*types.Var]usage)
	for n := range ast.Preorder(body) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				note(idle, left)
				if len(n.Lhs) == len(n.Rhs) && isBlank(left) {
					note(idle, n.Rhs[i])
				}
			}
		case *ast.CallExpr:
			if c.addsTo(n) {
				note(added, n.Args[0])
			}
		case *ast.Ident:
			v, ok := c.pass.TypesInfo.Uses[n].(*types.Var)
			if !ok || idle[n] {
				break
			}
			u := uses[v]
			if added[n] {
				u.operations++
			} else {
				u.others++
			}
			uses[v] = u
		}
	}
	return uses
}

// addsTo reports whether a call returns a builder that adds operations to a transaction.
func (c *checker) addsTo(call *ast.CallExpr) bool {
	if operation(c.pass.TypesInfo, call) != "In" || len(call.Args) != 1 {
		return false
	}
	tx := namedOf(c.pass.TypesInfo.TypeOf(call.Args[0]))
	return tx != nil && inRunTime(tx) && tx.Obj().Name() == "Transaction"
}

// begins reports whether an expression makes a transaction.
func (c *checker) begins(e ast.Expr) bool {
	f := called(c.pass.TypesInfo, e)
	return f != nil && f.Name() == "NewTransaction" && slices.Contains(runTimes, packageOf(f))
}

// notCommitted reports a transaction that is made and never sent.
func (c *checker) notCommitted(made ast.Expr) {
	c.pass.ReportRangef(made, "this transaction is not committed, so none of its operations takes effect: call Commit")
}

// notRanged reports a discarded call that runs only in a loop over its result.
func (c *checker) notRanged(e ast.Expr) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return
	}
	name := operation(c.pass.TypesInfo, call)
	result := c.pass.TypesInfo.TypeOf(call)
	o := operations.Named(name)
	switch {
	case name == "":
	case o != nil && o.Bulk:
		c.pass.ReportRangef(e, "%s sends nothing by itself: call Collect or All on its result", name)
	case isOf(result, "iter", "Seq") || isOf(result, "iter", "Seq2"):
		c.pass.ReportRangef(e, "%s does nothing without a loop over its result: range over it", name)
	}
}

// isBlank reports whether an expression is the blank identifier.
func isBlank(e ast.Expr) bool {
	ident, ok := e.(*ast.Ident)
	return ok && ident.Name == "_"
}

// isOf reports whether t is, or points to, a named type of a package.
func isOf(t types.Type, path, name string) bool {
	if t == nil {
		return false
	}
	named := namedOf(t)
	return named != nil && named.Obj().Name() == name && packageOf(named.Obj()) == path
}

// ignored reports results that a function ignores, so that it reads or deletes the wrong documents:
// the copy of a query with a condition, and the error at the end of a loop over documents.
func (c *checker) ignored(body *ast.BlockStmt) {
	for n := range ast.Preorder(body) {
		for _, e := range discarded(n) {
			c.copyDropped(e)
		}
		if loop, ok := n.(*ast.RangeStmt); ok {
			c.errorDropped(loop)
		}
	}
}

// copyDropped reports a discarded call of a method that returns a changed copy of a query: the
// query itself is unchanged.
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
	does := "use the result"
	if v := variable(c.pass.TypesInfo, selector.X); v != nil {
		does = "write " + v.Name() + " = " + v.Name() + "." + name + "(…)"
	}
	c.pass.ReportRangef(e, "%s returns a changed copy of the query, and the copy is not used: %s", name, does)
}

// errorDropped reports a loop over documents that has no variable for their error.
func (c *checker) errorDropped(loop *ast.RangeStmt) {
	call, ok := ast.Unparen(loop.X).(*ast.CallExpr)
	if !ok || loop.Value != nil && !isBlank(loop.Value) {
		return
	}
	name := operation(c.pass.TypesInfo, call)
	result := namedOf(c.pass.TypesInfo.TypeOf(call))
	if name == "" || result == nil || !isOf(result, "iter", "Seq2") || !types.Identical(result.TypeArgs().At(1), types.Universe.Lookup("error").Type()) {
		return
	}
	c.pass.ReportRangef(loop.X, "this loop drops the error of %s: if a request fails, it ends as if there were no more documents: take the error as the second variable, and return it", name)
}
