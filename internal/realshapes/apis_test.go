package realshapes

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// TestAPIs generates the packages of testdata/apis, without an error or a note and to the
// same files again.
func TestAPIs(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/apis")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/apis\n\ngo 1.25.0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	options := generator.Options{Dir: dir, Patterns: []string{"./..."}}
	result, err := generator.Generate(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	if err := result.Commit(); err != nil {
		t.Fatal(err)
	}
	for _, d := range result.Diagnostics {
		t.Errorf("an unexpected %v", d)
	}
	of := make(map[templates.API]int)
	for _, typ := range result.Types {
		of[typ.Model.API]++
	}
	if want := map[templates.API]int{templates.Table: 4, templates.Mongo: 4, templates.Gremlin: 5}; !maps.Equal(of, want) {
		t.Errorf("types of each API: %v, want %v", of, want)
	}
	again, err := generator.Generate(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range again.Files {
		if f.Stale() {
			t.Errorf("%s is stale right after it was written", f.Path)
		}
	}
}
