package templates

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"
)

// properties writes the variable by which queries refer to the properties of a
// document, and the types of its parts.
//
//	var VehicleEventFields = struct {
//		// ID is the property id.
//		ID repository.String[VehicleEvent, string]
//		// Position is the property position, an object.
//		Position vehicleEventPositionFields
//	}{
//		"/id",
//		vehicleEventPositionFields{
//			"/position",
//			"/position/lat",
//		},
//	}
//
// It holds nothing but texts, so that no code runs for it when a program starts,
// and a program that does not use it does not contain it. The comments keep
// gofmt from aligning types, and values have no names, so that a new property
// does not change the lines of the others.
func (f *file) properties() {
	all := f.nested()
	typeNames := make(map[*Property]string, len(all))
	for _, n := range all {
		typeNames[n.property] = n.name
	}
	f.declare(f.fieldsName()+" refers to the JSON properties of "+f.Name+" documents, for predicates, orders and projections of queries. "+
		"Each is its path, with ? before it where Go leaves a zero value out.",
		jen.Var().Id(f.fieldsName()).Op("=").
			StructFunc(func(g *jen.Group) { f.fieldsOf(g, f.Properties, typeNames) }).
			Custom(multiLine, values(f.Properties, typeNames)...))
	for _, n := range all {
		f.declare(n.name+" refers to the property "+propertyName(n.property.Pointer)+" and what is in it.",
			jen.Type().Id(n.name).StructFunc(func(g *jen.Group) {
				g.Add(f.kind(n.property.Kind))
				f.fieldsOf(g, n.property.Properties, typeNames)
			}))
	}
}

// withZero are the kinds that compare with the zero value of a Go type.
var withZero = []string{"Number", "String", "Bool", "Instant"}

// fieldsOf writes the fields of a struct that refers to properties.
func (f *file) fieldsOf(g *jen.Group, properties []Property, typeNames map[*Property]string) {
	for i := range properties {
		p := &properties[i]
		doc := p.Name + " is the property " + propertyName(p.Pointer)
		if p.Omitted && slices.Contains(withZero, p.Kind.Name) {
			doc += "; an absent one counts as zero"
		}
		for _, line := range comment(doc + ".") {
			g.Comment(line)
		}
		if name := typeNames[p]; name != "" {
			g.Id(p.Name).Id(name)
		} else {
			g.Id(p.Name).Add(f.kind(p.Kind))
		}
	}
}

// values writes what a struct that refers to properties holds.
func values(properties []Property, typeNames map[*Property]string) []jen.Code {
	all := make([]jen.Code, len(properties))
	for i := range properties {
		p := &properties[i]
		all[i] = jen.Lit(p.reference())
		if name := typeNames[p]; name != "" {
			all[i] = jen.Id(name).Custom(multiLine, append([]jen.Code{all[i]}, values(p.Properties, typeNames)...)...)
		}
	}
	return all
}

// kind writes the type of a field.
//
//	repository.Map[Trip, repository.Number[Trip, int]]
func (f *file) kind(k FieldKind) *jen.Statement {
	args := []jen.Code{jen.Id(f.Name)}
	switch {
	case k.Element != nil:
		args = append(args, f.kind(*k.Element))
	case k.Value.Name != "":
		args = append(args, goType(k.Value))
	}
	return jen.Qual(repositoryPath, k.Name).Types(args...)
}

// reference is what a field of package repository holds: "?1/meta/count".
func (p *Property) reference() string {
	switch {
	case !p.Omitted:
		return p.Pointer
	case p.Holder == 0:
		return "?" + p.Pointer
	}
	return "?" + strconv.Itoa(p.Holder) + p.Pointer
}

// propertyName names the property at a JSON pointer for comments: position.lat,
// or the pointer itself where a name has signs of its own.
func propertyName(pointer string) string {
	path := pointer[1:]
	if strings.ContainsAny(path, ".~ ,:") {
		return strconv.Quote(pointer)
	}
	return strings.ReplaceAll(path, "/", ".")
}

// goTypes calls yield with every type that the kinds of properties name.
func goTypes(properties []Property, yield func(GoType)) {
	for _, p := range properties {
		for k := &p.Kind; k != nil; k = k.Element {
			if k.Value.Name != "" {
				yield(k.Value)
			}
		}
		goTypes(p.Properties, yield)
	}
}
