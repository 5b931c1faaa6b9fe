package generator

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
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

// inTest reports whether a test file declares d.
func (d *declaration) inTest() bool { return strings.HasSuffix(d.file.path, "_test.go") }

// untagged returns the name of a struct of d's package that embeds d and has no
// cosmos tags, or "": that may be what is meant to be the document.
func (d *declaration) untagged() string {
	for _, f := range d.unit.files {
		for _, decl := range f.syntax.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range gen.Specs {
				spec, ok := spec.(*ast.TypeSpec)
				if !ok {
					continue
				}
				st, ok := spec.Type.(*ast.StructType)
				if ok && !slices.ContainsFunc(st.Fields.List, func(field *ast.Field) bool { return hasCosmosTag(d.unit, f, field) }) &&
					slices.ContainsFunc(st.Fields.List, d.isEmbeddedBy) {
					return spec.Name.Name
				}
			}
		}
	}
	return ""
}

// isEmbeddedBy reports whether a field of d's package embeds d.
func (d *declaration) isEmbeddedBy(field *ast.Field) bool {
	if len(field.Names) > 0 {
		return false
	}
	expr := field.Type
	if star, ok := expr.(*ast.StarExpr); ok {
		expr = star.X
	}
	ident, ok := expr.(*ast.Ident)
	return ok && ident.Name == d.name()
}

// placer returns the function that finds the place of a byte of a tag's value.
func (d *declaration) placer(value literal) func(int) token.Position {
	return func(offset int) token.Position { return d.unit.offset(d.file, value.at(offset)) }
}
