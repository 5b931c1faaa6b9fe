//go:build !race

// What the race detector would watch here are other processes.

package realshapes

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/internal/scratch"
)

// checker is a command that judges the generated packages in addition to go vet.
var checker = os.Getenv("PKGEN_CHECKER")

// TestServices generates the packages of testdata/service, without an error and
// to the same files again. With -seeds 3 go vet judges them, and their round trips
// run.
func TestServices(t *testing.T) {
	dir := module(t, "service")
	result, err := generator.Generate(t.Context(), generator.Options{Dir: dir, Patterns: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	if err := result.Commit(); err != nil {
		t.Fatal(err)
	}
	if n := len(result.Types); n < 35 {
		t.Errorf("there are %d document types, of at least 35", n)
	}
	expected := []string{annotations.NoteAmbiguous, annotations.NoteSynthetic, annotations.NoteInt64, annotations.NoteETag}
	for _, d := range result.Diagnostics {
		if d.Severity != generator.Note || !slices.Contains(expected, d.Name) {
			t.Errorf("an unexpected %v", d)
		}
	}
	again, err := generator.Generate(t.Context(), generator.Options{Dir: dir, Patterns: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range again.Files {
		if f.Stale() {
			t.Errorf("%s is stale right after it was written", f.Path)
		}
	}
	if seeds.Part(t, "go vet and the round trips, for which forty types are compiled") {
		return
	}
	command(t, dir, "go", "vet", "./...")
	if words := strings.Fields(checker); len(words) > 0 {
		command(t, dir, words[0], append(words[1:], "./...")...)
	}
	command(t, dir, "go", "test", "-vet=off", "-count=1", "./...")
}

// module copies testdata into a folder outside of this module, and makes a module
// of one of its folders, with this one's dependencies. It returns this folder.
func module(t *testing.T, name string) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := scratch.Dir(t)
	if err := os.CopyFS(dir, os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	const pkgen = "github.com/cosmos-pkgen/pkgen"
	made := filepath.Join(dir, name)
	mod := strings.Replace(read("go.mod"), "module "+pkgen, "module example.com/"+name, 1) +
		"\nrequire (\n\texample.com/platform v0.0.0\n\t" + pkgen + " v0.0.0\n)\n" +
		"\nreplace (\n\texample.com/platform => ../platform\n\t" + pkgen + " => " + root + "\n)\n"
	for name, text := range map[string]string{"go.mod": mod, "go.sum": read("go.sum")} {
		if err := os.WriteFile(filepath.Join(made, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return made
}

// command runs a command with settings for the go command.
func command(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}
