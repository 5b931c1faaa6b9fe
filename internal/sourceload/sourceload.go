package sourceload

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/packages"

	"github.com/cosmos-pkgen/pkgen/internal/files"
)

// Loader type-checks packages that share what they import. It is for one
// goroutine.
type Loader struct {
	fset     *token.FileSet
	sizes    types.Sizes
	left     func(path string) bool
	added    map[string]*declared // by ID
	imported map[string]*declared // by ID
}

// New returns a loader that adds the files which it reads to fset. Files of
// imported packages for which leaveOut is true count as not there. sizes may be
// nil, for those of the gc compiler on amd64.
func New(fset *token.FileSet, sizes types.Sizes, leaveOut func(path string) bool) *Loader {
	return &Loader{
		fset: fset, sizes: sizes, left: leaveOut,
		added: make(map[string]*declared), imported: make(map[string]*declared),
	}
}

// Add says that the declarations of some names of a package matter, and reads
// what they reach: files of the packages concerned, each once. p is listed with
// its imports, and theirs, by package packages; files are those to check, parsed
// into the loader's file set.
func (l *Loader) Add(p *packages.Package, files []*ast.File, names []string) {
	d := &declared{listed: p}
	l.added[p.ID] = d
	for _, f := range files {
		for _, spec := range f.Imports {
			if path := importPath(spec); path != "unsafe" && (p.Imports[path] == nil || p.Imports[path].Name == "") {
				d.err = fmt.Errorf("import %q of package %s is not listed", path, p.ID)
				return
			}
		}
	}
	d.index(files)
	for _, name := range names {
		l.reach(d, name)
	}
}

// importPath returns the path that a spec imports.
func importPath(spec *ast.ImportSpec) string {
	path, _ := strconv.Unquote(spec.Path.Value) // the parser has seen that it is one
	return path
}

// read parses the files of an imported package, when it is reached first.
func (l *Loader) read(p *packages.Package) *declared {
	if d := l.imported[p.ID]; d != nil {
		return d
	}
	d := &declared{listed: p}
	l.imported[p.ID] = d
	var parsed []*ast.File
	for _, path := range p.GoFiles {
		if l.left(path) {
			continue
		}
		text, err := files.Read(path)
		if err != nil {
			d.err = err
			continue
		}
		syntax, err := parser.ParseFile(l.fset, path, withoutBodies(text), parser.SkipObjectResolution)
		if err != nil {
			d.err = err
			continue
		}
		parsed = append(parsed, syntax)
	}
	d.index(parsed)
	return d
}
