package vet

import (
	"go/ast"
	"go/constant"
	"go/types"
	"path/filepath"
	"slices"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// stale reports a type whose generated file was made of other tags. It compares
// what the file says without doubt: the layout of the key, and the fields that
// it uses. What else a tag changes, such as the time to live, pkgen -check finds.
func (c *checker) stale(doc generator.TypeInfo) {
	name := c.pass.Pkg.Scope().Lookup(doc.Model.Name)
	file := c.generated(doc)
	if file == nil || name == nil {
		return
	}
	within := func(object types.Object) bool {
		return object != nil && file.FileStart <= object.Pos() && object.Pos() < file.FileEnd
	}
	layout, ok := c.pass.Pkg.Scope().Lookup(doc.Model.Name + "KeyLayout").(*types.Const)
	if ok && within(layout) && layout.Val().Kind() == constant.String {
		if old := constant.StringVal(layout.Val()); old != doc.Model.Layout {
			c.pass.ReportRangef(identOf(name),
				"%s was generated for keys of the layout %s, and the tags of %s now say %s: restore the tags, or run pkgen, which tells what becomes of stored documents",
				filepath.Base(doc.Output), old, name.Name(), doc.Model.Layout)
			return
		}
	}
	used := guarded(file)
	for _, selector := range guardedSelectors(doc.Model) {
		if used != nil && !slices.Contains(used, selector) {
			c.pass.ReportRangef(identOf(name),
				"%s was generated before the tags of %s gave field %s its role: run pkgen", filepath.Base(doc.Output), name.Name(), selector)
			return
		}
	}
}

// generated returns the file of the pass that was generated for a document, or
// nil.
func (c *checker) generated(doc generator.TypeInfo) *ast.File {
	for _, file := range c.pass.Files {
		if c.pass.Fset.File(file.FileStart).Name() == doc.Output && ast.IsGenerated(file) {
			return file
		}
	}
	return nil
}

// guarded returns the selectors of the fields that a generated file uses, by
// the function that stops the build when one changes; nil without it.
func guarded(file *ast.File) []string {
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Name.Name != "_" || f.Body == nil {
			continue
		}
		used := []string{}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if address, ok := n.(*ast.UnaryExpr); ok {
				used = append(used, selectorText(address.X))
				return false
			}
			return true
		})
		return used
	}
	return nil
}

// selectorText returns what follows the first name of a selector: "Meta.Date"
// for e.Meta.Date.
func selectorText(e ast.Expr) string {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if before := selectorText(s.X); before != "" {
		return before + "." + s.Sel.Name
	}
	return s.Sel.Name
}

// guardedSelectors returns the selectors of the fields that the file of a
// document uses, as templates writes them there.
func guardedSelectors(m *templates.Type) []string {
	out := []string{m.ID.Selector}
	for _, f := range []*templates.Field{m.Stored, m.ETag, m.Rest} {
		if f != nil {
			out = append(out, f.Selector)
		}
	}
	return out
}

// identOf returns an identifier where an object is declared.
func identOf(object types.Object) *ast.Ident {
	return &ast.Ident{NamePos: object.Pos(), Name: object.Name()}
}
