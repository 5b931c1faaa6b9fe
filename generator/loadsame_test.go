package generator

import (
	"bytes"
	"context"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
)

// bothWays sees that a run gives the same by what documents reach as with all
// that is imported.
func bothWays(t *testing.T, o Options) *Result {
	t.Helper()
	reached, err := Generate(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	full, err := generate(context.Background(), o, source.LoadFull)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(full, reached, cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" {
		t.Errorf("-with all imports +what is reached:\n%s", diff)
	}
	return reached
}

// TestSameAsFull loads awkward modules both ways. A case is a txtar archive with
// a module or several. Lines of its comment say in which folder to run
// ("dir: app"), for which patterns, which folders have to be loaded as a whole
// ("full: cgo dot"), and whether all are ("whole"). Without -seeds 3 there is no
// build tag, and a quarter of the cases.
func TestSameAsFull(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "loading", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	part := seeds.Part(t, "build tags, and three quarters of the cases")
	for i, file := range files {
		if part && i%4 > 0 {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			root := t.TempDir()
			for _, f := range archive.Files {
				write(t, filepath.Join(root, f.Name), f.Data)
			}
			o := Options{Dir: root, Patterns: []string{"./..."}}
			var full []string
			whole := false
			for line := range strings.Lines(string(archive.Comment)) {
				key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
				switch key {
				case "dir":
					o.Dir = filepath.Join(root, value)
				case "patterns":
					o.Patterns = strings.Fields(value)
				case "full":
					full = strings.Fields(value)
				case "whole":
					whole = true
				}
			}
			for _, tags := range []string{"", "special"} {
				if tags != "" && (part || !bytes.Contains(txtar.Format(archive), []byte(tags))) {
					continue // no file depends on it
				}
				o.Tags = tags
				if result := bothWays(t, o); len(result.Types) == 0 {
					t.Errorf("tags %q: no documents: %v", tags, result.Err())
				}
			}
			checkWhole(t, o, root, full, whole)
		})
	}
}

// checkWhole sees that the folders which are loaded as a whole are those that have
// to be.
func checkWhole(t *testing.T, o Options, root string, want []string, wantAll bool) {
	t.Helper()
	folders, all, err := source.Whole(t.Context(), o.source())
	if err != nil {
		t.Fatal(err)
	}
	if all != wantAll {
		t.Errorf("all folders are loaded as a whole: %t", all)
	}
	var got []string
	for _, folder := range folders {
		if dir, err := filepath.Rel(root, folder); err == nil {
			got = append(got, filepath.ToSlash(dir))
		}
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("loaded as a whole: -want +got:\n%s", diff)
	}
}

// TestGoldenSameAsFull runs the golden cases both ways, those with flags again by
// themselves. The gate runs it: TestSameAsFull loads fewer cases both ways.
func TestGoldenSameAsFull(t *testing.T) {
	seeds.Gate(t, "type-checks all that generated code imports")
	for _, folder := range []string{"success", "failure"} {
		cases := readCases(t, folder)
		dir := module(t, cases)
		bothWays(t, Options{Dir: dir, Patterns: []string{"./..."}})
		for _, c := range cases {
			if c.Tags != "" || c.Types != nil {
				t.Run(c.Name, func(t *testing.T) {
					bothWays(t, Options{Dir: dir, Patterns: []string{"./" + c.Name + "/..."}, Tags: c.Tags, Types: c.Types, AcceptKeyChange: c.Accept, alone: true})
				})
			}
		}
	}
}
