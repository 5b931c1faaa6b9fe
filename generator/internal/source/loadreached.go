package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/internal/files"
	"github.com/cosmos-pkgen/pkgen/internal/sourceload"
)

// reaching loads of the packages of a run what their documents reach.
type reaching struct {
	loaded *Loaded
	fset   *token.FileSet
	loader *sourceload.Loader
	files  map[string]*File // by path; nil for one that cannot be parsed
	listed map[*Unit]*packages.Package
	unsure map[string]bool // import paths of packages that need loadTyped
}

// whole has the packages of a run for which it is not enough to load what their
// documents reach.
type whole struct {
	all     bool     // the packages cannot be told apart, so that all are loaded in the way of LoadFull
	paths   []string // else: the import paths of the packages, sorted
	folders []string // and their folders, sorted
}

// loadReached adds the packages whose documents it can type-check without
// everything that they import, and the packages without documents, which need no
// types. It returns the others, and has reported nothing about them.
func (l *Loaded) loadReached(o Options, pkgs []*packages.Package) whole {
	r := &reaching{
		loaded: l, fset: token.NewFileSet(), files: make(map[string]*File),
		listed: make(map[*Unit]*packages.Package), unsure: make(map[string]bool),
	}
	r.loader = sourceload.New(r.fset, sizes(o), l.IsOutput)
	var units []*Unit
	for _, p := range pkgs {
		if p.Dir == "" || p.PkgPath == "command-line-arguments" || strings.HasPrefix(p.PkgPath, "_") {
			return whole{all: true}
		}
		u := r.unit(p)
		switch {
		case u == nil || len(p.Errors) > 0:
			r.unsure[testedPath(p)] = true
		case len(u.Files) > 0:
			r.listed[u] = p
			units = append(units, u)
		}
	}
	units = r.sure(choose(units))
	for _, u := range units {
		r.add(u)
	}
	for _, u := range units {
		r.check(u)
	}
	l.Add(r.sure(units))
	return r.whole(pkgs)
}

// whole returns the packages that need loadTyped.
func (r *reaching) whole(pkgs []*packages.Package) whole {
	w := whole{paths: slices.Sorted(maps.Keys(r.unsure))}
	for _, p := range pkgs {
		if r.unsure[testedPath(p)] {
			w.folders = append(w.folders, p.Dir)
		}
	}
	slices.Sort(w.folders)
	w.folders = slices.Compact(w.folders)
	return w
}

// sizes returns the sizes of types on the machine that the code is built for.
func sizes(o Options) types.Sizes {
	arch := runtime.GOARCH
	env := o.Env
	if env == nil {
		env = os.Environ()
	}
	for _, pair := range env {
		if value, ok := strings.CutPrefix(pair, "GOARCH="); ok && value != "" {
			arch = value
		}
	}
	return types.SizesFor("gc", arch)
}

// testedPath returns the import path of p or, for tests, of the package that p tests.
func testedPath(p *packages.Package) string {
	switch {
	case p.ForTest != "":
		return p.ForTest
	case strings.HasSuffix(p.ID, ".test") && !hasOwnFile(p):
		return strings.TrimSuffix(p.ID, ".test")
	}
	return p.PkgPath
}

// hasOwnFile reports whether a Go file of p is in its folder. The file of a test
// binary is not, unlike the files of a package whose name ends like that of a test
// binary.
func hasOwnFile(p *packages.Package) bool {
	return slices.ContainsFunc(p.GoFiles, func(path string) bool { return filepath.Dir(path) == p.Dir })
}

// sure drops the units of packages that need loadTyped.
func (r *reaching) sure(units []*Unit) []*Unit {
	return slices.DeleteFunc(slices.Clone(units), func(u *Unit) bool { return r.unsure[testedPath(r.listed[u])] })
}

// unit parses the files of a package that are in the folders matched. It
// returns nil if one cannot be read or parsed.
func (r *reaching) unit(p *packages.Package) *Unit {
	u := &Unit{Path: p.PkgPath, Name: p.Name, Fset: r.fset, Types: types.NewPackage(p.PkgPath, p.Name), Info: &types.Info{}}
	for _, path := range p.GoFiles {
		if _, ours := r.loaded.Outputs[filepath.Dir(path)]; !ours || r.loaded.IsOutput(path) {
			continue
		}
		f, known := r.files[path]
		if !known {
			f = r.parse(path)
			r.files[path] = f
		}
		if f == nil {
			return nil
		}
		u.Files = append(u.Files, f)
	}
	slices.SortFunc(u.Files, func(a, b *File) int { return strings.Compare(a.Path, b.Path) })
	return u
}

// parse reads a file, or returns nil.
func (r *reaching) parse(path string) *File {
	text, err := files.Read(path)
	if err != nil {
		return nil
	}
	syntax, err := parser.ParseFile(r.fset, path, text, ParseMode)
	if err != nil {
		return nil
	}
	return &File{Path: path, Text: text, Syntax: syntax}
}

// add adds the declarations that a unit needs.
func (r *reaching) add(u *Unit) {
	var names []string
	files := make([]*ast.File, len(u.Files))
	for i, f := range u.Files {
		files[i] = f.Syntax
	}
	for _, d := range u.Documents(&diag.Reporter{}) {
		names = append(names, d.Name())
	}
	if len(names) > 0 {
		u.Info.Defs = make(map[*ast.Ident]types.Object)
		u.Info.Implicits = make(map[ast.Node]types.Object)
		r.loader.Add(r.listed[u], files, names)
	}
}

// check type-checks a unit that has documents.
func (r *reaching) check(u *Unit) {
	if u.Info.Defs == nil {
		return
	}
	var err error
	u.Types, err = r.loader.Check(r.listed[u], u.Info)
	if err != nil {
		r.unsure[testedPath(r.listed[u])] = true
	}
}
