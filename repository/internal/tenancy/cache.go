package tenancy

import (
	"context"
	"sync"
	"time"
)

// Cache answers where tenants live, from memory as long as the times of its directory
// allow. It is safe for concurrent use.
type Cache struct {
	Records *Records

	mu    sync.Mutex
	times Times // zero until they are known
	known map[tenantOf]*entry
}

// tenantOf names a tenant of the types of a shared container.
type tenantOf struct{ shared, tenant string }

// entry is what is known of a tenant, and the lookups that are under way.
type entry struct {
	residence Residence
	now, next *lookup // next begins when now has ended
}

// lookup is a read of the directory, for all who wait for it.
type lookup struct {
	done      chan struct{}
	residence Residence
	err       error
	canceled  bool // by the context of the one who sent it: the others have to send it again
}

// maxEntries is how many tenants a cache remembers: about 20 MB. When there are more, it
// forgets those that it has to look up again anyway, and if that is not enough, all.
const maxEntries = 100_000

// NewCache returns a cache of a directory.
func NewCache(r *Records) *Cache {
	return &Cache{Records: r, known: map[tenantOf]*entry{}}
}

// Times returns the times of the directory. The first call reads them.
func (c *Cache) Times(ctx context.Context) (Times, error) {
	c.mu.Lock()
	t := c.times
	c.mu.Unlock()
	if t != (Times{}) {
		return t, nil
	}
	t, err := c.Records.Times(ctx)
	if err == nil {
		c.mu.Lock()
		c.times = t
		c.mu.Unlock()
	}
	return t, err
}

// Residence returns where a tenant lives: from memory while that holds for another
// quarter of its time, so that few requests are under way when it ends, else by a point
// read.
func (c *Cache) Residence(ctx context.Context, shared, tenant string) (Residence, error) {
	c.mu.Lock()
	if e := c.known[tenantOf{shared, tenant}]; e != nil && time.Until(e.residence.Until) > c.times.TTL/4 {
		r := e.residence
		c.mu.Unlock()
		return r, nil
	}
	c.mu.Unlock()
	return c.lookUp(ctx, tenantOf{shared, tenant}, false)
}

// Refresh returns where a tenant lives, by a point read that begins after the call. Calls
// at one time share it.
func (c *Cache) Refresh(ctx context.Context, shared, tenant string) (Residence, error) {
	return c.lookUp(ctx, tenantOf{shared, tenant}, true)
}

// lookUp reads the directory, or waits for a read: one that begins after the call, or any.
func (c *Cache) lookUp(ctx context.Context, of tenantOf, after bool) (Residence, error) {
	times, err := c.Times(ctx)
	if err != nil {
		return Residence{}, err
	}
	for {
		l, mine, before := c.join(of, after)
		if before != nil { // the read that was under way at the time of the call
			select {
			case <-before.done:
			case <-ctx.Done():
				if mine {
					c.finish(of, l, Residence{}, ctx.Err(), true)
				}
				return Residence{}, ctx.Err()
			}
		}
		if mine {
			c.begin(of, l)
			began := time.Now()
			document, err := c.Records.Read(ctx, of.shared, of.tenant)
			c.finish(of, l, document.Residence(began, times), err, ctx.Err() != nil)
			return l.residence, l.err
		}
		select {
		case <-l.done:
		case <-ctx.Done():
			return Residence{}, ctx.Err()
		}
		if !l.canceled {
			return l.residence, l.err
		}
	}
}

// join returns the lookup to wait for. If it is mine, the caller sends it, after the one
// before it.
func (c *Cache) join(of tenantOf, after bool) (l *lookup, mine bool, before *lookup) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.known[of]
	if e == nil {
		c.makeRoom()
		e = &entry{}
		c.known[of] = e
	}
	switch {
	case e.now == nil && e.next == nil:
		e.now = &lookup{done: make(chan struct{})}
		return e.now, true, nil
	case e.now != nil && !after:
		return e.now, false, nil
	case e.next != nil:
		return e.next, false, nil
	}
	e.next = &lookup{done: make(chan struct{})}
	return e.next, true, e.now
}

// begin makes the next lookup the one that is under way.
func (c *Cache) begin(of tenantOf, l *lookup) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.known[of]; e != nil && e.next == l {
		e.now, e.next = l, nil
	}
}

// finish ends a lookup, and keeps what it found.
func (c *Cache) finish(of tenantOf, l *lookup, r Residence, err error, canceled bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.known[of]
	if e != nil && r.Version < e.residence.Version { // the replica that was read has less
		r = e.residence.until(r)
	}
	if l.err, l.canceled = err, err != nil && canceled; err == nil {
		l.residence = r
	}
	if e != nil {
		if e.now == l {
			e.now = nil
		}
		if e.next == l {
			e.next = nil
		}
		if err == nil && r.Until.After(e.residence.Until) {
			e.residence = r
		}
	}
	close(l.done)
}

// makeRoom forgets tenants if there are too many.
func (c *Cache) makeRoom() {
	if len(c.known) < maxEntries {
		return
	}
	now := time.Now()
	for of, e := range c.known {
		if e.now == nil && e.next == nil && now.After(e.residence.Until) {
			delete(c.known, of)
		}
	}
	if len(c.known) >= maxEntries {
		clear(c.known)
	}
}

// until returns r for as long as a later lookup holds, which has seen less.
func (r Residence) until(later Residence) Residence {
	r.Until, r.Grace = later.Until, later.Grace
	return r
}
