package vet

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"strings"

	"golang.org/x/tools/go/cfg"
)

// operand is one side of a comparison: a variable, a field of one, or a constant.
type operand struct {
	v        *types.Var
	path     string // with the index of an element in brackets before it
	constant string
}

// equality is a pair of operands that have one value.
type equality [2]operand

// operand returns what an expression names, and false for another expression.
func (c *checker) operand(e ast.Expr) (operand, bool) {
	e = ast.Unparen(e)
	if e == nil {
		return operand{}, false
	}
	info := c.pass.TypesInfo
	if value := info.Types[e].Value; value != nil && value.Kind() == constant.String {
		return operand{constant: value.ExactString()}, true
	}
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 1 && info.Types[call.Fun].IsType() && isText(info.TypeOf(call)) && isText(info.TypeOf(call.Args[0])) {
		return c.operand(call.Args[0]) // which keeps the text
	}
	v, path := c.at(e)
	return operand{v: v, path: path}, v != nil
}

// isText reports whether the values of a type are strings.
func isText(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsString != 0
}

// compared adds what is certain on one of the ways out of a block, which ends with a
// condition if there are two.
func (c *checker) compared(s state, b *cfg.Block, way int) state {
	if len(b.Succs) != 2 || len(b.Nodes) == 0 {
		return s
	}
	condition, ok := b.Nodes[len(b.Nodes)-1].(ast.Expr)
	if !ok {
		return s
	}
	s = s.clone()
	c.holds(s, condition, way == 0)
	return s
}

// holds adds what is certain where a condition is true, or false.
func (c *checker) holds(s state, condition ast.Expr, is bool) {
	switch e := ast.Unparen(condition).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			c.holds(s, e.X, !is)
		}
	case *ast.BinaryExpr:
		switch {
		case e.Op == token.LAND && is, e.Op == token.LOR && !is:
			c.holds(s, e.X, is)
			c.holds(s, e.Y, is)
		case e.Op == token.EQL && is, e.Op == token.NEQ && !is:
			left, ok := c.operand(e.X)
			right, other := c.operand(e.Y)
			if ok && other {
				s.equal[equality{left, right}] = true
				s.equal[equality{right, left}] = true
			}
		}
	}
}

// proven reports whether a condition has shown that a field has a value already.
func (w *walk) proven(v *types.Var, path string, value ast.Expr) bool {
	is, ok := w.operand(value)
	return ok && w.state.equal[equality{{v: v, path: path}, is}]
}

// forgetEqual drops the equalities of a variable, or those of a field of it, which
// has got another value.
func (w *walk) forgetEqual(v *types.Var, path string) {
	if v == nil {
		return
	}
	maps.DeleteFunc(w.state.equal, func(e equality, _ bool) bool {
		return e[0].changesWith(v, path) || e[1].changesWith(v, path)
	})
}

// changesWith reports whether an assignment to a variable, or to a field of it, may
// change what the operand names.
func (o operand) changesWith(v *types.Var, path string) bool {
	element, _, indexed := strings.Cut(o.path, "]")
	switch {
	case o.v == nil:
		return false
	case o.v == v:
		return path == "" || o.path == "" || strings.HasPrefix(o.path+".", path+".") || strings.HasPrefix(path+".", o.path+".")
	}
	return indexed && path == "" && strings.Contains(element, v.Name())
}
