package vet

import (
	"go/ast"
	"go/types"
	"maps"
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
// which a repository is made of, or which is found by the name that it has in
// tags.
func (c *checker) handmade(body *ast.BlockStmt) {
	owners := c.owners(body)
	maps.Copy(owners, c.kept)
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
		owner := owners[holder(c.pass.TypesInfo, selector.X)]
		for _, arg := range call.Args {
			if owner != "" && isAzcosmos(c.pass.TypesInfo.TypeOf(arg), "PartitionKey") && values.makes(arg) {
				c.pass.ReportRangef(arg, "the partition key of this %s is made by hand, and may differ from the one that %s stores documents of the container under: use its %s",
					selector.Sel.Name, owner, instead[selector.Sel.Name])
			}
		}
		return true
	})
}

// isAzcosmos reports whether t is, or points at, the type of azcosmos.
func isAzcosmos(t types.Type, name string) bool { return isOf(t, azcosmosPath, name) }
