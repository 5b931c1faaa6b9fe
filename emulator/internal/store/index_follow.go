package store

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/jsontext"
	"github.com/cosmos-pkgen/pkgen/internal/charge"
)

// follow applies due versions: to an index from its source, and to a replica from other regions.
// It does nothing for other containers. The caller holds no lock of a container.
func (c *Container) follow(now time.Time) {
	if c.group != nil {
		c.followReplicas(now)
	}
	if c.derived == nil || c.replica > 0 {
		return
	}
	s := c.derived.source
	s.rlock(now)
	defer s.mu.RUnlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.catchUp(now)
}

// feedIndexes applies the due versions to the indexes of a container, so that the container
// can drop them. The caller holds the lock for writing.
func (c *Container) feedIndexes(now time.Time) {
	for _, x := range c.indexes {
		x.mu.Lock()
		x.catchUp(now)
		x.mu.Unlock()
	}
}

// catchUp builds an index when its time has come, and applies the versions that are due. The
// caller holds the lock of the source, and that of the index for writing.
func (c *Container) catchUp(now time.Time) {
	x := c.derived
	if c.gone || x.pace.paused.Load() || x.latest.After(now) {
		return
	}
	if !x.built {
		at := x.builtAt()
		if at.After(now) {
			return
		}
		c.build(at)
	}
	if x.position == x.source.nextVersion {
		return
	}
	defer c.feedReplicas(now)
	for _, v := range x.pending(now) {
		at := x.pace.due(time.Unix(0, v.at), 1)
		if at.Before(x.latest) {
			at = x.latest
		}
		if at, ok := c.admitEntry(v, at, now); !ok {
			x.latest = at // where the next attempt begins
			return
		}
		x.latest, x.position = at, v.number
		c.derive(v.Document.Seq, v.current(), at, true)
	}
}

// current is the document after the change, or nil if it has been deleted.
func (v Version) current() *Document {
	if v.Kind == Delete {
		return nil
	}
	return v.Document
}

// pending returns the versions of the source that are due, in the order of their numbers, up
// to the first version that is not due.
func (x *derivation) pending(now time.Time) []Version {
	var list []Version
	end := uint64(math.MaxUint64)
	for _, r := range x.source.Ranges {
		from := sort.Search(len(r.versions), func(i int) bool { return r.versions[i].number > x.position })
		for _, v := range r.versions[from:] {
			if x.pace.due(time.Unix(0, v.at), 1).After(now) {
				end = min(end, v.number)
				break
			}
			list = append(list, v)
		}
	}
	list = slices.DeleteFunc(list, func(v Version) bool { return v.number > end })
	slices.SortFunc(list, func(a, b Version) int { return cmp.Compare(a.number, b.number) })
	return list
}

// applied returns how many versions of a range of a source all its indexes have applied. An
// index that has not been built needs none.
func (c *Container) applied(r *Range) int {
	n := len(r.versions)
	for _, x := range c.indexes {
		if x.derived.built {
			n = min(n, sort.Search(n, func(i int) bool { return r.versions[i].number > x.derived.position }))
		}
	}
	return n
}

// build derives the entries of all documents that the source has. An earlier attempt may
// have been cut short by the end of the process.
func (c *Container) build(at time.Time) {
	x := c.derived
	for _, r := range c.Ranges {
		for d := range r.Snapshot().Docs.All() {
			if x.source.bySeq(d.Seq) == nil {
				c.derive(d.Seq, nil, at, false)
			}
		}
	}
	for _, r := range x.source.Ranges {
		for d := range r.docs.now.All() {
			if x.source.expiry(d) > at.Unix() {
				c.derive(d.Seq, d, at, false)
			}
		}
	}
	x.built, x.position, x.latest = true, x.source.nextVersion, at
	c.record(c.kept()...)
}

// bySeq returns the document with a seq, or nil. The caller holds the lock.
func (c *Container) bySeq(seq uint64) *Document {
	for _, r := range c.Ranges {
		i, j := r.docs.now.search(seq - 1)
		if i < len(r.docs.now.chunks) {
			if d := r.docs.now.chunks[i].docs[j]; d.Seq == seq {
				return d
			}
		}
	}
	return nil
}

// admitEntry waits, in the time of the account, until the physical partitions that an entry
// leaves and reaches have request units left. It returns the time of the entry, and false if
// that is after now.
func (c *Container) admitEntry(v Version, at, now time.Time) (time.Time, bool) {
	if c.Rate() == 0 {
		return at, true
	}
	var keys []*Key
	if old := c.bySeq(v.Document.Seq); old != nil {
		keys = append(keys, old.Key)
	}
	if in := c.entryOf(v.current()); in != nil {
		keys = append(keys, in.key)
	}
	for _, k := range keys {
		if wait := c.rangeOf(k.EPK).Budget.Admit(at, c.Rate()); wait > 0 {
			at = at.Add(wait)
		}
	}
	return at, !at.After(now)
}

// derive updates the entry of a document. d is the document, or nil if the source no longer
// has it. If charged is true, the budgets of the physical partitions pay for the entry.
func (c *Container) derive(seq uint64, d *Document, at time.Time, charged bool) {
	c.expire(at)
	old, in := c.bySeq(seq), c.entryOf(d)
	var list []Change
	if old != nil && (in == nil || in.key.Text != old.Key.Text) { // the entry moves, or goes
		list = c.changeEntry(change{old: old}, at, charged)
		old = nil
	}
	if in != nil {
		next, err := c.newVersion(in, old, at)
		switch {
		case err == nil:
			list = append(list, c.changeEntry(change{old, next}, at, charged)...)
		case old != nil: // the document has become too large to be an entry
			list = append(list, c.changeEntry(change{old: old}, at, charged)...)
		}
	}
	c.record(list...)
}

// changeEntry makes a change as a transaction of its own, and returns its records.
func (c *Container) changeEntry(ch change, at time.Time, charged bool) []Change {
	d := cmp.Or(ch.new, ch.old)
	t := c.begin(d.Key, at)
	t.apply(ch)
	if charged {
		cost := charge.Write(len(d.Raw))
		c.derived.charge += cost
		t.Range.Budget.Spend(cost)
	}
	return t.kept()
}

// entryOf returns the entry of a document of the source. d may be nil. It returns nil if the
// document cannot be an entry: its key there is an object, an array or too long.
func (c *Container) entryOf(d *Document) *Incoming {
	if d == nil {
		return nil
	}
	id := uuidText([16]byte(childRID(c.derived.source.rid, d.Seq)))
	members := []jsontext.Member{{Name: "id", Raw: jsontext.Quote(id)}, {Name: sourceID, Raw: jsontext.Quote(d.id)}}
	list, _ := jsontext.Members(d.Raw) // the store wrote this text
	for _, m := range list {
		own := m.Name == "id" || m.Name == sourceID || slices.Contains(systemProperties, m.Name)
		if !own && (c.derived.properties == nil || slices.Contains(c.derived.properties, m.Name)) {
			members = append(members, m)
		}
	}
	properties := jsontext.ByName(members)
	key, err := c.keyOf(properties)
	if err != nil {
		return nil
	}
	ttl, _ := parseTTL(properties["ttl"]) // the source has checked it
	return &Incoming{ID: id, key: key, ttl: ttl, properties: members, seq: d.Seq}
}
