// Package sourceload type-checks some declarations of a package without unrelated ones. Of imported
// packages it reads and checks only what the declarations reach, without function bodies.
//
// It knows Go's syntax and the output of package packages, but no tags. It never guesses: if the
// result could differ from the compiler's, it returns an error, and the caller loads the package as
// a whole.
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

// Loader type-checks packages that share imports. It is not safe for concurrent use.
type Loader struct {
	fset     *token.FileSet
	sizes    types.Sizes
	left     func(path string) bool
	added    map[string]*declared // by ID
	imported map[string]*declared // by ID
}

// New returns a loader that adds the files which it reads to fset. It ignores files of imported
// packages for which leaveOut is true. sizes may be nil, for the gc compiler on amd64.
func New(fset *token.FileSet, sizes types.Sizes, leaveOut func(path string) bool) *Loader {
	return &Loader{
		fset: fset, sizes: sizes, left: leaveOut,
		added: make(map[string]*declared), imported: make(map[string]*declared),
	}
}

// Add marks the declarations of some names of a package as needed, and reads the files of all
// packages that they reach, each once. p is listed with its transitive imports by package packages;
// files are those to check, parsed into the loader's file set.
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

// importPath returns the path of an import spec.
func importPath(spec *ast.ImportSpec) string {
	path, _ := strconv.Unquote(spec.Path.Value) // the parser has checked it
	return path
}

// read parses the files of an imported package, on first use.
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

// patience is the run time of the go command after which List looks for odd files.
const patience = time.Second

// List is [packages.Load], but does not hang. The go command blocks for ever on a pipe or a device
// with the name of a Go file; List then returns an error that names the file and matches
// [files.ErrOdd]. It looks for odd files if the go command takes more than a second, and at once if
// the syntax of packages is requested, which takes long anyway.
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

// look finds odd files in the module of a folder, and in the folders that patterns name as paths,
// which may be outside of the module.
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

// TypeSpecs yields the types that a file declares at package level.
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

// DropBodies removes the function bodies of a file, which may be nil.
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
