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

// marshalers are the methods whose signatures matter. Other methods matter by name only, because
// they can hide promoted ones.
var marshalers = map[string]bool{
	"AppendText": true, "IsZero": true, "MarshalJSON": true, "MarshalText": true,
	"String": true, "UnmarshalJSON": true, "UnmarshalText": true,
	// These convert documents of earlier releases, and of the next one.
	"Upgrade": true, "Downgrade": true,
}

// declared is a package by its declarations.
type declared struct {
	listed  *packages.Package
	files   []*file
	names   map[string][]declaration
	methods map[string][]declaration // by the receiver's type
	aliases map[string][]string      // by target
	reached map[string]bool          // of names
	kept    []span                   // the reached pieces of source
	err     error                    // why the package cannot be read

	checked *checked
}

// file is a Go file of a package.
type file struct {
	syntax  *ast.File
	imports map[string]string // import paths by their names in the file
	used    map[string]bool   // names of imports that reached declarations use
	dot     bool              // it has dot imports
}

// declaration is a spec, a group of constants, a function, or a method.
type declaration struct {
	file *file
	node ast.Node
}

// span is a piece of source.
type span struct{ pos, end token.Pos }

// index records the declarations of d's files.
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

// importSpec records the name of an import.
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
				node = decl // the next constant may repeat the value
			}
			for _, name := range spec.Names {
				d.names[name.Name] = append(d.names[name.Name], declaration{f, node})
			}
		}
	}
}

// baseName returns the name of the type of a receiver or an alias, or "" if it is in another
// package.
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

// reach marks a name of d, and everything that its declaration needs.
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
		l.reach(d, alias) // methods may have it as their receiver
	}
}

func (d *declared) keep(pos, end token.Pos) { d.kept = append(d.kept, span{pos, end}) }

// visit marks everything that a piece of a file refers to. It ignores scopes: a local name may mark
// too much, which is harmless.
func (l *Loader) visit(d *declared, f *file, node ast.Node) {
	if fn, ok := node.(*ast.FuncDecl); ok {
		node = fn.Type
	}
	d.keep(node.Pos(), node.End())
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			l.visit(d, f, n.Type) // not the names of fields
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

// selector marks a name of another package, or visits the operand.
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

// checked is a partly type-checked package.
type checked struct {
	types *types.Package
	err   error
}

// Check type-checks a package that was added, without function bodies. It fills Defs and Implicits
// of info, if they are not nil. Types that the added declarations do not reach may be invalid. An
// error means that the package must be loaded as a whole. Call Check after the last Add.
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
	_ = types.NewChecker(config, l.fset, pkg, info).Files(files) // config.Error receives the errors
	return pkg, first
}

// config returns the type checker's configuration, like package packages.
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

// reachedPart type-checks the reached declarations of a package.
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
		_ = types.NewChecker(config, l.fset, pkg, nil).Files(files) // config.Error receives the errors
	}
	d.checked = &checked{types: pkg, err: err}
	return pkg, err
}

// prune returns a file with only its reached declarations and imports.
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

// uses reports whether a reached declaration uses an import.
func (f *file) uses(spec *ast.ImportSpec) bool {
	for name := range f.used {
		if f.imports[name] == importPath(spec) && (spec.Name == nil || spec.Name.Name == name) {
			return true
		}
	}
	return false
}

// pruneGroup returns the reached part of a declaration: all constants of a group if one of them is
// reached.
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

// pruneFunction returns a reached function. A method that is no marshaler gets an empty signature,
// so its parameters need not be resolved.
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

// importer resolves a package's imports for the type checker.
type importer struct {
	loader *Loader
	from   *declared
	empty  bool // unreached packages may be empty
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
