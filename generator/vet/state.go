package vet

import (
	"go/ast"
	"go/types"
	"maps"
)

// state has the facts that are certain at one point of a function, on every path to
// it: the variables that hold a document that was read, or a slice of such
// documents. A variable that is not in it may hold anything.
type state map[*types.Var]changed

// changed are the fields of a document's key that have another value than when
// it was read, on some way at least, by their paths; each with an assignment.
type changed map[string]ast.Expr

// clone returns a copy that shares nothing.
func (s state) clone() state {
	out := make(state, len(s))
	for v, c := range s {
		out[v] = maps.Clone(c)
	}
	return out
}

// join narrows s to what is certain where it meets another state, and reports
// whether that differs from s.
func (s state) join(other state) bool {
	differs := false
	for v, c := range s {
		more, ok := other[v]
		if !ok {
			delete(s, v)
			differs = true
			continue
		}
		for path, at := range more {
			if _, ok := c[path]; !ok {
				c[path] = at
				differs = true
			}
		}
	}
	return differs
}
