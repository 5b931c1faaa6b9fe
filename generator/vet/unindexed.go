package vet

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/advice"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// unindexed reports conditions of queries that no index of the container serves: on
// properties that the indexing policy leaves out.
func (c *checker) unindexed(body *ast.BlockStmt) {
	for call := range all[*ast.CallExpr](body) {
		if operation(c.pass.TypesInfo, call) != "Where" {
			continue
		}
		for _, condition := range call.Args {
			for inner := range all[*ast.CallExpr](condition) {
				c.unindexedField(inner)
			}
		}
	}
}

// unindexedField reports a condition on a generated field, if its property is not indexed.
func (c *checker) unindexedField(call *ast.CallExpr) {
	method := called(c.pass.TypesInfo, call)
	selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || method == nil || packageOf(method) != modulePath+"/documents" {
		return
	}
	kind := namedOf(c.pass.TypesInfo.TypeOf(selector.X))
	if kind == nil || kind.TypeArgs().Len() == 0 {
		return
	}
	fact, document := c.keyOf(kind.TypeArgs().At(0))
	if fact == nil {
		return
	}
	name := c.fieldOf(selector.X, document)
	for _, p := range fact.Unindexed {
		if p.Field == name && name != "" {
			c.pass.ReportRangef(call, "%s", advice.Warning("a condition on "+name+" of "+document.Obj().Name(), p.Instead))
		}
	}
}

// fieldOf returns the way from the generated fields of a document to the one that an
// expression names, such as "Meta.ETag", or "". The fields may be in a variable.
func (c *checker) fieldOf(e ast.Expr, document *types.Named) string {
	selector, ok := ast.Unparen(e).(*ast.SelectorExpr)
	fields := document.Obj().Pkg().Scope().Lookup(document.Obj().Name() + "Fields")
	if !ok || fields == nil {
		return ""
	}
	if types.Identical(c.pass.TypesInfo.TypeOf(selector.X), fields.Type()) {
		return selector.Sel.Name
	}
	if within := c.fieldOf(selector.X, document); within != "" {
		return within + "." + selector.Sel.Name
	}
	return ""
}

// unindexedProperty is a property that no index of the container serves, as a fact.
type unindexedProperty struct {
	Field   string // as queries refer to it: "ETag"
	Pointer string
	Instead string // the way out
}

// unindexedOf returns the properties of a document that no index serves.
func unindexedOf(t *templates.Type) []unindexedProperty {
	var out []unindexedProperty
	for _, p := range t.Unindexed() {
		if instead, ok := advice.NotIndexed(p.Pointer, p.Vector != nil); ok {
			out = append(out, unindexedProperty{p.Name, p.Pointer, instead})
		}
	}
	return slices.Clip(out)
}
