package conformance_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/scratch"
)

// TestVet runs pkgen vet with the real run times over the code of generator/vet's tests,
// whose own run times are only declared: it finds the same, on the same lines.
func TestVet(t *testing.T) {
	t.Parallel()
	source := "../../generator/vet/testdata/apis"
	dir, pkgen := module(t, "example.com/m", source, "apis")
	run(t, dir, pkgen, "./apis/stock")

	want := make(map[string]bool)
	lines := bufio.NewScanner(bytes.NewReader(read(t, filepath.Join(source, "apis.go"))))
	for n := 1; lines.Scan(); n++ {
		if strings.Contains(lines.Text(), "// want ") {
			want[fmt.Sprintf("apis/apis.go:%d", n)] = true
		}
	}
	if len(want) < 10 {
		t.Fatalf("%d lines with a finding", len(want))
	}
	vet := exec.Command(pkgen, "vet", "./...")
	vet.Dir = dir
	vet.Env = append(os.Environ(), "GOWORK=off")
	out, err := vet.CombinedOutput()
	if err == nil {
		t.Error("pkgen vet finds nothing")
	}
	found := make(map[string]bool)
	for line := range strings.Lines(string(out)) {
		parts := strings.SplitN(filepath.ToSlash(line), ":", 3)
		if len(parts) == 3 {
			found[parts[0]+":"+parts[1]] = true
		}
	}
	for at := range want {
		if !found[at] {
			t.Errorf("nothing at %s", at)
		}
	}
	for at := range found {
		if !want[at] {
			t.Errorf("a finding at %s", at)
		}
	}
	if t.Failed() {
		t.Logf("%s", out)
	}
}

// TestShapes compiles and vets what pkgen writes for the documents of
// internal/realshapes/testdata/apis, and runs their tests.
func TestShapes(t *testing.T) {
	t.Parallel()
	dir, pkgen := module(t, "example.com/apis", "../realshapes/testdata/apis", ".")
	run(t, dir, pkgen, "./...")
	run(t, dir, "go", "vet", "./...")
	run(t, dir, "go", "test", "-vet=off", "-count=1", "./...")
}

// module copies a folder into one of a new module, which has the run times as this one has
// them, and builds pkgen next to it.
func module(t *testing.T, name, source, to string) (dir, pkgen string) {
	t.Helper()
	dir = scratch.Dir(t)
	pkgen = filepath.Join(t.TempDir(), "pkgen")
	run(t, "../..", "go", "build", "-o", pkgen, "./cmd/pkgen")
	if err := os.CopyFS(filepath.Join(dir, to), os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	mod := read(t, "go.mod")
	mod = bytes.Replace(mod, []byte("module github.com/cosmos-pkgen/pkgen/internal/conformance"), []byte("module "+name), 1)
	mod = bytes.ReplaceAll(mod, []byte("=> ../.."), []byte("=> "+root))
	write(t, filepath.Join(dir, "go.mod"), mod)
	write(t, filepath.Join(dir, "go.sum"), read(t, "go.sum"))
	return dir, pkgen
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
