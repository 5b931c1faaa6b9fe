package source

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/internal/sourceload"
)

// LoadFull does the work of Load, and type-checks everything that the packages
// import, so that it finds all type errors. It runs the go command twice.
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

// loadTyped adds the packages that patterns match, type-checked with everything that
// they import. It leaves out our outputs in all folders of l.
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

// reportList reports the errors of the go command about a package that the patterns
// match. A folder with only our outputs is not an error.
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

// parsePosition reads the "file:line:col", "file:line" or "-" of package
// packages.
func parsePosition(s string) token.Position {
	var numbers []int
	for len(numbers) < 2 {
		i := strings.LastIndexByte(s, ':')
		if i < 0 {
			break
		}
		n, err := strconv.Atoi(s[i+1:])
		if err != nil {
			break
		}
		s, numbers = s[:i], append(numbers, n)
	}
	switch {
	case s == "" || s == "-":
		return token.Position{}
	case len(numbers) == 2:
		return token.Position{Filename: s, Line: numbers[1], Column: numbers[0]}
	case len(numbers) == 1:
		return token.Position{Filename: s, Line: numbers[0]}
	}
	return token.Position{Filename: s}
}

// parsedFiles parses files, and keeps the texts and errors that package packages
// does not pass on.
type parsedFiles struct {
	folders map[string][]output // that the patterns match

	mu    sync.Mutex
	texts map[string][]byte
	errs  map[string]scanner.ErrorList
}

// parse is a packages.Config.ParseFile. If the patterns do not match a file, it
// drops the bodies of functions, since no key depends on them.
func (p *parsedFiles) parse(fset *token.FileSet, path string, text []byte) (*ast.File, error) {
	file, err := parser.ParseFile(fset, path, text, ParseMode)
	if _, ours := p.folders[filepath.Dir(path)]; !ours {
		if file != nil {
			dropBodies(file)
		}
		return file, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.texts[path] = text
	var list scanner.ErrorList
	if errors.As(err, &list) {
		whole := fset.File(file.FileStart)
		for _, e := range list { // positions in the file itself, whatever line directives say
			e.Pos = fset.PositionFor(whole.Pos(e.Pos.Offset), false)
		}
		p.errs[path] = list
	}
	return file, err
}

// dropBodies empties the functions of a file.
func dropBodies(file *ast.File) {
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			f.Body.List = nil
		}
	}
}

// report reports the first syntax error of each line, as the compiler does, and
// marks the folders that have some.
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
				continue // a file that the go command has made, a refused one, or an output that only this load sees
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
