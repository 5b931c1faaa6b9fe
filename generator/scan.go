package generator

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"

	"github.com/cosmos-pkgen/pkgen/templates"
)

// declaration is a struct type that a package declares and that has cosmos tags:
// what the source says of a document before anybody looks at types.
type declaration struct {
	unit   *unit
	file   *source
	spec   *ast.TypeSpec
	syntax *ast.StructType
}

// name returns the Go name of the type.
func (d *declaration) name() string { return d.spec.Name.Name }

// position returns where the type's name is.
func (d *declaration) position() token.Position { return d.unit.position(d.spec.Name.Pos()) }

// outputPath returns the path of the file that is generated for d.
func (d *declaration) outputPath() string {
	return filepath.Join(filepath.Dir(d.file.path), outputName(d.name(), d.file.path))
}

// outputName returns the base name of the file that is generated for a type
// which the source declares.
func outputName(typ, source string) string {
	return (&templates.Type{Name: typ, Source: filepath.Base(source)}).FileName()
}

// finder looks for documents in a file.
type finder struct {
	unit    *unit
	file    *source
	report  *reporter
	settled map[*ast.Field]bool // fields with tags that are read or reported
	found   []*declaration
}

// scan returns the documents that a file declares, in the order of declaration,
// and reports cosmos tags that stand where pkgen does not read them.
func scan(u *unit, f *source, r *reporter) []*declaration {
	s := &finder{unit: u, file: f, report: r, settled: make(map[*ast.Field]bool)}
	for _, decl := range f.syntax.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range gen.Specs {
			if spec, ok := spec.(*ast.TypeSpec); ok {
				s.typeSpec(spec)
			}
		}
	}
	for _, decl := range f.syntax.Decls {
		if _, ok := decl.(*ast.FuncDecl); ok {
			s.misplacedf(decl, "tags are not read in a function: no other code can name this type, and no method can be declared on it; move its declaration to package level")
			continue
		}
		s.misplacedf(decl, "tags are not read in a struct that is not itself a declared type: write \"type Name struct\" at package level")
	}
	return s.found
}

// typeSpec finds the document that a declaration at package level declares.
func (s *finder) typeSpec(spec *ast.TypeSpec) {
	st, ok := ast.Unparen(spec.Type).(*ast.StructType)
	if !ok {
		return
	}
	name := spec.Name.Name
	if spec.Assign.IsValid() {
		s.misplacedf(st, "%s is an alias of a struct without a name, which can have no methods: write \"type %s struct\"", name, name)
		return
	}
	d := &declaration{unit: s.unit, file: s.file, spec: spec, syntax: st}
	tagged := false
	for _, field := range st.Fields.List {
		if hasCosmosTag(s.unit, s.file, field) {
			s.settled[field] = true
			tagged = true
		}
	}
	s.misplacedf(st, "tags are not read within a struct that a field declares: tag a field of %s itself, or give the inner struct a name and its own tags", name)
	if tagged {
		s.found = append(s.found, d)
	}
}

// misplacedf reports the cosmos tags below a node that are not settled yet.
func (s *finder) misplacedf(below ast.Node, format string, args ...any) {
	ast.Inspect(below, func(n ast.Node) bool {
		if field, ok := n.(*ast.Field); ok && !s.settled[field] && hasCosmosTag(s.unit, s.file, field) {
			s.settled[field] = true
			s.report.errorf(s.unit.tagPosition(s.file, field), format, args...)
		}
		return true
	})
}

// hasCosmosTag reports whether a field has a cosmos tag, be it malformed.
func hasCosmosTag(u *unit, f *source, field *ast.Field) bool {
	t, ok := u.tagOf(f, field)
	return ok && t.hasCosmos()
}

// tagOf reads the tag of a field.
func (u *unit) tagOf(f *source, field *ast.Field) (structTag, bool) {
	if field.Tag == nil {
		return structTag{}, false
	}
	whole, ok := readLiteral(f.text, u.position(field.Tag.Pos()).Offset)
	if !ok {
		return structTag{}, false
	}
	return readTag(whole), true
}

// tagPosition returns where the cosmos key of a field's tag is.
func (u *unit) tagPosition(f *source, field *ast.Field) token.Position {
	t, _ := u.tagOf(f, field)
	for _, p := range t.pairs {
		if p.key == cosmosKey {
			return u.offset(f, t.whole.at(p.start))
		}
	}
	if offset, _, found := t.problem(); found {
		return u.offset(f, t.whole.at(offset))
	}
	return u.position(field.Pos())
}

// scanText returns a file that is not part of the build and its documents, of
// which the syntax is known and nothing is reported; nil if it cannot be parsed.
func scanText(path string, text []byte) (*source, []*declaration) {
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, path, text, parseMode)
	if err != nil {
		return nil, nil
	}
	f := &source{path: path, text: text, syntax: syntax}
	return f, scan(&unit{name: syntax.Name.Name, fset: fset}, f, &reporter{})
}

// fieldIdents returns the identifiers that a field of the syntax tree declares:
// for an embedded field the name of its type.
func fieldIdents(field *ast.Field) []*ast.Ident {
	if len(field.Names) > 0 {
		return field.Names
	}
	expr := field.Type
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
		case *ast.SelectorExpr:
			return []*ast.Ident{e.Sel}
		case *ast.Ident:
			return []*ast.Ident{e}
		default:
			return nil
		}
	}
}
