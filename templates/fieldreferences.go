package templates

import (
	"slices"
	"strconv"
)

// fieldReferences returns the references by which queries name properties.
func (t *Type) fieldReferences() []reference {
	return t.nameTypes(fieldsOf(t.Properties), t.fieldsName(), "Fields")
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
	case "Opaque":
		return "A value that queries cannot compare,"
	}
	return "An object"
}

// withZero are the kinds that compare with the zero value of a Go type.
var withZero = []string{"Number", "String", "Text", "Bool", "Instant"}

func fieldsOf(properties []Property) []reference {
	all := make([]reference, len(properties))
	for i, p := range properties {
		doc := kindWords(p.Kind) + " at " + shown(p.Pointer)
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

// marked is the text of a reference for queries: "?1/meta/count".
func (p *Property) marked() string {
	switch {
	case !p.Omitted:
		return p.Pointer
	case p.Holder == 0:
		return "?" + p.Pointer
	}
	return "?" + strconv.Itoa(p.Holder) + p.Pointer
}
