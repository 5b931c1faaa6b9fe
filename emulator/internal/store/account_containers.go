package store

import (
	"encoding/json"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// ContainerTexts returns the JSON of the containers of a database.
func (a *Account) ContainerTexts(d *Database) [][]byte {
	a.mu.RLock()
	defer a.mu.RUnlock()
	var list [][]byte
	for _, c := range d.containers.all() {
		raw, _ := c.Text()
		list = append(list, raw)
	}
	return list
}

// CreateContainer creates a container from the properties that a client sent. p is nil
// if it has no throughput of its own.
func (a *Account) CreateContainer(databaseID, id string, definition KeyDefinition, sent map[string]json.RawMessage, p *Throughput, now time.Time) (*Container, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	d, ok := a.databases.get(databaseID)
	if !ok {
		return nil, status.NoSuchOwner()
	}
	if _, ok := d.containers.get(id); ok {
		return nil, status.AlreadyExists()
	}
	policy := sent["uniqueKeyPolicy"]
	unique, err := uniqueKeys(policy)
	if err != nil {
		return nil, err
	}
	if p == nil && d.offer == nil && !a.limits.Serverless {
		p = &Throughput{Manual: max(a.limits.Throughput, MinManual)}
	}
	n := a.limits.Partitions
	if p != nil {
		n = max(n, p.partitions())
	}
	c := &Container{
		id: id, rid: newRID(d.rid, true), database: d,
		limits: &a.limits, throttles: a.limits.Throughput > 0,
		key: definition, Paths: definition.names(),
		unique: unique, uniquePolicy: policy,
		partitions: map[string]*logicalPartition{},
		Ranges:     definition.space().splitEvenly(n), nextRange: n, rangeVersion: 1,
	}
	if err := c.describe(sent, now); err != nil {
		return nil, err
	}
	if p != nil {
		c.offer = a.addOffer(*p, c.rid, c.self(), now)
	}
	d.containers.add(id, c)
	return c, nil
}

// DeleteContainer deletes a container, if its entity tag is ifMatch or that is empty.
func (a *Account) DeleteContainer(c *Container, ifMatch string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if current, ok := c.database.containers.get(c.id); !ok || current != c {
		return status.NoSuchEntity()
	}
	if _, etag := c.Text(); ifMatch != "" && ifMatch != etag {
		return status.ConditionFailed()
	}
	c.database.containers.remove(c.id)
	a.removeOffer(c.offer)
	return nil
}
