package files

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestLeft finds what runs that were killed have left, and nothing else.
func TestLeft(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-leftAfter - time.Minute)
	stays := map[string]bool{
		".a_cosmos.go.71.0.pkgen": false, ".pkgen.lock.71.1.pkgen": false, ".a.go.71.0.pkgen": false,
		".b_cosmos.go.72.0.pkgen": true, // of a run that goes on
		".notes.txt.71.0.pkgen":   true, ".a_cosmos.go.71.0.swp": true, "a_cosmos.go.71.0.pkgen": true,
		".folder.go.71.0.pkgen": true,
	}
	for name := range stays {
		path := filepath.Join(dir, name)
		if name == ".folder.go.71.0.pkgen" {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		} else if err := os.WriteFile(path, []byte("package x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if name != ".b_cosmos.go.72.0.pkgen" {
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	change := Change{Path: filepath.Join(dir, "a_cosmos.go"), New: []byte("package x\n")}
	for range 2 { // the second one writes nothing
		if err := Commit([]Change{change}); err != nil {
			t.Fatal(err)
		}
		change.Old = change.New
	}
	for name, want := range stays {
		if _, err := os.Lstat(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	file, err := createBeside(filepath.Join(dir, "a_cosmos.go"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if name := filepath.Base(file.Name()); !leftName.MatchString(name) {
		t.Errorf("what is left as %s is not known again", name)
	}
}
