package templates

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
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
	f.references(f.fieldsName(), fmt.Sprintf(f.api().fields, f.Name), f.fieldReferences())
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
		f.references(f.patchName(), "has the changes that Patch can make to "+f.Name+" documents.", all)
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
				g.Add(f.kind(r.kind))
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
			g.Id(r.name).Add(f.kind(r.kind))
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
			value = f.kind(r.kind).Values(named("String", value))
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

// kind writes the type of a field.
//
//	documents.Map[Trip, documents.Number[Trip, int]]
//	repository.PatchMap[Trip, int, repository.PatchNumber[Trip, int]]
func (f *file) kind(k FieldKind) *jen.Statement {
	args := []jen.Code{jen.Id(f.Name)}
	if k.Value.Name != "" {
		args = append(args, goType(k.Value))
	}
	if k.Element != nil {
		args = append(args, f.kind(*k.Element))
	}
	path := documentsPath
	if strings.HasPrefix(k.Name, "Patch") {
		path = repositoryPath
	}
	return jen.Qual(path, k.Name).Types(args...)
}
