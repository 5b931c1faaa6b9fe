package facts

import "go/types"

// laterProperties checks the fields whose properties stored documents may lack.
func (d *Document) laterProperties() {
	for _, t := range d.Roles {
		if !t.Later {
			continue
		}
		pos, v := t.Word("later"), t.Ref.Field()
		switch _, pointer := Pointee(v.Type()); {
		case v.Embedded() && t.Ref.Property == nil:
			d.Errorf(pos, "field %s is embedded, and its fields are properties of the document: put \"later\" on those that came later", t.Ref.Selector)
		case t.Ref.Property == nil:
			d.Errorf(d.JSONPosition(t.Ref, pos), "field %s cannot have come later: %s", t.Ref.Selector, d.Unwritten(t.Ref))
		case pointer || types.IsInterface(v.Type()):
			d.Errorf(pos, "field %s is nil if documents lack its property, and predicates cannot compare with nil: remove \"later\", and ask for IsDefined", t.Ref.Selector)
		}
	}
}

// LaterKey reports a component of the key whose property stored documents may
// lack: every document has its key.
func (d *Document) LaterKey(ref *FieldRef) bool {
	for _, t := range d.Roles {
		if t.Later && t.Ref.Same(ref) {
			d.Errorf(t.Word("later"), "field %s is in the key, and no document lacks a part of its key: remove \"later\"", ref.Selector)
			return true
		}
	}
	return false
}
