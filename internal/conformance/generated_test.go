package conformance_test

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "generate the types of the suite")

// faces are the packages whose types pkgen has generated.
var faces = []string{"./nosql", "./mongodb", "./tables", "./graph"}

// TestGenerated runs the pkgen of this tree on the types of the suite: what is checked in
// is what it writes. With -update it writes.
func TestGenerated(t *testing.T) {
	pkgen := filepath.Join(t.TempDir(), "pkgen")
	run(t, "../..", "go", "build", "-o", pkgen, "./cmd/pkgen")
	var args []string
	if !*update {
		args = append(args, "-diff")
	}
	run(t, ".", pkgen, append(args, faces...)...)
}

// TestGoldensCompile compiles the golden files of templates for Table, MongoDB and Gremlin
// with the run times, which the module of templates does not have.
func TestGoldensCompile(t *testing.T) {
	for _, api := range []string{"table", "mongo", "gremlin"} {
		t.Run(api, func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(filepath.Join("../../templates/testdata", api+".txtar"))
			if err != nil {
				t.Fatal(err)
			}
			if len(archive.Files) < 7 {
				t.Fatalf("the golden file has %d files: where are the others?", len(archive.Files))
			}
			dir, err := filepath.Abs(".")
			if err != nil {
				t.Fatal(err)
			}
			// The package is a folder that only the go command sees.
			var overlay struct{ Replace map[string]string }
			overlay.Replace = map[string]string{}
			temporary := t.TempDir()
			for _, f := range archive.Files {
				path := filepath.Join(temporary, f.Name)
				write(t, path, f.Data)
				overlay.Replace[filepath.Join(dir, "goldens", api, f.Name)] = path
			}
			data, err := json.Marshal(overlay)
			if err != nil {
				t.Fatal(err)
			}
			config := filepath.Join(temporary, "overlay.json")
			write(t, config, data)
			run(t, ".", "go", "build", "-overlay", config, "./goldens/"+api)
		})
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// run runs a command in a folder.
func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	command := exec.Command(name, args...)
	command.Dir = dir
	command.Env = append(os.Environ(), "GOWORK=off")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", filepath.Base(name), args, err, out)
	}
}
