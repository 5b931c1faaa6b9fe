package store

import (
	"slices"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// addOffer stores an offer. The caller holds the lock of the account.
func (a *Account) addOffer(p Throughput, rid []byte, link string, now time.Time) *offer {
	id := newOfferID()
	for _, taken := a.offers.get(id); taken; _, taken = a.offers.get(id) {
		id = newOfferID()
	}
	o := &offer{id: id, order: a.next(), owner: ridText(rid), resource: link}
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
	return a.state(o), nil
}

// ReplaceOffer changes throughput, if ifMatch is the entity tag of the offer or is empty. If
// the throughput needs more physical partitions, it splits them at once; the service takes a
// while. It never merges physical partitions.
func (a *Account) ReplaceOffer(id string, p Throughput, ifMatch string, now time.Time) (Offer, error) {
	if err := p.Check(); err != nil {
		return Offer{}, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	o, err := a.changing(id, ifMatch)
	if err != nil {
		return Offer{}, err
	}
	if (p.Autoscale == nil) != (o.settings.Autoscale == nil) {
		return Offer{}, status.BadRequest("The offer cannot be changed between manual and autoscale throughput by its content: send the header x-ms-cosmos-migrate-offer-to-autopilot or x-ms-cosmos-migrate-offer-to-manual-throughput.")
	}
	if least := o.least(a.stored(o)); p.most() < least {
		return Offer{}, status.BadRequest("The offer should have valid throughput values between %d and %d inclusive: %d is below what the highest throughput so far, %d, and the stored data allow.", least, MaxThroughput, p.most(), o.highest)
	}
	return a.change(o, p, now)
}

// MigrateOffer changes an offer from manual to autoscale throughput, or back. The service
// chooses the throughput: for autoscale the current one in steps of 1000 RU/s, but at least
// the minimum; for manual the maximum of autoscale ("Provision autoscale throughput on
// database or container").
func (a *Account) MigrateOffer(id string, toAutoscale bool, ifMatch string, now time.Time) (Offer, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	o, err := a.changing(id, ifMatch)
	if err != nil {
		return Offer{}, err
	}
	if toAutoscale == (o.settings.Autoscale != nil) {
		return Offer{}, status.BadRequest("The offer already has the requested kind of throughput.")
	}
	if !toAutoscale && slices.ContainsFunc(a.containersOf(o), func(c *Container) bool { return c.offer == o && c.derived != nil }) {
		return Offer{}, status.BadRequest("The offer belongs to a global secondary index, which cannot have manual throughput.")
	}
	p := Throughput{Manual: o.settings.most()}
	if toAutoscale {
		p.Autoscale = &autoscale{Max: max(roundUp(p.Manual, 1, 1000), leastAutoscale(o.highest, a.stored(o)))}
	}
	return a.change(o, p, now)
}

// changing returns the offer to change, if ifMatch is its entity tag or is empty. The caller
// holds the lock.
func (a *Account) changing(id, ifMatch string) (*offer, error) {
	o, ok := a.offers.get(id)
	if !ok {
		return nil, status.NoSuchEntity()
	}
	if ifMatch != "" && ifMatch != o.etag {
		return nil, status.ConditionFailed()
	}
	return o, nil
}

// change gives an offer another throughput. It fails if the throughput of the account has
// changed too often lately, unless the account is lenient. The caller holds the lock.
func (a *Account) change(o *offer, p Throughput, now time.Time) (Offer, error) {
	if wait := a.updates.wait(now); wait > 0 && !a.limits.Lenient {
		return Offer{}, status.TooManyUpdates(maxUpdates, updatesTime, wait)
	}
	a.updates.add(now)
	o.set(p, now)
	for _, c := range a.containersOf(o) {
		if c.offer == o {
			c.grow(p.partitions())
		}
	}
	a.record(o.kept()...) // after the splits: a kill between the two must not leave too few partitions
	return a.state(o), nil
}

// state returns an offer as it is now. The caller holds the lock.
func (a *Account) state(o *offer) Offer {
	return Offer{o.json(), o.etag, o.least(a.stored(o))}
}

// stored is how many bytes the containers of an offer hold. The caller holds the lock.
func (a *Account) stored(o *offer) int {
	bytes := 0
	for _, c := range a.containersOf(o) {
		bytes += c.stored()
	}
	return bytes
}

// containersOf returns the containers that use the throughput of an offer: one, or all of a
// database that share it. The caller holds the lock.
func (a *Account) containersOf(o *offer) []*Container {
	var list []*Container
	for _, d := range a.databases.all() {
		for _, c := range d.containers.all() {
			if c.offer == o || c.offer == nil && d.offer == o {
				list = append(list, c)
			}
		}
	}
	return list
}

// updates are the times of the last changes of throughput.
type updates []time.Time

// wait is how long an account must wait before its throughput may change again.
func (u *updates) wait(now time.Time) time.Duration {
	*u = slices.DeleteFunc(*u, func(at time.Time) bool { return !at.After(now.Add(-updatesTime)) })
	if len(*u) < maxUpdates {
		return 0
	}
	return (*u)[len(*u)-maxUpdates].Add(updatesTime).Sub(now)
}

func (u *updates) add(now time.Time) { *u = append(*u, now) }
