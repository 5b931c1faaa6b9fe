package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/internal/sourceload"
)

// Unit is a package in one compilation: with its tests, or only its external tests. It may have
// type errors.
type Unit struct {
	Path  string // import path
	Name  string // package name
	Fset  *token.FileSet
	Files []*File // sorted by path, without outputs
	Types *types.Package
	Info  *types.Info
	Errs  []types.Error

	documents []*Declaration // in Files, after the scan
	misplaced *diag.Reporter // reports of the scan; nil before it
}

// File is a Go file of a unit.
type File struct {
	Path   string
	Text   []byte
	Syntax *ast.File
}

// Position returns the position of pos in the file itself, ignoring line directives.
func (u *Unit) Position(pos token.Pos) token.Position {
	return u.Fset.PositionFor(pos, false)
}

// Offset returns the position of a byte of the file.
func (u *Unit) Offset(f *File, offset int) token.Position {
	file := u.Fset.File(f.Syntax.FileStart)
	return u.Position(file.Pos(min(offset, file.Size())))
}

// Declared returns the identifiers that the files of a unit declare, in the package or as imports.
// No identifier can be both.
func (u *Unit) Declared() map[string]ast.Node {
	out := make(map[string]ast.Node)
	first := func(name string, n ast.Node) {
		if old := out[name]; old == nil || n.Pos() < old.Pos() {
			out[name] = n
		}
	}
	for ident, object := range u.Info.Defs {
		if object != nil && object.Parent() == u.Types.Scope() {
			first(object.Name(), ident)
		}
	}
	for _, f := range u.Files {
		for _, spec := range f.Syntax.Imports {
			object := u.Info.Implicits[spec]
			if spec.Name != nil {
				object = u.Info.Defs[spec.Name]
			}
			if pkg, ok := object.(*types.PkgName); ok {
				first(pkg.Name(), spec)
			}
		}
	}
	return out
}

// Declares reports whether an object is declared in a file of the unit.
func (u *Unit) Declares(object types.Object) bool {
	return u.FileOf(object) != nil
}

// FileOf returns the file of the unit that declares an object, or nil.
func (u *Unit) FileOf(object types.Object) *File {
	i := slices.IndexFunc(u.Files, func(f *File) bool { return f.contains(object.Pos()) })
	if i < 0 {
		return nil
	}
	return u.Files[i]
}

func (f *File) contains(pos token.Pos) bool {
	return f.Syntax.FileStart <= pos && pos < f.Syntax.FileEnd
}

// SyntaxOf returns the declaration of a field in the unit.
func (u *Unit) SyntaxOf(v *types.Var) (*File, *ast.Field) {
	f := u.FileOf(v)
	if f == nil {
		return nil, nil
	}
	path, _ := astutil.PathEnclosingInterval(f.Syntax, v.Pos(), v.Pos()+1)
	for _, n := range path {
		field, ok := n.(*ast.Field)
		if ok && slices.ContainsFunc(FieldIdents(field), func(ident *ast.Ident) bool { return ident.Pos() == v.Pos() }) {
			return f, field
		}
	}
	return f, nil
}

// TagAt returns the tag of a field declared in the unit.
func (u *Unit) TagAt(v *types.Var) (*File, StructTag, bool) {
	f, field := u.SyntaxOf(v)
	if field == nil {
		return nil, StructTag{}, false
	}
	t, ok := u.TagOf(f, field)
	return f, t, ok
}

// Because returns the type checker's error about a piece of source, as the end of a message, or
// otherwise if there is none.
func (u *Unit) Because(n ast.Node, otherwise string) string {
	for _, e := range u.Errs {
		if n.Pos() <= e.Pos && e.Pos < n.End() {
			return ": " + e.Msg
		}
	}
	return otherwise
}

// TagOf reads the tag of a field.
func (u *Unit) TagOf(f *File, field *ast.Field) (StructTag, bool) {
	if field.Tag == nil {
		return StructTag{}, false
	}
	whole, ok := readLiteral(f.Text, u.Position(field.Tag.Pos()).Offset)
	if !ok {
		return StructTag{}, false
	}
	return readTag(whole), true
}

// TagPosition returns the position of the cosmos key in a field's tag.
func (u *Unit) TagPosition(f *File, field *ast.Field) token.Position {
	t, _ := u.TagOf(f, field)
	for _, p := range t.pairs {
		if p.key == CosmosKey {
			return u.Offset(f, t.Whole.At(p.start))
		}
	}
	if offset, _, found := t.Problem(); found {
		return u.Offset(f, t.Whole.At(offset))
	}
	return u.Position(field.Pos())
}

// FieldIdents returns the identifiers that a field of the syntax tree declares: for an embedded
// field the name of its type.
func FieldIdents(field *ast.Field) []*ast.Ident {
	if len(field.Names) > 0 {
		return field.Names
	}
	switch e := sourceload.Bare(field.Type).(type) {
	case *ast.SelectorExpr:
		return []*ast.Ident{e.Sel}
	case *ast.Ident:
		return []*ast.Ident{e}
	}
	return nil
}

// Declaration is a declared struct type with cosmos tags: the facts about a document before types
// are known.
type Declaration struct {
	Unit   *Unit
	File   *File
	Spec   *ast.TypeSpec
	Syntax *ast.StructType
}

// Name returns the Go name of the type.
func (d *Declaration) Name() string { return d.Spec.Name.Name }

// Position returns the position of the type's name.
func (d *Declaration) Position() token.Position { return d.Unit.Position(d.Spec.Name.Pos()) }

// finder finds documents in a file.
type finder struct {
	unit    *Unit
	file    *File
	report  *diag.Reporter
	settled map[*ast.Field]bool // fields whose tags are read or reported
	found   []*Declaration
}

// Documents returns the documents that the files of a unit declare, in order. It reports cosmos
// tags that pkgen does not read. It scans the files once.
func (u *Unit) Documents(r *diag.Reporter) []*Declaration {
	if u.misplaced == nil {
		u.misplaced = &diag.Reporter{}
		for _, f := range u.Files {
			u.documents = append(u.documents, scan(u, f, u.misplaced)...)
		}
	}
	for _, m := range u.misplaced.Found {
		r.Add(m.Pos, m.Severity, m.Message)
	}
	return u.documents
}

// scan is Documents for a file.
func scan(u *Unit, f *File, r *diag.Reporter) []*Declaration {
	s := &finder{unit: u, file: f, report: r, settled: make(map[*ast.Field]bool)}
	for spec := range sourceload.TypeSpecs(f.Syntax) {
		s.typeSpec(spec)
	}
	for _, decl := range f.Syntax.Decls {
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
	d := &Declaration{Unit: s.unit, File: s.file, Spec: spec, Syntax: st}
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
			s.report.Errorf(s.unit.TagPosition(s.file, field), format, args...)
		}
		return true
	})
}

// hasCosmosTag reports whether a field has a cosmos tag, even a malformed one.
func hasCosmosTag(u *Unit, f *File, field *ast.Field) bool {
	t, ok := u.TagOf(f, field)
	return ok && t.hasCosmos()
}

// scanText returns a file outside of the build, and its documents. Only their syntax is known, and
// nothing is reported. It returns nil if the file does not parse.
func scanText(path string, text []byte) (*File, []*Declaration) {
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, path, text, ParseMode)
	if err != nil {
		return nil, nil
	}
	f := &File{Path: path, Text: text, Syntax: syntax}
	return f, scan(&Unit{Name: syntax.Name.Name, Fset: fset}, f, &diag.Reporter{})
}

// InTest reports whether a test file declares d.
func (d *Declaration) InTest() bool { return strings.HasSuffix(d.File.Path, "_test.go") }

// Untagged returns the name of a struct of d's package that embeds d and has no
// cosmos tags, or "". That struct may be the intended document.
func (d *Declaration) Untagged() string {
	for _, f := range d.Unit.Files {
		for spec := range sourceload.TypeSpecs(f.Syntax) {
			st, ok := spec.Type.(*ast.StructType)
			if ok && !slices.ContainsFunc(st.Fields.List, func(field *ast.Field) bool { return hasCosmosTag(d.Unit, f, field) }) &&
				slices.ContainsFunc(st.Fields.List, d.isEmbeddedBy) {
				return spec.Name.Name
			}
		}
	}
	return ""
}

// isEmbeddedBy reports whether a field of d's package embeds d.
func (d *Declaration) isEmbeddedBy(field *ast.Field) bool {
	if len(field.Names) > 0 {
		return false
	}
	expr := field.Type
	if star, ok := expr.(*ast.StarExpr); ok {
		expr = star.X
	}
	ident, ok := expr.(*ast.Ident)
	return ok && ident.Name == d.Name()
}

// Placer returns a function for the positions of bytes of a tag's value.
func (d *Declaration) Placer(value Literal) func(int) token.Position {
	return func(offset int) token.Position { return d.Unit.Offset(d.File, value.At(offset)) }
}

// ParseMode enables all errors, and comments, which contain constraints.
const ParseMode = parser.AllErrors | parser.ParseComments | parser.SkipObjectResolution
