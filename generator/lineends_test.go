package generator

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestLineEnds has git write all files with the line ends of Windows.
func TestLineEnds(t *testing.T) {
	dir := module(t, nil)
	source := filepath.Join(dir, "event.go")
	write(t, source, []byte(brokenSource))
	run := func() []File {
		t.Helper()
		result, err := Generate(t.Context(), Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		if err := result.Commit(); err != nil {
			t.Fatal(err)
		}
		return result.Files
	}
	written := run()
	paths := []string{source}
	for _, f := range written {
		if !f.Stale() {
			t.Errorf("%s is not written", f.Path)
		}
		paths = append(paths, f.Path)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		write(t, path, bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")))
	}
	for _, f := range run() {
		if f.Stale() {
			t.Errorf("%s is stale by its line ends alone", f.Path)
		}
		now, err := os.ReadFile(f.Path)
		if err != nil || !bytes.Contains(now, []byte("\r\n")) {
			t.Errorf("%s was written again: %v", f.Path, err)
		}
	}
	write(t, written[0].Path, append(bytes.Clone(written[0].New), '\r'))
	if files := run(); !files[0].Stale() {
		t.Errorf("%s has more than that, and is not stale", files[0].Path)
	}
}
