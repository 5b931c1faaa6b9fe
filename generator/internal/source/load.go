package source

import (
	"context"

	"golang.org/x/tools/go/packages"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/internal/sourceload"
)

// Load finds the packages that the patterns match, and type-checks the declarations
// that their documents reach, from source. It leaves out our outputs, so that it
// makes no difference whether they are missing, stale or broken. It reports syntax
// errors and the errors of the go command. Type errors stay with the unit, until
// somebody asks about the types.
//
// It runs the go command once. Packages for which that is not enough, and texts in
// place of files, it loads as [LoadFull] does.
func Load(ctx context.Context, o Options, r *diag.Reporter) (*Loaded, error) {
	if len(o.Overlay) > 0 { // the fast way reads files
		return LoadFull(ctx, o, r)
	}
	l, whole, err := loadReached(ctx, o)
	switch {
	case err != nil:
		return nil, err
	case whole.all:
		return LoadFull(ctx, o, r)
	case len(whole.paths) > 0:
		return l, l.loadTyped(ctx, o, r, whole.paths)
	}
	return l, ctx.Err()
}

// Whole returns the folders of the packages that Load loads in the way of
// [LoadFull], sorted, and whether it loads all packages so. It runs the go command
// once. It is for tests.
func Whole(ctx context.Context, o Options) (folders []string, all bool, err error) {
	_, whole, err := loadReached(ctx, o)
	return whole.folders, whole.all, err
}

// loadReached lists the packages of a run, and loads of them what their documents
// reach. It returns the packages for which that is not enough.
func loadReached(ctx context.Context, o Options) (*Loaded, whole, error) {
	pkgs, err := list(ctx, o)
	if err != nil {
		return nil, whole{}, err
	}
	l := newLoaded(pkgs)
	return l, l.loadReached(o, pkgs), nil
}

// list runs the go command without types, which needs no compiler.
func list(ctx context.Context, o Options) ([]*packages.Package, error) {
	pkgs, err := sourceload.List(&packages.Config{
		Context: ctx, Dir: o.Dir, Env: o.Env, BuildFlags: buildFlags(o), Tests: true,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedModule | packages.NeedForTest,
	}, o.Patterns...)
	if err != nil {
		return nil, listError(ctx, err)
	}
	return pkgs, nil
}
