package generator

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// unit is a package as one compilation sees it: with its tests, or its external
// tests alone. It may be ill-typed anywhere.
type unit struct {
	path  string // import path
	name  string // package name
	fset  *token.FileSet
	files []*source // sorted by path; our outputs are not among them
	types *types.Package
	info  *types.Info
	errs  []types.Error
}

// source is a Go file of a unit.
type source struct {
	path   string
	text   []byte
	syntax *ast.File
}

// position returns where pos is in the file itself, whatever line directives
// say.
func (u *unit) position(pos token.Pos) token.Position {
	return u.fset.PositionFor(pos, false)
}

// offset returns where the byte at an offset of the file is.
func (u *unit) offset(f *source, offset int) token.Position {
	file := u.fset.File(f.syntax.FileStart)
	return u.position(file.Pos(min(offset, file.Size())))
}

// declared returns the identifiers that the files of a unit declare, in the
// package or, by an import, in a file: an identifier cannot be both.
func (u *unit) declared() map[string]ast.Node {
	out := make(map[string]ast.Node)
	first := func(name string, n ast.Node) {
		if old := out[name]; old == nil || n.Pos() < old.Pos() {
			out[name] = n
		}
	}
	for ident, object := range u.info.Defs {
		if object != nil && object.Parent() == u.types.Scope() {
			first(object.Name(), ident)
		}
	}
	for _, f := range u.files {
		for _, spec := range f.syntax.Imports {
			object := u.info.Implicits[spec]
			if spec.Name != nil {
				object = u.info.Defs[spec.Name]
			}
			if pkg, ok := object.(*types.PkgName); ok {
				first(pkg.Name(), spec)
			}
		}
	}
	return out
}

// declares reports whether an object is declared in a file of the unit.
func (u *unit) declares(object types.Object) bool {
	return slices.ContainsFunc(u.files, func(f *source) bool {
		return f.syntax.FileStart <= object.Pos() && object.Pos() < f.syntax.FileEnd
	})
}

// fileOf returns the file of the unit that declares an object, or nil.
func (u *unit) fileOf(object types.Object) *source {
	i := slices.IndexFunc(u.files, func(f *source) bool {
		return f.syntax.FileStart <= object.Pos() && object.Pos() < f.syntax.FileEnd
	})
	if i < 0 {
		return nil
	}
	return u.files[i]
}

// syntaxOf finds the declaration of a field that the unit declares.
func (u *unit) syntaxOf(v *types.Var) (*source, *ast.Field) {
	for _, f := range u.files {
		if !v.Pos().IsValid() || v.Pos() < f.syntax.FileStart || v.Pos() >= f.syntax.FileEnd {
			continue
		}
		var found *ast.Field
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if n != nil && (v.Pos() < n.Pos() || n.End() <= v.Pos()) {
				return false
			}
			if field, ok := n.(*ast.Field); ok && identPos(field) <= v.Pos() && v.Pos() < field.End() {
				for _, ident := range fieldIdents(field) {
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

// identPos returns where the first name of a field is.
func identPos(field *ast.Field) token.Pos {
	if idents := fieldIdents(field); len(idents) > 0 {
		return idents[0].Pos()
	}
	return token.NoPos
}

// tagAt finds the tag of a field that the unit declares.
func (u *unit) tagAt(v *types.Var) (*source, structTag, bool) {
	f, field := u.syntaxOf(v)
	if field == nil {
		return nil, structTag{}, false
	}
	t, ok := u.tagOf(f, field)
	return f, t, ok
}

// because returns what the type checker says about a piece of source, to follow
// a message, or the given text when it says nothing.
func (u *unit) because(n ast.Node, otherwise string) string {
	for _, e := range u.errs {
		if n.Pos() <= e.Pos && e.Pos < n.End() {
			return ": " + e.Msg
		}
	}
	return otherwise
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
