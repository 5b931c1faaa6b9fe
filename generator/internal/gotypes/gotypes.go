// Package gotypes writes Go types for generated code, and reports types that it cannot write.
//
// It does not know documents: it takes a type, and the package of the file.
package gotypes

import (
	"fmt"
	"go/ast"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// Of returns a type as a file of the package from writes it, or why the file cannot write it. It
// keeps an alias that the file can name, since the aliased type may be inaccessible.
func Of(t types.Type, from *types.Package) (pk.GoType, string) {
	switch t := t.(type) {
	case *types.Basic:
		return pk.GoType{Name: t.Name()}, ""
	case *types.Alias:
		if nameable(t.Obj(), from) == "" {
			return named(t.Obj(), t.TypeArgs(), from)
		}
		return Of(t.Rhs(), from)
	case *types.Named:
		if reason := nameable(t.Obj(), from); reason != "" {
			return pk.GoType{}, reason
		}
		return named(t.Obj(), t.TypeArgs(), from)
	}
	return pk.GoType{}, fmt.Sprintf("its type %s has no name", types.TypeString(t, types.RelativeTo(from)))
}

// named returns a type that can be named, with its type arguments.
func named(name *types.TypeName, args *types.TypeList, from *types.Package) (pk.GoType, string) {
	out := pk.GoType{Name: name.Name()}
	if pkg := name.Pkg(); pkg != nil && pkg != from {
		out.Path, out.Package = pkg.Path(), pkg.Name()
	}
	for arg := range args.Types() {
		g, reason := Of(arg, from)
		if reason != "" {
			return pk.GoType{}, reason
		}
		out.Args = append(out.Args, g)
	}
	return out, ""
}

// nameable returns why a file of the package from cannot name a type, or "".
func nameable(name *types.TypeName, from *types.Package) string {
	pkg := name.Pkg()
	switch {
	case pkg == nil || pkg == from && name.Parent() == from.Scope():
		return ""
	case name.Parent() != pkg.Scope():
		return fmt.Sprintf("its type %s is declared in a function", name.Name())
	case !name.Exported():
		return fmt.Sprintf("its type %s.%s is unexported", pkg.Name(), name.Name())
	case !importable(pkg.Path(), from.Path()):
		return fmt.Sprintf("its type %s.%s is of the internal package %s", pkg.Name(), name.Name(), pkg.Path())
	}
	return ""
}

// importable applies the rule for internal packages: only code below the parent of a folder
// internal may import its packages. Internal packages of the standard library cannot be imported.
func importable(path, from string) bool {
	at := strings.LastIndex("/"+path+"/", "/internal/")
	if at <= 0 {
		return at < 0
	}
	parent := path[:at-1]
	from = strings.TrimSuffix(from, "_test") // for an external test
	return from == parent || strings.HasPrefix(from, parent+"/")
}

// Hides reports whether a predeclared name in t has another meaning in the package from, or t is
// unknown.
func Hides(t types.Type, from *types.Package) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Kind() == types.Invalid || from.Scope().Lookup(t.Name()) != nil
	case *types.Named:
		return slices.ContainsFunc(slices.Collect(t.TypeArgs().Types()), func(arg types.Type) bool { return Hides(arg, from) })
	}
	return false
}

// Text returns any type as a file of the package from writes it. It returns false if a part of the
// type cannot be named, or is unknown.
func Text(t types.Type, from *types.Package) (templates.TypeText, bool) {
	w := &typeWriter{from: from, ok: true}
	w.write(t)
	return w.out, w.ok
}

// typeWriter writes one type.
type typeWriter struct {
	from *types.Package
	out  templates.TypeText
	ok   bool
}

// text writes a text, and a type after it if there is one.
func (w *typeWriter) text(text string, then ...types.Type) {
	w.out = append(w.out, templates.TypePart{Text: text})
	for _, t := range then {
		w.write(t)
	}
}

func (w *typeWriter) write(t types.Type) {
	switch t := t.(type) {
	case *types.Alias:
		if nameable(t.Obj(), w.from) != "" {
			w.write(t.Rhs())
			return
		}
		w.named(t.Obj(), t.TypeArgs())
	case *types.Named:
		w.named(t.Obj(), t.TypeArgs())
	case *types.Basic:
		switch {
		case t.Kind() == types.UnsafePointer:
			w.out = append(w.out, templates.TypePart{Type: pk.GoType{Path: "unsafe", Name: "Pointer"}})
		case Hides(t, w.from):
			w.ok = false
		default:
			w.out = append(w.out, templates.TypePart{Type: pk.GoType{Name: t.Name()}})
		}
	case *types.Pointer:
		w.text("*", t.Elem())
	case *types.Slice:
		w.text("[]", t.Elem())
	case *types.Array:
		w.text(fmt.Sprintf("[%d]", t.Len()), t.Elem())
	case *types.Map:
		w.text("map[", t.Key())
		w.text("]", t.Elem())
	case *types.Struct:
		w.strct(t)
	case *types.Interface:
		w.text("interface{}")
		w.ok = w.ok && t.NumMethods() == 0 && t.NumEmbeddeds() == 0
	default:
		w.ok = false // the source is shorter
	}
}

// named writes a type that has a name, with its type arguments.
func (w *typeWriter) named(name *types.TypeName, args *types.TypeList) {
	hidden := name.Pkg() == nil && w.from.Scope().Lookup(name.Name()) != nil // such as error
	if nameable(name, w.from) != "" || hidden {
		w.ok = false
		return
	}
	g := pk.GoType{Name: name.Name()}
	if pkg := name.Pkg(); pkg != nil && pkg != w.from {
		g.Path, g.Package = pkg.Path(), pkg.Name()
	}
	w.out = append(w.out, templates.TypePart{Type: g})
	for i := range args.Len() {
		w.text([]string{"[", ","}[min(i, 1)], args.At(i))
	}
	if args.Len() > 0 {
		w.text("]")
	}
}

// strct writes a struct type on one line.
func (w *typeWriter) strct(t *types.Struct) {
	w.text("struct{")
	for i := range t.NumFields() {
		if i > 0 {
			w.text(";")
		}
		if f := t.Field(i); !f.Embedded() {
			w.text(f.Name() + " ")
		}
		w.write(t.Field(i).Type())
		if tag := t.Tag(i); tag != "" {
			w.text(strconv.Quote(tag))
		}
	}
	w.text("}")
}

// SourceText returns the type of a field as its declaration writes it. It is for types that the
// generator does not see, such as those in its own output. It returns false for a field that the
// unit does not declare, and if names in the declaration may have another meaning in another file.
func SourceText(u *source.Unit, v *types.Var) (templates.TypeText, bool) {
	file, field := u.SyntaxOf(v)
	if field == nil {
		return nil, false
	}
	imports, plain := importsOf(u, file)
	if !plain {
		return nil, false
	}
	var out templates.TypeText
	at := u.Position(field.Type.Pos()).Offset
	until := func(offset int) {
		if at < offset {
			out = append(out, templates.TypePart{Text: string(file.Text[at:offset])})
		}
		at = offset
	}
	ast.Inspect(field.Type, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if pkg, ok := s.X.(*ast.Ident); ok && imports[pkg.Name].Path != "" {
			until(u.Position(s.Pos()).Offset)
			g := imports[pkg.Name]
			g.Name = s.Sel.Name
			out = append(out, templates.TypePart{Type: g})
			at = u.Position(s.End()).Offset
		}
		return false
	})
	until(u.Position(field.Type.End()).Offset)
	return out, true
}

// importsOf returns the imports of a file by name. It returns false if the file has dot imports.
func importsOf(u *source.Unit, f *source.File) (map[string]pk.GoType, bool) {
	out := make(map[string]pk.GoType)
	for _, spec := range f.Syntax.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		if err != nil || spec.Name != nil && spec.Name.Name == "." {
			return nil, false
		}
		pkg := path.Base(importPath)
		if name, ok := u.Info.Implicits[spec].(*types.PkgName); ok {
			pkg = name.Imported().Name()
		}
		name := pkg
		if spec.Name != nil {
			name = spec.Name.Name
		}
		out[name] = pk.GoType{Path: importPath, Package: pkg}
	}
	return out, true
}
