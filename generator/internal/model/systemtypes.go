package model

import (
	"go/types"

	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
)

// systemTypes reports fields whose properties the service writes, and whose types cannot
// hold what it writes: documents would be stored, and none could be read. Fields that tags
// give a role are checked with it, and those of the id and of the time to live as well.
func (d *subject) systemTypes() {
	tagged := make(map[string]bool)
	for _, t := range d.Roles {
		if t.Ref.Property != nil && (t.TS || t.ETag) {
			tagged[t.Ref.PropertyPath()] = true
		}
	}
	for _, name := range facts.SystemProperties {
		ref, kind, example := d.ByProperty(name), "string", "string"
		if name == facts.TSProperty {
			kind, example = "number", "int64"
		}
		if ref == nil || tagged[name] || name == facts.IDProperty || name == facts.TTLProperty {
			continue
		}
		elem, _ := facts.Pointee(ref.Field().Type())
		is := facts.JSONKind(elem)
		switch bytes, ok := elem.Underlying().(*types.Slice); {
		case ref.JSON.Quoted:
			is = "string in quotes"
		case ok && is == "string" && facts.IsBytes(bytes):
			is = "string of base64"
		}
		if is == kind || is == "any" {
			continue
		}
		d.Errorf(d.JSONPosition(ref, d.DeclaredAt(ref)), "field %s has the property %q, in which the service puts a %s, and its type is a JSON %s, so that no stored document could be read: declare it as %s, or give it another JSON name",
			ref.Selector, name, kind, is, example)
	}
}
