package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
)

// Unit is a package as one compilation sees it: with its tests, or only its external
// tests. It may have type errors anywhere.
type Unit struct {
	Path  string // import path
	Name  string // package name
	Fset  *token.FileSet
	Files []*File // sorted by path; our outputs are not among them
	Types *types.Package
	Info  *types.Info
	Errs  []types.Error

	documents []*Declaration // in Files, once these are scanned
	misplaced *diag.Reporter // what the scan reports; nil before it
}

// File is a Go file of a unit.
type File struct {
	Path   string
	Text   []byte
	Syntax *ast.File
}

// Position returns where pos is in the file itself, whatever line directives
// say.
func (u *Unit) Position(pos token.Pos) token.Position {
	return u.Fset.PositionFor(pos, false)
}

// Offset returns where the byte at an offset of the file is.
func (u *Unit) Offset(f *File, offset int) token.Position {
	file := u.Fset.File(f.Syntax.FileStart)
	return u.Position(file.Pos(min(offset, file.Size())))
}

// Declared returns the identifiers that the files of a unit declare, in the
// package or, by an import, in a file. No identifier can be both.
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
	return slices.ContainsFunc(u.Files, func(f *File) bool {
		return f.Syntax.FileStart <= object.Pos() && object.Pos() < f.Syntax.FileEnd
	})
}

// FileOf returns the file of the unit that declares an object, or nil.
func (u *Unit) FileOf(object types.Object) *File {
	i := slices.IndexFunc(u.Files, func(f *File) bool {
		return f.Syntax.FileStart <= object.Pos() && object.Pos() < f.Syntax.FileEnd
	})
	if i < 0 {
		return nil
	}
	return u.Files[i]
}

// SyntaxOf finds the declaration of a field that the unit declares.
func (u *Unit) SyntaxOf(v *types.Var) (*File, *ast.Field) {
	for _, f := range u.Files {
		if !v.Pos().IsValid() || v.Pos() < f.Syntax.FileStart || v.Pos() >= f.Syntax.FileEnd {
			continue
		}
		var found *ast.Field
		ast.Inspect(f.Syntax, func(n ast.Node) bool {
			if n != nil && (v.Pos() < n.Pos() || n.End() <= v.Pos()) {
				return false
			}
			if field, ok := n.(*ast.Field); ok && IdentPos(field) <= v.Pos() && v.Pos() < field.End() {
				for _, ident := range FieldIdents(field) {
					if ident.Pos() == v.Pos() {
						found = field
					}
				}
			}
			return found == nil
		})
		return f, found
	}
	return nil, nil
}

// IdentPos returns where the first name of a field is.
func IdentPos(field *ast.Field) token.Pos {
	if idents := FieldIdents(field); len(idents) > 0 {
		return idents[0].Pos()
	}
	return token.NoPos
}

// TagAt finds the tag of a field that the unit declares.
func (u *Unit) TagAt(v *types.Var) (*File, StructTag, bool) {
	f, field := u.SyntaxOf(v)
	if field == nil {
		return nil, StructTag{}, false
	}
	t, ok := u.TagOf(f, field)
	return f, t, ok
}

// Because returns the type checker's error about a piece of source, as the end of a
// message, or the given text if there is no error.
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

// TagPosition returns where the cosmos key of a field's tag is.
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

// FieldIdents returns the identifiers that a field of the syntax tree declares:
// for an embedded field the name of its type.
func FieldIdents(field *ast.Field) []*ast.Ident {
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
