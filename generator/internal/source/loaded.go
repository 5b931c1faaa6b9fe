package source

import (
	"context"
	"errors"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/internal/files"
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

// Loaded has the packages that the patterns of a run match.
type Loaded struct {
	Units   []*Unit             // sorted by import path
	Outputs map[string][]output // by folder, of every folder matched
	Broken  map[string]bool     // folders with a file that does not parse

	excluded map[string]excludedFiles // by folder, read on demand
	built    map[string]bool          // paths of the files of all units, made on demand
}

// newLoaded finds our outputs in the folders of packages.
func newLoaded(listed []*packages.Package) *Loaded {
	dirs := make([]string, len(listed))
	for i, p := range listed {
		dirs[i] = p.Dir
	}
	return LoadedFolders(dirs...)
}

// LoadedFolders finds our outputs in folders. It ignores folders that are repeated
// or "".
func LoadedFolders(dirs ...string) *Loaded {
	l := &Loaded{Outputs: make(map[string][]output), Broken: make(map[string]bool), excluded: make(map[string]excludedFiles)}
	for _, dir := range dirs {
		if _, known := l.Outputs[dir]; !known && dir != "" {
			l.Outputs[dir] = outputsIn(dir)
		}
	}
	return l
}

// Add adds the units of packages.
func (l *Loaded) Add(units []*Unit) {
	l.Units = append(l.Units, units...)
	slices.SortFunc(l.Units, func(a, b *Unit) int { return strings.Compare(a.Path, b.Path) })
}

// buildFlags returns the flags for the go command.
func buildFlags(o Options) []string {
	if o.Tags == "" {
		return nil
	}
	return []string{"-tags=" + o.Tags}
}

// choose keeps one unit for each package: of the package without tests and the
// package with tests, the one with more files.
func choose(units []*Unit) []*Unit {
	byPath := make(map[string]*Unit)
	for _, u := range units {
		if old := byPath[u.Path]; old == nil || len(old.Files) < len(u.Files) {
			byPath[u.Path] = u
		}
	}
	return slices.Collect(maps.Values(byPath))
}

// listError explains a failure of the go command by its output, if there is any,
// without the exit code that package packages puts before it.
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

// Output returns the text of one of our outputs in the folders of l, and false for
// any other file.
func (l *Loaded) Output(path string) ([]byte, bool) {
	all := l.Outputs[filepath.Dir(path)]
	i, found := slices.BinarySearchFunc(all, path, func(o output, path string) int { return strings.Compare(o.Path, path) })
	if !found {
		return nil, false
	}
	return all[i].Text, true
}

// IsOutput reports whether a file is one of our outputs in the folders of l.
func (l *Loaded) IsOutput(path string) bool {
	_, found := l.Output(path)
	return found
}

// OddFiles reports the files in the folders of the run that have the name of a Go
// file and cannot be read. The go command does not report such a file if the build
// leaves it out, and it might declare a type.
func (l *Loaded) OddFiles(r *diag.Reporter) {
	for dir := range l.Outputs {
		for _, path := range goFiles(dir) {
			if err := files.Check(path); errors.Is(err, files.ErrOdd) {
				r.Errorf(token.Position{Filename: path, Line: 1, Column: 1}, "cannot read this: %v", diag.WithoutPath(err))
			}
		}
	}
}

// excludedFiles has the facts of a folder's files that are not part of this build.
type excludedFiles struct {
	declared []*Declaration      // nothing is reported about them
	names    map[string][]string // what they declare, by package name
	complete bool                // all files could be read
}
