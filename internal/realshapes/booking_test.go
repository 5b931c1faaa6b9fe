//go:build !race

package realshapes

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
)

// TestBooking generates two releases of the service of testdata/booking: the second one has
// other documents, and the lock of the first. With -seeds 3 both then serve the same
// documents at once.
func TestBooking(t *testing.T) {
	dir := module(t, "booking")
	generate := func(folder string) {
		t.Helper()
		result, err := generator.Generate(t.Context(), generator.Options{Dir: filepath.Join(dir, folder), Admin: true, Seal: true})
		if err == nil {
			err = result.Commit()
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range result.Diagnostics {
			t.Logf("%v", d)
		}
	}
	generate("documents")
	second := filepath.Join(dir, "second")
	copied(t, filepath.Join(dir, "documents"), filepath.Join(second, "documents"))
	copied(t, filepath.Join(dir, "service"), filepath.Join(second, "service"))
	if err := os.Rename(filepath.Join(dir, "next", "booking.go"), filepath.Join(second, "documents", "booking.go")); err != nil {
		t.Fatal(err)
	}
	ofItsOwn(t, dir, "second")
	generate("second/documents")
	if seeds.Part(t, "both releases of the service, whose types are compiled") {
		return
	}
	command(t, dir, "go", "test", "-count=1", "./...")
}

// ofItsOwn makes a folder of a module a module of its own, which the other requires: types
// of two releases are not of one module.
func ofItsOwn(t *testing.T, dir, folder string) {
	t.Helper()
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(dir, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	inner := strings.NewReplacer("module example.com/booking", "module example.com/booking/"+folder, "../platform", "../../platform").Replace(string(mod))
	outer := string(mod) + "\nrequire example.com/booking/" + folder + " v0.0.0\n\nreplace example.com/booking/" + folder + " => ./" + folder + "\n"
	for name, text := range map[string]string{"go.mod": outer, folder + "/go.mod": inner, folder + "/go.sum": string(sum)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// copied copies a folder of the first release to one of the second.
func copied(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, []byte(strings.ReplaceAll(string(text), "example.com/booking/", "example.com/booking/second/")), 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}
