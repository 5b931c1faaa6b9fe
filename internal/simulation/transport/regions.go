package transport

import (
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
)

// Regions are the regions of an account.
type Regions struct {
	account *Account
	names   []string // in the order of Options.Regions

	// Near makes each program prefer another region than the first one of the account.
	Near bool

	all bool // take writes
}

// Write makes all regions take writes. Call it before the first request.
func (r *Regions) Write() error {
	r.all = true
	return r.account.Server.SetMultiWrite(true)
}

// preferred returns the PreferredRegions of a program.
func (r *Regions) preferred(program int) []string {
	if !r.Near || len(r.names) == 0 {
		return nil
	}
	n := program % len(r.names)
	return slices.Concat(r.names[n:], r.names[:n])
}

// hostOf returns the address of a region, for all programs. It is local, as drafts require.
func hostOf(region string) string {
	return strings.ToLower(strings.ReplaceAll(region, " ", "")) + ".localhost"
}

// set adds the regions to the options of a server.
func (r *Regions) set(o *server.Options) {
	if len(r.names) == 0 {
		return
	}
	o.Regions, o.RegionEndpoints = r.names, map[string]string{}
	for _, name := range r.names {
		o.RegionEndpoints[name] = "http://" + hostOf(name) + "/"
	}
}

// of returns the name of the region that a request is sent to; "" for the address of the account.
func (r *Regions) of(q *http.Request) string {
	i := slices.IndexFunc(r.names, func(name string) bool { return q.URL.Host == hostOf(name) })
	if i < 0 {
		return ""
	}
	return r.names[i]
}

// Elsewhere reports whether a request goes to a region that does not write.
func (r *Regions) Elsewhere(q *Request) bool {
	return q.Region != "" && q.Region != r.Writes() && !r.all
}

// In returns the name of the region that gets a request.
func (r *Regions) In(q *Request) string {
	if q.Region != "" {
		return q.Region
	}
	return r.Writes()
}

// Writes returns the name of the write region, or of the first one of several.
func (r *Regions) Writes() string {
	all := r.account.Server.Regions()
	if len(all) == 0 {
		return ""
	}
	return all[0].Name
}

// where returns the names of matching regions, in the order of Options.Regions.
func (r *Regions) where(is func(server.Region) bool) []string {
	all := r.account.Server.Regions()
	return slices.DeleteFunc(slices.Clone(r.names), func(name string) bool {
		return !is(all[slices.IndexFunc(all, func(one server.Region) bool { return one.Name == name })])
	})
}

// Online returns the names of the regions that are online, except that of Writes.
func (r *Regions) Online() []string {
	first := r.Writes()
	return r.where(func(one server.Region) bool { return one.Name != first && one.Online && !one.Removed })
}

// Away returns the names of the regions that Return can bring back.
func (r *Regions) Away() []string {
	return r.where(func(one server.Region) bool { return !one.Online || one.Removed })
}

// Leave takes a region offline, as an outage does, or removes it from the account. The write region
// cannot be removed.
func (r *Regions) Leave(name string, removed bool) error {
	if removed && name != r.Writes() {
		return r.account.Server.RemoveRegion(name)
	}
	return r.account.Server.SetRegionOnline(name, false)
}

// Return brings a region back.
func (r *Regions) Return(name string) error {
	return errors.Join(r.account.Server.SetRegionOnline(name, true), r.account.Server.AddRegion(name))
}

// SetLag sets the replication lag of writes to a physical partition of a container, or to all if
// none is named.
func (r *Regions) SetLag(container, partition string, lag time.Duration) error {
	in := server.Replication{Lag: lag}
	if partition != "" {
		in.Database, in.Container, in.Range = "db", container, partition
	}
	return r.account.Server.SetReplication(in)
}

// Failover makes a region the write region.
func (r *Regions) Failover(name string) error { return r.account.Server.Failover(name) }

// ForceFailover makes a region the write region, and loses the writes that it lacks. The earlier
// write region is offline until Return.
func (r *Regions) ForceFailover(name string) error { return r.account.Server.ForceFailover(name) }

// down reports whether nothing listens at the address of a request. The address of the account is
// that of the write region.
func (r *Regions) down(q *Request) bool {
	region := r.In(q)
	return slices.ContainsFunc(r.account.Server.Regions(), func(one server.Region) bool { return one.Name == region && !one.Online })
}

// up returns q redirected to an online region. Thus programs can read the list of regions while the
// account's address is down; azcosmos would otherwise cache the error for 5 minutes if a program
// has not read it before.
func (r *Regions) up(q *Request) *Request {
	if q.Region == "" && !r.down(q) || len(r.names) == 0 {
		return q
	}
	region := r.Writes()
	if away := r.Away(); slices.Contains(away, region) {
		region = r.Online()[0]
	}
	other := &Request{Request: q.Clone(q.Context()), Body: q.Body, Region: region}
	other.Host, other.URL.Host = hostOf(region), hostOf(region)
	return other
}

// unheard returns the error of net/http for a refused connection.
func unheard(r *http.Request) error {
	return lost(r, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED})
}
