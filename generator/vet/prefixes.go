package vet

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"
)

// prefixes reports constant ids without the prefix of their type, in document and key literals
// passed to an operation, and in the id passed to FindInBuckets. Each operation refuses them. It
// ignores ids in variables, which may change, and computed ids, which are unknown.
func (c *checker) prefixes(body *ast.BlockStmt) {
	for call := range all[*ast.CallExpr](body) {
		name := operation(c.pass.TypesInfo, call)
		for i := 0; name != "" && i < len(call.Args); i++ {
			c.prefixesOf(call.Args[i])
			if name == "FindInBuckets" && i == 1 {
				c.prefixOf(call.Args[i], c.storedIn(call))
			}
		}
	}
}

// prefixesOf checks a document or key literal, and those in a slice literal.
func (c *checker) prefixesOf(e ast.Expr) {
	literal := literalIn(e)
	if literal == nil {
		return
	}
	t := c.pass.TypesInfo.TypeOf(literal)
	if _, isSlice := t.Underlying().(*types.Slice); isSlice {
		for _, element := range literal.Elts {
			c.prefixesOf(element)
		}
		return
	}
	if fact, named := c.keyOf(t); fact != nil {
		c.prefixOf(c.valueAt(literal, strings.Split(fact.ID, "."), t), named)
	} else if strct := structOf(t); strct != nil && strct.NumFields() > 0 {
		c.prefixOf(c.valueAt(literal, []string{strct.Field(0).Name()}, t), keyedBy(namedOf(t)))
	}
}

// literalIn returns the literal in an expression, possibly after &, or nil.
func literalIn(e ast.Expr) *ast.CompositeLit {
	e = ast.Unparen(e)
	if address, ok := e.(*ast.UnaryExpr); ok {
		e = ast.Unparen(address.X)
	}
	literal, _ := e.(*ast.CompositeLit)
	return literal
}

// prefixOf reports a constant id of a document type without the prefix. The id and the type may be
// nil.
func (c *checker) prefixOf(id ast.Expr, document *types.Named) {
	if id == nil || document == nil {
		return
	}
	fact, _ := c.keyOf(document)
	value := c.pass.TypesInfo.Types[id].Value
	if fact == nil || fact.Prefix == "" || value == nil || value.Kind() != constant.String {
		return
	}
	if text := constant.StringVal(value); !strings.HasPrefix(text, fact.Prefix) || text == fact.Prefix {
		name := document.Obj().Name()
		c.pass.ReportRangef(id, "ids of type %s begin with %q and more text, and this id would be refused: write %sIDPrefix + the rest", name, fact.Prefix, name)
	}
}

// valueAt returns the value of the field at a path in a literal of type t, or nil.
func (c *checker) valueAt(literal *ast.CompositeLit, path []string, t types.Type) ast.Expr {
	strct := structOf(t)
	if strct == nil || len(path) == 0 {
		return nil
	}
	first, within := path[0], path[1:]
	for i, element := range literal.Elts {
		var name string
		value := element
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			key, ok := pair.Key.(*ast.Ident)
			if !ok {
				return nil
			}
			name, value = key.Name, pair.Value
		} else if i < strct.NumFields() {
			name = strct.Field(i).Name()
		}
		if name != first {
			continue
		}
		if len(within) == 0 {
			return value
		}
		if inner := literalIn(value); inner != nil {
			return c.valueAt(inner, within, c.pass.TypesInfo.TypeOf(inner))
		}
		return nil
	}
	return nil
}

// keyedBy returns the document type of a key type, by its name, or nil.
func keyedBy(key *types.Named) *types.Named {
	if key == nil || key.Obj().Pkg() == nil {
		return nil
	}
	name, ok := strings.CutSuffix(key.Obj().Name(), "Key")
	if !ok {
		return nil
	}
	object, ok := key.Obj().Pkg().Scope().Lookup(name).(*types.TypeName)
	if !ok {
		return nil
	}
	document, _ := object.Type().(*types.Named)
	return document
}

// storedIn returns the document type of the repository of a method call, or nil.
func (c *checker) storedIn(call *ast.CallExpr) *types.Named {
	selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	repository := namedOf(c.pass.TypesInfo.TypeOf(selector.X))
	if repository == nil || repository.Obj().Pkg() == nil {
		return nil
	}
	for documents := range embedded(repository) {
		if documents.TypeArgs().Len() > 0 {
			return namedOf(documents.TypeArgs().At(0))
		}
	}
	return nil
}
