package server

import (
	"sync"
	"time"
)

// limits are the limits and the generosity of an account.
type accountLimits struct {
	// partitions is the least number of physical partitions of a container.
	partitions int
	// throughput is what a container gets, in RU/s, that is created without; if it is
	// 0, request units are not limited.
	throughput int
	serverless bool
	// maxDocument is the size in bytes that a document may have, and
	// maxLogicalPartition that of all documents of one partition key.
	maxDocument         int
	maxLogicalPartition int64
	// lenient accepts ids and key versions that the documentation of the service
	// forbids.
	lenient bool
}

// account is the databases of an account and their throughput. It is safe for
// concurrent use.
type account struct {
	limits accountLimits

	mu        sync.RWMutex // guards what follows; taken before that of a container
	databases registry[*database]
	offers    registry[*offer]
}

// newAccount returns an account without databases.
func newAccount(l accountLimits) *account { return &account{limits: l} }

// reset removes all databases.
func (a *account) reset() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.databases, a.offers = registry[*database]{}, registry[*offer]{}
}

// find returns the database and the container with these ids, or nil in place of
// what does not exist.
func (a *account) find(databaseID, containerID string) (*database, *container) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	d, ok := a.databases.get(databaseID)
	if !ok {
		return nil, nil
	}
	c, _ := d.containers.get(containerID)
	return d, c
}

// databaseTexts returns the JSON of all databases.
func (a *account) databaseTexts() [][]byte {
	a.mu.RLock()
	defer a.mu.RUnlock()
	var list [][]byte
	for _, d := range a.databases.all() {
		list = append(list, d.raw)
	}
	return list
}

// createDatabase creates a database; p is nil if it has no throughput of its own.
func (a *account) createDatabase(id string, p *provisioned, now time.Time) (*database, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, ok := a.databases.get(id); ok {
		return nil, conflict()
	}
	d := &database{rid: newRID(nil, false), etag: newETag()}
	d.raw = resource(map[string]any{"id": id, "_colls": "colls/", "_users": "users/"}, d.rid, d.self(), d.etag, now)
	if p != nil {
		d.offer = a.addOffer(*p, d.rid, d.self(), now)
	}
	a.databases.add(id, d)
	return d, nil
}

// deleteDatabase deletes a database with its containers, if its entity tag is ifMatch
// or that is empty.
func (a *account) deleteDatabase(id, ifMatch string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	d, ok := a.databases.get(id)
	if !ok {
		return notFound()
	}
	if ifMatch != "" && ifMatch != d.etag {
		return preconditionFailed()
	}
	a.databases.remove(id)
	a.removeOffer(d.offer)
	for _, found := range d.containers.all() {
		a.removeOffer(found.offer)
	}
	return nil
}

// containerTexts returns the JSON of the containers of a database.
func (a *account) containerTexts(d *database) [][]byte {
	a.mu.RLock()
	defer a.mu.RUnlock()
	var list [][]byte
	for _, c := range d.containers.all() {
		raw, _ := c.text()
		list = append(list, raw)
	}
	return list
}
