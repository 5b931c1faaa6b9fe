package layout

import (
	"encoding/json"

	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/jsonscan"
)

// Set reads the properties of several layouts, and others, from a document at once, so that
// comparing layouts costs little more than one of them. It is immutable, and safe for concurrent
// use.
type Set struct {
	root     node
	slots    int
	layouts  []member
	pointers []int // the slots of the pointers
}

// member is a layout of a set.
type member struct {
	*Layout
	from []int // maps slots of the layout to slots of the set
}

// NewSet returns the set of layouts and of properties at JSON pointers, none of which may be "".
func NewSet(layouts []*Layout, pointers ...string) *Set {
	s := &Set{root: node{slot: -1}}
	for _, l := range layouts {
		m := member{l, make([]int, l.slots)}
		s.merge(&l.reads, nil, m.from)
		s.layouts = append(s.layouts, m)
	}
	for _, p := range pointers {
		s.pointers = append(s.pointers, s.root.add(jsonpointer.Names(p), &s.slots))
	}
	return s
}

// merge adds the properties of a layout below a path.
func (s *Set) merge(n *node, path []string, from []int) {
	if n.slot >= 0 {
		from[n.slot] = s.root.add(path, &s.slots)
	}
	for i := range n.children {
		c := &n.children[i]
		s.merge(c, append(path[:len(path):len(path)], c.name), from)
	}
}

// Document is a document that a set has read. The zero value is ready to use, and a Document may be
// reused. It is not safe for concurrent use.
type Document struct {
	set   *Set
	text  []byte
	spans []span
	some  []span // the spans of one layout
}

// Read reads a document, whose bytes must not change while d is used. If the text is not one JSON
// object, the error is an [*Error]. Read does not allocate if the set has used d before.
func (s *Set) Read(document []byte, d *Document) error {
	if d.set != s {
		*d = Document{set: s, spans: make([]span, s.slots), some: make([]span, s.slots)}
	}
	d.text = document
	clear(d.spans)
	scan := scanner{Checker: jsonscan.Check(document), slots: d.spans}
	if err := scan.read(s.root.children); err != nil {
		clear(d.spans)
		return err
	}
	return nil
}

// Key returns the key of the document by layout i of the set; see [Layout.Key].
func (d *Document) Key(i int) (Key, error) {
	return d.set.layouts[i].key(d.values(i))
}

// values returns the values of layout i of the set.
func (d *Document) values(i int) values {
	m := d.set.layouts[i]
	some := d.some[:len(m.from)]
	for slot, from := range m.from {
		some[slot] = d.spans[from]
	}
	return values{text: d.text, spans: some}
}

// Value returns the JSON at pointer i of the set, or nil if the document lacks it. It shares the
// bytes of the document.
func (d *Document) Value(i int) json.RawMessage {
	return values{text: d.text, spans: d.spans}.at(d.set.pointers[i]).raw
}

// Text returns the string at pointer i of the set, and false if the value is not a JSON string. It
// costs an allocation.
func (d *Document) Text(i int) (string, bool) {
	v := values{text: d.text, spans: d.spans}.at(d.set.pointers[i])
	if v.raw == nil || v.raw[0] != '"' {
		return "", false
	}
	if v.plain {
		return string(v.raw[1 : len(v.raw)-1]), true
	}
	var buffer [64]byte
	text, _ := jsonscan.AppendText(buffer[:0], v.raw)
	return string(text), true
}
