package store

// logicalPartition holds the documents of one key. Ids are unique in it.
type logicalPartition struct {
	key   *Key // which all its documents share
	docs  documentList
	byID  map[string]*Document // nil as long as there are few documents
	bytes int
	// unique holds, for each unique key of the container, the seq of the document that
	// has a value.
	unique []map[string]uint64
}

// indexIDsFrom is the number of documents from which on a logical partition has a map of
// their ids. Most have few documents, and an empty map takes more room than a document's
// bookkeeping.
const indexIDsFrom = 16

// find returns the document of an id, or nil.
func (p *logicalPartition) find(id string) *Document {
	if p.byID != nil {
		return p.byID[id]
	}
	for d := range p.docs.now.All() {
		if d.id == id {
			return d
		}
	}
	return nil
}

// put stores a document in place of old, which may be nil.
func (p *logicalPartition) put(d, old *Document) {
	if old != nil {
		p.bytes -= len(old.Raw)
	}
	p.bytes += len(d.Raw)
	p.docs.put(d)
	switch {
	case p.byID != nil:
		p.byID[d.id] = d
	case p.docs.now.Len() >= indexIDsFrom:
		p.byID = make(map[string]*Document, 2*indexIDsFrom)
		for other := range p.docs.now.All() {
			p.byID[other.id] = other
		}
	}
}

// find returns a document of a logical partition, or nil. The caller holds the lock.
func (c *Container) find(k *Key, id string) *Document {
	if p := c.partitions[k.Text]; p != nil {
		return p.find(id)
	}
	return nil
}

// put stores a document. It replaces the document with the same key and id, if there
// is one. The caller holds the lock for writing.
func (c *Container) put(d *Document) {
	p := c.partitions[d.Key.Text]
	if p == nil {
		p = &logicalPartition{key: d.Key}
		c.partitions[d.Key.Text] = p
	}
	d.Key = p.key
	old := p.find(d.id)
	c.unindex(p, old)
	p.put(d, old)
	c.index(p, d)
	c.rangeOf(d.Key.EPK).docs.put(d)
	c.schedule(d)
}

// remove deletes a document. The caller holds the lock for writing.
func (c *Container) remove(d *Document) {
	p := c.partitions[d.Key.Text]
	c.unindex(p, d)
	p.docs.remove(d)
	p.bytes -= len(d.Raw)
	delete(p.byID, d.id)
	if p.docs.now.Len() == 0 {
		delete(c.partitions, d.Key.Text)
	}
	c.rangeOf(d.Key.EPK).docs.remove(d)
}

// DocumentsOf returns a snapshot of the documents of a logical partition, in the order of
// their creation. The caller holds the lock.
func (c *Container) DocumentsOf(k *Key) Documents {
	if p := c.partitions[k.Text]; p != nil {
		return p.docs.snapshot()
	}
	return Documents{}
}
