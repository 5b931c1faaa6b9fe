package vet

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// difference names the first declaration in which two Go files differ, and says
// how.
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
			guard = d.name // what it leads to says more, if there is something
		}
	}
	if guard != "" {
		return "it has another " + guard
	}
	return "its comments or its order differ"
}

// guardOf begins the names for functions without a name of their own, which stop
// the build if the source has changed.
const guardOf = "guard of "

// declaration is the source of one at package level, with its comment.
type declaration struct {
	name string
	text []byte
}

// declarations returns the declarations of a file, in order. One without a name is
// named by its kind.
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
