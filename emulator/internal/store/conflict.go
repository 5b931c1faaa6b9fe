package store

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// item names an item in all regions. Two items of one name that are created in two regions
// have different resource ids, and one of them wins.
type item struct{ key, id string }

// vector holds, by the number of a replica, the number of the last version of that replica
// that a version has seen. A version has seen itself.
type vector []uint64

// sibling is a version of an item that no other version has seen. Several siblings are in
// conflict, and readers see the winner. A region keeps the losers as long as versions that
// have seen some of them may still arrive, so that the result does not depend on the order of
// arrival.
//
// An item without siblings has the version that all regions had when they last had the same
// writes. All later versions have seen it.
type sibling struct {
	origin int    // the replica that wrote it
	number uint64 // of the version in that replica
	region int    // of the origin
	vector vector
	doc    *Document // nil for a deletion
	value  float64   // at the path of the conflict resolution policy
	valued bool      // whether it is a number
}

// winner returns the sibling that readers see, or nil if there is none. A deletion wins.
// Otherwise the highest number at the path of the policy wins, and a document without a number
// there loses ("Conflict types and resolution policies when using multiple write regions"). If
// numbers are equal, the service decides in a way that it does not document. Here the later
// second wins and, within a second, the region that comes first in the account.
func winner(list []*sibling) *sibling {
	if len(list) == 0 {
		return nil
	}
	return slices.MaxFunc(list, func(a, b *sibling) int {
		switch {
		case a.doc == nil || b.doc == nil:
			return cmp.Or(cmp.Compare(truth(a.doc == nil), truth(b.doc == nil)), cmp.Compare(b.region, a.region))
		case a.valued != b.valued:
			return cmp.Compare(truth(a.valued), truth(b.valued))
		}
		return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.doc.TS, b.doc.TS), cmp.Compare(b.region, a.region))
	})
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// sibling returns a version as one of the versions of an item.
func (c *Container) sibling(origin int, v Version) *sibling {
	s := &sibling{origin: origin, number: v.number, region: c.group.world.state.Load().regionOf(origin), vector: v.vector}
	if v.Kind != Delete {
		d := *v.Document
		s.doc = &d
		s.value, s.valued = c.conflictValue(s.doc)
	}
	return s
}

// conflictValue is the number of a document at the path of the conflict resolution policy.
func (c *Container) conflictValue(d *Document) (float64, bool) {
	if len(c.conflictPath) == 1 && c.conflictPath[0] == "_ts" {
		return float64(d.TS), true
	}
	reader := value.Reader{Names: map[string]bool{c.conflictPath[0]: true}}
	v := valueAt(reader.Read(d.Raw), c.conflictPath)
	if v.Kind() != value.Number {
		return 0, false
	}
	return v.Float(), true
}

// stamp gives the writes of a transaction their vectors: each has seen all local versions of
// its item. The caller holds the lock for writing.
func (t *Transaction) stamp() {
	c := t.Container
	if c.siblings == nil || len(t.undo) == 0 {
		return
	}
	versions := t.Range.versionsFrom(t.lsn)
	for i := range versions {
		v := &versions[i]
		name := item{v.Document.Key.Text, v.Document.id}
		v.vector = make(vector, len(c.group.replicas))
		for _, s := range c.siblings[name] {
			for k, n := range s.vector {
				v.vector[k] = max(v.vector[k], n)
			}
		}
		v.vector[c.replica] = v.number
		c.siblings[name] = []*sibling{c.sibling(c.replica, *v)}
	}
}

// setLocal notes the LSN of the last write of the transaction's region, for session tokens.
func (t *Transaction) setLocal(lsn int64) {
	if l := t.Range.link; l != nil && l.locals != nil {
		l.locals[t.Container.replica] = lsn
	}
}

// local is the LSN of the last write of the container's region.
func (c *Container) local(r *Range) int64 {
	if r.link == nil || r.link.locals == nil {
		return 0
	}
	return r.link.locals[c.replica]
}

// reconcile applies a version of another write region.
func (c *Container) reconcile(from *Container, r *Range, v Version) {
	r.link.locals[from.replica] = v.LSN
	name := item{v.Document.Key.Text, v.Document.id}
	known := c.siblings[name]
	if slices.ContainsFunc(known, func(s *sibling) bool { return s.vector[from.replica] >= v.number }) {
		return
	}
	list := []*sibling{c.sibling(from.replica, v)}
	for _, s := range known {
		if v.vector[s.origin] < s.number {
			list = append(list, s)
		}
	}
	c.siblings[name] = list
	before, now := winner(known), winner(list)
	if before == now {
		return
	}
	old := c.find(v.Document.Key, v.Document.id)
	at := max(v.at+int64(r.link.lag), r.lastAt())
	ts := at / 1e9
	if old == nil && now.doc == nil {
		return
	}
	r.LSN++
	if old != nil && (now.doc == nil || now.doc.Seq != old.Seq) {
		c.remove(old)
		c.keep(r, Version{Kind: Delete, Document: old, LSN: r.LSN, Previous: old.LSN, TS: ts, at: at, remote: true})
		old = nil
	}
	if now.doc != nil {
		d := *now.doc
		d.LSN = r.LSN
		next := Version{Kind: Create, Document: &d, LSN: r.LSN, TS: ts, at: at, remote: true}
		if old != nil {
			next.Kind, next.Previous = Replace, old.LSN
		}
		c.put(&d)
		c.nextDoc = max(c.nextDoc, d.Seq)
		c.keep(r, next)
	}
}

// lastAt is the time of the last version that a range keeps, in nanoseconds.
func (r *Range) lastAt() int64 {
	if n := len(r.versions); n > 0 {
		return r.versions[n-1].at
	}
	return 0
}

// settleConflicts forgets the losers of conflicts if all regions have the same writes. Every
// version that arrives later has seen all of these writes.
func (c *Container) settleConflicts() {
	g := c.group
	defer c.lockAll()()
	if !g.multi.Load() {
		return
	}
	for _, from := range g.replicas {
		for i := range from.Ranges {
			if from.waiting(i) > 0 {
				return
			}
		}
	}
	for _, r := range g.replicas {
		clear(r.siblings)
	}
}

// startMulti lets all replicas take writes from now on. All of them must have the same
// documents. The caller holds all locks.
func (g *group) startMulti() {
	g.received()
	for _, c := range g.replicas {
		c.nextDoc = g.replicas[0].nextDoc
		c.siblings = map[item][]*sibling{}
		for i, r := range c.Ranges {
			r.LSN = g.replicas[0].Ranges[i].LSN
			r.link.locals = slices.Repeat([]int64{r.LSN}, len(g.replicas))
		}
	}
	g.multi.Store(true)
	for _, c := range g.replicas[1:] {
		c.reschedule()
	}
}

// endMulti lets only replica 0 take writes from now on, and copies its state to the others.
// All of them must have the same documents. The caller holds all locks.
//
// Each document gets the highest of its LSNs in all regions. So the change feed of each region
// continues without missing a document, but may repeat some. The feed of all versions begins
// anew.
func (g *group) endMulti() {
	first := g.replicas[0]
	for i, r := range first.Ranges {
		lsn := max(r.global(), r.LSN)
		var docs []*Document
		for d := range r.docs.now.All() {
			own := *d
			for _, other := range g.replicas[1:] {
				if o := other.find(d.Key, d.id); o != nil {
					own.LSN = max(own.LSN, o.LSN)
				}
			}
			docs = append(docs, &own)
		}
		for _, d := range docs {
			first.put(d)
		}
		for _, other := range g.replicas[1:] {
			lsn = max(lsn, other.Ranges[i].LSN)
		}
		r.LSN, r.link.locals = lsn, nil
		if first.KeepsVersions() {
			r.forgotten = lsn
		}
	}
	first.siblings = nil
	g.multi.Store(false)
	for _, c := range g.replicas[1:] {
		c.copyState(first)
		for _, r := range c.Ranges {
			r.link.locals = nil
		}
	}
	g.received()
}

// nextSeq returns the seq of the next created document. Regions that accept writes at the same
// time never choose the same one.
func (c *Container) nextSeq() uint64 {
	next := c.nextDoc + 1
	if c.siblings != nil {
		n := uint64(len(c.group.replicas))
		next += (uint64(c.replica) + n - next%n) % n
	}
	return next
}

// conflictPolicy is the policy of a container for conflicts between write regions.
type conflictPolicy struct {
	Mode string `json:"mode"`
	Path string `json:"conflictResolutionPath"`
}

// checkConflicts reads the conflict resolution policy. In an account with several regions it
// refuses what the emulator does not support. With one region the policy has no effect.
func (c *Container) checkConflicts(sent map[string]json.RawMessage, world *world) error {
	raw := sent["conflictResolutionPolicy"]
	policy := conflictPolicy{Mode: "LastWriterWins"}
	if raw != nil && !bytes.Equal(raw, []byte("null")) {
		if err := json.Unmarshal(raw, &policy); err != nil {
			return status.BadRequest("The conflict resolution policy is invalid: %v.", err)
		}
	}
	path := splitPath(cmp.Or(policy.Path, "/_ts"))
	custom := strings.EqualFold(policy.Mode, "Custom")
	switch {
	case !custom && policy.Mode != "" && !strings.EqualFold(policy.Mode, "LastWriterWins"):
		return status.BadRequest("The mode %q of the conflict resolution policy is invalid: use LastWriterWins.", policy.Mode)
	case len(path) == 0 || strings.ContainsAny(policy.Path, "*?[]"):
		return status.BadRequest("The conflict resolution path %q is invalid: it names a property, such as /_ts.", policy.Path)
	case c.raw != nil && !slices.Equal(path, c.conflictPath):
		return status.BadRequest("The conflict resolution path of collection %q cannot be changed: move the data to a new one.", c.id)
	}
	c.conflictPath, c.custom = path, custom
	if !world.state.Load().multi {
		return nil
	}
	return c.canConflict()
}

// canConflict refuses containers that the emulator does not serve in several write regions.
func (c *Container) canConflict() error {
	switch {
	case c.custom:
		return status.Unsupported("the conflict resolution mode Custom of collection %q, and its conflicts feed, with several write regions: use LastWriterWins", c.id)
	case len(c.unique) > 0:
		return status.Unsupported("the unique keys of collection %q with several write regions: each region would check them on its own", c.id)
	}
	return nil
}
