package sourceload

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/packages"
)

// marshalers are the methods of which the signatures count. Of other methods the
// names do, which can hide promoted ones.
var marshalers = map[string]bool{
	"AppendText": true, "IsZero": true, "MarshalJSON": true, "MarshalText": true,
	"String": true, "UnmarshalJSON": true, "UnmarshalText": true,
	"Upgrade": true, // which makes documents of earlier releases those of this one
}

// declared is a package by its declarations.
type declared struct {
	listed  *packages.Package
	files   []*file
	names   map[string][]declaration
	methods map[string][]method // by the name of the receiver's type
	aliases map[string][]string // by the name of their target
	reached map[string]bool     // of the names
	kept    []span              // what is reached, in source
	err     error               // it cannot be read

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
// function.
type declaration struct {
	file *file
	node ast.Node
}

// method is a method of a type.
type method struct {
	file *file
	decl *ast.FuncDecl
}

// span is a piece of source.
type span struct{ pos, end token.Pos }

// index notes what the files of d declare.
func (d *declared) index(files []*ast.File) {
	d.names = make(map[string][]declaration)
	d.methods = make(map[string][]method)
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
				d.function(f, decl)
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

func (d *declared) function(f *file, decl *ast.FuncDecl) {
	switch {
	case decl.Recv == nil:
		d.names[decl.Name.Name] = append(d.names[decl.Name.Name], declaration{f, decl})
	case len(decl.Recv.List) == 1:
		base := baseName(decl.Recv.List[0].Type)
		d.methods[base] = append(d.methods[base], method{f, decl})
	}
}

// baseName returns the name of the type that a receiver or an alias is about,
// or "" if it is not one of the package.
func baseName(expr ast.Expr) string {
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
		case *ast.Ident:
			return e.Name
		default:
			return ""
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
		d.keep(m.decl.Recv.Pos(), m.decl.Name.End())
		l.visit(d, m.file, m.decl.Recv)
		if marshalers[m.decl.Name.Name] {
			l.visit(d, m.file, m.decl.Type)
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
