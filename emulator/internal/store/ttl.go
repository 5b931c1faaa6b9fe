package store

import (
	"container/heap"
	"encoding/json"
	"math"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// parseTTL reads a time to live: -1, a positive number of seconds, or 0 if it is
// absent. The service refuses a 0 ("Configure time to live in Azure Cosmos DB"), and
// for an item also null (MicrosoftDocs/azure-docs, issue 107151).
func parseTTL(raw json.RawMessage) (int64, error) {
	if raw == nil {
		return 0, nil
	}
	var seconds int32
	if err := json.Unmarshal(raw, &seconds); err != nil || seconds < -1 || seconds == 0 {
		return 0, status.BadRequest("The input ttl '%s' is invalid. Ensure to provide a nonzero positive integer less than or equal to 2147483647, or -1.", raw)
	}
	return int64(seconds), nil
}

// never is the second in which documents without a time to live expire.
const never = math.MaxInt64

// expiry is the second in which a document expires. Without a default time to live of the
// container, nothing expires, whatever the items say. With a default of -1, only items that
// have a time to live expire.
func (c *Container) expiry(d *Document) int64 {
	ttl := d.ttl
	if ttl == 0 {
		ttl = c.defaultTTL
	}
	if c.defaultTTL == 0 || ttl < 0 {
		return never
	}
	return d.TS + ttl
}

// expiries is a heap of documents, with the first to expire on top. It may hold
// versions that have been replaced or deleted.
type expiries []expiring

type expiring struct {
	at  int64
	doc *Document
}

func (e expiries) Len() int           { return len(e) }
func (e expiries) Less(i, j int) bool { return e[i].at < e[j].at }
func (e expiries) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *expiries) Push(x any)        { *e = append(*e, x.(expiring)) }
func (e *expiries) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// schedule adds a document to the expiries. The caller holds the lock for writing.
func (c *Container) schedule(d *Document) {
	at := c.expiry(d)
	if at == never || c.follows() { // the write region deletes it
		return
	}
	heap.Push(&c.expiring, expiring{at, d})
	if stored := c.size(); len(c.expiring) > 2*stored+64 {
		c.reschedule()
	}
}

// size is the number of documents.
func (c *Container) size() int {
	n := 0
	for _, r := range c.Ranges {
		n += r.docs.now.Len()
	}
	return n
}

// reschedule rebuilds the expiries: after the default of the container has changed, and if
// most entries are about replaced or deleted versions.
func (c *Container) reschedule() {
	c.expiring = c.expiring[:0]
	if c.follows() {
		return
	}
	for _, r := range c.Ranges {
		for d := range r.docs.now.All() {
			if at := c.expiry(d); at != never {
				c.expiring = append(c.expiring, expiring{at, d})
			}
		}
	}
	heap.Init(&c.expiring)
}

// due reports whether a document has expired and has not been removed.
func (c *Container) due(now time.Time) bool {
	return len(c.expiring) > 0 && c.expiring[0].at <= now.Unix()
}

// expire removes the documents that have expired. As in the service, the change feed of latest
// versions does not show this, and the feed of all versions shows a deletion. The caller holds
// the lock for writing.
func (c *Container) expire(now time.Time) {
	var changes []Change
	for c.due(now) {
		d := heap.Pop(&c.expiring).(expiring).doc
		if c.find(d.Key, d.id) == d {
			c.remove(d)
			changes = append(changes, c.keepExpired(d, now)...)
		}
	}
	c.record(changes...)
}

// keepExpired adds the expiry of a document to the versions of its range, as a write, and
// returns the changes to record.
func (c *Container) keepExpired(d *Document, now time.Time) []Change {
	if !c.logs() {
		return []Change{c.droppedDocument(d)}
	}
	r := c.rangeOf(d.Key.EPK)
	r.LSN++
	v := versionOf(change{old: d}, r.LSN, now)
	v.Expired, v.at = true, time.Unix(c.expiry(d), 0).UnixNano()
	c.keep(r, v)
	return []Change{c.droppedDocument(d), c.keptVersion(r.versions[len(r.versions)-1]), c.keptRange(r)}
}

// lock locks a container for writing. It first removes the documents that have expired by now,
// and versions that are too old. An index has then applied all due versions.
func (c *Container) lock(now time.Time) {
	c.follow(now)
	if c.group != nil {
		c.group.feed(now)
	}
	c.mu.Lock()
	c.feedIndexes(now)
	c.expire(now)
	c.forget(now)
}

// Read runs f while the container is locked for reading. It first removes the documents that
// have expired by now.
func (c *Container) Read(now time.Time, f func() error) error {
	c.rlock(now)
	defer c.mu.RUnlock()
	return f()
}

// rlock locks a container for reading. It first removes the documents that have expired by
// now. An index has then applied all due versions.
func (c *Container) rlock(now time.Time) {
	c.follow(now)
	c.mu.RLock()
	for c.due(now) {
		c.mu.RUnlock()
		c.lock(now)
		c.mu.Unlock()
		c.mu.RLock()
	}
}
