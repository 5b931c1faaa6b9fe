package model

import (
	"go/token"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/generator/internal/property"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// composites returns the composite indexes for d's own orders.
func (d *subject) composites() [][]templates.IndexPath {
	var out [][]templates.IndexPath
	for _, order := range d.Options.Orders {
		var index []templates.IndexPath
		for _, by := range order {
			pos := d.Options.At(by.Offset)
			ref := d.NamedField("orders", by.Text, pos)
			if ref == nil || !d.sortable(ref, pos) || d.AliasKey(ref, "an order") {
				continue
			}
			path := indexPath(ref.Property)
			if d.API() == annotations.Mongo {
				path = d.Pointer(ref)
			}
			if slices.ContainsFunc(index, func(p templates.IndexPath) bool { return p.Path == path }) {
				d.Errorf(pos, "field %s is in the order already, by another path: remove one", ref.Selector)
				continue
			}
			index = append(index, templates.IndexPath{Path: path, Descending: by.Descending})
		}
		out = append(out, index)
	}
	return out
}

// sortable checks that queries can sort by a field.
func (d *subject) sortable(ref *facts.FieldRef, pos token.Position) bool {
	t, _ := facts.Pointee(ref.Field().Type())
	reason := ""
	switch property.Kind(d.Document, t).Name {
	case "List":
		reason = "it is a list, which has no order"
	case "Map", "Object", "":
		reason = "it is an object, which has no order; name a field in it"
	}
	switch {
	case ref.Property == nil:
		pos = d.JSONPosition(ref, pos)
		reason = d.Unwritten(ref)
	case d.Hiding(ref) != "":
		reason = d.Hiding(ref) + " writes its own JSON, so documents lack this property; keep it in a field of the document"
	case ref.JSON.Quoted: // a text, whatever it is a text of
		reason = ""
	case reason == "" && facts.IsTime(t) && d.API() == "":
		d.Note(annotations.NoteTimeOrder, pos, "orders by "+ref.Selector+" do not sort by time: it is a time.Time, whose JSON texts differ in offset and precision; use a repository.Time")
	}
	if reason != "" {
		d.Errorf(pos, "field %s cannot be in an order: %s", ref.Selector, reason)
	}
	return reason == ""
}

// indexPath returns a property in the notation of indexing policies. It quotes names with
// characters other than letters, digits and underscores ("Indexing policies in Azure Cosmos DB").
// JSON names that encoding/json accepts contain neither quotes nor backslashes.
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

// indexes returns the composite indexes of the container: those of all its types, by type name,
// without duplicates.
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

// sameIndex reports whether two indexes serve the same orders. An index also serves
// the reverse of its order.
func sameIndex(a, b []templates.IndexPath) bool {
	turned := slices.Clone(b)
	for i := range turned {
		turned[i].Descending = !turned[i].Descending
	}
	return slices.Equal(a, b) || slices.Equal(a, turned)
}
