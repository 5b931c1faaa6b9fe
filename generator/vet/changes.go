package vet

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/cfg"
)

// changes reports assignments to key fields of documents that were read and are
// then stored under the key that they do not have any more: in a function, and
// in each one within it by itself.
func (c *checker) changes(body *ast.BlockStmt) {
	c.given = c.keyValues(body)
	c.follow(body, nil)
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if operation(c.pass.TypesInfo, n) == "Update" && len(n.Args) > 0 {
				if change, ok := ast.Unparen(n.Args[len(n.Args)-1]).(*ast.FuncLit); ok {
					c.follow(change.Body, c.parameter(change))
				}
			}
		case *ast.FuncLit:
			c.follow(n.Body, nil)
		}
		return true
	})
}

// parameter returns the document that a closure of Update is called with, or
// nil.
func (c *checker) parameter(change *ast.FuncLit) *types.Var {
	params := change.Type.Params.List
	if len(params) != 1 || len(params[0].Names) != 1 {
		return nil
	}
	v, _ := c.pass.TypesInfo.Defs[params[0].Names[0]].(*types.Var)
	if v == nil {
		return nil
	}
	if fact, _ := c.keyOf(v.Type()); fact == nil {
		return nil
	}
	return v
}

// follow goes through all ways of a function without those within it. Updated is
// the document that the closure of an Update is called with, else nil.
func (c *checker) follow(body *ast.BlockStmt, updated *types.Var) {
	if updated == nil && !c.stores(body) {
		return
	}
	graph := cfg.New(body, c.mayReturn)
	before := make(map[*cfg.Block]state, len(graph.Blocks))
	first := state{}
	if updated != nil {
		first[updated] = changed{}
	}
	before[graph.Blocks[0]] = first
	for work := []*cfg.Block{graph.Blocks[0]}; len(work) > 0; work = work[1:] {
		after := (&walk{checker: c, state: before[work[0]].clone()}).block(work[0])
		for _, next := range work[0].Succs {
			known, ok := before[next]
			if !ok {
				before[next] = after.clone()
			}
			if !ok || known.join(after) {
				work = append(work, next)
			}
		}
	}
	// What is certain is known now: report it.
	told, moved := make(map[ast.Expr]bool), c.moved(body)
	for _, block := range graph.Blocks {
		s, ok := before[block]
		if !ok {
			continue // cannot be reached
		}
		w := &walk{checker: c, state: s.clone(), told: told, moved: moved}
		after := w.block(block)
		if len(block.Succs) == 0 {
			w.tell(updated, after[updated], "Update")
		}
	}
}

// stores reports whether a function writes documents by a method that looks for
// them under the key which they have, outside the functions within it.
func (c *checker) stores(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			name := operation(c.pass.TypesInfo, call)
			found = found || name == "Replace" || name == "Upsert"
		}
		_, within := n.(*ast.FuncLit)
		return !found && !within
	})
	return found
}

// moved returns the variables that a function hands to Move. Which of several
// methods one is stored by may depend on whether its key has changed.
func (c *checker) moved(body *ast.BlockStmt) map[*types.Var]bool {
	out := make(map[*types.Var]bool)
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !moves(operation(c.pass.TypesInfo, call)) {
			return true
		}
		for _, arg := range call.Args {
			if v := variable(c.pass.TypesInfo, arg); v != nil {
				out[v] = true
			}
		}
		return true
	})
	return out
}

// moves reports whether a method stores a document under a new key.
func moves(method string) bool { return method == "Move" || method == "PrepareMove" }

// mayReturn reports whether a call returns as far as its name tells.
func (c *checker) mayReturn(call *ast.CallExpr) bool {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		_, builtin := c.pass.TypesInfo.Uses[f].(*types.Builtin)
		return !builtin || f.Name != "panic"
	case *ast.SelectorExpr:
		return !strings.HasPrefix(f.Sel.Name, "Fatal") && f.Sel.Name != "Exit"
	}
	return true
}
