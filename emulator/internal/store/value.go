package store

import (
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// valueAt follows a path of property names.
func valueAt(v value.Value, path []string) value.Value {
	for _, name := range path {
		v = v.Get(name)
	}
	return v
}

// uniqueValues returns the values of a document at the paths of each unique key of the
// container, as texts. The texts are equal if and only if the values are.
func (c *Container) uniqueValues(d *Document) []string {
	doc := value.View(d.Raw)
	texts := make([]string, len(c.unique))
	for i, paths := range c.unique {
		var text []byte
		for _, path := range paths {
			text = valueAt(doc, path).AppendIdentity(text)
		}
		texts[i] = string(text)
	}
	return texts
}

// checkUnique refuses a document that breaks a unique key. Unique keys hold within a
// logical partition.
func (c *Container) checkUnique(d *Document) error {
	p := c.partitions[d.Key.Text]
	if p == nil || len(c.unique) == 0 || p.list == nil && (p.only == nil || p.only.Seq == d.Seq) {
		return nil
	}
	var only []string // values of the only document, which is not indexed
	if p.list == nil {
		only = c.uniqueValues(p.only)
	}
	for i, text := range c.uniqueValues(d) {
		taken := only != nil && only[i] == text
		if only == nil {
			seq, ok := p.list.unique[i][text]
			taken = ok && seq != d.Seq
		}
		if taken {
			return status.New(status.Conflict, 0, "Unique index constraint violation.")
		}
	}
	return nil
}

// index adds the unique values of a stored document to the index.
func (c *Container) index(l *documents, d *Document) {
	if len(c.unique) == 0 {
		return
	}
	if l.unique == nil {
		l.unique = make([]map[string]uint64, len(c.unique))
		for i := range l.unique {
			l.unique[i] = map[string]uint64{}
		}
	}
	for i, text := range c.uniqueValues(d) {
		l.unique[i][text] = d.Seq
	}
}

// unindex removes the unique values of a replaced or deleted document. d may be nil.
func (c *Container) unindex(l *documents, d *Document) {
	if len(c.unique) == 0 || d == nil {
		return
	}
	for i, text := range c.uniqueValues(d) {
		delete(l.unique[i], text)
	}
}
