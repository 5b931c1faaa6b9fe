// Package source loads the packages of a run, and finds the structs with cosmos tags: files,
// declarations and the text of tags, with the position of each byte.
//
// [Load] runs the go command once, and type-checks the declarations that the documents reach. If
// that is not enough, [LoadFull] runs it twice, and type-checks everything that the packages
// import. Both return the same [Unit] values, and neither loads generated files, however broken
// they are.
//
// It does not know the meaning of tags or the output of encoding/json.
package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/internal/files"
	"github.com/cosmos-pkgen/pkgen/internal/sourceload"
)

// Load loads the packages that match the patterns, and type-checks, from source, the declarations
// that their documents reach. It ignores pkgen's outputs, so they may be missing, stale or broken.
// It reports syntax errors and the errors of the go command. Type errors are kept in the unit, and
// are reported when a type matters.
//
// It runs the go command once. Packages for which that is not enough, and overlays, are loaded by
// [LoadFull].
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

// Whole returns the folders, sorted, of the packages that Load loads by [LoadFull], and whether
// these are all packages. It runs the go command once. It is for tests.
func Whole(ctx context.Context, o Options) (folders []string, all bool, err error) {
	_, whole, err := loadReached(ctx, o)
	return whole.folders, whole.all, err
}

// loadReached lists the packages of a run, and loads what their documents reach. It returns the
// packages for which that is not enough.
func loadReached(ctx context.Context, o Options) (*Loaded, whole, error) {
	pkgs, err := sourceload.List(&packages.Config{ // without types, which would need a compiler
		Context: ctx, Dir: o.Dir, Env: o.Env, BuildFlags: buildFlags(o), Tests: true,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedModule | packages.NeedForTest,
	}, o.Patterns...)
	if err != nil {
		return nil, whole{}, listError(ctx, err)
	}
	l := newLoaded(pkgs)
	return l, l.loadReached(o, pkgs), nil
}

// Options selects the packages to load, like generator.Options.
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
	Outputs map[string][]output // by folder, for every matched folder
	Broken  map[string]bool     // folders with a file that does not parse

	excluded map[string]excludedFiles // by folder, read on demand
	built    map[string]bool          // paths of the files of all units, made on demand
}

// newLoaded finds pkgen's outputs in the folders of packages.
func newLoaded(listed []*packages.Package) *Loaded {
	dirs := make([]string, len(listed))
	for i, p := range listed {
		dirs[i] = p.Dir
	}
	return LoadedFolders(dirs...)
}

// LoadedFolders finds pkgen's outputs in folders. It ignores duplicates and "".
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

// choose keeps one unit for each package: of the package without tests and the package with tests,
// the one with more files.
func choose(units []*Unit) []*Unit {
	byPath := make(map[string]*Unit)
	for _, u := range units {
		if old := byPath[u.Path]; old == nil || len(old.Files) < len(u.Files) {
			byPath[u.Path] = u
		}
	}
	return slices.Collect(maps.Values(byPath))
}

// listError explains a failure of the go command by its output, if there is any, without the exit
// code that package packages adds.
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

// Output returns the text of an output in the folders of l, and false for any other file.
func (l *Loaded) Output(path string) ([]byte, bool) {
	all := l.Outputs[filepath.Dir(path)]
	i, found := slices.BinarySearchFunc(all, path, func(o output, path string) int { return strings.Compare(o.Path, path) })
	if !found {
		return nil, false
	}
	return all[i].Text, true
}

// IsOutput reports whether a file is an output in the folders of l.
func (l *Loaded) IsOutput(path string) bool {
	_, found := l.Output(path)
	return found
}

// OddFiles reports unreadable files with Go names in the folders of the run. The go command does
// not report a file outside of the build, but it might declare a type.
func (l *Loaded) OddFiles(r *diag.Reporter) {
	for dir := range l.Outputs {
		for _, path := range goFiles(dir) {
			if err := files.Check(path); errors.Is(err, files.ErrOdd) {
				r.Errorf(token.Position{Filename: path, Line: 1, Column: 1}, "cannot read this: %v", diag.WithoutPath(err))
			}
		}
	}
}

// excludedFiles has the facts of a folder's files outside of this build.
type excludedFiles struct {
	declared []*Declaration      // nothing is reported about them
	names    map[string][]string // their declarations, by package name
	complete bool                // all files could be read
}

// LoadFull is Load, but type-checks everything that the packages import, so it finds all type
// errors. It runs the go command twice.
func LoadFull(ctx context.Context, o Options, r *diag.Reporter) (*Loaded, error) {
	listed, err := sourceload.List(&packages.Config{
		Context: ctx, Dir: o.Dir, Env: o.Env, BuildFlags: buildFlags(o),
		Mode: packages.NeedName | packages.NeedFiles,
	}, o.Patterns...)
	if err != nil {
		return nil, listError(ctx, err)
	}
	l := newLoaded(listed)
	return l, l.loadTyped(ctx, o, r, o.Patterns)
}

// loadTyped adds the packages that match patterns, type-checked with everything that they import.
// It ignores outputs in all folders of l.
func (l *Loaded) loadTyped(ctx context.Context, o Options, r *diag.Reporter, patterns []string) error {
	overlay := make(map[string][]byte)
	maps.Copy(overlay, o.Overlay)
	for _, outputs := range l.Outputs {
		for _, out := range outputs {
			overlay[out.Path] = []byte(excluded)
		}
	}
	parsed := parsedFiles{folders: l.Outputs, texts: make(map[string][]byte), errs: make(map[string]scanner.ErrorList)}
	pkgs, err := sourceload.List(&packages.Config{
		Context: ctx, Dir: o.Dir, Env: o.Env, BuildFlags: buildFlags(o), Tests: true,
		Overlay: overlay, ParseFile: parsed.parse, Fset: token.NewFileSet(),
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedDeps | packages.NeedModule | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo |
			packages.NeedForTest,
	}, patterns...)
	if err != nil {
		return listError(ctx, err)
	}
	parsed.report(r, l.Broken)
	for _, p := range pkgs {
		l.reportList(r, p)
	}
	refuseCgo(o, r, l.Outputs, pkgs)
	l.Add(choose(parsed.units(pkgs)))
	return nil
}

// reportList reports the go command's errors about a matched package. A folder with only outputs is
// not an error.
func (l *Loaded) reportList(r *diag.Reporter, p *packages.Package) {
	for _, e := range p.Errors {
		if e.Kind != packages.ListError && e.Kind != packages.UnknownError {
			continue
		}
		pos := parsePosition(e.Pos)
		if strings.HasPrefix(e.Msg, "build constraints exclude all Go files") && len(l.Outputs[p.Dir]) > 0 {
			continue
		}
		if pos.Filename != "" && len(p.Syntax) > 0 {
			continue // such as an import, which matters only if a key field needs it
		}
		message := strings.TrimSpace(e.Msg)
		if name, _, found := strings.Cut(message, " is not in std "); found {
			name = strings.TrimPrefix(name, "package ")
			message = fmt.Sprintf("there is no package %s: a folder is written ./%s", name, name)
		}
		r.Errorf(pos, "%s", message)
	}
}

// positioned matches a position from package packages: "file:line:col", "file:line", or "-" for
// none.
var positioned = regexp.MustCompile(`(?s)^(.*?)(?::(\d+))?(?::(\d+))?$`)

// parsePosition parses a position.
func parsePosition(s string) token.Position {
	m := positioned.FindStringSubmatch(s)
	if m[1] == "" || m[1] == "-" {
		return token.Position{}
	}
	line, _ := strconv.Atoi(m[2]) // 0 if there is none
	column, _ := strconv.Atoi(m[3])
	return token.Position{Filename: m[1], Line: line, Column: column}
}

// parsedFiles parses files, and keeps texts and errors that package packages discards.
type parsedFiles struct {
	folders map[string][]output // the matched folders

	mu    sync.Mutex
	texts map[string][]byte
	errs  map[string]scanner.ErrorList
}

// parse is a packages.Config.ParseFile. In a file outside of the matched folders it drops function
// bodies, which no key depends on.
func (p *parsedFiles) parse(fset *token.FileSet, path string, text []byte) (*ast.File, error) {
	file, err := parser.ParseFile(fset, path, text, ParseMode)
	if _, ours := p.folders[filepath.Dir(path)]; !ours {
		sourceload.DropBodies(file)
		return file, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.texts[path] = text
	var list scanner.ErrorList
	if errors.As(err, &list) {
		whole := fset.File(file.FileStart)
		for _, e := range list { // positions in the file itself, without line directives
			e.Pos = fset.PositionFor(whole.Pos(e.Pos.Offset), false)
		}
		p.errs[path] = list
	}
	return file, err
}

// report reports the first syntax error of each line, as the compiler does, and marks the folders
// that have any.
func (p *parsedFiles) report(r *diag.Reporter, broken map[string]bool) {
	for _, path := range slices.Sorted(maps.Keys(p.errs)) {
		broken[filepath.Dir(path)] = true
		list := p.errs[path]
		list.RemoveMultiples()
		for _, e := range list {
			r.Errorf(e.Pos, "syntax error: %s", e.Msg)
		}
	}
}

// units returns a unit for each package with files of its own.
func (p *parsedFiles) units(pkgs []*packages.Package) []*Unit {
	var out []*Unit
	for _, pkg := range pkgs {
		u := &Unit{
			Path: pkg.PkgPath, Name: pkg.Name, Fset: pkg.Fset,
			Types: pkg.Types, Info: pkg.TypesInfo, Errs: pkg.TypeErrors,
		}
		for _, file := range pkg.Syntax {
			path := u.Position(file.FileStart).Filename
			text, ok := p.texts[path]
			if !ok || ImportsC(file) || IsOutputName(filepath.Base(path)) && IsOutput(text) {
				continue // a file made by the go command, a refused one, or an output that only this load sees
			}
			u.Files = append(u.Files, &File{Path: path, Text: text, Syntax: file})
		}
		if len(u.Files) == 0 || u.Types == nil || u.Info == nil {
			continue
		}
		slices.SortFunc(u.Files, func(a, b *File) int { return strings.Compare(a.Path, b.Path) })
		out = append(out, u)
	}
	return out
}

// reaching loads what the documents of a run reach.
type reaching struct {
	loaded *Loaded
	fset   *token.FileSet
	loader *sourceload.Loader
	files  map[string]*File // by path; nil if it cannot be parsed
	listed map[*Unit]*packages.Package
	unsure map[string]bool // import paths of packages that need loadTyped
}

// whole are the packages of a run for which loading what their documents reach is not enough.
type whole struct {
	all     bool     // the packages cannot be distinguished, so all are loaded by LoadFull
	paths   []string // otherwise the import paths of the packages, sorted
	folders []string // and their folders, sorted
}

// loadReached adds the packages whose documents it can type-check without all imports, and the
// packages without documents, which need no types. It returns the others, and reports nothing about
// them.
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

// sizes returns the sizes of types on the target machine.
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
	case strings.HasSuffix(p.ID, ".test") && !slices.ContainsFunc(p.GoFiles, func(path string) bool { return filepath.Dir(path) == p.Dir }):
		// A test binary is in another folder, unlike a package whose name ends in .test.
		return strings.TrimSuffix(p.ID, ".test")
	}
	return p.PkgPath
}

// sure drops the units of packages that need loadTyped.
func (r *reaching) sure(units []*Unit) []*Unit {
	return slices.DeleteFunc(slices.Clone(units), func(u *Unit) bool { return r.unsure[testedPath(r.listed[u])] })
}

// unit parses the files of a package in the matched folders. It returns nil if one cannot be read
// or parsed.
func (r *reaching) unit(p *packages.Package) *Unit {
	u := &Unit{Path: p.PkgPath, Name: p.Name, Fset: r.fset, Types: types.NewPackage(p.PkgPath, p.Name), Info: &types.Info{}}
	for _, path := range p.GoFiles {
		if _, ours := r.loaded.Outputs[filepath.Dir(path)]; !ours || r.loaded.IsOutput(path) {
			continue
		}
		f, known := r.files[path]
		if !known {
			if text, err := files.Read(path); err == nil {
				if syntax, err := parser.ParseFile(r.fset, path, text, ParseMode); err == nil {
					f = &File{Path: path, Text: text, Syntax: syntax}
				}
			}
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

// refuseCgo reports documents in files that import "C". The type checker reads cgo's output for
// such a file, in which tags have other positions, and types may differ on another machine.
func refuseCgo(o Options, r *diag.Reporter, folders map[string][]output, pkgs []*packages.Package) {
	for _, p := range pkgs {
		for _, path := range p.GoFiles {
			if _, ours := folders[filepath.Dir(path)]; !ours {
				continue
			}
			text, ok := o.Overlay[path]
			if !ok {
				text, _ = files.ReadIfThere(path) // an unreadable file has no documents
			}
			if !bytes.Contains(text, []byte(`"C"`)) {
				continue
			}
			_, docs := scanText(path, text)
			for _, d := range docs {
				if ImportsC(d.File.Syntax) && (len(o.Types) == 0 || slices.Contains(o.Types, d.Name())) {
					r.Errorf(d.Position(), "type %s is declared in a file that imports \"C\", which pkgen does not read: declare it in another file of the package", d.Name())
				}
			}
		}
	}
}

// MadeByCgo reports whether the go command made the file at a path for a package that uses cgo: in
// a folder of its own, or in its cache without an extension. Packages have no files with such
// names.
func MadeByCgo(path string) bool {
	name := filepath.Base(path)
	return !strings.HasSuffix(name, ".go") || strings.HasPrefix(name, "_") || strings.HasSuffix(name, ".cgo1.go")
}

// ImportsC reports whether a file uses cgo.
func ImportsC(file *ast.File) bool {
	return slices.ContainsFunc(file.Imports, func(spec *ast.ImportSpec) bool { return spec.Path.Value == `"C"` })
}
