package source

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/internal/files"
	"github.com/cosmos-pkgen/pkgen/internal/sourceload"
)

// Options says which packages are loaded, as generator.Options does.
type Options struct {
	Dir      string // absolute
	Patterns []string
	Types    []string
	Tags     string
	Env      []string
	Overlay  map[string][]byte
}

// Loaded is what the patterns of a run match.
type Loaded struct {
	Units   []*Unit             // sorted by import path
	Outputs map[string][]output // by folder, of every folder matched
	Broken  map[string]bool     // folders with a file that does not parse

	excluded map[string]excludedFiles // by folder, of those asked about
	built    map[string]bool          // paths of the files of all units, when asked for
}

// Load finds the packages that the patterns match, and type-checks what their
// documents reach, from source. Our outputs are left out, so that missing, stale
// and broken ones make no difference. Syntax errors and what the go command has
// to say become diagnostics; type errors are kept with the unit, for what asks
// about the types concerned.
//
// It runs the go command once, and for packages that are not plain loadFull's
// way again, as for texts that stand in place of files.
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

// NewLoaded finds our outputs in the folders of packages.
func NewLoaded(listed []*packages.Package) *Loaded {
	dirs := make([]string, len(listed))
	for i, p := range listed {
		dirs[i] = p.Dir
	}
	return LoadedFolders(dirs...)
}

// LoadedFolders finds our outputs in folders, the same of which may be given more
// than once, and some of which may be "".
func LoadedFolders(dirs ...string) *Loaded {
	l := &Loaded{Outputs: make(map[string][]output), Broken: make(map[string]bool), excluded: make(map[string]excludedFiles)}
	for _, dir := range dirs {
		if _, known := l.Outputs[dir]; !known && dir != "" {
			l.Outputs[dir] = outputsIn(dir)
		}
	}
	return l
}

// buildFlags returns the flags for the go command.
func buildFlags(o Options) []string {
	if o.Tags == "" {
		return nil
	}
	return []string{"-tags=" + o.Tags}
}

// listError explains a failure of the go command: by what that has printed, if
// anything, without the exit code that package packages puts before it.
func listError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, files.ErrOdd) {
		return err
	}
	failure, printed, _ := strings.Cut(err.Error(), "stderr: ")
	if printed = strings.TrimSpace(printed); printed == "" {
		printed = strings.Trim(strings.TrimPrefix(failure, "err: "), ": \n")
	}
	return errors.New("cannot list packages: " + printed)
}

// Add adds the units of packages.
func (l *Loaded) Add(units []*Unit) {
	l.Units = append(l.Units, units...)
	slices.SortFunc(l.Units, func(a, b *Unit) int { return strings.Compare(a.Path, b.Path) })
}

// choose keeps one unit for each package: of the package alone and the package
// with its tests, the one with more files.
func choose(units []*Unit) []*Unit {
	byPath := make(map[string]*Unit)
	for _, u := range units {
		if old := byPath[u.Path]; old == nil || len(old.Files) < len(u.Files) {
			byPath[u.Path] = u
		}
	}
	return slices.Collect(maps.Values(byPath))
}
