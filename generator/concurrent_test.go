package generator

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

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
