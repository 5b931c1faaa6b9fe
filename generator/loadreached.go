package generator

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

	"github.com/cosmos-pkgen/pkgen/internal/files"
	"github.com/cosmos-pkgen/pkgen/internal/sourceload"
)

// reaching loads the packages of a run by what their documents reach.
type reaching struct {
	loaded *loaded
	fset   *token.FileSet
	loader *sourceload.Loader
	files  map[string]*source // by path; nil for one that cannot be parsed
	listed map[*unit]*packages.Package
	unsure map[string]bool // import paths of packages that need loadTyped
}

// loadReached adds the packages whose documents it can type-check without all
// that they import, and those without documents, which need no types. It
// returns the import paths of the others, of which it has reported nothing, and
// false if it cannot even name those.
func (l *loaded) loadReached(o sourceOptions, pkgs []*packages.Package) (rest []string, ok bool) {
	r := &reaching{
		loaded: l, fset: token.NewFileSet(), files: make(map[string]*source),
		listed: make(map[*unit]*packages.Package), unsure: make(map[string]bool),
	}
	r.loader = sourceload.New(r.fset, sizes(o), l.isOutput)
	var units []*unit
	for _, p := range pkgs {
		if p.Dir == "" || p.PkgPath == "command-line-arguments" || strings.HasPrefix(p.PkgPath, "_") {
			return nil, false
		}
		u := r.unit(p)
		switch {
		case u == nil || len(p.Errors) > 0:
			r.unsure[testedPath(p)] = true
		case len(u.files) > 0:
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
	l.add(r.sure(units))
	return slices.Sorted(maps.Keys(r.unsure)), true
}

// sizes returns the sizes of types where the code is to run.
func sizes(o sourceOptions) types.Sizes {
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

// testedPath returns the import path of what p is about: itself, or what it tests.
func testedPath(p *packages.Package) string {
	switch {
	case p.ForTest != "":
		return p.ForTest
	case strings.HasSuffix(p.ID, ".test") && !hasOwnFile(p):
		return strings.TrimSuffix(p.ID, ".test")
	}
	return p.PkgPath
}

// hasOwnFile reports whether a Go file of p is in its folder. That of a test
// binary is not, and so tells it from a package with a name that ends like one.
func hasOwnFile(p *packages.Package) bool {
	return slices.ContainsFunc(p.GoFiles, func(path string) bool { return filepath.Dir(path) == p.Dir })
}

// sure drops the units of packages that need loadTyped.
func (r *reaching) sure(units []*unit) []*unit {
	return slices.DeleteFunc(slices.Clone(units), func(u *unit) bool { return r.unsure[testedPath(r.listed[u])] })
}

// unit parses the files of a package that are in the folders matched. It
// returns nil if one cannot be read or parsed.
func (r *reaching) unit(p *packages.Package) *unit {
	u := &unit{path: p.PkgPath, name: p.Name, fset: r.fset, types: types.NewPackage(p.PkgPath, p.Name), info: &types.Info{}}
	for _, path := range p.GoFiles {
		if _, ours := r.loaded.outputs[filepath.Dir(path)]; !ours || r.loaded.isOutput(path) {
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
		u.files = append(u.files, f)
	}
	slices.SortFunc(u.files, func(a, b *source) int { return strings.Compare(a.path, b.path) })
	return u
}

// parse reads a file, or returns nil.
func (r *reaching) parse(path string) *source {
	text, err := files.Read(path)
	if err != nil {
		return nil
	}
	syntax, err := parser.ParseFile(r.fset, path, text, parseMode)
	if err != nil {
		return nil
	}
	return &source{path: path, text: text, syntax: syntax}
}

// add says what is needed of a unit.
func (r *reaching) add(u *unit) {
	var names []string
	files := make([]*ast.File, len(u.files))
	for i, f := range u.files {
		files[i] = f.syntax
		for _, d := range scan(u, f, &reporter{}) {
			names = append(names, d.name())
		}
	}
	if len(names) > 0 {
		u.info.Defs = make(map[*ast.Ident]types.Object)
		u.info.Implicits = make(map[ast.Node]types.Object)
		r.loader.Add(r.listed[u], files, names)
	}
}

// check type-checks a unit that has documents.
func (r *reaching) check(u *unit) {
	if u.info.Defs == nil {
		return
	}
	var err error
	u.types, err = r.loader.Check(r.listed[u], u.info)
	if err != nil {
		r.unsure[testedPath(r.listed[u])] = true
	}
}
