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
// region by then, as one for a global secondary index does. Each physical partition is
// followed on its own, in the order of its writes.
//
// With one write region, replica 0 takes all writes, and the others hold a prefix of the
// writes of each of its physical partitions. With several, each follows all others.
type group struct {
	world    *world
	replicas []*Container // by number
	// multi is whether all replicas take writes. It changes while all are locked. Indexes
	// stay as they are.
	multi atomic.Bool
	// written counts the versions since all replicas were last up to date.
	written atomic.Int64
}

// manyWritten is how many versions are worth the time to bring all replicas up to date, so
// that the versions need not be kept any longer.
const manyWritten = 64

// link is what a physical partition of a replica knows of the other replicas.
type link struct {
	group *group
	delivery
	// received are the numbers of the last versions that have arrived, by the number of the
	// replica that wrote them. A change needs the lock of that replica, for reading at least,
	// and the lock of the replica that has the link for writing.
	received []uint64
	// locals are the LSNs of the last writes of each replica that have arrived, in the
	// numbers of that replica; nil with one write region.
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

// spread makes the replicas of a container, with all that it holds. The container is not in
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
	c.CompositeIndexes, c.Embeddings, c.vectorIndexes, c.textIndexes = of.CompositeIndexes, of.Embeddings, of.vectorIndexes, of.textIndexes
	c.Flat, c.Computed, c.conflictPath = of.Flat, of.Computed, of.conflictPath
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
// documents fail with status 403 and substatus 3. All regions have the same policies and physical
// partitions.
func (c *Container) In(region int) *Container {
	if c.group == nil {
		return c
	}
	return c.group.replicas[c.group.world.state.Load().replicaOf[region]]
}

// first returns replica 0, which the account has and whose records are kept.
func (c *Container) first() *Container {
	if c.group == nil {
		return c
	}
	return c.group.replicas[0]
}

// follows reports whether the container only takes what another replica has written. The
// caller holds the lock.
func (c *Container) follows() bool {
	return c.group != nil && c.replica > 0 && !c.group.multi.Load()
}

// lockAll locks a container and all its replicas for writing, and returns what unlocks them.
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

// feed does so if it is worth it.
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
		return // the next request follows as it is now
	}
	for _, from := range g.replicas {
		if from != c {
			c.receive(from, now, false)
		}
	}
	c.forget(now)
}

// feedReplicas lets the replicas of an index receive its entries that are due, if it is worth
// it. The caller holds the lock of the index for writing.
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

// receive applies the writes of another replica that are due, or all of them by force. The
// caller holds the lock of the other for reading, at least, and that of c for writing.
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
			skip := multi && (v.remote || v.Expired) // it comes from elsewhere, or it expires here, too
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
		// The LSN may be higher by writes that were lost, or that are in the other half of a
		// range that was split.
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

// due reports whether a version has arrived by a time, as one of so many that had not. Strong
// consistency replicates synchronously: there is no acknowledged write that has not arrived.
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

// received notes that all replicas have received all writes of all. The caller holds all
// locks.
func (g *group) received() {
	for _, c := range g.replicas {
		for _, r := range c.Ranges {
			for i, from := range g.replicas {
				r.link.received[i] = from.nextVersion
			}
		}
	}
}

// catchUpAll lets the replicas in some regions receive all writes of each other, whether they
// are due or not. The caller holds all locks.
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

// waiting is how many versions of a range some replica has not received. The caller holds the
// lock for writing, so that nobody receives.
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

// joined returns the link of the range that takes the place of others. All replicas have
// received all writes.
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
