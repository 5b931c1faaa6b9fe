package generator

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
)

// packageOfTwo returns a package that nobody has generated yet.
func packageOfTwo(t *testing.T) (dir string) {
	t.Helper()
	dir = module(t, nil)
	for _, name := range []string{"A", "B"} {
		write(t, filepath.Join(dir, name+".go"), fmt.Appendf(nil, "package x\n\ntype %s struct {\n\tID  string `json:\"id\"`\n\tWho string `json:\"who\" cosmos:\"pk\"`\n}\n", name))
	}
	return dir
}

// TestBesideAnother has another run write all files after this one has looked at
// the folder, and after it has rendered them.
func TestBesideAnother(t *testing.T) {
	run := func(load func(context.Context, source.Options, *diag.Reporter) (*source.Loaded, error), dir string) *Result {
		t.Helper()
		result, err := generate(t.Context(), Options{Dir: dir}, load)
		if err == nil {
			err = result.Err()
		}
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	t.Run("while it loads", func(t *testing.T) {
		dir := packageOfTwo(t)
		other := run(source.Load, dir)
		result := run(func(ctx context.Context, o source.Options, r *diag.Reporter) (*source.Loaded, error) {
			l, err := source.Load(ctx, o, r)
			if err == nil {
				err = other.Commit()
			}
			return l, err
		}, dir)
		for _, f := range result.Files {
			if f.Stale() {
				t.Errorf("%s is stale", f.Path)
			}
		}
	})
	t.Run("while it renders", func(t *testing.T) {
		dir := packageOfTwo(t)
		one, other := run(source.Load, dir), run(source.Load, dir)
		if err := other.Commit(); err != nil {
			t.Fatal(err)
		}
		if err := one.Commit(); err != nil {
			t.Error(err)
		}
	})
	t.Run("at any time", func(t *testing.T) {
		dir := packageOfTwo(t)
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				result, err := Generate(t.Context(), Options{Dir: dir})
				if err == nil {
					err = result.Commit()
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	})
}

// TestLeftBehind finds what runs that were killed have left, and nothing else.
func TestLeftBehind(t *testing.T) {
	dir := packageOfTwo(t)
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
		} else {
			write(t, path, []byte("package x"))
		}
		if name != ".b_cosmos.go.72.0.pkgen" {
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 2 { // the second run writes nothing
		result, err := Generate(t.Context(), Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		if err := result.Commit(); err != nil {
			t.Fatal(err)
		}
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
