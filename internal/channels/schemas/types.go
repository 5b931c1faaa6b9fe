package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/packages"
)

// module is the path of the root module.
const module = "github.com/cosmos-pkgen/pkgen"

// source is the Go source of the module.
type source struct {
	packages map[string]*packages.Package // by import path
	comments map[token.Pos]string         // comments of fields and types, by the position of their names
}

// load loads the packages of all types, the packages in more, and their imports within the module.
func load(root string, more ...string) (*source, error) {
	found, err := packages.Load(&packages.Config{
		Dir:  root,
		Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedModule,
	}, append(folders(), more...)...)
	if err != nil {
		return nil, err
	}
	s := &source{packages: map[string]*packages.Package{}, comments: map[token.Pos]string{}}
	packages.Visit(found, nil, func(p *packages.Package) {
		if p.Module == nil || p.Module.Path != module {
			return
		}
		for _, e := range p.Errors {
			err = errors.Join(err, e)
		}
		s.packages[p.PkgPath] = p
		for _, file := range p.Syntax {
			ast.Inspect(file, s.comment)
		}
	})
	return s, err
}

// comment records the comment of a field or a type.
func (s *source) comment(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Field:
		text := n.Doc.Text()
		if text == "" {
			text = n.Comment.Text()
		}
		for _, name := range n.Names {
			s.comments[name.Pos()] = sentence(text)
		}
	case *ast.GenDecl:
		for _, spec := range n.Specs {
			if t, ok := spec.(*ast.TypeSpec); ok && n.Doc != nil {
				s.comments[t.Name.Pos()] = sentence(n.Doc.Text())
			}
		}
	}
	return true
}

// sentence joins a comment to one line.
func sentence(text string) string { return strings.Join(strings.Fields(text), " ") }

// cut splits the name of a type into folder and name.
func cut(name string) (folder, typ string) {
	dot := strings.LastIndexByte(name, '.')
	return name[:dot], name[dot+1:]
}

// named returns the type of a name such as internal/verify.Report.
func (s *source) named(name string) (types.Type, error) {
	folder, typ := cut(name)
	p := s.packages[module+"/"+folder]
	if p == nil || p.Types.Scope().Lookup(typ) == nil {
		return nil, fmt.Errorf("there is no type %s", name)
	}
	return p.Types.Scope().Lookup(typ).Type(), nil
}

// writer collects the definitions of a schema.
type writer struct {
	*source

	defs map[string]any
}

// value returns the schema of a Go type's JSON.
func (w *writer) value(t types.Type) (any, error) {
	if named, ok := t.(*types.Named); ok {
		switch named.String() {
		case "time.Time":
			return map[string]any{"type": "string", "format": "date-time"}, nil
		case "encoding/json.RawMessage":
			return true, nil
		}
		for _, method := range []string{"MarshalJSON", "MarshalText"} {
			if m, _, _ := types.LookupFieldOrMethod(t, true, nil, method); m != nil {
				return nil, fmt.Errorf("%s has %s", t, method)
			}
		}
		if fields, ok := named.Underlying().(*types.Struct); ok {
			return w.reference(named, fields)
		}
		if words := w.words(named); len(words) > 0 {
			return map[string]any{"type": "string", "enum": words}, nil
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return basic(u)
	case *types.Pointer:
		return w.nullable(u.Elem())
	case *types.Slice:
		items, err := w.value(u.Elem())
		return map[string]any{"type": []string{"array", "null"}, "items": items}, err
	case *types.Map:
		values, err := w.value(u.Elem())
		return map[string]any{"type": []string{"object", "null"}, "additionalProperties": values}, err
	}
	return nil, fmt.Errorf("%s has no schema", t)
}

// basic returns the schema of a number, a text or a Boolean.
func basic(t *types.Basic) (any, error) {
	switch info := t.Info(); {
	case info&types.IsInteger != 0:
		return map[string]any{"type": "integer"}, nil
	case info&types.IsFloat != 0:
		return map[string]any{"type": "number"}, nil
	case info&types.IsString != 0:
		return map[string]any{"type": "string"}, nil
	case info&types.IsBoolean != 0:
		return map[string]any{"type": "boolean"}, nil
	}
	return nil, fmt.Errorf("%s has no schema", t)
}

// nullable returns the schema of a pointer's element, or null.
func (w *writer) nullable(t types.Type) (any, error) {
	v, err := w.value(t)
	return map[string]any{"anyOf": []any{v, map[string]any{"type": "null"}}}, err
}

// words returns the constants of a string type.
func (w *writer) words(t *types.Named) []string {
	p := w.packages[t.Obj().Pkg().Path()]
	if p == nil || t.Underlying() != types.Typ[types.String] {
		return nil
	}
	var words []string
	for _, name := range p.Types.Scope().Names() {
		if c, ok := p.Types.Scope().Lookup(name).(*types.Const); ok && types.Identical(c.Type(), t) {
			words = append(words, constant.StringVal(c.Val()))
		}
	}
	return words
}

// reference returns a reference to the definition of a struct, and adds the definition.
func (w *writer) reference(named *types.Named, fields *types.Struct) (any, error) {
	name := named.Obj().Name()
	name = strings.ToUpper(name[:1]) + name[1:]
	reference := map[string]any{"$ref": "#/$defs/" + name}
	if other, ok := w.defs[name]; ok {
		if other.(*object).of != named {
			return nil, fmt.Errorf("two types are called %s", name)
		}
		return reference, nil
	}
	o := &object{of: named, Type: "object", Description: w.comments[named.Obj().Pos()], Properties: map[string]any{}, Required: []string{}}
	w.defs[name] = o
	return reference, w.fields(o, fields)
}

// object is the schema of a struct.
type object struct {
	of          *types.Named
	Type        string         `json:"type"`
	Description string         `json:"description,omitempty"`
	Properties  map[string]any `json:"properties"`
	Required    []string       `json:"required"`
}

// fields adds the fields of a struct to the schema of an object, as package json encodes them.
func (w *writer) fields(o *object, fields *types.Struct) error {
	for i := range fields.NumFields() {
		f := fields.Field(i)
		tag := reflect.StructTag(fields.Tag(i)).Get("json")
		name, options, _ := strings.Cut(tag, ",")
		if inner, ok := f.Type().Underlying().(*types.Struct); ok && f.Embedded() && name == "" {
			if err := w.fields(o, inner); err != nil {
				return err
			}
			continue
		}
		if !f.Exported() || name == "-" {
			continue
		}
		if name == "" {
			return fmt.Errorf("the field %s has no name for JSON", f.Name())
		}
		v, err := w.value(f.Type())
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		optional := strings.Contains(options, "omit")
		if m, ok := v.(map[string]any); ok {
			if kinds, ok := m["type"].([]string); ok && optional {
				m["type"] = kinds[0] // without null
			}
			if either, ok := m["anyOf"].([]any); ok && optional {
				m, _ = either[0].(map[string]any)
				v = m
			}
			if text := w.comments[f.Pos()]; text != "" {
				m["description"] = text
			}
		}
		o.Properties[name] = v
		if !optional {
			o.Required = append(o.Required, name)
		}
	}
	return nil
}
