package store

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"
)

// Failover makes a region the write region; with several write regions, it makes it the
// hub. It fails if the region does not exist or is offline.
//
// A planned failover waits until all regions that are online have all writes. It loses
// nothing, and fails if the write region is offline. A forced one takes the write region
// offline, and loses the writes that have not reached the new one, in each physical
// partition on its own. With several write regions, nothing is lost: the writes of the
// region that goes offline arrive when it returns.
func (a *Account) Failover(name string, forced bool, now time.Time) error {
	n, err := a.world.number(name)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	t := a.world.state.Load()
	hub := t.hub()
	switch {
	case !t.online[n]:
		return fmt.Errorf("the region %q is offline: bring it back, or choose another one", name)
	case n == hub:
		return nil
	case !forced && !t.online[hub]:
		return fmt.Errorf("the region %q is offline: bring it back, or force the failover, which loses writes", a.world.names[hub])
	}
	a.settle(now)
	for _, c := range a.containers() {
		if !forced {
			a.catchUp(c, now)
		} else if !t.multi && c.derived == nil {
			c.group.lose(t.replicaOf[n], now)
		}
	}
	a.lead(n, func(t *topology) {
		if forced {
			t.online[hub] = false
			if !t.multi {
				t.epoch++
			}
		}
	})
	return nil
}

// catchUp lets the replicas of a container that are online receive all writes.
func (a *Account) catchUp(c *Container, now time.Time) {
	t := a.world.state.Load()
	defer c.lockAll()()
	c.group.catchUpAll(func(region int) bool { return t.online[region] }, now)
}

// lead gives a region the first priority and applies a further change at the same time. If the
// region is to be the only write region, it exchanges its replica for replica 0. The caller
// holds the lock.
func (a *Account) lead(region int, more func(t *topology)) {
	was := a.world.state.Load()
	other := was.regionOf(0)
	a.world.change(func(t *topology) {
		t.priority = slices.DeleteFunc(t.priority, func(n int) bool { return n == region })
		t.priority = slices.Insert(t.priority, 0, region)
		more(t)
		if !t.multi {
			t.replicaOf[region], t.replicaOf[other] = 0, was.replicaOf[region]
		}
	})
	if is := a.world.state.Load(); is.multi || region == other {
		return
	}
	for _, c := range a.containers() {
		func() {
			defer c.lockAll()()
			c.group.swap(0, was.replicaOf[region])
		}()
	}
}

// lose undoes, in all regions, the writes that have not reached a replica. The range keeps its
// LSN. So later writes have LSNs above all that readers have seen, no change feed misses a
// write, and session tokens that name lost writes can be served again. The service does not
// document what it does. Indexes follow at once.
func (g *group) lose(to int, now time.Time) {
	first, kept := g.replicas[0], g.replicas[to]
	defer first.lockAll()()
	for i, r := range first.Ranges {
		lost := r.after(kept.Ranges[i].link.received[0])
		if len(lost) == 0 {
			continue
		}
		for _, c := range g.replicas {
			switch c.replica {
			case 0:
				c.restore(lost, kept)
			case to:
			default: // a replica that received more than the one that is kept
				had := slices.DeleteFunc(slices.Clone(lost), func(v Version) bool { return v.number > c.Ranges[i].link.received[0] })
				c.restore(had, kept)
			}
			if c.replica > 0 && c.KeepsVersions() {
				c.Ranges[i].dropVersions(lost[0].LSN)
			}
		}
		for _, x := range first.indexes {
			x.mu.Lock()
			for _, seq := range seqs(lost, x.derived.position) {
				x.derive(seq, first.bySeq(seq), now, false)
			}
			x.mu.Unlock()
		}
		r.dropVersions(lost[0].LSN)
	}
}

// seqs returns the seqs of the documents of versions up to a number.
func seqs(list []Version, number uint64) []uint64 {
	found := map[uint64]bool{}
	for _, v := range list {
		if v.number <= number {
			found[v.Document.Seq] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// restore gives a replica the documents of another one in place of lost versions.
func (c *Container) restore(lost []Version, kept *Container) {
	list := seqs(lost, math.MaxUint64)
	for _, seq := range list {
		if d := c.bySeq(seq); d != nil {
			c.remove(d)
		}
	}
	for _, seq := range list {
		if d := kept.bySeq(seq); d != nil {
			own := *d
			c.put(&own)
		}
	}
}

// SetMultiWrite lets all regions accept writes, or the hub alone. All regions must be
// online. They get all writes first.
func (a *Account) SetMultiWrite(on bool, now time.Time) error {
	w := a.world
	if _, err := w.number(w.names[0]); err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	t := w.state.Load()
	if t.multi == on {
		return nil
	}
	if w.strong {
		return Limits{Regions: w.names, MultiWrite: true, Consistency: Strong}.CheckRegions()
	}
	if i := slices.Index(t.online, false); i >= 0 {
		return fmt.Errorf("the region %q is offline: bring it back first", w.names[i])
	}
	for _, c := range a.containers() {
		if err := c.canConflict(); on && err != nil {
			return err
		}
	}
	a.settle(now)
	for _, c := range a.containers() {
		c.group.turn(on && c.derived == nil, now)
	}
	a.lead(t.hub(), func(t *topology) {
		t.multi = on
		t.epoch++
		t.since = t.epoch
	})
	return nil
}

// turn lets all replicas take writes, or replica 0 alone.
func (g *group) turn(multi bool, now time.Time) {
	defer g.replicas[0].lockAll()()
	g.catchUpAll(func(int) bool { return true }, now)
	switch {
	case multi:
		g.startMulti()
	case g.multi.Load():
		g.endMulti()
	}
}
