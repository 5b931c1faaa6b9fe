package server

import (
	"slices"
	"time"
)

// actionKind is what an action does.
type actionKind uint8

// Kinds of actions.
const (
	createItem actionKind = iota + 1
	upsertItem
	readItem
	replaceItem
	deleteItem
	patchItem
)

// action is one operation on an item, alone or in a batch.
type action struct {
	kind actionKind
	key  *key
	// id names the item of a read, replace, patch or delete.
	id string
	// in is the document of a create, upsert or replace.
	in    *incoming
	patch *patch
	// ifMatch and ifNoneMatch are the conditions, entity tags or *.
	ifMatch, ifNoneMatch string
}

// outcome is the result of an action.
type outcome struct {
	doc    *document // the document read, written or deleted
	status int
	charge float64
}

// transaction is a set of actions on one logical partition that take effect
// together. The container is locked until the transaction has ended, for writing if
// there is a write.
type transaction struct {
	c   *container
	r   *keyRange
	now time.Time
	// lsn is the sequence number that all writes of the transaction get.
	lsn  int64
	undo []change
}

// change is a write: a nil old is a creation, a nil new a deletion.
type change struct{ old, new *document }

// transact runs f with a transaction on the logical partition of a key. readOnly
// transactions run side by side. The transaction ends when f returns.
func (c *container) transact(k *key, now time.Time, readOnly bool, f func(t *transaction) error) error {
	if readOnly {
		c.rlock(now)
		defer c.mu.RUnlock()
	} else {
		c.lock(now)
		defer c.mu.Unlock()
	}
	r := c.rangeOf(k.epk)
	return f(&transaction{c: c, r: r, now: now, lsn: r.lsn + 1})
}

// perform runs one action. An error is of type *failure and has no effect.
func (t *transaction) perform(a *action) (outcome, error) {
	old := t.c.find(a.key, a.id)
	switch a.kind {
	case createItem:
		if old != nil {
			return outcome{}, conflict()
		}
		return t.write(a, nil, statusCreated)
	case upsertItem:
		if old == nil { // the service ignores If-Match then
			return t.write(a, nil, statusCreated)
		}
	}
	if old == nil {
		return outcome{}, notFound()
	}
	if a.kind == readItem {
		if a.ifNoneMatch == old.etag || a.ifNoneMatch == "*" {
			return outcome{old, statusNotModified, chargeRefused}, nil
		}
		return outcome{old, statusOK, readCharge(len(old.raw))}, nil
	}
	if a.ifMatch != "" && a.ifMatch != "*" && a.ifMatch != old.etag {
		return outcome{}, preconditionFailed()
	}
	switch a.kind {
	case deleteItem:
		t.apply(change{old: old})
		return outcome{old, statusNoContent, writeCharge(len(old.raw))}, nil
	case patchItem:
		in, err := t.c.patched(old, a.patch)
		if err != nil {
			return outcome{}, err
		}
		a.in = in
	}
	return t.write(a, old, statusOK)
}

// write stores the document of an action, new or in place of old.
func (t *transaction) write(a *action, old *document, status int) (outcome, error) {
	d, err := t.c.newVersion(a.in, old, t.now)
	if err != nil {
		return outcome{}, err
	}
	t.apply(change{old, d})
	return outcome{d, status, writeCharge(len(d.raw))}, nil
}

// apply makes a change and remembers how to undo it.
func (t *transaction) apply(ch change) {
	t.undo = append(t.undo, ch)
	t.r.lsn = t.lsn
	if ch.new == nil {
		t.c.remove(ch.old)
		return
	}
	ch.new.lsn = t.lsn
	t.c.put(ch.new)
}

// rollback undoes all changes. Nobody has seen them, since the container is locked.
func (t *transaction) rollback() {
	for _, ch := range slices.Backward(t.undo) {
		if ch.old == nil {
			t.c.remove(ch.new)
			continue
		}
		t.c.put(ch.old)
	}
	if len(t.undo) > 0 {
		t.r.lsn = t.lsn - 1
		t.undo = nil
	}
}

// newVersion makes the document to store for what a client sent: a new document, or
// the next version of old.
func (c *container) newVersion(in *incoming, old *document, now time.Time) (*document, error) {
	d := &document{id: in.id, key: in.key, etag: newETag(), ts: now.Unix(), ttl: in.ttl}
	size := 0
	if old != nil {
		d.seq = old.seq
		size = len(old.raw)
	} else {
		d.seq = c.nextDoc + 1
	}
	rid := ridText(childRID(c.rid, d.seq))
	d.raw = encodeDocument(in.properties, rid, c.self()+"docs/"+rid+"/", d.etag, d.ts)
	if len(d.raw) > c.limits.maxDocument {
		return nil, tooLarge(c.limits.maxDocument)
	}
	if p := c.partitions[d.key.text]; p != nil {
		size = p.bytes - size
	}
	if grown := int64(size) + int64(len(d.raw)); grown > c.limits.maxLogicalPartition {
		return nil, partitionFull(c.limits.maxLogicalPartition)
	}
	var err error
	if d.value, err = decodeValue(d.raw); err != nil {
		return nil, badRequest("The request payload is invalid. Ensure to provide a valid request payload: %v.", err)
	}
	if err := c.checkUnique(d); err != nil {
		return nil, err
	}
	c.nextDoc = max(c.nextDoc, d.seq)
	return d, nil
}

// checkUnique refuses a document that breaks a unique key. Unique keys hold within a
// logical partition.
func (c *container) checkUnique(d *document) error {
	p := c.partitions[d.key.text]
	if p == nil {
		return nil
	}
	for _, paths := range c.unique {
		for _, other := range p.docs {
			if other.seq != d.seq && sameAt(d.value, other.value, paths) {
				return fail(statusConflict, 0, "Unique index constraint violation.")
			}
		}
	}
	return nil
}
