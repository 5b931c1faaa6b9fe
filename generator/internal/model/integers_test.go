package model

import (
	"go/types"
	"testing"

	"github.com/cosmos-pkgen/pkgen/generator/internal/sourcetest"
)

// TestNestedDeeper counts how deep types are nested, also where an instantiation
// cycle makes them larger without an end.
func TestNestedDeeper(t *testing.T) {
	u := sourcetest.Unit("package x\n\ntype P[A, B any] struct{}\n\ntype G[A any] struct{ Next *G[P[A, A]] }\n\n" +
		"var (\n\tplain int\n\tlist []map[string]*int\n\tlast P[int, []P[[]int, int]]\n\tgrowing G[int]\n)\n")
	typ := func(name string) types.Type { return u.Types.Scope().Lookup(name).Type() }
	for name, depth := range map[string]int{"plain": 0, "list": 3, "last": 4, "growing": 1} {
		if nestedDeeper(typ(name), depth) || !nestedDeeper(typ(name), depth-1) {
			t.Errorf("%s is not %d deep", name, depth)
		}
	}
	growing := typ("growing")
	for range 8 {
		growing = growing.Underlying().(*types.Struct).Field(0).Type().(*types.Pointer).Elem()
	}
	if nestedDeeper(growing, 9) || !nestedDeeper(growing, 8) {
		t.Error("the type at the end of eight pointers is not 9 deep")
	}
}
