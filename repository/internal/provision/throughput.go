package provision

import (
	"context"
	"fmt"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Bounds and steps of provisioned throughput in RU/s ("Azure Cosmos DB service quotas").
// There is no upper bound, because Microsoft raises it on request.
const (
	leastManual    = 400
	stepManual     = 100
	leastAutoscale = 1_000
	stepAutoscale  = 1_000
)

// Mode is a way to pay for request units.
type Mode int

// Modes of throughput.
const (
	Any Mode = iota
	ManualMode
	AutoscaleMode
	Shared
	Serverless
	leastMode // of the present kind
)

// Throughput is the wanted throughput of a container. The zero value accepts any.
type Throughput struct {
	Mode  Mode
	units int32 // RU/s: the amount, or the maximum of autoscale
}

// Least is the present kind of throughput, at the least amount that the service allows. A
// container without its own throughput is accepted.
func Least() Throughput { return Throughput{Mode: leastMode} }

// Manual is the container's own throughput of exactly ru request units a second.
func Manual(ru int32) Throughput { return Throughput{ManualMode, ru} }

// Autoscale is the container's own throughput of up to most request units a second.
func Autoscale(most int32) Throughput { return Throughput{AutoscaleMode, most} }

// String returns a text such as "autoscale up to 4000 RU/s".
func (t Throughput) String() string {
	switch t.Mode {
	case ManualMode:
		return fmt.Sprintf("manual %d RU/s", t.units)
	case AutoscaleMode:
		return fmt.Sprintf("autoscale up to %d RU/s", t.units)
	case Shared:
		return "that of the database"
	case Serverless:
		return "none, serverless"
	case leastMode:
		return "the least that is allowed"
	default:
		return "any"
	}
}

// own reports whether the container has its own throughput.
func (t Throughput) own() bool {
	return t.Mode == ManualMode || t.Mode == AutoscaleMode
}

// check returns an error for an amount that the service refuses.
func (t Throughput) check() error {
	least, step := int32(0), int32(1)
	switch t.Mode {
	case ManualMode:
		least, step = leastManual, stepManual
	case AutoscaleMode:
		least, step = leastAutoscale, stepAutoscale
	}
	if t.own() && (t.units < least || t.units%step != 0) {
		return fmt.Errorf("a throughput of %v is not possible: use %d or more, in steps of %d", t, least, step)
	}
	return nil
}

// properties returns the throughput for a creation by azcosmos, or nil if the container has
// none of its own.
func (t Throughput) properties() *wire.ThroughputProperties {
	var p wire.ThroughputProperties
	switch t.Mode {
	case ManualMode:
		p = wire.NewManualThroughput(t.units)
	case AutoscaleMode:
		p = wire.NewAutoscaleThroughput(t.units)
	default:
		return nil
	}
	return &p
}

// provisioned is the present throughput of a container.
type provisioned struct {
	Throughput
	least     int32 // the least amount to which it can be lowered, or 0 if unknown
	increment int32 // percent by which the service raises autoscale; 0 for never
	pending   bool  // a change is under way
	etag      azcore.ETag
}

func newProvisioned(r wire.ThroughputResponse) provisioned {
	var p provisioned
	// An autoscale offer also has its present manual throughput.
	if most, ok := r.ThroughputProperties.AutoscaleMaxThroughput(); ok {
		p.Throughput = Autoscale(most)
		p.increment, _ = r.ThroughputProperties.AutoscaleIncrement()
	} else if units, ok := r.ThroughputProperties.ManualThroughput(); ok {
		p.Throughput = Manual(units)
	}
	if r.MinThroughput != nil {
		p.least = *r.MinThroughput
	}
	if r.ThroughputProperties.ETag != nil {
		p.etag = *r.ThroughputProperties.ETag
	}
	p.pending = r.IsReplacePending
	return p
}

// changed returns the throughput for a replacement by azcosmos, of the same kind.
func (p provisioned) changed(units int32) wire.ThroughputProperties {
	if p.increment != 0 {
		return wire.NewAutoscaleThroughputWithIncrement(units, p.increment)
	}
	return *Throughput{p.Mode, units}.properties()
}

// difference returns the difference from the wanted throughput, or nil if there is none.
func (p provisioned) difference(want Throughput) *difference {
	if p.meets(want) {
		return nil
	}
	d := &difference{Property: "throughput", Have: p.String(), Want: want.String()}
	switch {
	case p.Mode == Serverless:
		d.Why = "the account is serverless: want Serverless()"
	case !p.own():
		d.Why = "a container that was made without throughput of its own cannot get it: make a new container and copy the documents"
	case !want.own() && want.Mode != leastMode:
		d.Why = "a container cannot lose its own throughput: want it by Manual or Autoscale, or make a new container in a database that has throughput or in a serverless account"
	case p.pending:
		d.Why = "a change of it is under way: wait until it is done"
	case p.Mode == want.Mode && want.units < p.least:
		d.Why = fmt.Sprintf("the service allows no less than %d RU/s here, because of the stored data or earlier throughput", p.least)
	default:
		d.Fixable = true
		d.Why = "the bill changes with it"
	}
	return d
}

// meets reports whether the throughput is as wanted.
func (p provisioned) meets(want Throughput) bool {
	switch {
	case want.Mode == leastMode:
		return !p.own() || p.least == 0 || p.units <= p.least
	case want.Mode == Any || p.Throughput == want:
		return true
	default:
		return !p.own() && !want.own()
	}
}

// Count returns the numbers of databases and containers in an account. It costs a request
// for all databases, one for the containers of each, and more for longer lists. A database
// that is dropped meanwhile is not counted.
func Count(ctx context.Context, client *wire.Account) (databases, containers int, err error) {
	var o wire.DatabasesOptions
	for {
		var page wire.QueryDatabasesResponse
		err := wire.Reread(ctx, func() (err error) {
			page, err = client.NewQueryDatabasesPager("SELECT * FROM c", &o).NextPage(ctx)
			return wire.DatabasesAnswer(page, err)
		})
		if err != nil {
			return 0, 0, wire.NewError("count", "databases", "", "", err)
		}
		for _, d := range page.Databases {
			n, found, err := countIn(ctx, client, d.ID)
			if err != nil {
				return 0, 0, wire.NewError("count", "containers of database", d.ID, "", err)
			}
			if found {
				databases++
				containers += n
			}
		}
		if o.ContinuationToken = page.ContinuationToken; o.ContinuationToken == nil {
			return databases, containers, nil
		}
	}
}

// countIn returns the number of containers in a database, and whether the database exists.
func countIn(ctx context.Context, client *wire.Account, database string) (n int, found bool, err error) {
	db, err := client.NewDatabase(database)
	if err != nil {
		return 0, false, err
	}
	var o wire.ContainersOptions
	for {
		var page wire.QueryContainersResponse
		err := wire.Reread(ctx, func() (err error) {
			page, err = db.NewQueryContainersPager("SELECT * FROM c", &o).NextPage(ctx)
			return wire.ContainersAnswer(page, err)
		})
		if wire.StatusOf(err) == http.StatusNotFound {
			return 0, false, nil
		}
		if err != nil {
			return 0, false, err
		}
		n += len(page.Containers)
		if o.ContinuationToken = page.ContinuationToken; o.ContinuationToken == nil {
			return n, true, nil
		}
	}
}
