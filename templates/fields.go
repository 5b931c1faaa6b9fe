package templates

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
	"github.com/cosmos-pkgen/pkgen/templates/internal/scope"
)

// properties writes the variable by which queries refer to the properties of a
// document, and the types of its fields.
//
//	var VehicleEventFields = struct {
//		ID       documents.String[VehicleEvent, string]
//		Position vehicleEventPositionFields
//	}{
//		ID: "/id",
//		Position: vehicleEventPositionFields{
//			Object: "/position",
//			Lat:    "/position/lat",
//		},
//	}
func (f *file) properties() {
	f.references(f.fieldsName, fmt.Sprintf(f.api().fields, f.Name), f.fieldReferences())
}

// patches writes the variable by which patches change the properties of a
// document, and the types of its fields. It writes nothing if patches can change no
// property.
//
//	var VehicleEventPatch = struct {
//		Speed    repository.PatchNumber[VehicleEvent, int]
//		Position vehicleEventPositionPatch
//	}{
//		Speed: "/speed",
//		Position: vehicleEventPositionPatch{
//			PatchValue: "/position",
//			Lat:        "/position/lat",
//		},
//	}
func (f *file) patches() {
	if all := f.patchReferences(); len(all) > 0 {
		f.references(f.patchName, "has the changes that Patch can make to "+f.Name+" documents.", all)
	}
}

// references writes a variable that refers to properties, and the types of its
// fields.
//
// The variable has only texts. So no code runs for it when a program starts, and a
// program that does not use it does not contain it.
func (f *file) references(name, doc string, all []reference) {
	f.declare(name+" "+doc, variable(name, rows(jen.StructFunc(func(g *jen.Group) { f.referenceFields(g, all) }), f.values(all)...)))
	for _, r := range structs(all) {
		f.declare(r.typeName+" "+r.typeDoc, jen.Type().Id(r.typeName).StructFunc(func(g *jen.Group) {
			if r.kind.Name != "" {
				g.Add(f.kind(r.kind, r.of))
			}
			f.referenceFields(g, r.within)
		}))
	}
}

// referenceFields writes the fields of a struct that refers to properties.
func (f *file) referenceFields(g *jen.Group, all []reference) {
	for _, r := range all {
		if r.doc != "" {
			g.Comment(prose.Comment(r.doc))
		}
		if r.typeName != "" {
			g.Id(r.name).Id(r.typeName)
		} else {
			g.Id(r.name).Add(f.kind(r.kind, r.of))
		}
	}
}

// fullText is the type of fields that is a struct, since it has the methods of another.
const fullText = "FullText"

// values writes the values of a struct that refers to properties, each with the
// name of its field.
func (f *file) values(all []reference) []jen.Code {
	out := make([]jen.Code, len(all))
	for i, r := range all {
		value := jen.Lit(r.value)
		if r.kind.Name == fullText {
			value = f.kind(r.kind, r.of).Values(named("String", value))
		}
		if r.typeName != "" {
			within := f.values(r.within)
			if r.kind.Name != "" { // the struct embeds it
				within = slices.Insert(within, 0, jen.Code(named(r.kind.Name, value)))
			}
			value = rows(jen.Id(r.typeName), within...)
		}
		out[i] = named(r.name, value)
	}
	return out
}

// kind writes the type of a field of a type, which is the document if it has no name.
//
//	documents.Map[Trip, documents.Number[Trip, int]]
//	repository.PatchMap[Trip, int, repository.PatchNumber[Trip, int]]
func (f *file) kind(k FieldKind, of pk.GoType) *jen.Statement {
	args := []jen.Code{jen.Id(f.Name)}
	if of.Name != "" {
		args[0] = goType(of)
	}
	switch name, form, _ := strings.Cut(k.Name, " "); {
	case form == "list":
		k.Name, args = name, append(args, jen.Index().Add(goType(k.Value)))
	case form == "map":
		k.Name, args = name, append(args, jen.Map(jen.String()).Add(goType(k.Value)))
	case k.Value.Name != "":
		args = append(args, goType(k.Value))
	}
	if k.Element != nil {
		args = append(args, f.kind(*k.Element, of))
	}
	path := documentsPath
	if strings.HasPrefix(k.Name, "Patch") {
		path = repositoryPath
	}
	return jen.Qual(path, k.Name).Types(args...)
}

// reference is a field by which a variable refers to a property. Its value is the
// path of the property. If the property has properties of its own, it is a struct,
// with a field for each of these.
type reference struct {
	name   string    // of the field: "Position"
	doc    string    // the comment of the field, of vectors and computed properties alone
	kind   FieldKind // the type of the field, or of the field that a struct embeds; without a Name if there is none
	value  string    // the path: "/position"
	of     pk.GoType // the type that has the property; without a Name for the document
	within []reference

	typeName string // the name of the struct, or "" if nothing is within: "vehicleEventPositionFields"
	typeDoc  string // the comment of the struct, without its name
}

// nameTypes names the structs of references, each before the structs within it. It
// does not use the name of the variable.
//
//	vehicleEventPositionFields
func (t *Type) nameTypes(all []reference, variable, suffix string) []reference {
	taken := scope.Of(variable)
	for _, x := range t.Elements {
		taken.Add(x.fieldsName())
	}
	return nameTypesIn(taken, t.unexported(), all, suffix)
}

// nameTypesIn is nameTypes of a type of elements, too: names begin with one.
func nameTypesIn(taken scope.Names, name string, all []reference, suffix string) []reference {
	var walk func(path string, all []reference)
	walk = func(path string, all []reference) {
		for i := range all {
			if r := &all[i]; len(r.within) > 0 {
				r.typeName = taken.Take(name + path + r.name + suffix)
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

// shown writes a JSON pointer in a comment, in quotes if a name has signs of its own.
func shown(pointer string) string {
	if strings.ContainsAny(pointer, "~ .,:;") {
		return strconv.Quote(pointer)
	}
	return pointer
}

// fieldReferences returns the references by which queries name properties.
func (t *Type) fieldReferences() []reference {
	return t.nameTypes(t.api().references(t), t.names().fieldsName, "Fields")
}

// fieldsOf returns the references by which queries name properties of a type, which is the
// document if it has no name.
func fieldsOf(properties []Property, of pk.GoType) []reference {
	all := make([]reference, len(properties))
	for i, p := range properties {
		doc := ""
		switch {
		case p.Vector != nil:
			doc = p.Vector.words()
		case p.Computed != "":
			doc = p.Computed + ", computed by the service."
		}
		all[i] = reference{
			name: p.Name, doc: doc, kind: p.Kind, value: p.marked(), of: of, within: fieldsOf(p.Properties, of),
			typeDoc: "refers to " + shown(p.Pointer) + " and its properties.",
		}
		if p.Element != nil {
			all[i].within = fieldsOf([]Property{*p.Element}, p.Kind.Value)
			all[i].typeDoc = "refers to " + shown(p.Pointer) + " and its elements."
			if p.Pointer == ElementPointer {
				all[i].typeDoc = "refers to an element that is a list, and its elements."
			}
		}
	}
	return all
}

// namesOf is fieldsOf for the APIs that refer to a property by its name.
func namesOf(properties []Property) []reference {
	all := make([]reference, len(properties))
	for i, p := range properties {
		name := dotted(p.Pointer)
		r := reference{name: p.Name, kind: p.Kind, value: name, within: namesOf(p.Properties)}
		if p.Kind.Name == "" {
			r.typeDoc = "refers to the properties of " + name + "."
		}
		if p.Omitted && p.Kind.Name != "" {
			r.value = "?" + name
		}
		all[i] = r
	}
	return all
}

// marked is the text of a reference for queries: "?1/meta/count".
func (p *Property) marked() string {
	switch {
	case p.Vector != nil:
		return strconv.Itoa(p.Vector.Dimensions) + "," + p.Vector.Metric + p.Pointer
	case !p.Omitted:
		return p.path()
	case p.Holder == 0:
		return "?" + p.path()
	}
	return "?" + strconv.Itoa(p.Holder) + p.path()
}

// path is the path of a property for patches, after its aliases: "<fullName/name".
func (p *Property) path() string {
	if p.Aliases == nil {
		return p.Pointer
	}
	return "<" + strings.Join(p.Aliases, "<") + p.Pointer
}

// patchReferences returns the references by which patches change properties.
func (t *Type) patchReferences() []reference {
	return t.nameTypes(patchesOf(t.Properties), t.names().patchName, "Patch")
}

func patchesOf(properties []Property) []reference {
	var all []reference
	for _, p := range properties {
		r := reference{name: p.Name, kind: p.Patch, value: p.path(), within: patchesOf(p.Properties)}
		switch whole := p.Patch.Name != ""; {
		case whole:
			r.typeDoc = "changes " + shown(p.Pointer) + " and its properties."
			rename(r.within, p.Patch.Name)
		case len(r.within) > 0:
			r.typeDoc = "changes the properties of " + shown(p.Pointer) + "."
		default:
			continue
		}
		all = append(all, r)
	}
	return all
}

// rename gives another name to a reference that has the name of the field that its
// struct embeds.
func rename(all []reference, embedded string) {
	taken := scope.Of(embedded)
	for i := range all {
		all[i].name = taken.Take(all[i].name)
	}
}
