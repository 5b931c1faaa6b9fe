package store

import (
	"slices"
	"sort"
)

// Documents is a list of documents in the order of their seq.
type Documents []*Document

// After returns the index of the first document with a higher seq.
func (l Documents) After(seq uint64) int {
	return sort.Search(len(l), func(i int) bool { return l[i].Seq > seq })
}

// put inserts a document, or replaces the one with its seq.
func (l *Documents) put(d *Document) {
	i := l.After(d.Seq)
	if i > 0 && (*l)[i-1].Seq == d.Seq {
		(*l)[i-1] = d
		return
	}
	*l = slices.Insert(*l, i, d)
}

// remove deletes the document with the seq of d.
func (l *Documents) remove(d *Document) {
	if i := l.After(d.Seq); i > 0 && (*l)[i-1].Seq == d.Seq {
		*l = slices.Delete(*l, i-1, i)
	}
}

// logicalPartition holds the documents of one key. Ids are unique in it.
type logicalPartition struct {
	key   *Key
	docs  Documents
	byID  map[string]*Document
	bytes int
}

// find returns a document of a logical partition, or nil. The caller holds the lock.
func (c *Container) find(k *Key, id string) *Document {
	if p := c.partitions[k.Text]; p != nil {
		return p.byID[id]
	}
	return nil
}

// put stores a document. It replaces the document with the same key and id, if there
// is one. The caller holds the lock for writing.
func (c *Container) put(d *Document) {
	p := c.partitions[d.Key.Text]
	if p == nil {
		p = &logicalPartition{key: d.Key, byID: map[string]*Document{}}
		c.partitions[d.Key.Text] = p
	}
	if old := p.byID[d.id]; old != nil {
		p.bytes -= len(old.Raw)
	}
	p.bytes += len(d.Raw)
	p.docs.put(d)
	p.byID[d.id] = d
	c.rangeOf(d.Key.EPK).Docs.put(d)
	c.schedule(d)
}

// remove deletes a document. The caller holds the lock for writing.
func (c *Container) remove(d *Document) {
	p := c.partitions[d.Key.Text]
	p.docs.remove(d)
	p.bytes -= len(d.Raw)
	delete(p.byID, d.id)
	if len(p.docs) == 0 {
		delete(c.partitions, d.Key.Text)
	}
	c.rangeOf(d.Key.EPK).Docs.remove(d)
}

// DocumentsOf returns the documents of a logical partition in the order of their
// creation. The list is only for reading. The caller holds the lock.
func (c *Container) DocumentsOf(k *Key) Documents {
	if p := c.partitions[k.Text]; p != nil {
		return p.docs
	}
	return nil
}
