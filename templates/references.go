package templates

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"
)

// reference is a field by which a variable refers to a property. Its value is the
// path of the property. If the property has properties of its own, it is a struct,
// with a field for each of these.
type reference struct {
	name   string    // of the field: "Position"
	doc    string    // the comment of the field: "A number at /speed."
	kind   FieldKind // the type of the field, or of the field that a struct embeds; without a Name if there is none
	value  string    // the path: "/position"
	within []reference

	typeName string // the name of the struct, or "" if nothing is within: "vehicleEventPositionFields"
	typeDoc  string // the comment of the struct, without its name
}

// nameTypes names the structs of references, each before the structs within it. It
// does not use the name of the variable.
//
//	vehicleEventPositionFields
func (t *Type) nameTypes(all []reference, variable, suffix string) []reference {
	taken := names{}
	taken.add(variable)
	var walk func(path string, all []reference)
	walk = func(path string, all []reference) {
		for i := range all {
			if r := &all[i]; len(r.within) > 0 {
				r.typeName = taken.take(t.unexported() + path + r.name + suffix)
				walk(path+r.name, r.within)
			}
		}
	}
	walk("", all)
	return all
}

// structs returns the references that are structs, each before the structs within
// it.
func structs(all []reference) []reference {
	var out []reference
	for _, r := range all {
		if len(r.within) > 0 {
			out = append(append(out, r), structs(r.within)...)
		}
	}
	return out
}

// typeNames returns the names of the types that references need.
func typeNames(all []reference) []string {
	var out []string
	for _, r := range structs(all) {
		out = append(out, r.typeName)
	}
	return out
}

// references writes a variable that refers to properties, and the types of its
// fields.
//
// The variable has only texts. So no code runs for it when a program starts, and a
// program that does not use it does not contain it. The comments keep gofmt from
// aligning types, and the blank lines keep it from aligning values, so that a new
// property does not change the lines of the others.
func (f *file) references(variable, doc string, all []reference) {
	f.declare(variable+" "+doc, jen.Var().Id(variable).Op("=").
		StructFunc(func(g *jen.Group) { f.referenceFields(g, all) }).
		Custom(multiLine, values(all)...))
	for _, r := range structs(all) {
		f.declare(r.typeName+" "+r.typeDoc, jen.Type().Id(r.typeName).StructFunc(func(g *jen.Group) {
			if r.kind.Name != "" {
				g.Add(f.kind(r.kind))
			}
			f.referenceFields(g, r.within)
		}))
	}
}

// referenceFields writes the fields of a struct that refers to properties.
func (f *file) referenceFields(g *jen.Group, all []reference) {
	for _, r := range all {
		g.Comment(comment(r.doc))
		if r.typeName != "" {
			g.Id(r.name).Id(r.typeName)
		} else {
			g.Id(r.name).Add(f.kind(r.kind))
		}
	}
}

// values writes the values of a struct that refers to properties, each with the
// name of its field.
func values(all []reference) []jen.Code {
	out := make([]jen.Code, len(all))
	for i, r := range all {
		value := jen.Lit(r.value)
		if r.typeName != "" {
			within := values(r.within)
			if r.kind.Name != "" { // the struct embeds it
				within[0] = jen.Line().Add(within[0])
				within = slices.Insert(within, 0, jen.Code(jen.Id(r.kind.Name).Op(":").Add(value)))
			}
			value = jen.Id(r.typeName).Custom(multiLine, within...)
		}
		item := jen.Id(r.name).Op(":").Add(value)
		if i > 0 {
			item = jen.Line().Add(item)
		}
		out[i] = item
	}
	return out
}

// kind writes the type of a field.
//
//	repository.Map[Trip, repository.Number[Trip, int]]
//	repository.PatchMap[Trip, int, repository.PatchNumber[Trip, int]]
func (f *file) kind(k FieldKind) *jen.Statement {
	args := []jen.Code{jen.Id(f.Name)}
	if k.Value.Name != "" {
		args = append(args, goType(k.Value))
	}
	if k.Element != nil {
		args = append(args, f.kind(*k.Element))
	}
	return jen.Qual(repositoryPath, k.Name).Types(args...)
}

// shown writes a JSON pointer in a comment, in quotes if a name has signs of its own.
func shown(pointer string) string {
	if strings.ContainsAny(pointer, "~ .,:;") {
		return strconv.Quote(pointer)
	}
	return pointer
}

// goTypes calls yield with every type that the kinds of properties name.
func goTypes(properties []Property, yield func(GoType)) {
	for _, p := range properties {
		for _, kind := range []*FieldKind{&p.Kind, &p.Patch} {
			for k := kind; k != nil; k = k.Element {
				if k.Value.Name != "" {
					yield(k.Value)
				}
			}
		}
		goTypes(p.Properties, yield)
	}
}
