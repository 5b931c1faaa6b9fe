package main

import (
	"go/parser"
	"go/token"
	"testing"
)

// TestMutations: each mutation changes a place that is there, by text that is Go, and says
// which promise it breaks.
func TestMutations(t *testing.T) {
	files, err := planted("../../..", mutations)
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range files {
		if _, err := parser.ParseFile(token.NewFileSet(), name, body, 0); err != nil {
			t.Error(err)
		}
	}
	names := map[string]bool{}
	for _, m := range mutations {
		if names[m.name] || m.breaks == "" {
			t.Errorf("%s is there twice, or breaks nothing", m.name)
		}
		names[m.name] = true
	}
}

// TestPlaceIsGone: a mutation whose place was rewritten is an error, and is not left out.
func TestPlaceIsGone(t *testing.T) {
	m := mutations[0]
	m.was = "what no file has"
	if _, err := planted("../../..", []mutation{m}); err == nil {
		t.Error("no error")
	}
}
