package templates

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
)

// Guard says what the file depends on in its source.
type Guard struct {
	// Structs are the struct types of the package whose fields the file uses, each
	// with all its fields. The document is the first.
	Structs []GuardedStruct
	// Fields are the fields that the file uses of other structs: structs of other
	// packages, and structs with fields whose types the file cannot write.
	Fields []GuardedField
}

// GuardedStruct is a struct type of the package.
type GuardedStruct struct {
	Name   TypeText
	Fields []StructField
}

// StructField is a field of a struct type, as its declaration writes it.
type StructField struct {
	Name string // "" if it is embedded
	Type TypeText
	Tag  string // the text of the tag, without quotes
}

// GuardedField is a field, by its selector from the document.
type GuardedField struct {
	Selector string
	Type     TypeText
}

// TypeText is a Go type of any form, as the file writes it: pieces of text, and
// between them the types that have a name.
type TypeText []TypePart

// TypePart is a piece of text, or a type if Type has a name. The Args of Type are unused.
type TypePart struct {
	Text string
	Type pk.GoType
}

// String returns the type without the packages of its parts, for comments.
func (t TypeText) String() string {
	var b strings.Builder
	for _, part := range t {
		b.WriteString(part.Text + part.Type.Name)
	}
	return b.String()
}

// types calls yield with every named type in g.
func (g Guard) types(yield func(pk.GoType)) {
	for _, s := range g.Structs {
		s.Name.types(yield)
		for _, field := range s.Fields {
			field.Type.types(yield)
		}
	}
	for _, field := range g.Fields {
		field.Type.types(yield)
	}
}

// types calls yield with the type of every part of t.
func (t TypeText) types(yield func(pk.GoType)) {
	for _, part := range t {
		yield(part.Type)
	}
}

// guard stops the build if the file was generated from other source, or for
// another version of the run time. The remedy is part of a name, since compilers
// print names.
//
//	const _ = repository.V1
//
//	func _(vehicleEventChanged_runPkgen func() VehicleEvent) struct {
//		ID   string `json:"id"`
//		Date string `json:"date" cosmos:"pk"`
//	} {
//		return vehicleEventChanged_runPkgen()
//	}
func (f *file) guard() {
	f.out.Line()
	f.out.Add(constant("_", f.lib("V1").Comment("if this does not compile, run the pkgen of the version in go.mod")))
	for _, s := range f.Guard.Structs {
		f.guardStruct(s)
	}
	f.guardFields()
}

// changed is the name that the compiler prints.
func (f *file) changed() string { return f.unexported() + "Changed_runPkgen" }

// guardStruct compares a struct as a whole: names, types, order and tags. The
// parameter is a function, since a struct that contains a mutex must not be copied.
func (f *file) guardStruct(s GuardedStruct) {
	name := s.Name.write()
	f.out.Line()
	f.out.Comment(prose.Comment("If this does not compile, " + s.Name.String() + " has changed: run pkgen."))
	f.out.Func().Id("_").Params(jen.Id(f.changed()).Func().Params().Add(name)).StructFunc(func(g *jen.Group) {
		for _, field := range s.Fields {
			line := field.Type.write()
			if field.Name != "" {
				line = jen.Id(field.Name).Add(line)
			}
			g.Add(line, raw(quotedTag(field.Tag)))
		}
	}).Block(jen.Return(jen.Id(f.changed()).Call()))
}

// guardFields compares single fields by their types.
//
//	func _(vehicleEventChanged_runPkgen *VehicleEvent) {
//		var _ *string = &vehicleEventChanged_runPkgen.Name
//	}
func (f *file) guardFields() {
	lines := f.Guard.Fields
	if f.Guard.Structs == nil {
		for _, field := range f.allFields() {
			lines = append(lines, GuardedField{field.Selector, TypeText{{Type: field.Type}}})
		}
	}
	if f.Rest != nil && f.Guard.Structs == nil {
		lines = append(lines, GuardedField{f.Rest.Selector, TypeText{{Text: "map[string]"}, {Type: pk.GoType{Path: jsonPath, Name: "RawMessage"}}}})
	}
	f.guardSelected(lines, f.changed(), jen.Id(f.Name))
}

// guardSelected compares fields of a type, by their types. Changed is the name that the compiler
// prints.
func (f *file) guardSelected(fields []GuardedField, changed string, of jen.Code) {
	if fields == nil {
		return
	}
	f.declare("If this does not compile, a field that is used here has changed: run pkgen.",
		jen.Func().Id("_").Params(param(changed, ptr(of))).Block(collect(fields, func(field GuardedField) jen.Code {
			return assign(jen.Var().Id("_").Add(ptr(field.Type.write())), addr(jen.Id(changed).Dot(field.Selector)))
		})...))
}

// write writes a type as the file refers to it.
func (t TypeText) write() *jen.Statement {
	s := &jen.Statement{}
	for _, part := range t {
		if part.Text != "" {
			s.Add(raw(part.Text))
		} else {
			s.Add(goType(part.Type))
		}
	}
	return s
}

// quotedTag writes a tag in back quotes, if they can quote all of it and all of it
// is visible.
func quotedTag(tag string) string {
	switch {
	case tag == "":
		return ""
	case strconv.CanBackquote(tag) && !strings.ContainsFunc(tag, func(r rune) bool { return !unicode.IsPrint(r) }):
		return "`" + tag + "`"
	}
	return strconv.Quote(tag)
}
