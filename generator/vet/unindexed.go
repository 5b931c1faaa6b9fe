package vet

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/advice"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// unindexed reports query conditions that no index of the container serves: on properties that the
// indexing policy excludes, and by functions that use no index.
func (c *checker) unindexed(body *ast.BlockStmt) {
	for call := range all[*ast.CallExpr](body) {
		switch operation(c.pass.TypesInfo, call) {
		case "Where":
			for _, condition := range call.Args {
				ofElements := c.ofElements(condition)
				for inner := range all[*ast.CallExpr](condition) {
					c.unindexedLength(inner)
					if !ofElements[inner] {
						c.unindexedField(inner)
					}
				}
			}
		case "WhereRaw":
			c.unindexedText(call)
		}
	}
}

// unindexedText reports the unindexed parts of a condition in constant text. It leaves mistakes in
// the text to the service.
func (c *checker) unindexedText(call *ast.CallExpr) {
	condition := c.pass.TypesInfo.Types[call.Args[0]].Value
	if condition == nil || condition.Kind() != constant.String {
		return
	}
	parsed, err := cosmossql.Parse("SELECT * FROM c WHERE " + constant.StringVal(condition))
	if err != nil {
		return
	}
	report := func(what, instead string) {
		c.pass.ReportRangef(call.Args[0], "%s", advice.Warning(what, instead))
	}
	excluded := c.excludedBelow(call)
	vectors := make(map[cosmossql.Expr]bool) // in VectorDistance, which has an index of its own
	for s := range parsed.Main.Selects() {
		for e := range cosmossql.Inside(s.Where) {
			switch e := e.(type) {
			case *cosmossql.Call:
				if e.Function.Name == cosmossql.VectorDistance {
					vectors[e.Args[0]], vectors[e.Args[1]] = true, true
				}
				instead, ok := advice.NoIndex(e.Function.Name)
				if ok && (len(e.Args) == 0 || cosmossql.ReadsProperty(e)) {
					report("a condition on "+e.Function.Name, instead)
				}
			case *cosmossql.Access:
				if p := excluded[propertyOf(e)]; p != nil && !vectors[e] {
					report("a condition on "+p.Field, p.Instead)
				}
			}
		}
	}
}

// excludedBelow returns the unindexed properties of a query's documents, by JSON pointer.
func (c *checker) excludedBelow(call *ast.CallExpr) map[string]*unindexedProperty {
	fact, _ := c.keyOf(c.argumentOf(call))
	if fact == nil {
		return nil
	}
	properties := make(map[string]*unindexedProperty)
	for i, p := range fact.Unindexed {
		properties[p.Pointer] = &fact.Unindexed[i]
	}
	return properties
}

// argumentOf returns the first type argument of a call's receiver: for a query or a field, the type
// of the documents.
func (c *checker) argumentOf(call *ast.CallExpr) types.Type {
	if selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if kind := namedOf(c.pass.TypesInfo.TypeOf(selector.X)); kind != nil && kind.TypeArgs().Len() > 0 {
			return kind.TypeArgs().At(0)
		}
	}
	return types.Typ[types.Invalid]
}

// propertyOf returns the JSON pointer of the document property that an expression reads, or "".
func propertyOf(e *cosmossql.Access) string {
	base, ok := e.Base.(*cosmossql.Alias)
	if !ok || base.Binding == nil || base.Binding.Slot != 0 {
		return ""
	}
	var names []string
	for _, step := range e.Steps {
		if step.Index != nil {
			return ""
		}
		names = append(names, step.Name)
	}
	return jsonpointer.Of(names...)
}

// method returns the name and the field of a call of a generated field's method; "" for other
// calls.
func (c *checker) method(call *ast.CallExpr) (name string, field ast.Expr) {
	method := called(c.pass.TypesInfo, call)
	selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || method == nil || packageOf(method) != modulePath+"/documents" {
		return "", nil
	}
	return method.Name(), selector.X
}

// ofElements returns the calls in a condition that concern elements of lists: their properties are
// not those of documents, even if a type is used for both.
func (c *checker) ofElements(condition ast.Expr) map[*ast.CallExpr]bool {
	found := make(map[*ast.CallExpr]bool)
	for call := range all[*ast.CallExpr](condition) {
		if name, _ := c.method(call); name != "Any" && name != "All" {
			continue
		}
		for _, predicate := range call.Args {
			for inner := range all[*ast.CallExpr](predicate) {
				found[inner] = true
			}
		}
	}
	return found
}

// unindexedLength reports a condition on the length of a list.
func (c *checker) unindexedLength(call *ast.CallExpr) {
	name, field := c.method(call)
	list, ok := field.(*ast.SelectorExpr)
	if instead, none := advice.NoIndex("ARRAY_LENGTH"); none && ok && name == "Len" {
		c.pass.ReportRangef(call, "%s", advice.Warning("a condition on the length of "+list.Sel.Name, instead))
	}
}

// unindexedField reports a condition on a generated field, if its property is not indexed.
func (c *checker) unindexedField(call *ast.CallExpr) {
	_, field := c.method(call)
	if field == nil {
		return
	}
	fact, document := c.keyOf(c.argumentOf(call))
	if fact == nil {
		return
	}
	name := c.fieldOf(field, document)
	for _, p := range fact.Unindexed {
		if p.Field == name && name != "" {
			c.pass.ReportRangef(call, "%s", advice.Warning("a condition on "+name+" of "+document.Obj().Name(), p.Instead))
		}
	}
}

// fieldOf returns the path from the generated fields of a document to the one in an expression,
// such as "Meta.ETag", or "". The fields may be in a variable.
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
	Field   string // its name in queries: "ETag"
	Pointer string
	Instead string // the alternative
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
