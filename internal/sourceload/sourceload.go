// Package sourceload type-checks some declarations of a package without those
// that they do not need: of the packages that it imports, it reads those that
// the declarations reach, and checks of them what is reached, without the
// bodies of functions.
//
// It knows Go's syntax and what package packages lists, and nothing of tags. It
// does not guess: what could differ from what the compiler sees is an error, and
// the caller loads that package as a whole.
package sourceload

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"iter"
	"path/filepath"
	"strconv"
	"strings"
	"time"

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
		syntax, err := parser.ParseFile(l.fset, path, text, parser.SkipObjectResolution)
		DropBodies(syntax)
		if err != nil {
			d.err = err
			continue
		}
		parsed = append(parsed, syntax)
	}
	d.index(parsed)
	return d
}

// patience is how long the go command may take before List looks for a reason.
const patience = time.Second

// List does the work of [packages.Load]. The go command waits for ever at a pipe
// or a device that has the name of a Go file: List returns an error that names
// the file and matches [files.ErrOdd]. It looks for one when the go command takes
// more than a second, and at once where the syntax of packages is asked for,
// which takes long anyway.
func List(config *packages.Config, patterns ...string) ([]*packages.Package, error) {
	if config.Mode&packages.NeedSyntax != 0 {
		if err := look(config.Dir, patterns); err != nil {
			return nil, err
		}
		return packages.Load(config, patterns...)
	}
	ctx := config.Context
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	found := make(chan error, 1)
	timer := time.AfterFunc(patience, func() {
		if err := look(config.Dir, patterns); err != nil {
			found <- err
			cancel(err)
		}
	})
	defer timer.Stop()
	watched := *config
	watched.Context = ctx
	pkgs, err := packages.Load(&watched, patterns...)
	select {
	case err := <-found:
		return nil, err
	default:
		return pkgs, err
	}
}

// look looks for odd files in the module of a folder, and in the folders that
// patterns name as paths, which need not be among those of the module.
func look(dir string, patterns []string) error {
	if err := files.CheckModule(dir); err != nil {
		return err
	}
	for _, pattern := range patterns {
		path := strings.TrimSuffix(strings.TrimSuffix(pattern, "..."), "/")
		if !filepath.IsAbs(path) {
			if !strings.HasPrefix(path, ".") {
				continue // an import path
			}
			path = filepath.Join(dir, path)
		}
		if err := files.CheckBelow(path); err != nil {
			return err
		}
	}
	return nil
}

// TypeSpecs returns the types that a file declares at package level.
func TypeSpecs(file *ast.File) iter.Seq[*ast.TypeSpec] {
	return func(yield func(*ast.TypeSpec) bool) {
		for _, decl := range file.Decls {
			gen, _ := decl.(*ast.GenDecl)
			for i := 0; gen != nil && i < len(gen.Specs); i++ {
				if spec, ok := gen.Specs[i].(*ast.TypeSpec); ok && !yield(spec) {
					return
				}
			}
		}
	}
}

// DropBodies empties the functions of a file, which is nil if it could not be read at all.
func DropBodies(file *ast.File) {
	if file == nil {
		return
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			f.Body.List = nil
		}
	}
}
