//go:build unix

package files_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/files"
)

// odd are things that have the name of a file, and what is said of them.
var odd = map[string]struct {
	put  func(path string) error
	says string
}{
	"a pipe":             {func(path string) error { return syscall.Mkfifo(path, 0o600) }, "it is a named pipe"},
	"a link to a device": {func(path string) error { return os.Symlink("/dev/zero", path) }, "it is a device"},
	"a large file": {func(path string) error {
		return errors.Join(os.WriteFile(path, []byte("package x\n"), 0o600), os.Truncate(path, files.MaxSize+1))
	}, "it has 33554433 bytes, and no more than 33554432 are read"},
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.go")
	if err := os.WriteFile(path, []byte("package x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, filepath.Join(dir, "link.go")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.go", "link.go"} {
		if text, err := files.Read(filepath.Join(dir, name)); err != nil || string(text) != "package x\n" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if _, err := files.Read(filepath.Join(dir, "none.go")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := files.Read(dir); err == nil || errors.Is(err, files.ErrOdd) {
		t.Errorf("a folder: %v", err)
	}
	if err := os.WriteFile(path, bytes.Repeat([]byte("\n"), files.MaxSize), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := files.Read(path); err != nil || len(text) != files.MaxSize {
		t.Errorf("a file as large as allowed: %d bytes, %v", len(text), err)
	}
}

func TestOdd(t *testing.T) {
	for name, c := range odd {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.go")
			if err := c.put(path); err != nil {
				t.Fatal(err)
			}
			_, err := files.Read(path)
			var place *fs.PathError
			if !errors.Is(err, files.ErrOdd) || !errors.As(err, &place) || place.Path != path || !strings.HasPrefix(place.Err.Error(), c.says) {
				t.Errorf("got %v, want an error of %s that says %q", err, path, c.says)
			}
		})
	}
}

// TestCheckModule puts a pipe into folders of a module, and into those that the
// go command leaves out.
func TestCheckModule(t *testing.T) {
	for name, found := range map[string]bool{
		"a.go": true, "below/it/a.go": true, "vendor/x/a.go": true,
		"a.txt": false, "testdata/a.go": false, "_old/a.go": false, ".git/a.go": false, "other/a.go": false,
	} {
		root := t.TempDir()
		path := filepath.Join(root, name)
		here := filepath.Join(root, "here")
		for _, dir := range []string{filepath.Dir(path), here, filepath.Join(root, "other")} {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		for _, module := range []string{"go.mod", "other/go.mod"} {
			if err := os.WriteFile(filepath.Join(root, module), []byte("module x\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := files.CheckModule(here); err != nil {
			t.Errorf("without a pipe: %v", err)
		}
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := files.CheckModule(here); errors.Is(err, files.ErrOdd) != found {
			t.Errorf("%s: %v", name, err)
		}
		if err := files.CheckBelow(filepath.Dir(path)); errors.Is(err, files.ErrOdd) != (name != "a.txt") {
			t.Errorf("below the folder of %s: %v", name, err)
		}
	}
}
