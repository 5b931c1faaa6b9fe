package templates

import (
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/templates/internal/scope"
)

// reference is a field by which a variable refers to a property. Its value is the
// path of the property. If the property has properties of its own, it is a struct,
// with a field for each of these.
type reference struct {
	name   string    // of the field: "Position"
	doc    string    // the comment of the field, of vectors alone
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
	taken := scope.Names{}
	taken.Add(variable)
	var walk func(path string, all []reference)
	walk = func(path string, all []reference) {
		for i := range all {
			if r := &all[i]; len(r.within) > 0 {
				r.typeName = taken.Take(t.unexported() + path + r.name + suffix)
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
	return t.nameTypes(t.api().references(t), t.fieldsName(), "Fields")
}

func fieldsOf(properties []Property) []reference {
	all := make([]reference, len(properties))
	for i, p := range properties {
		doc := ""
		if p.Vector != nil {
			doc = p.Vector.words()
		}
		all[i] = reference{
			name: p.Name, doc: doc, kind: p.Kind, value: p.marked(), within: fieldsOf(p.Properties),
			typeDoc: "refers to " + shown(p.Pointer) + " and what is in it.",
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
			r.typeDoc = "refers to what is in " + name + "."
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
	return t.nameTypes(patchesOf(t.Properties), t.patchName(), "Patch")
}

func patchesOf(properties []Property) []reference {
	var all []reference
	for _, p := range properties {
		r := reference{name: p.Name, kind: p.Patch, value: p.path(), within: patchesOf(p.Properties)}
		switch whole := p.Patch.Name != ""; {
		case whole:
			r.typeDoc = "changes " + shown(p.Pointer) + " and what is in it."
			rename(r.within, p.Patch.Name)
		case len(r.within) > 0:
			r.typeDoc = "changes what is in " + shown(p.Pointer) + "."
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
	taken := scope.Names{}
	taken.Add(embedded)
	for i := range all {
		all[i].name = taken.Take(all[i].name)
	}
}
