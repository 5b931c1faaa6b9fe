package vet

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// owners returns the container clients that a function makes repositories from, or
// finds by the name of a container in tags and never changes, each with the name of
// the first repository.
func (c *checker) owners(body *ast.BlockStmt) map[*types.Var]string {
	owners := make(map[*types.Var]string)
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if container, name := c.madeOf(n); container != nil && owners[container] == "" {
				owners[container] = name
			}
		case *ast.AssignStmt:
			if len(n.Rhs) != 1 {
				break
			}
			container := variable(c.pass.TypesInfo, n.Lhs[0])
			if name := c.named(n.Rhs[0]); name != "" && container != nil && len(c.values(body).of[container]) == 1 {
				owners[container] = name
			}
		}
		return true
	})
	return owners
}

// madeOf returns the container client that a call makes a repository from, and the
// name of the repository; or nil.
func (c *checker) madeOf(call *ast.CallExpr) (container *types.Var, repository string) {
	f, ok := typeutil.Callee(c.pass.TypesInfo, call).(*types.Func)
	if !ok || len(call.Args) == 0 || f.Signature().Results().Len() != 1 {
		return nil, ""
	}
	result := f.Signature().Results().At(0).Type()
	container = holder(c.pass.TypesInfo, call.Args[0])
	if container == nil || !isRepository(result) || !isAzcosmos(container.Type(), "ContainerClient") {
		return nil, ""
	}
	return container, namedOf(result).Obj().Name()
}

// named returns the name of the repository for the container that a call of
// NewContainer finds, if its id is constant and that of a document which is
// known, or if the key of such a document makes it; else "".
func (c *checker) named(e ast.Expr) string {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return ""
	}
	f, ok := typeutil.Callee(c.pass.TypesInfo, call).(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != azcosmosPath || f.Name() != "NewContainer" {
		return ""
	}
	if name := c.containerOfKey(call.Args[len(call.Args)-1]); name != "" {
		return name + "Repository"
	}
	id := c.pass.TypesInfo.Types[call.Args[len(call.Args)-1]].Value
	if id == nil || id.Kind() != constant.String {
		return ""
	}
	name := ""
	for _, fact := range c.pass.AllObjectFacts() {
		key, ok := fact.Fact.(*keyFact)
		if ok && key.Container == constant.StringVal(id) && (name == "" || fact.Object.Name() < name) {
			name = fact.Object.Name()
		}
	}
	if name == "" {
		return ""
	}
	return name + "Repository"
}

// containerOfKey returns the name of the document type whose key makes the id of a
// container, as in key.Container(), or "".
func (c *checker) containerOfKey(id ast.Expr) string {
	call, ok := ast.Unparen(id).(*ast.CallExpr)
	if !ok {
		return ""
	}
	f, ok := typeutil.Callee(c.pass.TypesInfo, call).(*types.Func)
	if !ok || f.Name() != "Container" || f.Signature().Recv() == nil {
		return ""
	}
	key := namedOf(f.Signature().Recv().Type())
	if key == nil || key.Obj().Pkg() == nil {
		return ""
	}
	name, found := strings.CutSuffix(key.Obj().Name(), "Key")
	document := key.Obj().Pkg().Scope().Lookup(name)
	if fact := new(keyFact); !found || document == nil || !c.pass.ImportObjectFact(document, fact) {
		return ""
	}
	return name
}

// keepers returns the fields of structs that hold nothing but container clients of
// a repository.
func (c *checker) keepers() map[*types.Var]string {
	kept, other := make(map[*types.Var]string), make(map[*types.Var]bool)
	for _, file := range c.pass.Files {
		for body := range functions(file) {
			owners := c.owners(body)
			c.fields(body, func(field *types.Var, value ast.Expr) {
				if owner := owners[holder(c.pass.TypesInfo, value)]; owner != "" {
					kept[field] = owner
				} else {
					other[field] = true
				}
			})
		}
	}
	maps.DeleteFunc(kept, func(field *types.Var, _ string) bool { return other[field] || field.Exported() })
	return kept
}

// fields calls yield for each field with a container client that a function
// gives a value, and with nil as the value where it takes the address.
func (c *checker) fields(body *ast.BlockStmt, yield func(*types.Var, ast.Expr)) {
	note := func(field *types.Var, value ast.Expr) {
		if field != nil && isAzcosmos(field.Type(), "ContainerClient") {
			yield(field, value)
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			strct := structOf(c.pass.TypesInfo.TypeOf(n))
			for i, e := range n.Elts {
				if pair, ok := e.(*ast.KeyValueExpr); ok {
					note(fieldOf(c.pass.TypesInfo, pair.Key), pair.Value)
				} else if strct != nil {
					note(strct.Field(i), e)
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				note(fieldOf(c.pass.TypesInfo, n.X), nil)
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				note(fieldOf(c.pass.TypesInfo, left), n.Rhs[min(i, len(n.Rhs)-1)])
			}
		}
		return true
	})
}

// holder returns the variable or the field that an expression names, or nil.
func holder(info *types.Info, e ast.Expr) *types.Var {
	if v := variable(info, e); v != nil {
		return v
	}
	return fieldOf(info, e)
}

// fieldOf returns the field that a selector or the key of a literal names, or
// nil.
func fieldOf(info *types.Info, e ast.Expr) *types.Var {
	ident, ok := ast.Unparen(e).(*ast.Ident)
	if s, isSelector := ast.Unparen(e).(*ast.SelectorExpr); isSelector {
		ident, ok = s.Sel, true
	}
	if !ok {
		return nil
	}
	v, _ := info.Uses[ident].(*types.Var)
	if v == nil || !v.IsField() {
		return nil
	}
	return v
}
