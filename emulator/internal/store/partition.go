package server

import (
	"slices"
	"sort"
)

// docList is a list of documents in the order of their seq.
type docList []*document

// search returns the index of the first document with a higher seq.
func (l docList) search(seq uint64) int {
	return sort.Search(len(l), func(i int) bool { return l[i].seq > seq })
}

// put inserts a document, or replaces the one with its seq.
func (l *docList) put(d *document) {
	i := l.search(d.seq)
	if i > 0 && (*l)[i-1].seq == d.seq {
		(*l)[i-1] = d
		return
	}
	*l = slices.Insert(*l, i, d)
}

// remove deletes the document with the seq of d.
func (l *docList) remove(d *document) {
	if i := l.search(d.seq); i > 0 && (*l)[i-1].seq == d.seq {
		*l = slices.Delete(*l, i-1, i)
	}
}

// logicalPartition holds the documents of one key. Ids are unique in it.
type logicalPartition struct {
	key   *key
	docs  docList
	byID  map[string]*document
	bytes int
}

// find returns a document of a logical partition, or nil. The caller holds the lock.
func (c *container) find(k *key, id string) *document {
	if p := c.partitions[k.text]; p != nil {
		return p.byID[id]
	}
	return nil
}

// put stores a document. It replaces the document with the same key and id, if there
// is one. The caller holds the lock for writing.
func (c *container) put(d *document) {
	p := c.partitions[d.key.text]
	if p == nil {
		p = &logicalPartition{key: d.key, byID: map[string]*document{}}
		c.partitions[d.key.text] = p
	}
	if old := p.byID[d.id]; old != nil {
		p.bytes -= len(old.raw)
	}
	p.bytes += len(d.raw)
	p.docs.put(d)
	p.byID[d.id] = d
	c.rangeOf(d.key.epk).docs.put(d)
	c.schedule(d)
}

// remove deletes a document. The caller holds the lock for writing.
func (c *container) remove(d *document) {
	p := c.partitions[d.key.text]
	p.docs.remove(d)
	p.bytes -= len(d.raw)
	delete(p.byID, d.id)
	if len(p.docs) == 0 {
		delete(c.partitions, d.key.text)
	}
	c.rangeOf(d.key.epk).docs.remove(d)
}

// documentsOf returns the documents of a logical partition in the order of their
// creation. The list is only for reading. The caller holds the lock.
func (c *container) documentsOf(k *key) docList {
	if p := c.partitions[k.text]; p != nil {
		return p.docs
	}
	return nil
}
