package model

import (
	"go/types"
	"slices"

	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
)

// systemTypes reports fields whose types cannot hold the value that the service writes into their
// properties: documents would be stored, but could not be read. Fields with a role, the id and the
// time to live are checked elsewhere.
func (d *subject) systemTypes() {
	tagged := make(map[string]bool)
	for _, t := range d.Roles {
		if t.Ref.Property != nil && (t.TS || t.ETag) {
			tagged[t.Ref.PropertyPath()] = true
		}
	}
	for _, name := range facts.SystemProperties {
		ref := d.ByProperty(name)
		if ref == nil || tagged[name] || name == facts.IDProperty || name == facts.TTLProperty {
			continue
		}
		is := d.unreadable(ref)
		if is == "" {
			continue
		}
		kind, example := written(name)
		d.Errorf(d.JSONPosition(ref, d.DeclaredAt(ref)), "field %s has the property %q, in which the service puts a %s, and its type is a JSON %s, so no stored document could be read: declare it as %s, or give it another JSON name",
			ref.Selector, name, kind, is, example)
	}
}

// written returns the JSON type of the service's value of a system property, and a suitable Go
// type.
func written(property string) (kind, example string) {
	if property == facts.TSProperty {
		return "number", "int64"
	}
	return "string", "string"
}

// unreadable returns the JSON type of a field that cannot hold the service's value, or "". A type
// or a document with a method UnmarshalJSON may read anything.
func (d *subject) unreadable(ref *facts.FieldRef) string {
	if d.API() != "" || facts.ReadsJSON(d.Named) {
		return ""
	}
	elem, _ := facts.Pointee(ref.Field().Type())
	is := facts.JSONKind(elem)
	bytes, list := elem.Underlying().(*types.Slice)
	basic, _ := elem.Underlying().(*types.Basic)
	switch kind, _ := written(ref.JSON.Name); {
	case facts.IsTime(elem) || facts.IsInstant(elem): // they read only their own texts
		return "string with a time"
	case facts.ReadsJSON(elem):
		return ""
	case ref.JSON.Quoted && basic != nil:
		return "string in quotes"
	case list && is == "string" && facts.IsBytes(bytes):
		return "string of base64"
	case kind == "number" && basic != nil && slices.Contains(narrow, basic.Kind()):
		return "number below 65536"
	case is == kind || is == "any":
		return ""
	}
	return is
}

// narrow are the integer types that cannot hold current Unix times.
var narrow = []types.BasicKind{types.Int8, types.Int16, types.Uint8, types.Uint16}
