package templates

import (
	"strconv"
	"strings"
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

// shown writes a JSON pointer in a comment, in quotes if a name has signs of its own.
func shown(pointer string) string {
	if strings.ContainsAny(pointer, "~ .,:;") {
		return strconv.Quote(pointer)
	}
	return pointer
}
