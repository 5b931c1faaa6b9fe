package emulator

import (
	"slices"
	"sort"
)

// docList is a list of documents in the order of their seq.
type docList []*document

// search returns the index of the first document after seq.
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

// logicalPartition is all documents of one key. Ids are unique in it.
type logicalPartition struct {
	key  *key
	docs docList
	byID map[string]*document
}

// find returns a document of a logical partition, or nil. The caller holds the lock.
func (c *container) find(k *key, id string) *document {
	if p := c.partitions[k.text]; p != nil {
		return p.byID[id]
	}
	return nil
}

// put stores a document, new or in place of the one with its seq, and counts
// the write in its range. The caller holds the lock for writing.
func (c *container) put(d *document) *keyRange {
	p := c.partitions[d.key.text]
	if p == nil {
		p = &logicalPartition{key: d.key, byID: map[string]*document{}}
		c.partitions[d.key.text] = p
	}
	p.docs.put(d)
	p.byID[d.id] = d
	r := c.rangeOf(d.key.epk)
	r.docs.put(d)
	r.lsn++
	return r
}

// remove deletes a document. The caller holds the lock for writing.
func (c *container) remove(d *document) *keyRange {
	p := c.partitions[d.key.text]
	p.docs.remove(d)
	delete(p.byID, d.id)
	if len(p.docs) == 0 {
		delete(c.partitions, d.key.text)
	}
	r := c.rangeOf(d.key.epk)
	r.docs.remove(d)
	r.lsn++
	return r
}
