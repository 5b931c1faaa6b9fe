package keychange

import (
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/cosmos-pkgen/pkgen/generator/internal/lock"
	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
)

// TestGeneratedKinds reads what keys are made of from the golden files, and
// expects what the lock beside them says.
func TestGeneratedKinds(t *testing.T) {
	read := 0
	cases, err := filepath.Glob("../../testdata/success/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, golden := range cases {
		archive, err := txtar.ParseFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		texts := make(map[string][]byte)
		for _, f := range archive.Files {
			texts[f.Name] = f.Data
		}
		for name, text := range texts {
			if path.Base(name) != lock.FileName || !strings.HasPrefix(name, "want/") {
				continue
			}
			l, err := lock.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range l {
				typ := e.Type[strings.LastIndexByte(e.Type, '.')+1:]
				file := texts[path.Join(path.Dir(name), model.OutputName(typ, ""))]
				if file == nil || typ != e.Type {
					file = texts[path.Join(path.Dir(name), model.OutputName(typ, "_test.go"))]
				}
				if file == nil || e.Gone {
					continue
				}
				read++
				got := generatedKinds(e, file)
				if diff := cmp.Diff(e.Kinds, got); diff != "" {
					t.Errorf("%s: type %s: -lock +file:\n%s", filepath.Base(golden), e.Type, diff)
				}
			}
		}
	}
	if read < 50 {
		t.Errorf("%d types have been compared", read)
	}
}
