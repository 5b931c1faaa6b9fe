package templates

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/internal/scratch"
)

// TestCompile vets the files of nastyPackage with the real packages. With -seeds 3 it also
// compiles and vets the golden files, and runs testdata/behaviour_test.go.
func TestCompile(t *testing.T) {
	dir := goldenModule(t)
	for name, data := range nastyPackage(t) {
		writeFile(t, filepath.Join(dir, "nasty", name), data)
	}
	commands := [][]string{{"vet", "./..."}, {"test", "-vet=off", "-count=1", "./behaviour"}}
	if seeds.Part(t, "the golden files, whose types are compiled, and tests of their behaviour") {
		commands = [][]string{{"vet", "./nasty"}}
	}
	for _, args := range commands {
		if out, err := goCommand(dir, args...); err != nil {
			t.Errorf("go %s: %v\n%s", args[0], err, out)
		}
	}
}

// BenchmarkOutput runs testdata/benchmark_test.go and prints its output: it
// compares keys of generated code with keys of code that is written by hand. Run it
// with -benchtime=1x.
func BenchmarkOutput(b *testing.B) {
	dir := goldenModule(b)
	for b.Loop() {
		out, err := goCommand(dir, "test", "-vet=off", "-run=^$", "-bench=.", "./behaviour")
		if err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		fmt.Printf("%s", out)
	}
}

// goldenModule makes a module with this one's dependencies. The golden files are
// packages of it, and the tests of their behaviour are another package.
func goldenModule(t testing.TB) string {
	t.Helper()
	dir := scratch.Dir(t)
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
	writeFile(t, filepath.Join(dir, "go.mod"), fmt.Appendf(nil, "%s\nrequire %s v0.0.0\n\nreplace %[2]s => %s\n", goMod, module, root))
	writeFile(t, filepath.Join(dir, "go.sum"), read("../go.sum"))
	for _, name := range []string{"behaviour_test.go", "container_test.go", "layouts_test.go", "repository_test.go", "benchmark_test.go"} {
		writeFile(t, filepath.Join(dir, "behaviour", name), read("testdata/"+name))
	}
	for _, c := range goldenTypes {
		if c.types[0].API != NoSQL {
			continue // tests of internal/conformance compile these
		}
		archive, err := txtar.ParseFile(filepath.Join("testdata", c.name+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			writeFile(t, filepath.Join(dir, c.name, filepath.FromSlash(f.Name)), f.Data)
		}
	}
	return dir
}

func writeFile(t testing.TB, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// goCommand runs the go command in a module.
func goCommand(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	return cmd.CombinedOutput()
}
