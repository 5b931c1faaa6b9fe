package generator

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestCommit(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	write(t, path("same.go"), []byte("same"))
	write(t, path("old.go"), []byte("old"))
	write(t, path("gone.go"), []byte("gone"))
	write(t, path("linked/target.go"), []byte("old"))
	if err := os.Symlink(path("linked/target.go"), path("link.go")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path("old.go"), 0o640); err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(path("same.go"), long, long); err != nil {
		t.Fatal(err)
	}
	r := &Result{
		Files: []File{
			{Path: path("gone.go"), Old: []byte("gone")},
			{Path: path("link.go"), Old: []byte("old"), New: []byte("new")},
			{Path: path("new.go"), New: []byte("new")},
			{Path: path("old.go"), Old: []byte("old"), New: []byte("new")},
			{Path: path("same.go"), Old: []byte("same"), New: []byte("same")},
		},
		Diagnostics: []Diagnostic{{Severity: Note, Message: "no obstacle"}},
	}
	if err := r.Commit(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"linked/target.go": "new", "new.go": "new", "old.go": "new", "same.go": "same"} {
		if got, err := os.ReadFile(path(name)); err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v; want %q", name, got, err, want)
		}
	}
	if info, err := os.Lstat(path("link.go")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info, err)
	}
	if info, err := os.Stat(path("old.go")); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the permissions of a replaced file are %v, %v", info.Mode(), err)
	}
	if info, err := os.Stat(path("same.go")); err != nil || !info.ModTime().Equal(long) {
		t.Errorf("a file that is equal was touched at %v, %v", info.ModTime(), err)
	}
	if got := filesOf(t, dir); got != "link.go linked new.go old.go same.go" {
		t.Errorf("the folder holds %s", got)
	}
}

// TestCommitRefuses sees that no file is touched when one is not as it was, one
// cannot be written, or the source has an error.
func TestCommitRefuses(t *testing.T) {
	for _, tt := range []struct {
		name   string
		result Result
		want   string
	}{
		{"changed", Result{Files: []File{{Path: "a.go", Old: []byte("a"), New: []byte("b")}, {Path: "b.go", Old: []byte("other"), New: []byte("b")}}}, "has changed"},
		{"appeared", Result{Files: []File{{Path: "a.go", Old: []byte("a"), New: []byte("b")}, {Path: "b.go", New: []byte("b")}}}, "has changed"},
		{"vanished", Result{Files: []File{{Path: "a.go", Old: []byte("a"), New: []byte("b")}, {Path: "c.go", Old: []byte("c")}}}, "has changed"},
		{"folder", Result{Files: []File{{Path: "a.go", Old: []byte("a"), New: []byte("b")}, {Path: "none/c.go", New: []byte("b")}}}, "cannot write"},
		{"error", Result{Files: []File{{Path: "a.go", Old: []byte("a")}}, Diagnostics: []Diagnostic{{Message: "wrong"}}}, "wrong"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "a.go"), []byte("a"))
			write(t, filepath.Join(dir, "b.go"), []byte("b"))
			for i := range tt.result.Files {
				tt.result.Files[i].Path = filepath.Join(dir, tt.result.Files[i].Path)
			}
			if err := tt.result.Commit(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
			if got := filesOf(t, dir); got != "a.go b.go" {
				t.Errorf("the folder holds %s", got)
			}
			if got, err := os.ReadFile(filepath.Join(dir, "a.go")); err != nil || string(got) != "a" {
				t.Errorf("a.go holds %q, %v", got, err)
			}
		})
	}
}

// files returns the names in a folder.
func filesOf(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return strings.Join(names, " ")
}
