package sourcetest

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"

	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
)

// Unit makes a unit of one file without imports. The text may have errors.
func Unit(text string) *source.Unit {
	fset := token.NewFileSet()
	syntax, _ := parser.ParseFile(fset, "x.go", text, source.ParseMode)
	u := &source.Unit{Path: "example.com/x", Name: syntax.Name.Name, Fset: fset}
	u.Files = []*source.File{{Path: "x.go", Text: []byte(text), Syntax: syntax}}
	u.Info = &types.Info{Defs: make(map[*ast.Ident]types.Object), Implicits: make(map[ast.Node]types.Object)}
	config := types.Config{Error: func(err error) {
		var typeError types.Error
		if errors.As(err, &typeError) {
			u.Errs = append(u.Errs, typeError)
		}
	}}
	u.Types, _ = config.Check(u.Path, fset, []*ast.File{syntax}, u.Info)
	return u
}
