package store

import (
	"encoding/json"
	"sync/atomic"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// Throughput that the service allows, in RU/s ("Azure Cosmos DB service quotas").
const (
	throughputPerPartition = 10_000 // what a physical partition provides
	MinManual              = 400
	minAutoscale           = 1_000
	MaxThroughput          = 1_000_000
)

// offer is the provisioned throughput of a container, or of a database whose
// containers share it. The lock of the account guards it, except for throughput.
type offer struct {
	id       string
	owner    string // resource id of the container or database
	resource string // its link
	settings Throughput
	highest  int // the highest throughput that it has ever had
	etag     string
	ts       time.Time
	// throughput is the highest throughput of settings; requests read it without the lock.
	throughput atomic.Int64
}

// Throughput is the content of an offer.
type Throughput struct {
	Manual    int        `json:"offerThroughput"`
	Autoscale *autoscale `json:"offerAutopilotSettings,omitempty"`
}

type autoscale struct {
	Max     int             `json:"maxThroughput"`
	Upgrade json.RawMessage `json:"autoUpgradePolicy,omitempty"`
}

// Check refuses throughput that the service refuses.
func (p Throughput) Check() error {
	if a := p.Autoscale; a != nil {
		if a.Max < minAutoscale || a.Max > MaxThroughput || a.Max%1000 != 0 {
			return status.BadRequest("The offer should have a valid autoscale maxThroughput: from %d to %d, in steps of 1000; %d is not.", minAutoscale, MaxThroughput, a.Max)
		}
		return nil
	}
	if p.Manual < MinManual || p.Manual > MaxThroughput || p.Manual%100 != 0 {
		return status.BadRequest("The offer should have valid throughput values between %d and %d inclusive in increments of 100; %d is not.", MinManual, MaxThroughput, p.Manual)
	}
	return nil
}

// most is the highest throughput that is provided.
func (p Throughput) most() int {
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
	return max(MinManual, roundUp(o.highest, 100, 100))
}

// roundUp returns a fraction of n as the next multiple of step.
func roundUp(n, fraction, step int) int {
	return (n + fraction*step - 1) / (fraction * step) * step
}

// partitions is how many physical partitions a throughput needs.
func (p Throughput) partitions() int {
	return (p.most() + throughputPerPartition - 1) / throughputPerPartition
}

// addOffer stores an offer. The caller holds the lock of the account.
func (a *Account) addOffer(p Throughput, rid []byte, link string, now time.Time) *offer {
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
func (a *Account) removeOffer(o *offer) {
	if o != nil {
		a.offers.remove(o.id)
	}
}

func (o *offer) set(p Throughput, now time.Time) {
	if p.Autoscale != nil { // the service starts at a tenth
		p.Manual = p.Autoscale.Max / 10
	}
	o.settings, o.etag, o.ts = p, newETag(), now
	o.highest = max(o.highest, p.most())
	o.throughput.Store(int64(p.most()))
}

// Offer is an offer at one time.
type Offer struct {
	Text []byte // its JSON, as the service shows it
	ETag string
	// Least is the lowest throughput to which it can be changed.
	Least int
}

func (o *offer) state() Offer { return Offer{o.json(), o.etag, o.least()} }

// json is an offer as the service shows it.
func (o *offer) json() []byte {
	return MustJSON(map[string]any{
		"id": o.id, "_rid": o.id, "_self": "offers/" + o.id + "/", "_etag": o.etag, "_ts": o.ts.Unix(),
		"resource": o.resource, "offerResourceId": o.owner, "offerType": "Invalid", "offerVersion": "V2",
		"content": o.settings,
	})
}

// OfferTexts returns the JSON of all offers.
func (a *Account) OfferTexts() [][]byte {
	a.mu.RLock()
	defer a.mu.RUnlock()
	var list [][]byte
	for _, o := range a.offers.all() {
		list = append(list, o.json())
	}
	return list
}

// Offer returns the offer with an id.
func (a *Account) Offer(id string) (Offer, error) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	o, ok := a.offers.get(id)
	if !ok {
		return Offer{}, status.NoSuchEntity()
	}
	return o.state(), nil
}

// ReplaceOffer changes throughput, if the entity tag of the offer is ifMatch or that is
// empty. If the throughput needs more physical partitions than there are, it splits
// them at once; the service takes a while. It never merges physical partitions.
func (a *Account) ReplaceOffer(id string, p Throughput, ifMatch string, now time.Time) (Offer, error) {
	if err := p.Check(); err != nil {
		return Offer{}, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	o, ok := a.offers.get(id)
	if !ok {
		return Offer{}, status.NoSuchEntity()
	}
	if ifMatch != "" && ifMatch != o.etag {
		return Offer{}, status.ConditionFailed()
	}
	if (p.Autoscale == nil) != (o.settings.Autoscale == nil) {
		return Offer{}, status.Unsupported("changing between manual and autoscale throughput")
	}
	if p.most() < o.least() {
		return Offer{}, status.BadRequest("The offer should have valid throughput values between %d and %d inclusive: %d is below what the highest throughput so far, %d, allows.", o.least(), MaxThroughput, p.most(), o.highest)
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
func (c *Container) grow(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.Ranges) < n {
		if c.split(c.widest().ID) != nil {
			return // too narrow to split, after 120 rounds
		}
	}
}
