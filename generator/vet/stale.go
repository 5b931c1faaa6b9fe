package vet

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// stale reports a type whose generated file differs from the current output, with the most
// important reason: another layout of the key, a draft that the lock has sealed or the reverse, a
// field with a new role, or a declaration that differs.
func (c *checker) stale(doc generator.TypeInfo) error {
	name := c.pass.Pkg.Scope().Lookup(doc.Model.Name)
	file := c.file(doc.Output)
	if file == nil || name == nil || !ast.IsGenerated(file) {
		return nil
	}
	reason, err := c.reason(doc, file)
	if err == nil && reason != "" {
		c.pass.ReportRangef(&ast.Ident{NamePos: name.Pos(), Name: name.Name()}, "%s %s", filepath.Base(doc.Output), reason)
	}
	return err
}

// reason returns why the generated file of a document is stale, or "".
func (c *checker) reason(doc generator.TypeInfo, file *ast.File) (string, error) {
	m := doc.Model
	layout, ok := c.pass.Pkg.Scope().Lookup(m.Name + "KeyLayout").(*types.Const)
	if ok && file.FileStart <= layout.Pos() && layout.Pos() < file.FileEnd && layout.Val().Kind() == constant.String {
		if old := constant.StringVal(layout.Val()); old != m.Layout() {
			return fmt.Sprintf("was generated for the layout %s, and the tags of %s now make %s: restore the tags, or run pkgen, which reports the effect on stored documents",
				old, m.Name, m.Layout()), nil
		}
	}
	old, err := c.pass.ReadFile(doc.Output)
	if err != nil {
		return "", err
	}
	if doc.Locked && templates.IsDraft(old) != m.Draft {
		if m.Draft {
			return fmt.Sprintf("was generated when the layout of %s was sealed, but it is a draft in pkgen.lock, perhaps after a merge: restore its line", m.Name), nil
		}
		return fmt.Sprintf("was generated when the layout of %s was a draft, and pkgen.lock has sealed it: run pkgen", m.Name), nil
	}
	for _, r := range []struct { // fields that the run time sets, and their entries in the generated model
		key   string
		field *pk.Field // nil if the type has none
	}{{"Stored", m.Stored}, {"ETag", m.ETag}, {"Rest", m.Rest}} {
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

// modelLacks reports whether the model in a generated file lacks an entry. It is false for a file
// without a model.
func modelLacks(file *ast.File, key string) bool {
	for value := range all[*ast.ValueSpec](file) {
		if len(value.Values) != 1 || !strings.HasSuffix(value.Names[0].Name, "Model") {
			continue
		}
		if model, ok := value.Values[0].(*ast.CompositeLit); ok {
			return !slices.ContainsFunc(model.Elts, func(e ast.Expr) bool {
				pair, ok := e.(*ast.KeyValueExpr)
				return ok && types.ExprString(pair.Key) == key
			})
		}
	}
	return false
}

// difference describes the first declaration in which two Go files differ.
func difference(old, want []byte) string {
	before, errBefore := declarations(old)
	after, errAfter := declarations(want)
	if errBefore != nil || errAfter != nil {
		return "it differs"
	}
	find := func(in []declaration, name string) int {
		return slices.IndexFunc(in, func(d declaration) bool { return d.name == name })
	}
	for _, d := range after {
		if find(before, d.name) < 0 {
			return "it lacks " + d.name
		}
	}
	for _, d := range before {
		if find(after, d.name) < 0 {
			return "it still has " + d.name
		}
	}
	guard := ""
	for _, d := range after {
		switch same := bytes.Equal(before[find(before, d.name)].text, d.text); {
		case same:
		case !strings.HasPrefix(d.name, guardOf):
			return "it has another " + d.name
		case guard == "":
			guard = d.name // prefer a later difference, which says more
		}
	}
	if guard != "" {
		return "it has another " + guard
	}
	return "its comments or its order differ"
}

// guardOf begins the names of guards, functions without a name that stop the build if the source
// has changed.
const guardOf = "guard of "

// declaration is the source of a package-level declaration, with its comment.
type declaration struct {
	name string
	text []byte
}

// declarations returns the declarations of a file, in order. An unnamed one is named by its kind.
func declarations(text []byte) ([]declaration, error) {
	fset := token.NewFileSet()
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	file, err := parser.ParseFile(fset, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("cannot compare declarations: %w", err)
	}
	out := make([]declaration, 0, len(file.Decls))
	for _, d := range file.Decls {
		start := d.Pos()
		if doc := docOf(d); doc != nil {
			start = doc.Pos()
		}
		out = append(out, declaration{nameOf(d), text[fset.Position(start).Offset:fset.Position(d.End()).Offset]})
	}
	return out, nil
}

// docOf returns the comment of a declaration, or nil.
func docOf(d ast.Decl) *ast.CommentGroup {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Doc
	case *ast.GenDecl:
		return d.Doc
	}
	return nil
}

// nameOf returns the name of a declaration.
func nameOf(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		switch {
		case d.Name.Name == "_" && len(d.Type.Params.List) > 0:
			return guardOf + strings.TrimLeft(types.ExprString(d.Type.Params.List[0].Type), "func()* ")
		case d.Recv != nil:
			return strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*") + "." + d.Name.Name
		}
		return d.Name.Name
	case *ast.GenDecl:
		switch spec := d.Specs[0].(type) {
		case *ast.TypeSpec:
			return spec.Name.Name
		case *ast.ValueSpec:
			return spec.Names[0].Name
		}
	}
	return "list of imports"
}

// modulePath is the import path of this module.
const modulePath = "github.com/cosmos-pkgen/pkgen"

// remedy returns advice about a stale file. If the checking program and the checked code use
// different versions of the module, the files differ, so the text names both versions; "" is an
// unknown version.
func remedy(mine, theirs string) string {
	if mine == "" || theirs == "" || mine == theirs {
		return "run pkgen"
	}
	return fmt.Sprintf("the module uses pkgen %s, and this check has version %s: use the same version, and run pkgen", theirs, mine)
}

// ownVersion returns the version of this module in the running program, or "".
func ownVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, module := range append(info.Deps, &info.Main) {
		if module.Path == modulePath && module.Replace == nil && module.Version != "(devel)" {
			return module.Version
		}
	}
	return ""
}

// versioned matches the version in the path of a file of this module, as the module cache and the
// compiler write it.
var versioned = regexp.MustCompile(`cosmos-pkgen[/\\]pkgen@(v[^/\\]+)[/\\]`)

// versionIn returns the version in a path, or "".
func versionIn(path string) string {
	if m := versioned.FindStringSubmatch(path); m != nil {
		return m[1]
	}
	return ""
}

// usedVersion returns the version of this module that the package imports, or "" if the path of its
// source does not show it, as in a vendor folder.
func (c *checker) usedVersion() string {
	for _, imported := range c.pass.Pkg.Imports() {
		if imported.Path() != repositoryPath {
			continue
		}
		for _, name := range imported.Scope().Names() {
			if version := versionIn(c.pass.Fset.Position(imported.Scope().Lookup(name).Pos()).Filename); version != "" {
				return version
			}
		}
	}
	return ""
}
