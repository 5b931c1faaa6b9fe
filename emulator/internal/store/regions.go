package store

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// DefaultRegion is the only region of an account that names none. Microsoft's emulator uses
// the same name.
const DefaultRegion = "South Central US"

// Consistency levels, as the service names them.
const (
	Strong           = "Strong"
	BoundedStaleness = "BoundedStaleness"
	Session          = "Session"
	ConsistentPrefix = "ConsistentPrefix"
	Eventual         = "Eventual"
)

// ConsistencyLevels are all levels, the strongest first.
var ConsistencyLevels = []string{Strong, BoundedStaleness, Session, ConsistentPrefix, Eventual}

// Staleness bounds how far a region may lag another one, in an account with the
// consistency level BoundedStaleness.
type Staleness struct {
	Writes int           // in each physical partition
	Time   time.Duration // age of the oldest write that has not arrived
}

// leastStaleness is the least bound that the service allows an account with several regions
// ("Consistency levels in Azure Cosmos DB").
var leastStaleness = Staleness{Writes: 100_000, Time: 300 * time.Second}

// Region is a region of an account.
type Region struct {
	// Number is the place of the region in Limits.Regions. It never changes, and
	// [Container.In] takes it.
	Number int
	Name   string
	// Writable reports whether the region accepts writes while it is online.
	Writable, Online bool
	// Lag and Paused apply to containers that are created later. Lag is how long a write takes
	// to reach the region; if Paused is true, no write reaches it.
	Lag    time.Duration
	Paused bool
}

// Replication says how writes reach a region. An empty string means all regions,
// databases, containers or physical partitions.
type Replication struct {
	Region, Database, Container, Range string
	// Lag is how long a write takes to reach the region.
	Lag time.Duration
	// Paused keeps writes from reaching the region, until a later call ends the pause.
	Paused bool
}

// CheckRegions refuses limits whose regions or consistency level the service would refuse.
func (l Limits) CheckRegions() error {
	for i, name := range l.Regions {
		switch {
		case name == "" || strings.ContainsAny(name, ",/"):
			return fmt.Errorf("the region %q is invalid: use a name such as \"West Europe\"", name)
		case slices.Contains(l.Regions[:i], name):
			return fmt.Errorf("the region %q is listed twice", name)
		}
	}
	switch {
	case l.Consistency != "" && !slices.Contains(ConsistencyLevels, l.Consistency):
		return fmt.Errorf("the consistency level %q is invalid: use %s", l.Consistency, strings.Join(ConsistencyLevels, ", "))
	case l.MultiWrite && l.Consistency == Strong:
		return errors.New("an account with several write regions has no Strong consistency: use BoundedStaleness or Session")
	case l.MultiWrite && len(l.Regions) < 2:
		return errors.New("several write regions need two regions or more")
	}
	return nil
}

// DefaultConsistency is the default consistency level of the account.
func (l Limits) DefaultConsistency() string {
	switch {
	case l.Consistency != "":
		return l.Consistency
	case len(l.Regions) < 2:
		return Strong
	}
	return Session
}

// world is the regions of an account. Its containers have it too.
type world struct {
	names  []string
	strong bool
	bound  *Staleness // nil unless the level is BoundedStaleness
	state  atomic.Pointer[topology]
	// paces are how writes reach each region in containers that are created later. The lock of
	// the account guards them.
	paces []delivery
}

// topology is the state of the regions. It is immutable: a change makes a new one.
//
// Each container has a replica for each region. If only one region accepts writes, it has
// replica 0. A failover does not change the replicas, but exchanges their regions.
type topology struct {
	priority  []int  // numbers of regions, the hub first
	replicaOf []int  // by number of the region
	online    []bool // by number of the region
	multi     bool
	// epoch is the version in session tokens. It grows with each change that may lose writes
	// in a region, or that changes the form of tokens. A token with a version below since
	// names only writes that all regions have.
	epoch, since int64
}

// delivery is how writes reach a region.
type delivery struct {
	lag    time.Duration
	paused bool
}

// newWorld returns the regions of a new account.
func newWorld(l Limits) *world {
	w := &world{names: l.Regions, strong: l.Consistency == Strong}
	if len(w.names) == 0 {
		w.names = []string{DefaultRegion}
	}
	if l.Consistency == BoundedStaleness {
		w.bound = &Staleness{cmp.Or(l.Staleness.Writes, leastStaleness.Writes), cmp.Or(l.Staleness.Time, leastStaleness.Time)}
	}
	t := &topology{multi: l.MultiWrite, epoch: -1, since: -1}
	for i := range w.names {
		t.priority, t.replicaOf, t.online = append(t.priority, i), append(t.replicaOf, i), append(t.online, true)
		w.paces = append(w.paces, delivery{lag: max(l.ReplicationLag, 0)})
	}
	w.state.Store(t)
	return w
}

// change replaces the state by a copy that f has changed. The caller holds the lock of the
// account for writing.
func (w *world) change(f func(t *topology)) {
	t := *w.state.Load()
	t.priority, t.replicaOf, t.online = slices.Clone(t.priority), slices.Clone(t.replicaOf), slices.Clone(t.online)
	f(&t)
	w.state.Store(&t)
}

// hub is the number of the region that is first by priority.
func (t *topology) hub() int { return t.priority[0] }

// regionOf is the number of the region that has a replica.
func (t *topology) regionOf(replica int) int { return slices.Index(t.replicaOf, replica) }

// number returns the number of a region. It fails if there is no such region, and always in an
// account with one region.
func (w *world) number(name string) (int, error) {
	if len(w.names) == 1 {
		return 0, errors.New("the account has one region: start it with several (Options.Regions, or pkgen-emulator -regions)")
	}
	n := slices.Index(w.names, name)
	if n < 0 {
		return 0, fmt.Errorf("the account has no region %q: it has %s", name, strings.Join(w.names, ", "))
	}
	return n, nil
}

// Regions returns the regions of the account in the order of their failover priority. The
// first writable one is the hub.
func (a *Account) Regions() []Region {
	a.mu.RLock()
	defer a.mu.RUnlock()
	t := a.world.state.Load()
	var list []Region
	for i, n := range t.priority {
		pace := a.world.paces[n]
		list = append(list, Region{n, a.world.names[n], t.multi || i == 0, t.online[n], pace.lag, pace.paused})
	}
	return list
}

// MultiWrite reports whether all regions accept writes.
func (a *Account) MultiWrite() bool { return a.world.state.Load().multi }

// Staleness returns how far a region may lag, or nil unless the consistency level is
// BoundedStaleness.
func (a *Account) Staleness() *Staleness { return a.world.bound }

// SetOnline takes a region offline or brings it back. Writes from and to an offline region
// wait until it returns.
func (a *Account) SetOnline(name string, online bool, now time.Time) error {
	n, err := a.world.number(name)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.settle(now)
	a.world.change(func(t *topology) { t.online[n] = online })
	return nil
}

// SetReplication sets how writes reach a region. Containers that are created later use the
// last setting that named no database. Writes that are due by the old lag arrive first.
func (a *Account) SetReplication(in Replication, now time.Time) error {
	if in.Lag < 0 {
		return fmt.Errorf("the lag %s is negative", in.Lag)
	}
	w := a.world
	var regions []int
	for n := range w.names {
		regions = append(regions, n)
	}
	if n, err := w.number(cmp.Or(in.Region, w.names[0])); err != nil {
		return err
	} else if in.Region != "" {
		regions = []int{n}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	containers, err := a.named(in)
	if err != nil {
		return err
	}
	a.settle(now)
	t, how := w.state.Load(), delivery{in.Lag, in.Paused}
	for _, n := range regions {
		if in.Database == "" {
			w.paces[n] = how
		}
		for _, c := range containers {
			c.group.deliver(t.replicaOf[n], in.Range, how)
		}
	}
	return nil
}

// named returns the containers that a replication names. It fails if a name does not exist.
// The caller holds the lock.
func (a *Account) named(in Replication) ([]*Container, error) {
	if in.Database == "" && in.Container != "" || in.Container == "" && in.Range != "" {
		return nil, errors.New("a container needs the name of its database, and a physical partition that of its container")
	}
	if _, ok := a.databases.get(in.Database); !ok && in.Database != "" {
		return nil, fmt.Errorf("there is no database %q", in.Database)
	}
	var list []*Container
	for _, c := range a.containers() {
		if (in.Database == "" || c.database.id == in.Database) && (in.Container == "" || c.id == in.Container) {
			list = append(list, c)
		}
	}
	if in.Container != "" && len(list) == 0 {
		return nil, fmt.Errorf("the database %q has no container %q", in.Database, in.Container)
	}
	if in.Range != "" {
		c := list[0]
		c.mu.RLock()
		defer c.mu.RUnlock()
		if _, err := c.RangeByID(in.Range); err != nil {
			return nil, fmt.Errorf("container %q has no partition key range %q: it has %s", c.id, in.Range, c.rangeIDs())
		}
	}
	return list, nil
}

// containers returns all containers. The caller holds the lock.
func (a *Account) containers() []*Container {
	var list []*Container
	for _, d := range a.databases.all() {
		list = append(list, d.containers.all()...)
	}
	return list
}

// settle lets all replicas receive the writes that are due. The caller holds the lock.
func (a *Account) settle(now time.Time) {
	for _, c := range a.containers() {
		if c.group != nil {
			c.group.follow(now)
		}
	}
}
