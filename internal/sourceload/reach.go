package sourceload

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"
)

// marshalers are the methods of which the signatures count. Of other methods the
// names do, which can hide promoted ones.
var marshalers = map[string]bool{
	"AppendText": true, "IsZero": true, "MarshalJSON": true, "MarshalText": true,
	"String": true, "UnmarshalJSON": true, "UnmarshalText": true,
	"Downgrade": true, // which makes documents of the next release those of this one
	"Upgrade":   true, // which makes documents of earlier releases those of this one
}

// declared is a package by its declarations.
type declared struct {
	listed  *packages.Package
	files   []*file
	names   map[string][]declaration
	methods map[string][]declaration // by the name of the receiver's type
	aliases map[string][]string      // by the name of their target
	reached map[string]bool          // of the names
	kept    []span                   // what is reached, in source
	err     error                    // it cannot be read

	checked *checked
}

// file is a Go file of a package.
type file struct {
	syntax  *ast.File
	imports map[string]string // paths by the names that they have in the file
	used    map[string]bool   // names of imports that something reached uses
	dot     bool              // it imports without names
}

// declaration is what declares a name: a spec, or a group of constants, or a
// function or method.
type declaration struct {
	file *file
	node ast.Node
}

// span is a piece of source.
type span struct{ pos, end token.Pos }

// index notes what the files of d declare.
func (d *declared) index(files []*ast.File) {
	d.names = make(map[string][]declaration)
	d.methods = make(map[string][]declaration)
	d.aliases = make(map[string][]string)
	d.reached = make(map[string]bool)
	for _, syntax := range files {
		f := &file{syntax: syntax, imports: make(map[string]string), used: make(map[string]bool)}
		d.files = append(d.files, f)
		for _, spec := range syntax.Imports {
			d.importSpec(f, spec)
		}
		for _, decl := range syntax.Decls {
			switch decl := decl.(type) {
			case *ast.GenDecl:
				d.general(f, decl)
			case *ast.FuncDecl:
				if decl.Recv == nil {
					d.names[decl.Name.Name] = append(d.names[decl.Name.Name], declaration{f, decl})
				} else if len(decl.Recv.List) == 1 {
					base := baseName(decl.Recv.List[0].Type)
					d.methods[base] = append(d.methods[base], declaration{f, decl})
				}
			}
		}
	}
}

// importSpec notes under which name a file imports a package.
func (d *declared) importSpec(f *file, spec *ast.ImportSpec) {
	path := importPath(spec)
	switch {
	case spec.Name != nil && spec.Name.Name == ".":
		f.dot = true
	case spec.Name != nil:
		f.imports[spec.Name.Name] = path
	case d.listed.Imports[path] != nil:
		f.imports[d.listed.Imports[path].Name] = path
	}
}

func (d *declared) general(f *file, decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			d.names[spec.Name.Name] = append(d.names[spec.Name.Name], declaration{f, spec})
			if base := baseName(spec.Type); spec.Assign.IsValid() && base != "" {
				d.aliases[base] = append(d.aliases[base], spec.Name.Name)
			}
		case *ast.ValueSpec:
			node := ast.Node(spec)
			if decl.Tok == token.CONST {
				node = decl // the next one may repeat its value
			}
			for _, name := range spec.Names {
				d.names[name.Name] = append(d.names[name.Name], declaration{f, node})
			}
		}
	}
}

// baseName returns the name of the type that a receiver or an alias is about,
// or "" if it is not one of the package.
func baseName(expr ast.Expr) string {
	if ident, ok := Bare(expr).(*ast.Ident); ok {
		return ident.Name
	}
	return ""
}

// Bare returns a type without parentheses, stars and type arguments.
func Bare(expr ast.Expr) ast.Expr {
	for {
		switch e := expr.(type) {
		case *ast.ParenExpr:
			expr = e.X
		case *ast.StarExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		default:
			return expr
		}
	}
}

// reach marks a name of d, and all that its declaration needs.
func (l *Loader) reach(d *declared, name string) {
	if d.reached[name] || len(d.names[name]) == 0 || name == "_" {
		return
	}
	d.reached[name] = true
	for _, decl := range d.names[name] {
		l.visit(d, decl.file, decl.node)
	}
	for _, m := range d.methods[name] {
		decl := m.node.(*ast.FuncDecl)
		d.keep(decl.Recv.Pos(), decl.Name.End())
		l.visit(d, m.file, decl.Recv)
		if marshalers[decl.Name.Name] {
			l.visit(d, m.file, decl.Type)
		}
	}
	for _, alias := range d.aliases[name] {
		l.reach(d, alias) // it may be the receiver of methods
	}
}

// keep notes that a piece of source is reached.
func (d *declared) keep(pos, end token.Pos) { d.kept = append(d.kept, span{pos, end}) }

// visit reaches what a piece of a file refers to. A local name that hides
// another makes it reach too much, which does no harm.
func (l *Loader) visit(d *declared, f *file, node ast.Node) {
	if fn, ok := node.(*ast.FuncDecl); ok {
		node = fn.Type
	}
	d.keep(node.Pos(), node.End())
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			l.visit(d, f, n.Type) // not its names
			return false
		case *ast.BlockStmt:
			return false
		case *ast.SelectorExpr:
			l.selector(d, f, n)
			return false
		case *ast.Ident:
			l.reach(d, n.Name)
		}
		return true
	})
}

// selector reaches a name of another package, or what is before the dot.
func (l *Loader) selector(d *declared, f *file, n *ast.SelectorExpr) {
	ident, ok := n.X.(*ast.Ident)
	if !ok {
		l.visit(d, f, n.X)
		return
	}
	l.reach(d, ident.Name)
	path, ok := f.imports[ident.Name]
	if !ok {
		return
	}
	f.used[ident.Name] = true
	if p := d.listed.Imports[path]; p != nil && path != "unsafe" {
		l.reach(l.read(p), n.Sel.Name)
	}
}

// checked is what the type checker makes of a package of which a part is
// reached.
type checked struct {
	types *types.Package
	err   error
}

// Check type-checks a package that was added, without the bodies of its
// functions. Into info go Defs and Implicits, if it has these maps. Types that
// the added declarations do not reach may be invalid. The error says why the
// package has to be loaded as a whole. Call it after the last Add.
func (l *Loader) Check(p *packages.Package, info *types.Info) (*types.Package, error) {
	d := l.added[p.ID]
	if d == nil {
		return nil, fmt.Errorf("package %s was not added", p.ID)
	}
	if d.err != nil {
		return nil, d.err
	}
	files := make([]*ast.File, len(d.files))
	var first error
	for i, f := range d.files {
		files[i] = f.syntax
		if f.dot {
			return nil, fmt.Errorf("package %s has an import without a name", p.ID)
		}
		for _, spec := range f.syntax.Imports {
			d.keep(spec.Pos(), spec.End())
		}
	}
	config := l.config(p, func(err types.Error) {
		within := slices.ContainsFunc(d.kept, func(s span) bool { return s.pos <= err.Pos && err.Pos < s.end })
		if first == nil && (within || !err.Pos.IsValid()) {
			first = err
		}
	})
	config.Importer = importer{l, d, true}
	pkg := types.NewPackage(p.PkgPath, p.Name)
	_ = types.NewChecker(config, l.fset, pkg, info).Files(files) // errors have gone to config.Error
	return pkg, first
}

// config returns what the type checker is told about a package, as package
// packages tells it.
func (l *Loader) config(p *packages.Package, report func(types.Error)) *types.Config {
	config := &types.Config{IgnoreFuncBodies: true, Sizes: l.sizes, Error: func(err error) {
		var typeError types.Error
		if errors.As(err, &typeError) {
			report(typeError)
		}
	}}
	if p.Module != nil && p.Module.GoVersion != "" {
		config.GoVersion = "go" + p.Module.GoVersion
	}
	return config
}

// reachedPart type-checks what is reached of a package.
func (l *Loader) reachedPart(d *declared) (*types.Package, error) {
	if d.checked != nil {
		return d.checked.types, d.checked.err
	}
	d.checked = &checked{err: fmt.Errorf("package %s imports itself", d.listed.ID)}
	pkg := types.NewPackage(d.listed.PkgPath, d.listed.Name)
	err := d.err
	config := l.config(d.listed, func(e types.Error) {
		if err == nil {
			err = e
		}
	})
	config.Importer = importer{l, d, false}
	var files []*ast.File
	for _, f := range d.files {
		if syntax := d.prune(f); len(syntax.Decls) > 0 {
			files = append(files, syntax)
			if f.dot && err == nil {
				err = fmt.Errorf("package %s has an import without a name", d.listed.ID)
			}
		}
	}
	if err == nil {
		_ = types.NewChecker(config, l.fset, pkg, nil).Files(files) // errors have gone to config.Error
	}
	d.checked = &checked{types: pkg, err: err}
	return pkg, err
}

// prune returns a file with the declarations and imports that are reached.
func (d *declared) prune(f *file) *ast.File {
	out := &ast.File{
		Package: f.syntax.Package, Name: f.syntax.Name, FileStart: f.syntax.FileStart, FileEnd: f.syntax.FileEnd, GoVersion: f.syntax.GoVersion,
	}
	imports := &ast.GenDecl{TokPos: f.syntax.Package, Tok: token.IMPORT, Lparen: f.syntax.Package}
	for _, spec := range f.syntax.Imports {
		if f.uses(spec) {
			imports.Specs = append(imports.Specs, spec)
			out.Imports = append(out.Imports, spec)
		}
	}
	var rest []ast.Decl
	for _, decl := range f.syntax.Decls {
		switch decl := decl.(type) {
		case *ast.GenDecl:
			if part := d.pruneGroup(decl); part != nil {
				rest = append(rest, part)
			}
		case *ast.FuncDecl:
			if part := d.pruneFunction(decl); part != nil {
				rest = append(rest, part)
			}
		}
	}
	if len(imports.Specs) > 0 && len(rest) > 0 {
		out.Decls = append(out.Decls, imports)
	}
	out.Decls = append(out.Decls, rest...)
	return out
}

// uses reports whether something reached uses an import.
func (f *file) uses(spec *ast.ImportSpec) bool {
	for name := range f.used {
		if f.imports[name] == importPath(spec) && (spec.Name == nil || spec.Name.Name == name) {
			return true
		}
	}
	return false
}

// pruneGroup returns what is reached of a declaration: all constants of a group
// if one of them is.
func (d *declared) pruneGroup(decl *ast.GenDecl) ast.Decl {
	out := *decl
	out.Specs = nil
	for _, spec := range decl.Specs {
		reached := false
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			reached = d.reached[spec.Name.Name]
		case *ast.ValueSpec:
			reached = slices.ContainsFunc(spec.Names, func(name *ast.Ident) bool { return d.reached[name.Name] })
		}
		if reached && decl.Tok == token.CONST {
			return decl
		}
		if reached {
			out.Specs = append(out.Specs, spec)
		}
	}
	if out.Specs == nil {
		return nil
	}
	return &out
}

// pruneFunction returns a function that is reached. A method that is no
// marshaler gets an empty signature, so that nothing has to be known of its
// parameters.
func (d *declared) pruneFunction(decl *ast.FuncDecl) ast.Decl {
	switch {
	case decl.Recv == nil && d.reached[decl.Name.Name]:
		return decl
	case decl.Recv == nil || len(decl.Recv.List) != 1 || !d.reached[baseName(decl.Recv.List[0].Type)]:
		return nil
	case marshalers[decl.Name.Name]:
		return decl
	}
	out := *decl
	out.Type = &ast.FuncType{Func: decl.Type.Func, Params: &ast.FieldList{Opening: decl.Type.Params.Opening, Closing: decl.Type.Params.Opening}}
	return &out
}

// importer gives the type checker the packages that one imports.
type importer struct {
	loader *Loader
	from   *declared
	empty  bool // of a package that is not reached, an empty one is good enough
}

func (i importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	p := i.from.listed.Imports[path]
	if p == nil || p.Name == "" {
		return nil, fmt.Errorf("package %s is not listed", path)
	}
	if d := i.loader.imported[p.ID]; d != nil && len(d.reached) > 0 {
		return i.loader.reachedPart(d)
	}
	if !i.empty {
		return nil, fmt.Errorf("package %s is not reached", path)
	}
	pkg := types.NewPackage(p.PkgPath, p.Name)
	pkg.MarkComplete()
	return pkg, nil
}
