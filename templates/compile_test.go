package templates

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestCompile compiles the golden files against the real packages, and those of
// nastyTypes, vets them, and runs testdata/behaviour_test.go. They are packages
// of a module of its own, which has this one's dependencies.
func TestCompile(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data []byte) {
		t.Helper()
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	read := func(name string) []byte {
		t.Helper()
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}

	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	const module = "github.com/cosmos-pkgen/pkgen"
	goMod := strings.Replace(string(read("../go.mod")), "module "+module, "module "+strings.TrimSuffix(goldenPath, "/"), 1)
	write("go.mod", fmt.Appendf(nil, "%s\nrequire %s v0.0.0\n\nreplace %[2]s => %s\n", goMod, module, root))
	write("go.sum", read("../go.sum"))
	write("behaviour/behaviour_test.go", read("testdata/behaviour_test.go"))
	for _, c := range goldenTypes {
		archive, err := txtar.ParseFile(filepath.Join("testdata", c.name+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			write(c.name+"/"+f.Name, f.Data)
		}
	}
	for name, data := range nastyPackage(t) {
		write("nasty/"+name, data)
	}

	for _, args := range [][]string{{"vet", "./..."}, {"test", "-vet=off", "./behaviour"}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("go %s: %v\n%s", args[0], err, out)
		}
	}
}
