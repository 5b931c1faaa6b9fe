package store

import (
	"cmp"
	"slices"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/internal/charge"
)

// ActionKind is what an action does.
type ActionKind uint8

// Kinds of actions.
const (
	Create ActionKind = iota + 1
	Upsert
	Read
	Replace
	Delete
	PatchItem
)

// Action is one operation on an item, alone or in a batch.
type Action struct {
	Kind ActionKind
	Key  *Key
	// ID names the item of a read, replace, patch or delete.
	ID string
	// Incoming is the document of a create, upsert or replace.
	Incoming *Incoming
	Patch    *Patch
	// IfMatch and IfNoneMatch are the conditions, entity tags or *.
	IfMatch, IfNoneMatch string
}

// Outcome is the result of an action.
type Outcome struct {
	Document *Document // the document read, written or deleted
	Status   int       // status.OK, Created, NoContent or NotModified
	Charge   float64   // in request units
}

// Transaction is a set of actions on one logical partition that take effect together. The
// container stays locked until the transaction ends, for writing if it contains a write.
type Transaction struct {
	Container *Container
	Range     *Range
	now       time.Time
	// lsn is the sequence number that all writes of the transaction get.
	lsn  int64
	undo []change
	// local is the LSN of the region's last write before it, if several regions accept writes.
	local int64
}

// change is a write: a nil old is a creation, a nil new a deletion.
type change struct{ old, new *Document }

// Transact runs f with a transaction on the logical partition of a key. readOnly transactions
// run concurrently. The transaction ends when f returns.
func (c *Container) Transact(k *Key, now time.Time, readOnly bool, f func(t *Transaction) error) error {
	if readOnly {
		c.rlock(now)
		defer c.mu.RUnlock()
	} else {
		c.lock(now)
		defer c.mu.Unlock()
	}
	t := c.begin(k, now)
	defer t.record()
	defer t.stamp()
	return f(t)
}

// begin returns a transaction on the logical partition of a key. The caller holds the lock.
func (c *Container) begin(k *Key, now time.Time) *Transaction {
	r := c.rangeOf(k.EPK)
	return &Transaction{Container: c, Range: r, now: now, lsn: r.LSN + 1, local: c.local(r)}
}

// writable refuses a write to an index, and a write to a region that follows another.
func (t *Transaction) writable() error {
	switch {
	case t.Container.derived != nil:
		return t.Container.readOnly()
	case t.Container.follows():
		return status.WrongRegion()
	}
	return nil
}

// DeleteAll deletes the documents of the logical partition of a key, which must be the key of
// the transaction.
func (t *Transaction) DeleteAll(k *Key) error {
	if err := t.writable(); err != nil {
		return err
	}
	for d := range t.Container.DocumentsOf(k).All() {
		t.apply(change{old: d})
	}
	return nil
}

// Perform runs one action. If it fails, it has no effect.
func (t *Transaction) Perform(a *Action) (Outcome, error) {
	if a.Kind != Read {
		if err := t.writable(); err != nil {
			return Outcome{}, err
		}
	}
	old := t.Container.find(a.Key, a.ID)
	switch a.Kind {
	case Create:
		if old != nil {
			return Outcome{}, status.AlreadyExists()
		}
		return t.write(a, nil, status.Created)
	case Upsert:
		if old == nil { // the service ignores If-Match in this case
			return t.write(a, nil, status.Created)
		}
	}
	if old == nil {
		return Outcome{}, status.NoSuchEntity()
	}
	if a.Kind == Read {
		if a.IfNoneMatch == old.ETag() || a.IfNoneMatch == "*" {
			return Outcome{old, status.NotModified, charge.Refused}, nil
		}
		return Outcome{old, status.OK, charge.Read(len(old.Raw))}, nil
	}
	if a.IfMatch != "" && a.IfMatch != "*" && a.IfMatch != old.ETag() {
		return Outcome{}, status.ConditionFailed()
	}
	switch a.Kind {
	case Delete:
		t.apply(change{old: old})
		return Outcome{old, status.NoContent, charge.Write(len(old.Raw))}, nil
	case PatchItem:
		in, err := t.Container.patched(old, a.Patch)
		if err != nil {
			return Outcome{}, err
		}
		a.Incoming = in
	}
	return t.write(a, old, status.OK)
}

// write stores the document of an action, new or in place of old.
func (t *Transaction) write(a *Action, old *Document, status int) (Outcome, error) {
	d, err := t.Container.newVersion(a.Incoming, old, t.now)
	if err != nil {
		return Outcome{}, err
	}
	t.apply(change{old, d})
	return Outcome{d, status, charge.Write(len(d.Raw))}, nil
}

// apply makes a change and remembers how to undo it.
func (t *Transaction) apply(ch change) {
	t.undo = append(t.undo, ch)
	t.Range.LSN = t.lsn
	t.setLocal(t.lsn)
	t.Container.keep(t.Range, versionOf(ch, t.lsn, t.now))
	if ch.new == nil {
		t.Container.remove(ch.old)
		return
	}
	ch.new.LSN = t.lsn
	t.Container.put(ch.new)
}

// Rollback undoes all changes. No other request has seen them, since the container is locked.
func (t *Transaction) Rollback() {
	for _, ch := range slices.Backward(t.undo) {
		if ch.old == nil {
			t.Container.remove(ch.new)
			continue
		}
		t.Container.put(ch.old)
	}
	if len(t.undo) > 0 {
		t.Range.LSN = t.lsn - 1
		t.setLocal(t.local)
		t.Range.dropVersions(t.lsn)
		t.undo = nil
	}
}

// newVersion makes the document to store: a new document, or the next version of old.
func (c *Container) newVersion(in *Incoming, old *Document, now time.Time) (*Document, error) {
	d := &Document{Key: in.key, TS: now.Unix(), ttl: in.ttl}
	size := 0
	if old != nil {
		d.Seq = old.Seq
		size = len(old.Raw)
	} else {
		d.Seq = cmp.Or(in.seq, c.nextSeq())
	}
	rid := ridText(childRID(c.rid, d.Seq))
	d.id, d.Raw = encodeDocument(in, rid, c.self()+"docs/"+rid+"/", newETag(), d.TS)
	if len(d.Raw) > c.limits.MaxDocument {
		return nil, status.BodyTooLarge(c.limits.MaxDocument)
	}
	if p := c.partitions[d.Key.Text]; p != nil {
		size = p.size() - size
	}
	if grown := int64(size) + int64(len(d.Raw)); grown > c.limits.MaxLogicalPartition {
		return nil, status.PartitionIsFull(c.limits.MaxLogicalPartition)
	}
	if err := c.checkUnique(d); err != nil {
		return nil, err
	}
	c.nextDoc = max(c.nextDoc, d.Seq)
	return d, nil
}
