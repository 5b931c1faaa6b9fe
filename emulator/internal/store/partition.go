package store

// logicalPartition holds the documents of one key. Ids are unique in it. Many logical
// partitions never have more than one document, so that case takes little memory.
type logicalPartition struct {
	key  *Key       // which all its documents share
	only *Document  // the only document; nil if there is a list
	list *documents // nil until there is a second document
}

// documents holds the documents of a key that has, or once had, several.
type documents struct {
	docs documentList
	byID map[string]*Document // nil as long as there are few documents
	// unique maps, for each unique key of the container, a value to the seq of its document.
	unique []map[string]uint64
}

// indexIDsFrom is the number of documents from which on a logical partition has a map of their
// ids. Most partitions have few documents, and an empty map takes more memory than the rest of
// a document's bookkeeping.
const indexIDsFrom = 16

// size is the size of all documents in bytes.
func (p *logicalPartition) size() int {
	switch {
	case p.list != nil:
		return p.list.docs.now.Bytes()
	case p.only != nil:
		return len(p.only.Raw)
	}
	return 0
}

// count is the number of documents.
func (p *logicalPartition) count() int {
	switch {
	case p.list != nil:
		return p.list.docs.now.Len()
	case p.only != nil:
		return 1
	}
	return 0
}

// snapshot returns the present documents, in the order of their creation.
func (p *logicalPartition) snapshot() Documents {
	switch {
	case p.list != nil:
		return p.list.docs.snapshot()
	case p.only != nil:
		return DocumentsOf([]*Document{p.only})
	}
	return Documents{}
}

// find returns the document of an id, or nil.
func (p *logicalPartition) find(id string) *Document {
	switch {
	case p.list != nil:
		return p.list.find(id)
	case p.only != nil && p.only.id == id:
		return p.only
	}
	return nil
}

func (l *documents) find(id string) *Document {
	if l.byID != nil {
		return l.byID[id]
	}
	for d := range l.docs.now.All() {
		if d.id == id {
			return d
		}
	}
	return nil
}

// put stores a document. It replaces the one with its seq.
func (l *documents) put(d *Document) {
	l.docs.put(d)
	switch {
	case l.byID != nil:
		l.byID[d.id] = d
	case l.docs.now.Len() >= indexIDsFrom:
		l.byID = make(map[string]*Document, 2*indexIDsFrom)
		for other := range l.docs.now.All() {
			l.byID[other.id] = other
		}
	}
}

// putIn stores a document in a logical partition, in place of old, which may be nil.
func (c *Container) putIn(p *logicalPartition, d, old *Document) {
	if p.list == nil {
		if p.only == old {
			p.only = d
			return
		}
		first := p.only
		p.only, p.list = nil, &documents{}
		c.putIn(p, first, nil)
	}
	c.unindex(p.list, old)
	p.list.put(d)
	c.index(p.list, d)
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
	p, r := c.partitions[d.Key.Text], c.rangeOf(d.Key.EPK)
	if p == nil {
		p = &logicalPartition{key: d.Key}
		c.partitions[d.Key.Text] = p
		r.keys++
	}
	d.Key = p.key
	c.putIn(p, d, p.find(d.id))
	r.docs.put(d)
	c.schedule(d)
}

// remove deletes a document. The caller holds the lock for writing.
func (c *Container) remove(d *Document) {
	p, r := c.partitions[d.Key.Text], c.rangeOf(d.Key.EPK)
	if l := p.list; l != nil {
		c.unindex(l, d)
		l.docs.remove(d)
		delete(l.byID, d.id)
	} else {
		p.only = nil
	}
	if p.count() == 0 {
		delete(c.partitions, d.Key.Text)
		r.keys--
	}
	r.docs.remove(d)
}

// DocumentsOf returns a snapshot of the documents of a logical partition, in the order of
// their creation. The caller holds the lock.
func (c *Container) DocumentsOf(k *Key) Documents {
	if p := c.partitions[k.Text]; p != nil {
		return p.snapshot()
	}
	return Documents{}
}
