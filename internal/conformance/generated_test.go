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
// with the run times, which the module of templates does not have, and runs the tests of
// testdata/behaviour, which import all three. The packages are folders that only the go command sees.
func TestGoldensCompile(t *testing.T) {
	t.Parallel()
	dir, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	var overlay struct{ Replace map[string]string }
	overlay.Replace = map[string]string{
		filepath.Join(dir, "goldens", "behaviour", "keys_test.go"): filepath.Join(dir, "testdata", "behaviour", "keys_test.go"),
	}
	temporary := t.TempDir()
	for _, api := range []string{"table", "mongo", "gremlin"} {
		archive, err := txtar.ParseFile(filepath.Join("../../templates/testdata", api+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		if len(archive.Files) < 7 {
			t.Fatalf("the golden file of %s has %d files: where are the others?", api, len(archive.Files))
		}
		if err := os.Mkdir(filepath.Join(temporary, api), 0o700); err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			path := filepath.Join(temporary, api, f.Name)
			write(t, path, f.Data)
			overlay.Replace[filepath.Join(dir, "goldens", api, f.Name)] = path
		}
	}
	data, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(temporary, "overlay.json")
	write(t, config, data)
	tests := filepath.Join(temporary, "behaviour.test")
	run(t, ".", "go", "test", "-c", "-vet=off", "-overlay", config, "-o", tests, "./goldens/behaviour")
	run(t, temporary, tests)
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
