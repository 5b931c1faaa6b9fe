package store

import (
	"encoding/json"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// ContainerTexts returns the JSON of the containers of a database.
func (a *Account) ContainerTexts(d *Database, now time.Time) [][]byte {
	a.mu.RLock()
	defer a.mu.RUnlock()
	var list [][]byte
	for _, c := range d.containers.all() {
		raw, _ := c.Text(now)
		list = append(list, raw)
	}
	return list
}

// CreateContainer creates a container from the properties that a client sent. p is nil
// if it has no throughput of its own.
func (a *Account) CreateContainer(databaseID, id string, definition KeyDefinition, sent map[string]json.RawMessage, p *Throughput, now time.Time) (*Container, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	d := a.databaseOf(databaseID)
	if d == nil {
		return nil, status.NoSuchOwner()
	}
	if _, ok := d.containers.get(id); ok {
		return nil, status.AlreadyExists()
	}
	if a.full() {
		return nil, status.AccountIsFull(a.limits.Resources)
	}
	if p == nil && d.offer != nil && d.sharing() >= maxSharing {
		return nil, status.SharedThroughputIsFull(maxSharing)
	}
	c, p, err := a.newContainer(d, id, definition, sent, p, now)
	if err != nil {
		return nil, err
	}
	a.record(a.enter(c, p, now)...)
	c.joinSource()
	return c, nil
}

// newContainer makes a container that the account does not have yet, and returns its
// throughput, or nil if it has none of its own. The caller holds the lock.
func (a *Account) newContainer(d *Database, id string, definition KeyDefinition, sent map[string]json.RawMessage, p *Throughput, now time.Time) (*Container, *Throughput, error) {
	x, err := a.newIndex(d, definition, sent, p, now)
	if err != nil {
		return nil, nil, err
	}
	policy := sent["uniqueKeyPolicy"]
	unique, err := uniqueKeys(policy)
	if err != nil {
		return nil, nil, err
	}
	if p == nil && d.offer == nil && !a.limits.Serverless {
		p = &Throughput{Manual: max(a.limits.Throughput, MinManual)}
	}
	n := a.limits.Partitions
	if p != nil {
		n = max(n, p.partitions())
	}
	c := &Container{
		identity: newIdentity(d.identity, "colls", id, newRID(d.rid, true)), database: d,
		limits: &a.limits, world: a.world, throttles: &a.throttles,
		key: definition, Paths: definition.names(), derived: x,
		unique: unique, uniquePolicy: policy,
		partitions: map[string]*logicalPartition{},
		Ranges:     definition.space().splitEvenly(n), nextRange: n, rangeVersion: 1,
	}
	return c, p, c.describe(sent, now)
}

// enter adds a container to its database and returns the changes to record, without the
// documents. The caller holds the lock.
func (a *Account) enter(c *Container, p *Throughput, now time.Time) []Change {
	if p != nil {
		c.offer = a.addOffer(*p, c.rid, c.self(), now)
	}
	c.records, c.order = a.records, a.next()
	a.spread(c)
	c.database.containers.add(c.id, c)
	if a.records == nil {
		return nil
	}
	return append(c.offer.kept(), c.kept()...)
}

// DeleteContainer deletes a container that has no indexes, if ifMatch is its entity tag or is
// empty.
func (a *Account) DeleteContainer(c *Container, ifMatch string, now time.Time) error {
	c = c.first()
	a.mu.Lock()
	defer a.mu.Unlock()
	if current, ok := c.database.containers.get(c.id); !ok || current != c {
		return status.NoSuchEntity()
	}
	if _, etag := c.Text(now); ifMatch != "" && ifMatch != etag {
		return status.ConditionFailed()
	}
	if n := len(c.indexes); n > 0 {
		return status.BadRequest("The container %q has %d global secondary indexes, the first of which is %q: delete them before it.", c.id, n, c.indexes[0].id)
	}
	c.database.containers.remove(c.id)
	c.leave()
	dropped := append(c.offer.dropped(), removal(c.rid)...)
	if c.derived != nil {
		dropped = append(dropped, c.derived.source.removeIndex(c)...)
	}
	a.record(dropped...)
	a.removeOffer(c.offer)
	return nil
}

// leave marks a container as deleted. From now on, requests that found it earlier record
// nothing.
func (c *Container) leave() {
	defer c.lockAll()()
	for _, r := range c.all() {
		r.gone = true
	}
}
