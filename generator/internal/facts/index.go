package facts

import (
	"cmp"
	"go/token"
	"slices"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
)

// OfIndex returns the document with the options of an index in place of its own. No field of it is
// tagged as a part of a key. It collects findings of its own, which [Document.Add] adds to those of
// d. Its notes are acknowledged by the tag of the index, not of the type.
func (d *Document) OfIndex(x TypeOptions) *Document {
	found := &diag.Findings{Report: d.Report, Alone: d.Alone, Blank: "the blank field of the index"}
	for _, a := range d.Acknowledged {
		if a.Field != nil {
			found.Acknowledged = append(found.Acknowledged, a)
		}
	}
	found.Acknowledge(x.Notes, nil, x.At)
	stated, out := *d.Stated, *d
	stated.Options, stated.Indexes, stated.Findings = x, nil, found
	out.Stated = &stated
	out.Roles = slices.DeleteFunc(slices.Clone(d.Roles), func(t *Tagged) bool { return t.PK || t.Synthetic || t.Indexed != "" })
	return &out
}

// Add adds the findings about an index of d.
func (d *Document) Add(index *Document) {
	d.Failed = d.Failed || index.Failed
	d.Notes = append(d.Notes, index.Notes...)
	for _, a := range index.Acknowledged {
		if a.Field == nil {
			d.Acknowledged = append(d.Acknowledged, a)
		}
	}
}

// IndexContainer returns the id of the container of an index.
func (d *Stated) IndexContainer(x TypeOptions) string {
	return cmp.Or(x.Container, DefaultContainer(d.Name()+x.Index))
}

// Word returns the position of a word of the tag.
func (o TypeOptions) Word(name string) token.Position { return o.At(o.Offset(name)) }

// Value returns the position of the value of a word, or of the word if it has none.
func (o TypeOptions) Value(name string) token.Position {
	return o.At(max(o.ValueOffset(name), o.Offset(name)))
}
