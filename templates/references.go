package templates

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/templates/internal/scope"
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
	all := fieldsOf(t.Properties)
	switch t.API {
	case NoSQL:
	case Table: // tables keep the version and the key next to the properties
		all = namesOf(slices.DeleteFunc(slices.Clone(t.Properties), func(p Property) bool {
			return t.ETag != nil && p.Pointer == t.ETag.Pointer || t.Stored != nil && p.Pointer == t.Stored.Pointer
		}))
	default:
		all = namesOf(t.Properties)
	}
	return t.nameTypes(all, t.fieldsName(), "Fields")
}

// kindWords says what a property is for a query.
func kindWords(k FieldKind) string {
	switch k.Name {
	case "Number":
		return "A number"
	case "String":
		return "A string"
	case "Text":
		return "A text"
	case "Bool":
		return "A boolean"
	case "Instant":
		return "A time"
	case "List":
		return "A list"
	case "Map":
		return "A map"
	case "Vector":
		return "A vector"
	case "FullText":
		return "A string of full text"
	case "Opaque":
		return "A value that queries cannot compare,"
	}
	return "An object"
}

// kindName is the name of a kind in a sentence.
func kindName(k FieldKind) string {
	switch k.Name {
	case "Bool":
		return "boolean"
	case "Instant":
		return "time"
	}
	return strings.ToLower(k.Name)
}

// withZero are the kinds that compare with the zero value of a Go type.
var withZero = []string{"Number", "String", "Text", "Bool", "Instant", "FullText"}

func fieldsOf(properties []Property) []reference {
	all := make([]reference, len(properties))
	for i, p := range properties {
		doc := kindWords(p.Kind) + " at " + shown(p.Pointer) + p.formerly()
		if p.Vector != nil {
			doc += p.Vector.words()
		}
		if p.Omitted && slices.Contains(withZero, p.Kind.Name) {
			doc += "; where it is absent, it counts as zero"
		}
		all[i] = reference{
			name: p.Name, doc: doc + ".", kind: p.Kind, value: p.marked(), within: fieldsOf(p.Properties),
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
		switch p.Kind.Name {
		case "":
			r.doc, r.typeDoc = "What is in "+name+".", "refers to what is in "+name+"."
		case "Opaque":
			r.doc = "The value " + name + ", which queries cannot compare."
		default:
			r.doc = "The " + kindName(p.Kind) + " " + name + "."
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

// formerly says under which other names old documents have a property, or nothing.
func (p *Property) formerly() string {
	if p.Aliases == nil {
		return ""
	}
	_, within, nested := strings.Cut(p.Pointer[1:], "/")
	old := make([]string, len(p.Aliases))
	for i, name := range p.Aliases {
		if old[i] = "/" + name; nested {
			old[i] += "/" + within
		}
		old[i] = shown(old[i])
	}
	return ", in old documents at " + strings.Join(old, " or ")
}

// patchReferences returns the references by which patches change properties.
func (t *Type) patchReferences() []reference {
	return t.nameTypes(patchesOf(t.Properties), t.patchName(), "Patch")
}

func patchesOf(properties []Property) []reference {
	var all []reference
	for _, p := range properties {
		r := reference{name: p.Name, kind: p.Patch, value: p.path(), within: patchesOf(p.Properties)}
		r.doc = operationsOf(p.Patch) + " " + shown(p.Pointer)
		switch whole := p.Patch.Name != ""; {
		case whole:
			r.typeDoc = "changes " + shown(p.Pointer) + " and what is in it."
			rename(r.within, p.Patch.Name)
			if len(r.within) > 0 {
				r.doc += ", or what is in it"
			}
		case len(r.within) > 0:
			r.doc = "Changes what is in " + shown(p.Pointer)
			r.typeDoc = "changes what is in " + shown(p.Pointer) + "."
		default:
			continue
		}
		r.doc += "."
		all = append(all, r)
	}
	return all
}

// operationsOf says what patches can do with a property.
func operationsOf(k FieldKind) string {
	switch k.Name {
	case "PatchNumber":
		return "Sets, removes or increments"
	case "PatchList":
		return "Sets, removes or appends to"
	case "PatchMap":
		return "Sets or removes all or one value of"
	}
	return "Sets or removes"
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
