package vet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// instead says, for each method of azcosmos.ContainerClient that takes a
// partition key, what a repository has for it.
var instead = map[string]string{
	"CreateItem":            "Create",
	"UpsertItem":            "Upsert",
	"ReadItem":              "Get",
	"ReplaceItem":           "Replace",
	"DeleteItem":            "Delete",
	"PatchItem":             "Patch",
	"NewQueryItemsPager":    "By methods",
	"NewTransactionalBatch": "In, with repository.NewTransaction",
}

// handmade reports partition keys that a function makes by hand for a container
// which it also makes a repository of.
func (c *checker) handmade(body *ast.BlockStmt) {
	owners := c.owners(body)
	if len(owners) == 0 {
		return
	}
	values := c.values(body)
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || instead[selector.Sel.Name] == "" || !isAzcosmos(c.pass.TypesInfo.TypeOf(selector.X), "ContainerClient") {
			return true
		}
		owner := owners[variable(c.pass.TypesInfo, selector.X)]
		for _, arg := range call.Args {
			if owner != "" && isAzcosmos(c.pass.TypesInfo.TypeOf(arg), "PartitionKey") && values.makes(arg) {
				c.pass.ReportRangef(arg, "the partition key of this %s is made by hand, and may differ from the one that %s stores documents of the container under: use its %s",
					selector.Sel.Name, owner, instead[selector.Sel.Name])
			}
		}
		return true
	})
}

// owners returns the container clients of which a function makes repositories,
// each with the name of the first.
func (c *checker) owners(body *ast.BlockStmt) map[*types.Var]string {
	owners := make(map[*types.Var]string)
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		f, ok := typeutil.Callee(c.pass.TypesInfo, call).(*types.Func)
		if !ok || f.Signature().Results().Len() != 1 {
			return true
		}
		result := f.Signature().Results().At(0).Type()
		container := variable(c.pass.TypesInfo, call.Args[0])
		if container != nil && isRepository(result) && isAzcosmos(container.Type(), "ContainerClient") && owners[container] == "" {
			owners[container] = namedOf(result).Obj().Name()
		}
		return true
	})
	return owners
}

// isAzcosmos reports whether t is, or points at, the type of azcosmos.
func isAzcosmos(t types.Type, name string) bool {
	if t == nil {
		return false
	}
	named := namedOf(t)
	return named != nil && named.Obj().Name() == name && declaredIn(named, azcosmosPath)
}
