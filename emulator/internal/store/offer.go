package server

import (
	"encoding/json"
	"sync/atomic"
	"time"
)

// Throughput that the service allows, in RU/s ("Azure Cosmos DB service quotas").
const (
	throughputPerPartition = 10_000 // what a physical partition provides
	minManual              = 400
	minAutoscale           = 1_000
	maxThroughput          = 1_000_000
)

// offer is the provisioned throughput of a container, or of a database whose
// containers share it. The lock of the account guards it, except for throughput.
type offer struct {
	id       string
	owner    string // resource id of the container or database
	resource string // its link
	settings provisioned
	highest  int // the highest throughput that it has ever had
	etag     string
	ts       time.Time
	// throughput is the highest throughput of settings; requests read it without the lock.
	throughput atomic.Int64
}

// provisioned is the content of an offer.
type provisioned struct {
	Manual    int        `json:"offerThroughput"`
	Autoscale *autoscale `json:"offerAutopilotSettings,omitempty"`
}

type autoscale struct {
	Max     int             `json:"maxThroughput"`
	Upgrade json.RawMessage `json:"autoUpgradePolicy,omitempty"`
}

// check refuses throughput that the service refuses.
func (p provisioned) check() error {
	if a := p.Autoscale; a != nil {
		if a.Max < minAutoscale || a.Max > maxThroughput || a.Max%1000 != 0 {
			return badRequest("The offer should have a valid autoscale maxThroughput: from %d to %d, in steps of 1000; %d is not.", minAutoscale, maxThroughput, a.Max)
		}
		return nil
	}
	if p.Manual < minManual || p.Manual > maxThroughput || p.Manual%100 != 0 {
		return badRequest("The offer should have valid throughput values between %d and %d inclusive in increments of 100; %d is not.", minManual, maxThroughput, p.Manual)
	}
	return nil
}

// most is the highest throughput that is provided.
func (p provisioned) most() int {
	if p.Autoscale != nil {
		return p.Autoscale.Max
	}
	return p.Manual
}

// least is the lowest throughput to which an offer can be changed: a hundredth of the
// highest manual throughput that it has ever had, or a tenth of the highest autoscale
// throughput, and not less than any offer must have ("Azure Cosmos DB service quotas",
// minimum throughput limits). The size of the data does not count here.
func (o *offer) least() int {
	if o.settings.Autoscale != nil {
		return max(minAutoscale, roundUp(o.highest, 10, 1000))
	}
	return max(minManual, roundUp(o.highest, 100, 100))
}

// roundUp returns a fraction of n as the next multiple of step.
func roundUp(n, fraction, step int) int {
	return (n + fraction*step - 1) / (fraction * step) * step
}

// partitions is how many physical partitions a throughput needs.
func (p provisioned) partitions() int {
	return (p.most() + throughputPerPartition - 1) / throughputPerPartition
}

// addOffer stores an offer. The caller holds the lock of the account.
func (a *account) addOffer(p provisioned, rid []byte, link string, now time.Time) *offer {
	id := newOfferID()
	for _, taken := a.offers.get(id); taken; _, taken = a.offers.get(id) {
		id = newOfferID()
	}
	o := &offer{id: id, owner: ridText(rid), resource: link}
	o.set(p, now)
	a.offers.add(id, o)
	return o
}

// removeOffer forgets an offer, which may be nil. The caller holds the lock of the
// account.
func (a *account) removeOffer(o *offer) {
	if o != nil {
		a.offers.remove(o.id)
	}
}

func (o *offer) set(p provisioned, now time.Time) {
	if p.Autoscale != nil { // the service starts at a tenth
		p.Manual = p.Autoscale.Max / 10
	}
	o.settings, o.etag, o.ts = p, newETag(), now
	o.highest = max(o.highest, p.most())
	o.throughput.Store(int64(p.most()))
}

// offerState is an offer at one time.
type offerState struct {
	text []byte // its JSON, as the service shows it
	etag string
	// least is the lowest throughput to which it can be changed.
	least int
}

func (o *offer) state() offerState { return offerState{o.json(), o.etag, o.least()} }

// json is an offer as the service shows it.
func (o *offer) json() []byte {
	return mustJSON(map[string]any{
		"id": o.id, "_rid": o.id, "_self": "offers/" + o.id + "/", "_etag": o.etag, "_ts": o.ts.Unix(),
		"resource": o.resource, "offerResourceId": o.owner, "offerType": "Invalid", "offerVersion": "V2",
		"content": o.settings,
	})
}

// offerTexts returns the JSON of all offers.
func (a *account) offerTexts() [][]byte {
	a.mu.RLock()
	defer a.mu.RUnlock()
	var list [][]byte
	for _, o := range a.offers.all() {
		list = append(list, o.json())
	}
	return list
}

// offer returns the offer with an id.
func (a *account) offer(id string) (offerState, error) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	o, ok := a.offers.get(id)
	if !ok {
		return offerState{}, notFound()
	}
	return o.state(), nil
}

// replaceOffer changes throughput, if the entity tag of the offer is ifMatch or that is
// empty. If the throughput needs more physical partitions than there are, it splits
// them at once; the service takes a while. It never merges physical partitions.
func (a *account) replaceOffer(id string, p provisioned, ifMatch string, now time.Time) (offerState, error) {
	if err := p.check(); err != nil {
		return offerState{}, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	o, ok := a.offers.get(id)
	if !ok {
		return offerState{}, notFound()
	}
	if ifMatch != "" && ifMatch != o.etag {
		return offerState{}, preconditionFailed()
	}
	if (p.Autoscale == nil) != (o.settings.Autoscale == nil) {
		return offerState{}, unsupported("changing between manual and autoscale throughput")
	}
	if p.most() < o.least() {
		return offerState{}, badRequest("The offer should have valid throughput values between %d and %d inclusive: %d is below what the highest throughput so far, %d, allows.", o.least(), maxThroughput, p.most(), o.highest)
	}
	o.set(p, now)
	for _, d := range a.databases.all() {
		for _, found := range d.containers.all() {
			if found.offer == o {
				found.grow(p.partitions())
			}
		}
	}
	return o.state(), nil
}

// grow splits the largest physical partitions of a container until there are n.
func (c *container) grow(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.ranges) < n {
		if c.split(c.widest().id) != nil {
			return // too narrow to split, after 120 rounds
		}
	}
}
