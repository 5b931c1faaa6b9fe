package layout

import (
	"slices"
)

// node is a property that a layout reads, or that contains one.
type node struct {
	name     string
	slot     int // the slot of the value; -1 if only nested properties are read
	children []node
}

// add returns the slot of the property at a path of names.
func (n *node) add(path []string, slots *int) int {
	for _, name := range path {
		n = n.child(name)
	}
	if n.slot < 0 {
		n.slot = *slots
		*slots++
	}
	return n.slot
}

// child returns the property with a name within another one.
func (n *node) child(name string) *node {
	i := slices.IndexFunc(n.children, func(c node) bool { return c.name == name })
	if i < 0 {
		i = len(n.children)
		n.children = append(n.children, node{name: name, slot: -1})
	}
	return &n.children[i]
}

// forget marks the values of a property, and of nested ones, as missing: if a property occurs
// twice, the last one counts.
func (n *node) forget(slots []span) {
	if n.slot >= 0 {
		slots[n.slot] = span{}
	}
	for i := range n.children {
		n.children[i].forget(slots)
	}
}

// span is the position of a value in a document. The zero value is a missing property. It has no
// pointer, so that the spans of a document need no allocation.
type span struct {
	start, end int
	plain      bool // a string that is ASCII without escapes
}

// values are the values that a layout reads of a document, by slot.
type values struct {
	text   []byte
	spans  []span
	bucket int // the given suffix; 0 to compute it
}

// at returns the value in a slot.
func (v values) at(slot int) value {
	s := v.spans[slot]
	if s.end == 0 {
		return value{}
	}
	return value{v.text[s.start:s.end], s.plain}
}

// value is the JSON text of a property. The zero value is a missing property.
type value struct {
	raw   []byte
	plain bool // a string that is ASCII without escapes
}

// kind is the [JSONType] of a value.
func (v value) kind() string { return JSONType(v.raw) }

// JSONType returns the JSON type of a value: "string", "number", "boolean", "null", "object" or
// "array".
func JSONType(text []byte) string {
	switch text[0] {
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	case '{':
		return "object"
	case '[':
		return "array"
	}
	return "number"
}
