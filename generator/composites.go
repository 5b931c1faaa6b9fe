package generator

import (
	"go/token"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// composites returns the composite indexes that d's own orders need.
func (d *subject) composites() [][]templates.IndexPath {
	var out [][]templates.IndexPath
	for _, order := range d.options.Orders {
		var index []templates.IndexPath
		for _, by := range order {
			pos := d.options.at(by.Offset)
			ref := d.namedField("orders", by.Text, pos)
			if ref == nil || !d.sortable(ref, pos) {
				continue
			}
			path := indexPath(ref.property)
			if slices.ContainsFunc(index, func(p templates.IndexPath) bool { return p.Path == path }) {
				d.errorf(pos, "field %s is in the order already, by another path: remove one", ref.selector)
				continue
			}
			index = append(index, templates.IndexPath{Path: path, Descending: by.Descending})
		}
		out = append(out, index)
	}
	return out
}

// sortable checks that queries can sort by a field.
func (d *subject) sortable(ref *fieldRef, pos token.Position) bool {
	t, _ := pointee(ref.field().Type())
	reason := ""
	switch d.fieldKind(t).Name {
	case "List":
		reason = "it is a list, which has no order"
	case "Map", "Object":
		reason = "it is an object, which has no order; name a field in it"
	}
	switch {
	case ref.property == nil:
		pos = d.jsonPosition(ref, pos)
		reason = d.unwritten(ref)
	case d.hiding(ref) != "":
		reason = d.hiding(ref) + " writes JSON of its own, so documents do not have this property; keep it in a field of the document"
	case ref.json.quoted: // a text, whatever it is a text of
		reason = ""
	case reason == "" && isTime(t):
		d.note(annotations.NoteTimeOrder, pos, "orders by "+ref.selector+" are not those of time: it is a time.Time, whose JSON texts differ in offset and precision; use a repository.Time")
	}
	if reason != "" {
		d.errorf(pos, "field %s cannot be in an order: %s", ref.selector, reason)
	}
	return reason == ""
}

// indexPath returns a property in the notation of indexing policies, where names
// of other characters than letters, digits and underscores stand in quotes
// ("Indexing policies in Azure Cosmos DB"). JSON names that encoding/json takes
// hold neither quotes nor backslashes.
func indexPath(names []string) string {
	var b strings.Builder
	for _, name := range names {
		if badName([]string{name}) != "" {
			name = `"` + name + `"`
		}
		b.WriteString("/" + name)
	}
	return b.String()
}

// indexes returns the composite indexes of the container: those of all types that
// are kept there, by the names of the types, each once.
func (d *member) indexes() [][]templates.IndexPath {
	var out [][]templates.IndexPath
	for _, p := range d.peers {
		for _, index := range p.composites {
			if !slices.ContainsFunc(out, func(other []templates.IndexPath) bool { return sameIndex(other, index) }) {
				out = append(out, index)
			}
		}
	}
	return out
}

// sameIndex reports whether two indexes serve the same orders. An index serves
// the order with all directions turned round as well.
func sameIndex(a, b []templates.IndexPath) bool {
	turned := slices.Clone(b)
	for i := range turned {
		turned[i].Descending = !turned[i].Descending
	}
	return slices.Equal(a, b) || slices.Equal(a, turned)
}
