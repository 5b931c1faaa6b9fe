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

// Regions are the regions of an account, and what happens to them.
type Regions struct {
	account *Account
	names   []string // the order of Options.Regions

	// Near is whether each program prefers another region, and not the first one of the account.
	Near bool
}

// preferred returns the PreferredRegions of a program.
func (r *Regions) preferred(program int) []string {
	if !r.Near || len(r.names) == 0 {
		return nil
	}
	n := program % len(r.names)
	return slices.Concat(r.names[n:], r.names[:n])
}

// hostOf returns the address of a region, on this machine as drafts want it. It is the same for
// all programs.
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

// of returns the name of the region to whose address a request goes, empty for the address of the
// account.
func (r *Regions) of(q *http.Request) string {
	i := slices.IndexFunc(r.names, func(name string) bool { return q.URL.Host == hostOf(name) })
	if i < 0 {
		return ""
	}
	return r.names[i]
}

// Elsewhere reports whether a request goes to a region that does not write.
func (r *Regions) Elsewhere(q *Request) bool { return q.Region != "" && q.Region != r.Writes() }

// Writes returns the name of the write region.
func (r *Regions) Writes() string {
	all := r.account.Server.Regions()
	if len(all) == 0 {
		return ""
	}
	return all[0].Name
}

// where returns the names of the regions of which is holds, in the order of Options.Regions.
func (r *Regions) where(is func(server.Region) bool) []string {
	all := r.account.Server.Regions()
	return slices.DeleteFunc(slices.Clone(r.names), func(name string) bool {
		return !is(all[slices.IndexFunc(all, func(one server.Region) bool { return one.Name == name })])
	})
}

// Online returns the names of the regions that are online and do not write.
func (r *Regions) Online() []string {
	return r.where(func(one server.Region) bool { return !one.Writable && one.Online && !one.Removed })
}

// Away returns the names of the regions that Return can bring back.
func (r *Regions) Away() []string {
	return r.where(func(one server.Region) bool { return !one.Online || one.Removed })
}

// Leave takes a region offline, as an outage does, or removes it from the account, which the write
// region cannot be.
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

// SetLag sets how long a write of one of the physical partitions takes to reach the other
// regions: of all, if none is named.
func (r *Regions) SetLag(container, partition string, lag time.Duration) error {
	in := server.Replication{Lag: lag}
	if partition != "" {
		in.Database, in.Container, in.Range = "db", container, partition
	}
	return r.account.Server.SetReplication(in)
}

// Failover makes a region the write region.
func (r *Regions) Failover(name string) error { return r.account.Server.Failover(name) }

// ForceFailover makes a region the write region, and loses the writes that it does not have. The
// write region before it is offline until Return.
func (r *Regions) ForceFailover(name string) error { return r.account.Server.ForceFailover(name) }

// down reports whether nothing listens at the address of a request: that of the account is the
// address of the write region.
func (r *Regions) down(q *Request) bool {
	region := q.Region
	if region == "" {
		region = r.Writes()
	}
	return slices.ContainsFunc(r.account.Server.Regions(), func(one server.Region) bool { return one.Name == region && !one.Online })
}

// up returns a request for a region that is online, in place of q. So programs read where the
// regions are also while nothing listens at the address of the account. azcosmos keeps an error for
// 5 minutes if a program has not read it before.
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

// unheard is the error of net/http if nothing listens.
func unheard(r *http.Request) error {
	return lost(r, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED})
}
