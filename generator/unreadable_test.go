package generator

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUnreadable puts folders where files of ours belong, and expects that to be
// a finding next to those of other packages.
func TestUnreadable(t *testing.T) {
	for _, name := range []string{"event_cosmos.go", "pkgen.lock"} {
		t.Run(name, func(t *testing.T) {
			dir := module(t, nil)
			write(t, filepath.Join(dir, "event.go"), []byte(brokenSource))
			write(t, filepath.Join(dir, "wrong", "wrong.go"), []byte(strings.Replace(brokenSource, `"pk"`, `"pkk"`, 1)))
			if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
				t.Fatal(err)
			}
			result, err := Generate(t.Context(), Options{Dir: dir, Patterns: []string{"./..."}})
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{name + ":1:1: cannot read this, where pkgen keeps a file of its own: is a directory", `wrong/wrong.go:5:35: unknown word "pkk"`} {
				if got := result.Err(); got == nil || !strings.Contains(got.Error(), want) {
					t.Errorf("got %v, want a diagnostic %q", got, want)
				}
			}
			for _, f := range result.Files {
				if f.Path == filepath.Join(dir, name) {
					t.Errorf("%s would be written", f.Path)
				}
			}
		})
	}
}
