package server

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/header"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
)

// Region is a region of an account with Options.Regions.
type Region struct {
	Name string
	// Endpoint is the base URL of the region: see Options.RegionEndpoints.
	Endpoint string
	// Writable reports whether clients can write to the region.
	Writable bool
	// Online reports whether the region responds. See [Server.SetRegionOnline].
	Online bool
	// Removed reports that the account does not list the region, since a forced failover or
	// [Server.RemoveRegion].
	Removed bool
	// Lag is how long a write takes to reach the region, and Paused whether writes are kept
	// from it, as last set for all containers. See [Server.SetReplication].
	Lag    time.Duration
	Paused bool
}

// Regions returns the regions of the account in the order of their failover priority. The first
// writable one changes databases, containers and throughput, and serves the endpoint of the
// account. Regions is empty without Options.Regions.
func (s *Server) Regions() []Region {
	if len(s.options.Regions) == 0 {
		return nil
	}
	var list []Region
	for _, r := range s.account.Regions() {
		list = append(list, Region{r.Name, s.options.RegionEndpoints[r.Name], r.Writable, r.Online, s.isRemoved(r.Name), r.Lag, r.Paused})
	}
	return list
}

// SetRegionOnline takes a region offline, like an outage, or brings it back. The server closes
// connections to an offline region without a response; listeners of [Server.Gate] refuse them.
// If it is the first write region, the endpoint of the account is also unreachable until a
// failover. Writes from and to an offline region wait until it is back. SetRegionOnline fails
// if the account has no such region.
func (s *Server) SetRegionOnline(name string, online bool) error {
	if err := s.account.SetOnline(name, online, s.clock.now()); err != nil {
		return err
	}
	if online {
		s.removed.Delete(name)
	}
	return s.settled(nil)
}

// Failover makes a region the write region, like a planned failover. Online regions first get
// all writes, so none is lost. Failover fails if the account has no such region, or if the
// region or the present write region is offline. With several write regions, it chooses the one
// that changes databases, containers and throughput.
func (s *Server) Failover(name string) error {
	return s.settled(s.account.Failover(name, false, s.clock.now()))
}

// ForceFailover makes a region the write region, like a failover in an outage. It takes the
// present write region offline and removes it from the account, until SetRegionOnline brings it
// back. Writes that have not reached the new write region are lost, separately in each physical
// partition. With several write regions none is lost: they arrive when the region is back.
// ForceFailover fails if the account has no such region, or if the region is offline.
func (s *Server) ForceFailover(name string) error {
	before := s.place(Front{}).Name
	if err := s.account.Failover(name, true, s.clock.now()); err != nil {
		return err
	}
	if before != name {
		s.removed.Store(before, true)
	}
	return s.settled(nil)
}

// RemoveRegion removes a region from the account. Its endpoint responds to every request with
// 403 and substatus 1008. It fails if the account has no such region, or if it is the first
// write region.
func (s *Server) RemoveRegion(name string) error {
	if err := s.hasRegion(name); err != nil {
		return err
	}
	if s.place(Front{}).Name == name {
		return fmt.Errorf("%q is the write region: make another region the write region with Failover before", name)
	}
	s.removed.Store(name, true)
	return nil
}

// AddRegion ends RemoveRegion. The region then has all writes that are older than its
// replication lag. It fails if the account has no such region.
func (s *Server) AddRegion(name string) error {
	if err := s.hasRegion(name); err != nil {
		return err
	}
	s.removed.Delete(name)
	return nil
}

// hasRegion returns an error if the account has no region of a name.
func (s *Server) hasRegion(name string) error {
	if slices.Contains(s.options.Regions, name) {
		return nil
	}
	return fmt.Errorf("the account has no region %q: it has %s", name, strings.Join(s.options.Regions, ", "))
}

// isRemoved reports whether the account does not list a region.
func (s *Server) isRemoved(name string) bool {
	_, removed := s.removed.Load(name)
	return removed
}

// SetMultiWrite replaces Options.MultiWrite, which makes every region a write region. All
// regions first get all writes. It fails if a region is offline, in an account with a single
// region, and with the consistency level Strong.
func (s *Server) SetMultiWrite(on bool) error {
	return s.settled(s.account.SetMultiWrite(on, s.clock.now()))
}

// Replication configures how writes reach a region. An empty Region, Database, Container or
// Range means all of them.
type Replication struct {
	Region, Database, Container string
	Range                       string // the id of a physical partition
	// Lag is how long a write takes to reach the region, by the clock of the server.
	Lag time.Duration
	// Paused keeps writes from reaching the region until a later call ends the pause.
	Paused bool
}

// SetReplication replaces Options.ReplicationLag for regions, containers or physical
// partitions. Writes that are due by the old lag arrive first. Containers that are created
// later use the last setting for all databases. It fails if something that it names does not
// exist.
func (s *Server) SetReplication(r Replication) error {
	if err := s.account.SetReplication(store.Replication(r), s.clock.now()); err != nil {
		return err
	}
	return s.account.Settle()
}

// settled ends a change of regions: clients learn of it, and it is kept.
func (s *Server) settled(err error) error {
	if err != nil {
		return err
	}
	return errors.Join(s.switchGates(), s.account.Settle())
}

// place is the region that serves a request.
type place struct {
	store.Region

	hub bool // the first write region, which alone changes databases, containers and throughput
}

// place returns the region that serves the requests of a front.
func (s *Server) place(f Front) place {
	if len(s.options.Regions) == 0 {
		return place{store.Region{Name: store.DefaultRegion, Writable: true, Online: true}, true}
	}
	all := s.account.Regions()
	hub := max(0, slices.IndexFunc(all, func(r store.Region) bool { return r.Writable }))
	i := hub
	if f.Region != "" {
		i = slices.IndexFunc(all, func(r store.Region) bool { return r.Name == f.Region })
	}
	return place{all[i], i == hub}
}

// regionAt returns the name of the region whose endpoint has a host, or the empty string for
// the endpoint of the account.
func (s *Server) regionAt(host string) string {
	for _, name := range s.options.Regions {
		if u, err := url.Parse(s.options.RegionEndpoints[name]); err == nil && strings.EqualFold(u.Host, host) {
			return name
		}
	}
	return ""
}

// regionEndpoint is the base URL of a region as the account returns it to a client.
func (c *call) regionEndpoint(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() != "" {
		return text
	}
	host, _, err := net.SplitHostPort(c.Host)
	if err != nil { // without a port
		host = strings.Trim(c.Host, "[]")
	}
	u.Host = net.JoinHostPort(host, u.Port())
	return u.String()
}

// Kinds of writes, which regions accept differently.
var (
	itemWrites     = []string{OpCreateItem, OpUpsertItem, OpReplaceItem, OpPatchItem, OpDeleteItem, OpExecuteBatch, OpDeleteKey}
	resourceWrites = []string{OpCreateDatabase, OpDeleteDatabase, OpCreateContainer, OpReplaceContainer, OpDeleteContainer, OpReplaceOffer}
)

// checkRegion refuses a request that its region does not serve. The substatus makes Microsoft's
// SDKs try another region.
func (s *Server) checkRegion(c *call) error {
	if len(s.options.Regions) == 0 {
		return nil
	}
	operation := c.entry.Operation
	switch {
	case s.isRemoved(c.place.Name):
		return status.NoSuchRegion("emulator-" + strings.ToLower(strings.ReplaceAll(c.place.Name, " ", "")))
	case c.place.hub:
	case slices.Contains(itemWrites, operation) && c.place.Writable && header.IsTrue(c.Header, tentativeWrites):
	case slices.Contains(itemWrites, operation), slices.Contains(resourceWrites, operation):
		return status.WrongRegion()
	}
	return nil
}

// tentativeWrites is the header that every region but the first write region requires to accept
// a write. SDKs send it to an account with several write regions (azure-sdk-for-go, pull
// request 25127).
const tentativeWrites = "X-Ms-Cosmos-Allow-Tentative-Writes"

// checkRegions refuses regions that the service would refuse, endpoints that clients could not
// distinguish, and options that need regions.
func (o Options) checkRegions() error {
	if len(o.Regions) < 2 && (o.MultiWrite || o.ReplicationLag > 0) {
		return errors.New("several write regions and a replication lag need two regions or more: set Options.Regions")
	}
	if err := o.limits().CheckRegions(); err != nil {
		return err
	}
	seen := map[string]string{}
	for _, name := range o.Regions {
		switch u, err := url.Parse(o.RegionEndpoints[name]); {
		case err != nil || u.Host == "":
			return fmt.Errorf("the region %q has no endpoint: set Options.RegionEndpoints[%q] to a URL such as http://127.0.0.1:8082/", name, name)
		case seen[u.Host] != "":
			return fmt.Errorf("the regions %q and %q share the endpoint %s: give each an address of its own", seen[u.Host], name, u.Host)
		default:
			seen[u.Host] = name
		}
	}
	return nil
}
