package generator

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
)

// unitOf makes a unit of one file without imports, whatever is wrong with it.
func unitOf(text string) *unit {
	fset := token.NewFileSet()
	syntax, _ := parser.ParseFile(fset, "x.go", text, parseMode)
	u := &unit{path: "example.com/x", name: syntax.Name.Name, fset: fset}
	u.files = []*source{{path: "x.go", text: []byte(text), syntax: syntax}}
	u.info = &types.Info{Defs: make(map[*ast.Ident]types.Object), Implicits: make(map[ast.Node]types.Object)}
	config := types.Config{Error: func(err error) {
		var typeError types.Error
		if errors.As(err, &typeError) {
			u.errs = append(u.errs, typeError)
		}
	}}
	u.types, _ = config.Check(u.path, fset, []*ast.File{syntax}, u.info)
	return u
}
