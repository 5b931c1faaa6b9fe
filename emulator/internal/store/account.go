package store

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// Limits are the limits of an account.
type Limits struct {
	// Partitions is the minimum number of physical partitions of a container.
	Partitions int
	// Throughput is the throughput, in RU/s, of a container that is created without any. If it
	// is 0, request units are not limited.
	Throughput int
	// Serverless accounts have no throughput.
	Serverless bool
	// MaxDocument is the maximum size of a document in bytes, and MaxLogicalPartition the
	// maximum size of all documents with one partition key.
	MaxDocument         int
	MaxLogicalPartition int64
	// Resources is how many databases and containers the account may have together; 0 means
	// that they are not limited.
	Resources int
	// AllVersions is how long containers keep all versions and deletions of documents, for the
	// change feed of that mode. 0 turns that feed off.
	AllVersions time.Duration
	// NoIndexes refuses global secondary indexes.
	NoIndexes bool
	// IndexLag is how long a write takes to reach the indexes of its container.
	IndexLag time.Duration
	// Regions are the names of the regions, in the order of their failover priority. Empty
	// means the one region [DefaultRegion].
	Regions []string
	// MultiWrite lets all regions accept writes. Otherwise only the first one does.
	MultiWrite bool
	// ReplicationLag is how long a write takes to reach another region.
	ReplicationLag time.Duration
	// Consistency is the default consistency level of the account. Empty means Strong with
	// one region, and Session with several. Strong replicates synchronously: lags and
	// pauses have no effect then.
	Consistency string
	// Staleness bounds the lag of a region with the level BoundedStaleness. A zero field is
	// the lowest bound that the service allows.
	Staleness Staleness
	// Lenient accepts ids and key versions that the documentation of the service forbids, any
	// number of changes of throughput, and full-text scores without an index. Words then have
	// no stems.
	Lenient bool
}

// Account is the databases of an account and their throughput. It is safe for
// concurrent use.
type Account struct {
	limits  Limits
	records Records // nil if nothing is kept
	// throttles is whether request units are limited.
	throttles atomic.Bool
	pace      pace // of all indexes
	world     *world

	mu        sync.RWMutex // guards what follows; taken before that of a container
	databases registry[*Database]
	offers    registry[*offer]
	updates   updates // of throughput
	created   int     // how many databases, containers and offers have been created
	written   int64   // the second of the latest write among the restored documents
}

// New returns an account without databases.
func New(l Limits) *Account {
	a := &Account{limits: l, world: newWorld(l)}
	a.throttles.Store(l.Throughput > 0)
	a.pace.lag.Store(int64(max(l.IndexLag, 0)))
	return a
}

// Written is the time of the latest write among the documents that the records held, or the
// zero time if they held none.
func (a *Account) Written() time.Time {
	if a.written == 0 {
		return time.Time{}
	}
	return time.Unix(a.written, 0)
}

// Throttles reports whether request units are limited by the throughput of containers.
func (a *Account) Throttles() bool { return a.throttles.Load() }

// SetThrottles switches the limits on request units on or off, also for existing containers.
func (a *Account) SetThrottles(on bool) { a.throttles.Store(on) }

// Reset removes all databases.
func (a *Account) Reset() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, d := range a.databases.all() {
		a.drop(d)
	}
}

// full reports whether the account has reached its limit of databases and containers. The
// caller holds the lock.
func (a *Account) full() bool {
	n := len(a.databases.ids)
	for _, d := range a.databases.all() {
		n += len(d.containers.ids)
	}
	return a.limits.Resources > 0 && n >= a.limits.Resources
}

// next returns the number of the next created resource. The caller holds the lock.
func (a *Account) next() int {
	a.created++
	return a.created
}

// drop removes a database, its containers and their throughput. The caller holds the
// lock.
func (a *Account) drop(d *Database) {
	a.databases.remove(d.id)
	dropped := d.dropped()
	a.removeOffer(d.offer)
	for _, c := range d.containers.all() {
		c.leave()
		dropped = append(dropped, c.offer.dropped()...)
		a.removeOffer(c.offer)
	}
	a.record(dropped...)
}

// Find returns the database and the container with these ids. Either is nil if it does not
// exist.
func (a *Account) Find(databaseID, containerID string) (*Database, *Container) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	d := a.databaseOf(databaseID)
	if d == nil {
		return nil, nil
	}
	return d, d.containerOf(containerID)
}

// DatabaseTexts returns the JSON of all databases.
func (a *Account) DatabaseTexts() [][]byte {
	a.mu.RLock()
	defer a.mu.RUnlock()
	var list [][]byte
	for _, d := range a.databases.all() {
		list = append(list, d.raw)
	}
	return list
}

// CreateDatabase creates a database; p is nil if it has no throughput of its own.
func (a *Account) CreateDatabase(id string, p *Throughput, now time.Time) (*Database, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, ok := a.databases.get(id); ok {
		return nil, status.AlreadyExists()
	}
	if a.full() {
		return nil, status.AccountIsFull(a.limits.Resources)
	}
	d := newDatabase(id, now)
	a.record(a.enterDatabase(d, p, now)...)
	return d, nil
}

func newDatabase(id string, now time.Time) *Database {
	d := &Database{identity: newIdentity(identity{}, "dbs", id, newRID(nil, false)), etag: newETag()}
	d.raw = resource(map[string]any{"id": id, "_colls": "colls/", "_users": "users/"}, d.rid, d.self(), d.etag, now)
	return d
}

// enterDatabase adds a database and returns the changes to record. The caller holds the lock.
func (a *Account) enterDatabase(d *Database, p *Throughput, now time.Time) []Change {
	if p != nil {
		d.offer = a.addOffer(*p, d.rid, d.self(), now)
	}
	d.order = a.next()
	a.databases.add(d.id, d)
	if a.records == nil {
		return nil
	}
	return d.kept()
}

// DeleteDatabase deletes a database with its containers, if ifMatch is its entity tag or is
// empty.
func (a *Account) DeleteDatabase(id, ifMatch string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	d := a.databaseOf(id)
	if d == nil {
		return status.NoSuchEntity()
	}
	if ifMatch != "" && ifMatch != d.etag {
		return status.ConditionFailed()
	}
	a.drop(d)
	return nil
}
