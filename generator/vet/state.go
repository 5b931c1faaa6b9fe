package vet

import (
	"go/ast"
	"go/types"
	"maps"
)

// state has the facts that are certain at one point of a function, on every path to it.
type state struct {
	// read are the variables that hold a document that was read, or a slice of such
	// documents. A variable that is not in it may hold anything.
	read map[*types.Var]changed

	equal map[equality]bool // in both directions
}

// newState returns the state in which nothing is certain.
func newState() state {
	return state{make(map[*types.Var]changed), make(map[equality]bool)}
}

// changed are the fields of a document's key that have another value than when
// it was read, on some way at least, by their paths; each with an assignment.
type changed map[string]ast.Expr

// clone returns a copy that shares nothing.
func (s state) clone() state {
	out := state{make(map[*types.Var]changed, len(s.read)), maps.Clone(s.equal)}
	for v, c := range s.read {
		out.read[v] = maps.Clone(c)
	}
	return out
}

// join narrows s to what is certain where it meets another state, and reports
// whether that differs from s.
func (s state) join(other state) bool {
	differs := false
	for e := range s.equal {
		if !other.equal[e] {
			delete(s.equal, e)
			differs = true
		}
	}
	for v, c := range s.read {
		more, ok := other.read[v]
		if !ok {
			delete(s.read, v)
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
