package vet

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// instead has, for each method of azcosmos.ContainerClient that takes a partition key, the
// equivalent of a repository.
var instead = map[string]string{
	"CreateItem":            "Create",
	"UpsertItem":            "Upsert",
	"ReadItem":              "Get",
	"ReplaceItem":           "Replace",
	"DeleteItem":            "Delete",
	"PatchItem":             "Patch",
	"NewQueryItemsPager":    "By methods",
	"NewTransactionalBatch": "In, with repository.NewTransaction",
}

// handmade reports partition keys made by hand for a container that has a repository, or that is
// found by its name in tags.
func (c *checker) handmade(body *ast.BlockStmt) {
	owners := c.owners(body)
	maps.Copy(owners, c.kept)
	if len(owners) == 0 {
		return
	}
	values := c.values(body)
	for call := range all[*ast.CallExpr](body) {
		selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || instead[selector.Sel.Name] == "" || !isAzcosmos(c.pass.TypesInfo.TypeOf(selector.X), "ContainerClient") {
			continue
		}
		owner := owners[holder(c.pass.TypesInfo, selector.X)]
		for _, arg := range call.Args {
			if owner != "" && isAzcosmos(c.pass.TypesInfo.TypeOf(arg), "PartitionKey") && values.makes(arg) {
				c.pass.ReportRangef(arg, "the partition key of this %s is made by hand, and may differ from the key that %s uses for the container: use its %s",
					selector.Sel.Name, owner, instead[selector.Sel.Name])
			}
		}
	}
}

// isAzcosmos reports whether t is, or points to, a type of azcosmos.
func isAzcosmos(t types.Type, name string) bool { return isOf(t, azcosmosPath, name) }

// owners returns the container clients from which a function makes repositories, or which it finds
// by a container name in tags and never changes, each with the name of the first repository.
func (c *checker) owners(body *ast.BlockStmt) map[*types.Var]string {
	owners := make(map[*types.Var]string)
	for n := range ast.Preorder(body) {
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
	}
	return owners
}

// madeOf returns the container client from which a call makes a repository, and the name of the
// repository; or nil.
func (c *checker) madeOf(call *ast.CallExpr) (container *types.Var, repository string) {
	f := called(c.pass.TypesInfo, call)
	if f == nil || len(call.Args) == 0 || f.Signature().Results().Len() != 1 {
		return nil, ""
	}
	result := f.Signature().Results().At(0).Type()
	container = holder(c.pass.TypesInfo, call.Args[0])
	if container == nil || !isRepository(result) || !isAzcosmos(container.Type(), "ContainerClient") {
		return nil, ""
	}
	return container, namedOf(result).Obj().Name()
}

// named returns the name of the repository for the container that a call of NewContainer finds, if
// its id is constant and belongs to a known document, or comes from such a document's key;
// otherwise "".
func (c *checker) named(e ast.Expr) string {
	f := called(c.pass.TypesInfo, e)
	if f == nil || packageOf(f) != azcosmosPath || f.Name() != "NewContainer" {
		return ""
	}
	args := ast.Unparen(e).(*ast.CallExpr).Args
	if len(args) == 0 {
		return ""
	}
	if name := c.containerOfKey(args[len(args)-1]); name != "" {
		return name + "Repository"
	}
	id := c.pass.TypesInfo.Types[args[len(args)-1]].Value
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

// containerOfKey returns the name of the document type whose key makes a container id, as in
// key.Container(), or "".
func (c *checker) containerOfKey(id ast.Expr) string {
	f := called(c.pass.TypesInfo, id)
	if f == nil || f.Name() != "Container" || f.Signature().Recv() == nil {
		return ""
	}
	document := keyedBy(namedOf(f.Signature().Recv().Type()))
	if document == nil {
		return ""
	}
	if fact, _ := c.keyOf(document); fact == nil {
		return ""
	}
	return document.Obj().Name()
}

// keepers returns the fields of structs that only hold container clients of a repository.
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

// fields calls yield for each assignment of a container client to a field in a function, and with a
// nil value where its address is taken.
func (c *checker) fields(body *ast.BlockStmt, yield func(*types.Var, ast.Expr)) {
	note := func(field *types.Var, value ast.Expr) {
		if field != nil && isAzcosmos(field.Type(), "ContainerClient") {
			yield(field, value)
		}
	}
	for n := range ast.Preorder(body) {
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
	}
}

// holder returns the variable or field of an expression, or nil.
func holder(info *types.Info, e ast.Expr) *types.Var {
	if v := variable(info, e); v != nil {
		return v
	}
	return fieldOf(info, e)
}

// fieldOf returns the field of a selector or of a literal's key, or nil.
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

// values are the values that a function assigns to its variables. Results of multi-value calls and
// of operators are nil.
type values struct {
	*checker

	of map[*types.Var][]ast.Expr
}

// values collects the values of a function and its nested functions.
func (c *checker) values(body *ast.BlockStmt) *values {
	v := &values{checker: c, of: make(map[*types.Var][]ast.Expr)}
	add := func(left ast.Expr, i int, right []ast.Expr, of int) {
		variable := variable(c.pass.TypesInfo, left)
		if variable == nil {
			return
		}
		var value ast.Expr
		if of == len(right) {
			value = right[i]
		}
		v.of[variable] = append(v.of[variable], value)
	}
	for n := range ast.Preorder(body) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			right := n.Rhs
			if n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
				right = nil
			}
			for i, left := range n.Lhs {
				add(left, i, right, len(n.Lhs))
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				add(name, i, n.Values, len(n.Names))
			}
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if e != nil {
					add(e, 0, nil, 1)
				}
			}
		}
	}
	return v
}

// makes reports whether an expression is certainly a partition key that is not a generated one.
func (v *values) makes(key ast.Expr) bool {
	return v.every(key, func(e ast.Expr) bool {
		f := called(v.pass.TypesInfo, e)
		call, _ := e.(*ast.CallExpr)
		if f == nil || packageOf(f) != azcosmosPath || len(call.Args) != 1 {
			return false
		}
		switch {
		case strings.HasPrefix(f.Name(), "NewPartitionKey"):
			return v.text(call.Args[0])
		case strings.HasPrefix(f.Name(), "Append"):
			before := ast.Unparen(call.Fun).(*ast.SelectorExpr).X
			return v.text(call.Args[0]) || v.makes(before)
		}
		return false
	})
}

// text reports whether an expression is certainly not a generated key: it is constant, joined, or
// formatted, or a field of a document's key.
func (v *values) text(e ast.Expr) bool {
	return v.every(e, func(e ast.Expr) bool {
		if v.generated(e) {
			return false
		}
		if v.pass.TypesInfo.Types[e].Value != nil {
			return true
		}
		switch e := e.(type) {
		case *ast.BinaryExpr:
			return true
		case *ast.SelectorExpr:
			document, path := selected(v.pass.TypesInfo, e)
			if document == nil {
				return false
			}
			fact, _ := v.keyOf(document.Type())
			return fact != nil && fact.has(path)
		case *ast.CallExpr:
			f := called(v.pass.TypesInfo, e)
			return f != nil && (f.FullName() == "strings.Join" || packageOf(f) == "fmt" && strings.HasPrefix(f.Name(), "Sprint"))
		}
		return false
	})
}

// generated reports whether an expression calls a PartitionKey method, or uses a variable whose
// value does.
func (v *values) generated(e ast.Expr) bool {
	for n := range ast.Preorder(e) {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if n.Sel.Name == "PartitionKey" {
				return true
			}
		case *ast.Ident:
			assigned := v.of[variable(v.pass.TypesInfo, n)]
			if slices.ContainsFunc(assigned, func(value ast.Expr) bool { return value != nil && value.Pos() < e.Pos() && v.generated(value) }) {
				return true
			}
		}
	}
	return false
}

// every reports whether holds is true for an expression or, for a variable of the function, for all
// its earlier values.
func (v *values) every(e ast.Expr, holds func(ast.Expr) bool) bool {
	e = ast.Unparen(e)
	local := variable(v.pass.TypesInfo, e)
	if local == nil {
		return holds(e)
	}
	for _, value := range v.of[local] {
		if value == nil || value.Pos() >= e.Pos() || !v.every(value, holds) {
			return false
		}
	}
	return len(v.of[local]) > 0
}
