package keychange

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// This file reads the key type in a generated file.

// generatedKinds returns the components of an entry as a generated file shows them,
// or nil if it does not show all of them.
func generatedKinds(e lock.Entry, text []byte) []lock.PropertyKind {
	template, parseErr := annotations.ParseTemplate(e.Layout)
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if text == nil || parseErr != nil || err != nil {
		return nil
	}
	key := generatedKey{name: unqualified(e.Type) + "Key", file: file}
	fields := key.fields()
	ofKey, random := layoutProperties(template)
	properties := ofKey // in the order of the fields
	if e.Placed() {
		containers, parseErr := annotations.ParseTemplate(e.Container)
		if parseErr != nil {
			return nil
		}
		properties, _ = layoutProperties(containers)
		for _, property := range ofKey {
			if !slices.Contains(properties, property) {
				properties = append(properties, property)
			}
		}
	}
	want := len(properties) + 1
	if slices.Contains(properties, facts.IDProperty) {
		want--
	}
	if random {
		want++
	}
	if len(fields) != want {
		return nil
	}
	kinds := key.kinds(fields)
	next := 1 // field 0 is the id
	known := make(map[string]lock.PropertyKind)
	for _, property := range properties {
		field := 0
		if property != facts.IDProperty {
			field, next = next, next+1
		}
		if kinds[field] == "" {
			return nil
		}
		known[property] = lock.PropertyKind{Property: property, Kind: kinds[field]}
	}
	var out []lock.PropertyKind
	for _, property := range slices.Concat(ofKey, properties) { // in the order of the lock
		if kind, left := known[property]; left {
			out = append(out, kind)
			delete(known, property)
		}
	}
	if kind := kinds[0]; strings.Contains(kind, ".") && !slices.Contains(properties, facts.IDProperty) {
		out = append(out, lock.PropertyKind{Property: facts.IDProperty, Kind: kind})
	}
	return out
}

// layoutProperties returns the properties of a layout, each once, and whether it has
// a random suffix.
func layoutProperties(t annotations.Template) (properties []string, random bool) {
	for _, level := range t.Levels {
		for _, part := range level {
			if part.Component == nil {
				continue
			}
			random = random || len(part.Component.Fields) == 0
			for _, name := range part.Component.Fields {
				if !slices.Contains(properties, name) {
					properties = append(properties, name)
				}
			}
		}
	}
	return properties, random
}

// generatedKey is a key type in a generated file.
type generatedKey struct {
	name string
	file *ast.File
}

// keyFieldType is a field of a key type.
type keyFieldType struct {
	name string
	typ  ast.Expr
}

// fields returns the fields of the key type: the id, the components in the order
// of the layout, and a random suffix.
func (k generatedKey) fields() []keyFieldType {
	var out []keyFieldType
	for _, decl := range k.file.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range gen.Specs {
			typ, ok := spec.(*ast.TypeSpec)
			if !ok || typ.Name.Name != k.name {
				continue
			}
			if strct, ok := typ.Type.(*ast.StructType); ok {
				for _, field := range strct.Fields.List {
					for _, name := range field.Names {
						out = append(out, keyFieldType{name.Name, field.Type})
					}
				}
			}
		}
	}
	return out
}

// kinds returns the kinds of fields, "" for an unknown one.
func (k generatedKey) kinds(fields []keyFieldType) []string {
	uses := k.uses()
	out := make([]string, len(fields))
	for i, field := range fields {
		if uses[field.name] == marshaledUse {
			out[i] = k.identity(field.typ)
			continue
		}
		out[i] = uses[field.name]
		if ident, ok := field.typ.(*ast.Ident); ok && basicKinds[ident.Name] != "" {
			out[i] = basicKinds[ident.Name]
		}
		if k.identity(field.typ) == "time.Time" {
			out[i] = lock.Time
		}
	}
	return out
}

// basicKinds are the kinds of predeclared types.
var basicKinds = map[string]string{
	"string": lock.Text, "bool": lock.Bool, "float64": lock.Float,
	"int": lock.Integer, "int8": lock.Integer, "int16": lock.Integer, "int32": lock.Integer, "int64": lock.Integer, "rune": lock.Integer,
	"uint": lock.Integer, "uint8": lock.Integer, "uint16": lock.Integer, "uint32": lock.Integer, "uint64": lock.Integer, "byte": lock.Integer,
}

// marshaledUse is the use of a field whose own method makes its text.
const marshaledUse = "marshaled"

// useKinds are the kinds of the arguments of functions.
var useKinds = map[string]string{
	"Marshaled": marshaledUse, "MarshaledID": marshaledUse, "MarshaledKey": marshaledUse, "TextOf": marshaledUse, "AppendText": marshaledUse, "HashText": marshaledUse,
	"int64": lock.Integer, "uint64": lock.Integer, "bool": lock.Bool, "float64": lock.Float,
	"AppendTime": lock.Time, "Time": lock.Time,
	"Text": lock.Text, "Lower": lock.Text, "string": lock.Text, "append": lock.Text, "AppendLower": lock.Text, "AppendContainerText": lock.Text, "AppendEscaped": lock.Text,
}

// uses returns what the methods of the key type do with its fields.
func (k generatedKey) uses() map[string]string {
	uses := make(map[string]string)
	for _, decl := range k.file.Decls {
		method, ok := decl.(*ast.FuncDecl)
		if !ok || method.Recv == nil || len(method.Recv.List) != 1 || !isIdent(method.Recv.List[0].Type, k.name) {
			continue
		}
		ast.Inspect(method, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			for _, arg := range call.Args {
				name, kind := keyField(arg), useKinds[called(call)]
				if name != "" && kind != "" && uses[name] != marshaledUse {
					uses[name] = kind
				}
			}
			return true
		})
	}
	return uses
}

// keyField returns the name of the key's field in an expression: k.Code or &k.Code.
func keyField(x ast.Expr) string {
	if pointer, ok := x.(*ast.UnaryExpr); ok {
		x = pointer.X
	}
	selector, ok := x.(*ast.SelectorExpr)
	if !ok || !isIdent(selector.X, "k") {
		return ""
	}
	return selector.Sel.Name
}

// called returns the name of the function or type of a call.
func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

func isIdent(x ast.Expr, name string) bool {
	ident, ok := x.(*ast.Ident)
	return ok && ident.Name == name
}

// identity returns a type in the generated file as [identity] does.
func (k generatedKey) identity(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		if basicKinds[x.Name] != "" {
			return x.Name
		}
		return "." + x.Name
	case *ast.SelectorExpr:
		if pkg, ok := x.X.(*ast.Ident); ok {
			return k.imported(pkg.Name) + "." + x.Sel.Name
		}
	case *ast.IndexExpr:
		return k.identity(x.X) + "[" + k.identity(x.Index) + "]"
	case *ast.IndexListExpr:
		args := make([]string, len(x.Indices))
		for i, arg := range x.Indices {
			args[i] = k.identity(arg)
		}
		return k.identity(x.X) + "[" + strings.Join(args, ",") + "]"
	}
	return ""
}

// imported returns the path of the package that the file calls by a name.
func (k generatedKey) imported(name string) string {
	var likely string
	for _, spec := range k.file.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		switch {
		case err != nil:
		case spec.Name != nil:
			if spec.Name.Name == name {
				return importPath
			}
		case path.Base(importPath) == name:
			return importPath
		case strings.Contains(importPath, name):
			likely = importPath // such as gopkg.in/x.v1
		}
	}
	return likely
}
