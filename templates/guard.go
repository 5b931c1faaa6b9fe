package templates

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"
)

// Guard says what the file depends on in the source that it was generated from.
type Guard struct {
	// Structs are the types of the package whose fields are used, the document
	// first, each with all its fields.
	Structs []GuardedStruct
	// Fields are those that are used of other structs: of other packages, or with
	// fields whose types the file cannot write.
	Fields []GuardedField
}

// GuardedStruct is a struct type of the package.
type GuardedStruct struct {
	Name   TypeText
	Fields []StructField
}

// StructField is a field of a struct type, as its declaration has it.
type StructField struct {
	Name string // "" if it is embedded
	Type TypeText
	Tag  string // its text, without quotes
}

// GuardedField is a field by the selector from the document.
type GuardedField struct {
	Selector string
	Type     TypeText
}

// TypeText is a Go type of any form as the file writes it: text, with the types
// that have a name between.
type TypeText []TypePart

// TypePart is text, or a type if that has a name, whose Args are not used.
type TypePart struct {
	Text string
	Type GoType
}

// guard stops the build where the file does not belong to what it is compiled
// with. The remedy stands in a name, since that is what compilers print.
//
//	const _ = repository.V1
//
//	func _(vehicleEventChanged_runPkgen func() VehicleEvent) struct {
//		ID string `json:"id"`
//
//		Date string `json:"date" cosmos:"pk"`
//	} {
//		return vehicleEventChanged_runPkgen()
//	}
func (f *file) guard() {
	f.declare("If this does not compile, this file and the repository package do not belong together: "+
		"run the pkgen of the version in go.mod.",
		jen.Const().Id("_").Op("=").Qual(repositoryPath, "V1"))
	for _, s := range f.Guard.Structs {
		f.guardStruct(s)
	}
	f.guardFields()
}

// changed is the name that the compiler prints.
func (f *file) changed() string { return f.unexported() + "Changed_runPkgen" }

// guardStruct compares a struct as a whole: names, types, order and tags. It
// takes a function, since a struct that holds a lock must not be copied. The
// empty lines keep gofmt from aligning fields, so that one more does not change
// the lines of the others.
func (f *file) guardStruct(s GuardedStruct) {
	name := s.Name.write()
	f.out.Line()
	f.out.Comment(comment("If this does not compile, " + s.Name.String() + " is another struct than this file was generated from: run pkgen."))
	f.out.Func().Id("_").Params(jen.Id(f.changed()).Func().Params().Add(name)).StructFunc(func(g *jen.Group) {
		for i, field := range s.Fields {
			if i > 0 {
				g.Line()
			}
			line := field.Type.write()
			if field.Name != "" {
				line = jen.Id(field.Name).Add(line)
			}
			g.Add(line.Op(quotedTag(field.Tag)))
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
	var all []jen.Code
	for _, field := range lines {
		all = append(all, jen.Var().Id("_").Op("*").Add(field.Type.write()).Op("=").Op("&").Id(f.changed()).Dot(field.Selector))
	}
	if f.Rest != nil && f.Guard.Structs == nil {
		all = append(all, jen.Var().Id("_").Add(restType()).Op("=").Op("&").Id(f.changed()).Dot(f.Rest.Selector))
	}
	if all != nil {
		f.declare("If this does not compile, a field that is used here has changed: run pkgen.",
			jen.Func().Id("_").Params(jen.Id(f.changed()).Op("*").Id(f.Name)).Block(all...))
	}
}

// write writes a type as the file refers to it.
func (t TypeText) write() *jen.Statement {
	s := &jen.Statement{}
	for _, part := range t {
		if part.Text != "" {
			s.Op(part.Text)
		} else {
			s.Add(goType(part.Type))
		}
	}
	return s
}

// String returns the type without the packages of its parts, for comments.
func (t TypeText) String() string {
	var b strings.Builder
	for _, part := range t {
		b.WriteString(part.Text + part.Type.Name)
	}
	return b.String()
}

// quotedTag writes a tag, as it usually is if all of it can be seen.
func quotedTag(tag string) string {
	switch {
	case tag == "":
		return ""
	case strconv.CanBackquote(tag) && !strings.ContainsFunc(tag, func(r rune) bool { return !unicode.IsPrint(r) }):
		return "`" + tag + "`"
	}
	return strconv.Quote(tag)
}
