package vet

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// stale reports a type whose generated file differs from what pkgen would write
// now, with the most important reason: another layout of the key, a draft that the
// lock has sealed or the reverse, a field with a new role, or a declaration that differs.
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
		if old := constant.StringVal(layout.Val()); old != m.Layout() {
			return fmt.Sprintf("was generated for keys of the layout %s, and the tags of %s now say %s: restore the tags, or run pkgen, which tells what becomes of stored documents",
				old, m.Name, m.Layout()), nil
		}
	}
	old, err := c.pass.ReadFile(doc.Output)
	if err != nil {
		return "", err
	}
	if doc.Locked && templates.IsDraft(old) != m.Draft {
		if m.Draft {
			return fmt.Sprintf("was generated when the layout of %s was sealed, and pkgen.lock says that it is a draft, perhaps by a merge: restore its line", m.Name), nil
		}
		return fmt.Sprintf("says that the layout of %s is a draft, and pkgen.lock has sealed it: run pkgen", m.Name), nil
	}
	for _, r := range roles(m) {
		if r.field != nil && modelLacks(file, r.key) {
			return fmt.Sprintf("was generated before the tags of %s gave field %s its role: run pkgen", m.Name, r.field.Selector), nil
		}
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

// role is a field that the run time fills in, and what its entry in the generated
// model is called.
type role struct {
	key   string
	field *pk.Field // nil where the type has none
}

func roles(m *templates.Type) []role {
	return []role{{"Stored", m.Stored}, {"ETag", m.ETag}, {"Rest", m.Rest}}
}

// modelLacks reports whether the model in a generated file has no entry of the
// name. It is false for a file without a model.
func modelLacks(file *ast.File, key string) bool {
	for _, decl := range file.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.VAR {
			continue
		}
		for _, spec := range gen.Specs {
			value, ok := spec.(*ast.ValueSpec)
			if !ok || len(value.Values) != 1 || !strings.HasSuffix(value.Names[0].Name, "Model") {
				continue
			}
			if model, ok := value.Values[0].(*ast.CompositeLit); ok {
				return !slices.ContainsFunc(model.Elts, func(e ast.Expr) bool {
					pair, ok := e.(*ast.KeyValueExpr)
					return ok && types.ExprString(pair.Key) == key
				})
			}
		}
	}
	return false
}

// identOf returns an identifier where an object is declared.
func identOf(object types.Object) *ast.Ident {
	return &ast.Ident{NamePos: object.Pos(), Name: object.Name()}
}
