//go:build unix

package generator

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/files"
)

// TestOddFiles puts pipes, devices and large files where sources, generated files
// and the lock belong. Each is an error that names it, in little time. Short tests
// have no pipes, which are waited for.
func TestOddFiles(t *testing.T) {
	kinds := map[string]func(path string) error{
		"a named pipe": func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a device":     func(path string) error { return os.Symlink("/dev/zero", path) },
		"bytes": func(path string) error {
			write(t, path, []byte("package x\n"))
			return os.Truncate(path, files.MaxSize+1)
		},
	}
	for _, name := range []string{"more.go", "more_plan9.go", "event_cosmos.go", "pkgen.lock", "below/more.go"} {
		for what, put := range kinds {
			if testing.Short() && what == "a named pipe" {
				continue
			}
			t.Run(name+" is "+what, func(t *testing.T) {
				t.Parallel() // a pipe is waited for
				dir := module(t, nil)
				write(t, filepath.Join(dir, "event.go"), []byte(brokenSource))
				write(t, filepath.Join(dir, "below", "doc.go"), []byte("package below\n"))
				if err := put(filepath.Join(dir, name)); err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				result, err := Generate(ctx, Options{Dir: dir, Patterns: []string{"./..."}})
				if err == nil {
					err = result.Err()
				}
				if err == nil || !strings.Contains(err.Error(), filepath.FromSlash(name)+":") || !strings.Contains(err.Error(), what) {
					t.Errorf("got %v, want an error of %s that says %q", err, name, what)
				}
			})
		}
	}
}
