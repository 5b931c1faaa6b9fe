package store

import (
	"slices"
	"sort"
	"sync/atomic"
	"time"
)

// group is a container and its replicas in other regions. In an account with one region,
// containers have no group.
//
// There is no goroutine: a request for a replica applies the writes that have reached its
// region by then, as a request for a global secondary index does. Each physical partition is
// followed separately, in the order of its writes.
//
// With one write region, replica 0 takes all writes, and the others hold a prefix of the
// writes of each of its physical partitions. With several, each follows all others.
type group struct {
	world    *world
	replicas []*Container // by number
	// multi is whether all replicas take writes. It changes only while all replicas are
	// locked. Indexes do not change with it.
	multi atomic.Bool
	// written counts the versions since all replicas were last up to date.
	written atomic.Int64
}

// manyWritten is the number of versions after which it pays to bring all replicas up to date,
// so that the versions can be dropped.
const manyWritten = 64

// link is the replication state of one physical partition of a replica.
type link struct {
	group *group
	delivery
	// received holds, by the number of a replica, the number of the last of its versions that
	// has arrived. A change needs the lock of that replica, at least for reading, and the lock
	// of the replica of the link for writing.
	received []uint64
	// locals are the LSNs of the last writes of each replica that have arrived, as that
	// replica counts them; nil with one write region.
	locals []int64
}

func (l *link) clone() *link {
	if l == nil {
		return nil
	}
	out := *l
	out.received, out.locals = slices.Clone(l.received), slices.Clone(l.locals)
	return &out
}

// spread makes the replicas of a container, with all its content. The container must not be in
// use yet. The caller holds the lock of the account.
func (a *Account) spread(c *Container) {
	w := a.world
	if len(w.names) == 1 {
		return
	}
	t := w.state.Load()
	g := &group{world: w, replicas: []*Container{c}}
	c.group = g
	for i := 1; i < len(w.names); i++ {
		g.replicas = append(g.replicas, &Container{
			identity: c.identity, database: c.database, limits: c.limits, world: c.world, throttles: c.throttles,
			key: c.key, Paths: c.Paths, derived: c.derived, group: g, replica: i,
		})
	}
	for i, r := range g.replicas {
		if i > 0 {
			r.describeAs(c)
			r.copyState(c)
		}
		for _, rng := range r.Ranges {
			rng.link = &link{group: g, delivery: w.paces[t.regionOf(i)], received: make([]uint64, len(w.names))}
		}
	}
	g.received()
	if t.multi && c.derived == nil {
		g.startMulti()
	}
}

// describeAs gives a replica the policies of a container. The caller holds the locks of
// both.
func (c *Container) describeAs(of *Container) {
	c.raw, c.etag, c.offer, c.gone = of.raw, of.etag, of.offer, of.gone
	c.unique, c.uniquePolicy = of.unique, of.uniquePolicy
	c.policies, c.conflictPath = of.policies, of.conflictPath
	if c.defaultTTL != of.defaultTTL {
		c.defaultTTL = of.defaultTTL
		c.reschedule()
	}
}

// copyState gives a replica the physical partitions and documents of another. The caller holds
// the locks of both.
func (c *Container) copyState(of *Container) {
	old := c.Ranges
	c.partitions, c.expiring, c.siblings = map[string]*logicalPartition{}, nil, nil
	c.nextDoc, c.nextRange, c.rangeVersion = of.nextDoc, of.nextRange, of.rangeVersion
	c.Ranges = nil
	for i, r := range of.Ranges {
		copied := &Range{
			ID: r.ID, number: r.number, Min: r.Min, Max: r.Max, Parents: r.Parents,
			created: r.created, LSN: r.LSN, forgotten: r.forgotten,
		}
		if i < len(old) {
			copied.link = old[i].link
		}
		c.Ranges = append(c.Ranges, copied)
	}
	for _, r := range of.Ranges {
		for d := range r.docs.now.All() {
			own := *d
			c.put(&own)
		}
	}
	if !c.KeepsVersions() {
		return
	}
	for i, r := range of.Ranges {
		for _, v := range r.versions {
			c.keep(c.Ranges[i], v.copied())
		}
	}
}

// copied returns a version with a document of its own.
func (v Version) copied() Version {
	d := *v.Document
	v.Document, v.remote, v.vector = &d, false, nil
	return v
}

// In returns the replica of a container in a region. It has all methods of a container, and
// reads the writes that have reached the region. If the region accepts no writes, writes of
// documents fail with status 403 and substatus 3. All regions have the same policies and
// physical partitions.
func (c *Container) In(region int) *Container {
	if c.group == nil {
		return c
	}
	return c.group.replicas[c.group.world.state.Load().replicaOf[region]]
}

// first returns replica 0, which the account holds and the records store.
func (c *Container) first() *Container {
	if c.group == nil {
		return c
	}
	return c.group.replicas[0]
}

// follows reports whether the container only applies writes of another replica. The caller
// holds the lock.
func (c *Container) follows() bool {
	return c.group != nil && c.replica > 0 && !c.group.multi.Load()
}

// lockAll locks a container and all its replicas for writing. unlock unlocks them.
func (c *Container) lockAll() (unlock func()) {
	if c.group == nil {
		c.mu.Lock()
		return c.mu.Unlock
	}
	for _, r := range c.group.replicas {
		r.mu.Lock()
	}
	return func() {
		for _, r := range slices.Backward(c.group.replicas) {
			r.mu.Unlock()
		}
	}
}

// all returns a container and its replicas.
func (c *Container) all() []*Container {
	if c.group == nil {
		return []*Container{c}
	}
	return c.group.replicas
}

// follow lets all replicas receive the writes that are due. The caller holds no lock of a
// container.
func (g *group) follow(now time.Time) {
	for _, c := range g.replicas {
		c.follow(now)
	}
}

// feed calls follow if many versions are waiting.
func (g *group) feed(now time.Time) {
	if g.written.Load() < manyWritten {
		return
	}
	g.written.Store(0) // first: to follow may lock a replica, and come here again
	g.follow(now)
	g.replicas[0].settleConflicts()
}

// followReplicas lets a replica receive the writes that are due. The caller holds no lock of
// a container.
func (c *Container) followReplicas(now time.Time) {
	g := c.group
	if !g.multi.Load() {
		if c.replica == 0 {
			return
		}
		from := g.replicas[0]
		from.rlock(now)
		defer from.mu.RUnlock()
		c.mu.Lock()
		defer c.mu.Unlock()
		if !g.multi.Load() {
			c.receive(from, now, false)
			c.forget(now)
		}
		return
	}
	for i, r := range g.replicas {
		if i == c.replica {
			r.mu.Lock()
			defer r.mu.Unlock()
		} else {
			r.mu.RLock()
			defer r.mu.RUnlock()
		}
	}
	if !g.multi.Load() {
		return // the next request reads the new state
	}
	for _, from := range g.replicas {
		if from != c {
			c.receive(from, now, false)
		}
	}
	c.forget(now)
}

// feedReplicas lets the replicas of an index receive its due entries, if many are waiting. The
// caller holds the lock of the index for writing.
func (c *Container) feedReplicas(now time.Time) {
	g := c.group
	if g == nil || g.written.Load() < manyWritten {
		return
	}
	g.written.Store(0)
	for _, r := range g.replicas[1:] {
		r.mu.Lock()
		r.receive(c, now, false)
		r.mu.Unlock()
	}
	c.forget(now)
}

// receive applies the writes of another replica: those that are due, or all if force is true.
// The caller holds the lock of the other replica, at least for reading, and that of c for
// writing.
func (c *Container) receive(from *Container, now time.Time, force bool) {
	t := c.group.world.state.Load()
	if c.gone || !force && (!t.online[t.regionOf(c.replica)] || !t.online[t.regionOf(from.replica)]) {
		return
	}
	multi := c.group.multi.Load()
	for i, r := range c.Ranges {
		l, source := r.link, from.Ranges[i]
		waiting := source.after(l.received[from.replica])
		for k, v := range waiting {
			skip := multi && (v.remote || v.Expired) // another region wrote it, or it also expires here
			if !skip && !force && !l.due(v, len(waiting)-k, now) {
				break
			}
			l.received[from.replica] = v.number
			switch {
			case skip:
			case multi:
				c.reconcile(from, r, v)
			default:
				c.replicate(r, v)
			}
		}
		if len(source.after(l.received[from.replica])) > 0 {
			continue
		}
		// The LSN may be higher, because writes were lost, or because they are in the other
		// half of a range that was split.
		if multi {
			l.locals[from.replica] = max(l.locals[from.replica], source.link.locals[from.replica])
		} else {
			r.LSN = max(r.LSN, source.LSN)
		}
	}
}

// after returns the versions with higher numbers.
func (r *Range) after(number uint64) []Version {
	return r.versions[sort.Search(len(r.versions), func(i int) bool { return r.versions[i].number > number }):]
}

// due reports whether a version has arrived at a time. waiting is how many versions had not
// arrived. Strong consistency replicates synchronously: every acknowledged write has arrived.
func (l *link) due(v Version, waiting int, now time.Time) bool {
	w := l.group.world
	arrived := func(lag time.Duration) bool { return !time.Unix(0, v.at).Add(lag).After(now) }
	if w.strong || w.bound != nil && (waiting > w.bound.Writes || arrived(w.bound.Time)) {
		return true
	}
	return !l.paused && arrived(l.lag)
}

// replicate applies a version of the write region.
func (c *Container) replicate(r *Range, v Version) {
	v = v.copied()
	if v.Kind == Delete {
		if old := c.find(v.Document.Key, v.Document.id); old != nil {
			c.remove(old)
		}
	} else {
		c.put(v.Document)
		c.nextDoc = max(c.nextDoc, v.Document.Seq)
	}
	r.LSN = v.LSN
	c.keep(r, v)
}

// received marks all writes of all replicas as received by all. The caller holds all locks.
func (g *group) received() {
	for _, c := range g.replicas {
		for _, r := range c.Ranges {
			for i, from := range g.replicas {
				r.link.received[i] = from.nextVersion
			}
		}
	}
}

// catchUpAll lets the replicas in some regions receive all writes of each other, due or not.
// The caller holds all locks.
func (g *group) catchUpAll(in func(region int) bool, now time.Time) {
	t := g.world.state.Load()
	for _, c := range g.replicas {
		for _, from := range g.replicas {
			if c != from && (g.multi.Load() || from.replica == 0) && in(t.regionOf(c.replica)) && in(t.regionOf(from.replica)) {
				c.receive(from, now, true)
			}
		}
	}
}

// deliver sets how writes reach a replica.
func (g *group) deliver(replica int, rangeID string, how delivery) {
	c := g.replicas[replica]
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.Ranges {
		if rangeID == "" || r.ID == rangeID {
			r.link.delivery = how
		}
	}
}

// waiting returns how many versions of a range the slowest replica has not received. The
// caller holds the lock for writing, so that no replica receives at the same time.
func (c *Container) waiting(i int) int {
	most := 0
	if c.group == nil || c.follows() {
		return 0
	}
	for _, to := range c.group.replicas {
		if to != c {
			most = max(most, len(c.Ranges[i].after(to.Ranges[i].link.received[c.replica])))
		}
	}
	return most
}

// joined returns the link of a range that replaces others. All replicas must have received all
// writes.
func joined(old []*Range) *link {
	l := old[0].link.clone()
	if l == nil {
		return nil
	}
	for _, r := range old[1:] {
		l.lag, l.paused = max(l.lag, r.link.lag), l.paused || r.link.paused
		for i, n := range r.link.received {
			l.received[i] = max(l.received[i], n)
		}
		for i, n := range r.link.locals {
			l.locals[i] = max(l.locals[i], n)
		}
	}
	return l
}

// swap exchanges how writes reach the regions of two replicas. The caller holds all locks.
func (g *group) swap(a, b int) {
	for i := range g.replicas[a].Ranges {
		x, y := g.replicas[a].Ranges[i].link, g.replicas[b].Ranges[i].link
		x.delivery, y.delivery = y.delivery, x.delivery
	}
}
