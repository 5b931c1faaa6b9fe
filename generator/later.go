package generator

import "go/types"

// laterProperties checks the fields whose properties stored documents may lack.
func (d *document) laterProperties() {
	for _, t := range d.roles {
		if !t.Later {
			continue
		}
		pos, v := t.word("later"), t.ref.field()
		switch _, pointer := pointee(v.Type()); {
		case v.Embedded() && t.ref.property == nil:
			d.errorf(pos, "field %s is embedded, and its fields are properties of the document: put \"later\" on those that came later", t.ref.selector)
		case t.ref.property == nil:
			d.errorf(d.jsonPosition(t.ref, pos), "field %s cannot have come later: %s", t.ref.selector, d.unwritten(t.ref))
		case pointer || types.IsInterface(v.Type()):
			d.errorf(pos, "field %s is nil where documents lack its property, which is no value that predicates compare with: remove \"later\", and ask for IsDefined", t.ref.selector)
		}
	}
}

// laterKey reports a component of the key whose property stored documents may
// lack, since no document is without its key.
func (d *document) laterKey(ref *fieldRef) bool {
	for _, t := range d.roles {
		if t.Later && t.ref.same(ref) {
			d.errorf(t.word("later"), "field %s is in the key, of which no document lacks a part: remove \"later\"", ref.selector)
			return true
		}
	}
	return false
}
