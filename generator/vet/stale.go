package vet

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"path/filepath"
	"slices"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// stale reports a type whose generated file is not what would be written for it
// now, with the reason that says most: another layout of the key, a field that
// has got a role, or a declaration that differs.
func (c *checker) stale(doc generator.TypeInfo) error {
	name := c.pass.Pkg.Scope().Lookup(doc.Model.Name)
	file := c.generated(doc)
	if file == nil || name == nil {
		return nil
	}
	reason, err := c.reason(doc, file)
	if err == nil && reason != "" {
		c.pass.ReportRangef(identOf(name), "%s %s", filepath.Base(doc.Output), reason)
	}
	return err
}

// reason says why the generated file of a document is stale; "" if it is not.
func (c *checker) reason(doc generator.TypeInfo, file *ast.File) (string, error) {
	m := doc.Model
	layout, ok := c.pass.Pkg.Scope().Lookup(m.Name + "KeyLayout").(*types.Const)
	if ok && file.FileStart <= layout.Pos() && layout.Pos() < file.FileEnd && layout.Val().Kind() == constant.String {
		if old := constant.StringVal(layout.Val()); old != m.Layout {
			return fmt.Sprintf("was generated for keys of the layout %s, and the tags of %s now say %s: restore the tags, or run pkgen, which tells what becomes of stored documents",
				old, m.Name, m.Layout), nil
		}
	}
	used := guarded(file)
	for _, selector := range guardedSelectors(m) {
		if used != nil && !slices.Contains(used, selector) {
			return fmt.Sprintf("was generated before the tags of %s gave field %s its role: run pkgen", m.Name, selector), nil
		}
	}
	old, err := c.pass.ReadFile(doc.Output)
	if err != nil {
		return "", err
	}
	current, want, err := generator.Current(doc, old)
	if err != nil || current {
		return "", err
	}
	return fmt.Sprintf("is not what pkgen writes for %s: %s; %s", m.Name, difference(old, want), remedy(ownVersion(), c.usedVersion())), nil
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
