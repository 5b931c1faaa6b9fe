package vet

import (
	"go/ast"
)

// alone reports transactions of documents whose key ends in the id. Each has its own logical
// partition, so the run time refuses them.
func (c *checker) alone(body *ast.BlockStmt) {
	for call := range all[*ast.CallExpr](body) {
		name := operation(c.pass.TypesInfo, call)
		if name == "" {
			continue
		}
		var asked ast.Expr
		if name == "In" || name == "InTransaction" {
			asked = call.Fun
		}
		for _, arg := range call.Args {
			if f := called(c.pass.TypesInfo, arg); f != nil && f.Name() == "InTransactions" && packageOf(f) == modulePath+"/documents" {
				asked = arg
			}
		}
		document := c.storedIn(call)
		if asked == nil || document == nil {
			continue
		}
		if fact, named := c.keyOf(document); fact != nil && fact.Alone {
			c.pass.ReportRangef(asked, "documents of type %s cannot be in a transaction, because their key ends in the id and each has its own logical partition: write them one by one", named.Obj().Name())
		}
	}
}
