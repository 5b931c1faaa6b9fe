package store

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// DefaultRegion is the only region of an account that names none: Microsoft's emulator
// gives its region this name.
const DefaultRegion = "South Central US"

// Consistency levels, as the service names them.
const (
	Strong           = "Strong"
	BoundedStaleness = "BoundedStaleness"
	Session          = "Session"
	ConsistentPrefix = "ConsistentPrefix"
	Eventual         = "Eventual"
)

// consistencyLevels are all levels, the strongest first.
var consistencyLevels = []string{Strong, BoundedStaleness, Session, ConsistentPrefix, Eventual}

// Staleness bounds how far a region falls behind the write region of an account with the
// consistency level BoundedStaleness.
type Staleness struct {
	Writes int           // in each physical partition
	Time   time.Duration // of the oldest write that has not arrived
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
	// Writable says that the region accepts writes while it is online.
	Writable, Online bool
}

// Replication says how writes reach a region. The empty string stands for all regions,
// databases, containers and physical partitions.
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
			return fmt.Errorf("the region %q is there twice", name)
		}
	}
	switch {
	case l.Consistency != "" && !slices.Contains(consistencyLevels, l.Consistency):
		return fmt.Errorf("the consistency level %q is invalid: use %s", l.Consistency, strings.Join(consistencyLevels, ", "))
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

// Regions returns the regions of the account in the order of their failover priority. The
// first one that is writable is the hub.
func (a *Account) Regions() []Region {
	return []Region{{Name: a.regionName(0), Writable: true, Online: true}}
}

// regionName returns the name of a region.
func (a *Account) regionName(n int) string {
	if len(a.limits.Regions) == 0 {
		return DefaultRegion
	}
	return a.limits.Regions[n]
}

// MultiWrite reports whether all regions accept writes.
func (a *Account) MultiWrite() bool { return false }

// CheckWrite refuses a write in a region that accepts none, as the service does: with
// status 403 and substatus 3. Writes of documents are checked anyway; this is for databases,
// containers and offers.
func (a *Account) CheckWrite(region int) error { return nil }

// Failover makes a region the write region; with several write regions, it makes it the
// hub. It fails if the region does not exist or is offline.
//
// A planned failover waits until all regions that are online have all writes. It loses
// nothing, and fails if the write region is offline. A forced one takes the write region
// offline, and loses the writes that have not reached the new one, in each physical
// partition on its own. With several write regions, nothing is lost: the writes of the
// region that goes offline arrive when it returns.
func (a *Account) Failover(name string, forced bool, now time.Time) error {
	return a.oneRegion()
}

// SetOnline takes a region offline, or back. Writes from and to a region that is offline wait
// until it returns.
func (a *Account) SetOnline(name string, online bool, now time.Time) error {
	return a.oneRegion()
}

// SetMultiWrite lets all regions accept writes, or the hub alone. All regions must be
// online. They get all writes first.
func (a *Account) SetMultiWrite(on bool, now time.Time) error { return a.oneRegion() }

// SetReplication sets how writes reach a region. Containers that are created later have what
// was last set for all databases. Writes that are due by the old lag arrive first.
func (a *Account) SetReplication(in Replication, now time.Time) error { return a.oneRegion() }

func (a *Account) oneRegion() error {
	return errors.New("the account has one region: start it with several (Options.Regions, or pkgen-emulator -regions)")
}

// In returns the replica of a container in a region. It has all methods of a container, and
// reads what has reached the region. Writes fail with status 403 and substatus 3 unless the
// region accepts them.
func (c *Container) In(region int) *Container { return c }

// Covers reports whether the physical partition has, in its region, all writes that a session
// token names: one token, or several with commas between them. Those of other physical
// partitions do not count, except for those it was split or merged from. The caller holds the
// lock of the container.
func (r *Range) Covers(token string) (bool, error) {
	for one := range strings.SplitSeq(token, ",") {
		id, state, ok := strings.Cut(one, ":")
		if !ok {
			return false, badSessionToken(one)
		}
		fields := strings.Split(state, "#")
		lsn, err := strconv.ParseInt(fields[min(1, len(fields)-1)], 10, 64)
		if err != nil {
			return false, badSessionToken(one)
		}
		if (id == r.ID || slices.Contains(r.Parents, id)) && lsn > r.LSN {
			return false, nil
		}
	}
	return true, nil
}

func badSessionToken(token string) error {
	return status.BadRequest("The session token %q is invalid: it has the form 0:-1#12.", token)
}

// Covers reports whether all physical partitions of a container cover a session token.
func (c *Container) Covers(token string, now time.Time) (covers bool, err error) {
	err = c.Read(now, func() error {
		for _, r := range c.Ranges {
			if covers, err = r.Covers(token); err != nil || !covers {
				return err
			}
		}
		return nil
	})
	return covers, err
}
