package generator

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestAPIs compares the models, locks and diagnostics of types of other APIs than NoSQL
// with the golden files, and lets the go command judge what is generated, with the
// modules of these APIs. With -short it compiles nothing.
func TestAPIs(t *testing.T) {
	cases := readCases(t, "apis")
	dir := module(t, cases)
	results := generateAll(t, dir, cases)
	for i, r := range results {
		t.Run(cases[i].Name, func(t *testing.T) {
			cases[i].compare(t, dir, r)
			if err := r.Commit(); err != nil {
				t.Error(err)
			}
		})
	}
	for i, r := range generateAll(t, dir, cases) {
		for _, f := range r.Files {
			if f.Stale() {
				t.Errorf("%s: %s is stale right after it was written", cases[i].Name, f.Path)
			}
		}
	}
	if testing.Short() {
		return
	}
	addModules(t, dir, "table", "mongo", "gremlin")
	if out, err := goIn(dir, "vet", "-mod=mod", "./..."); err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
}

// TestNotesAcrossAlone sees that a tag which other types need is not called needless if a
// run leaves out these types.
func TestNotesAcrossAlone(t *testing.T) {
	cases := readCases(t, "apis")
	cases = slices.DeleteFunc(cases, func(c goldenCase) bool { return c.Name != "notesacross" })
	dir := module(t, cases)
	for _, o := range []Options{
		{Patterns: []string{"./notesacross/tables"}},
		{Patterns: []string{"./notesacross"}, Types: []string{"TableReading"}},
		{Patterns: []string{"./notesacross"}, Types: []string{"Reading"}},
	} {
		o.Dir = dir
		result, err := Generate(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range result.Diagnostics {
			t.Errorf("%v %v: %s", o.Patterns, o.Types, d)
		}
		if len(result.Types) == 0 {
			t.Errorf("%v %v: no types", o.Patterns, o.Types)
		}
	}
}

// addModules adds modules of this repository to the module in a folder, with the sums of
// what they need.
func addModules(t *testing.T, dir string, names ...string) {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	more := map[string]string{"go.mod": "", "go.sum": ""}
	for _, name := range names {
		path := "github.com/cosmos-pkgen/pkgen/" + name
		more["go.mod"] += "\nrequire " + path + " v0.0.0\n\nreplace " + path + " => " + filepath.Join(root, name) + "\n"
		sum, err := os.ReadFile(filepath.Join(root, name, "go.sum"))
		if err != nil {
			t.Fatal(err)
		}
		more["go.sum"] += string(sum)
	}
	for file, text := range more {
		old, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, file), append(old, text...))
	}
}
