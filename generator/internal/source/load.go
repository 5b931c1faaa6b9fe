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
	pkgs, err := List(ctx, o)
	if err != nil {
		return nil, err
	}
	l := NewLoaded(pkgs)
	rest, ok := l.LoadReached(o, pkgs)
	switch {
	case !ok:
		return LoadFull(ctx, o, r)
	case len(rest) > 0:
		return l, l.loadTyped(ctx, o, r, rest)
	}
	return l, ctx.Err()
}

// List runs the go command without types, which needs no compiler.
func List(ctx context.Context, o Options) ([]*packages.Package, error) {
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
