package vet

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/cfg"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/cosmos-pkgen/pkgen/internal/operations"
)

// changes reports assignments to key fields of documents that were read and are
// then stored by a method that looks for the earlier key. It checks a function, and
// each function within it separately.
func (c *checker) changes(body *ast.BlockStmt) {
	c.body, c.given, c.pointsAt, c.assigned = body, c.keyValues(body), c.pointers(body), c.values(body).of
	c.follow(body, nil)
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if does(c.pass.TypesInfo, n) == operations.Changes && len(n.Args) > 0 {
				if params, change := c.change(body, n.Args[len(n.Args)-1]); change != nil {
					c.follow(change, c.parameter(params))
				}
			}
		case *ast.FuncLit:
			c.follow(n.Body, nil)
		}
		return true
	})
}

// change returns the function that is passed to an Update: a closure, a variable
// of the surrounding function that holds a closure, or a function of the package.
func (c *checker) change(around *ast.BlockStmt, arg ast.Expr) (*ast.FuncType, *ast.BlockStmt) {
	if v := variable(c.pass.TypesInfo, arg); v != nil {
		if values := c.values(around).of[v]; len(values) == 1 && values[0] != nil {
			arg = values[0]
		}
	}
	if closure, ok := ast.Unparen(arg).(*ast.FuncLit); ok {
		return closure.Type, closure.Body
	}
	ident, ok := ast.Unparen(arg).(*ast.Ident)
	if !ok {
		return nil, nil
	}
	for _, file := range c.pass.Files {
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && c.pass.TypesInfo.Defs[f.Name] == c.pass.TypesInfo.Uses[ident] {
				return f.Type, f.Body
			}
		}
	}
	return nil, nil
}

// refuses reports whether a block certainly ends with an error, so that an Update
// stores nothing.
func (c *checker) refuses(block *cfg.Block) bool {
	result := block.Return()
	if result == nil || len(result.Results) != 1 {
		return false
	}
	switch e := ast.Unparen(result.Results[0]).(type) {
	case *ast.CallExpr:
		f, ok := typeutil.Callee(c.pass.TypesInfo, e).(*types.Func)
		return ok && (f.FullName() == "errors.New" || f.FullName() == "fmt.Errorf")
	case *ast.Ident:
		v := variable(c.pass.TypesInfo, e)
		return v != nil && v.Parent() == c.pass.Pkg.Scope()
	case *ast.SelectorExpr:
		v, ok := c.pass.TypesInfo.Uses[e.Sel].(*types.Var)
		return ok && !v.IsField()
	}
	return false
}

// parameter returns the document that the function of an Update is called with,
// or nil.
func (c *checker) parameter(change *ast.FuncType) *types.Var {
	params := change.Params.List
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
	first := newState()
	if updated != nil {
		first.read[updated] = changed{}
	}
	before[graph.Blocks[0]] = first
	for work := []*cfg.Block{graph.Blocks[0]}; len(work) > 0; work = work[1:] {
		after := (&walk{checker: c, state: before[work[0]].clone()}).block(work[0])
		for i, next := range work[0].Succs {
			on := c.compared(after, work[0], i)
			known, ok := before[next]
			if !ok {
				before[next] = on.clone()
			}
			if !ok || known.join(on) {
				work = append(work, next)
			}
		}
	}
	// What is certain is known now: report it.
	moved := c.moved(body)
	for _, block := range graph.Blocks {
		s, ok := before[block]
		if !ok {
			continue // cannot be reached
		}
		w := &walk{checker: c, state: s.clone(), told: c.told, moved: moved}
		after := w.block(block)
		if len(block.Succs) == 0 && !c.refuses(block) {
			w.tell(updated, after.read[updated], "Update")
		}
	}
}

// stores reports whether a function, without the functions within it, writes
// documents by a method that finds them by their present key.
func (c *checker) stores(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			found = found || does(c.pass.TypesInfo, call) == operations.Overwrites
		}
		_, within := n.(*ast.FuncLit)
		return !found && !within
	})
	return found
}

// moved returns the variables that a function passes to Move. The function may
// choose between Move and another method by whether the key has changed.
func (c *checker) moved(body *ast.BlockStmt) map[*types.Var]bool {
	out := make(map[*types.Var]bool)
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || does(c.pass.TypesInfo, call) != operations.Moves {
			return true
		}
		for _, arg := range call.Args {
			if v, _ := c.document(arg); v != nil {
				out[v] = true
			}
		}
		return true
	})
	return out
}

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
