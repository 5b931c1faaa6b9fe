package repository

import (
	"fmt"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// Steps of provisioned throughput in RU/s ("Azure Cosmos DB service quotas").
// There is no upper bound here, since Microsoft raises it on request.
const (
	leastManual    = 400
	stepManual     = 100
	leastAutoscale = 1_000
	stepAutoscale  = 1_000
)

// throughputMode is a way to pay for request units.
type throughputMode int

const (
	throughputAny throughputMode = iota
	throughputManual
	throughputAutoscale
	throughputShared
	throughputServerless
)

// Throughput is what [Ensure] asks of a container's throughput. The zero value
// is [AnyThroughput]. It is a value, to be made by the functions that return
// one, and safe for concurrent use.
type Throughput struct {
	mode  throughputMode
	units int32 // RU/s: all of them, or the most
}

// Manual is throughput of the container's own, of exactly ru request units a
// second: 400 or more, in steps of 100.
func Manual(ru int32) Throughput { return Throughput{throughputManual, ru} }

// Autoscale is throughput of the container's own that goes up to most request
// units a second, and down to a tenth of it: 1,000 or more, in steps of 1,000.
func Autoscale(most int32) Throughput { return Throughput{throughputAutoscale, most} }

// SharedThroughput is that of the database, which the container shares with
// others: it has none of its own.
func SharedThroughput() Throughput { return Throughput{mode: throughputShared} }

// Serverless is for containers of a serverless account, which pays for each
// request and has no throughput.
func Serverless() Throughput { return Throughput{mode: throughputServerless} }

// AnyThroughput is whatever the container has. Its throughput is not read, which
// saves requests and is the only way for Microsoft Entra ID principals, who may
// not read it by azcosmos. A container that is missing is created without a word
// about throughput: it shares that of its database, or gets 400 RU/s where
// there is none, or the account is serverless.
func AnyThroughput() Throughput { return Throughput{} }

// String says what it is, such as "autoscale up to 4000 RU/s".
func (t Throughput) String() string {
	switch t.mode {
	case throughputManual:
		return fmt.Sprintf("manual %d RU/s", t.units)
	case throughputAutoscale:
		return fmt.Sprintf("autoscale up to %d RU/s", t.units)
	case throughputShared:
		return "that of the database"
	case throughputServerless:
		return "none, serverless"
	default:
		return "any"
	}
}

// own reports whether the container has throughput of its own.
func (t Throughput) own() bool {
	return t.mode == throughputManual || t.mode == throughputAutoscale
}

// check refuses an amount that the service refuses.
func (t Throughput) check() error {
	least, step := int32(0), int32(1)
	switch t.mode {
	case throughputManual:
		least, step = leastManual, stepManual
	case throughputAutoscale:
		least, step = leastAutoscale, stepAutoscale
	}
	if t.own() && (t.units < least || t.units%step != 0) {
		return fmt.Errorf("a throughput of %v is not possible: use %d or more, in steps of %d", t, least, step)
	}
	return nil
}

// properties is what azcosmos creates a container with; nil without throughput
// of its own.
func (t Throughput) properties() *azcosmos.ThroughputProperties {
	var p azcosmos.ThroughputProperties
	switch t.mode {
	case throughputManual:
		p = azcosmos.NewManualThroughputProperties(t.units)
	case throughputAutoscale:
		p = azcosmos.NewAutoscaleThroughputProperties(t.units)
	default:
		return nil
	}
	return &p
}

// provisioned is the throughput that a container has.
type provisioned struct {
	Throughput
	least     int32 // to which it can be lowered, 0 if not known
	increment int32 // percent by which the service raises autoscale, 0 for not at all
	pending   bool  // the last change is under way
}

// newProvisioned reads the answer of the service.
func newProvisioned(r azcosmos.ThroughputResponse) provisioned {
	var p provisioned
	// An offer of autoscale has a manual throughput too, of the moment.
	if most, ok := r.ThroughputProperties.AutoscaleMaxThroughput(); ok {
		p.Throughput = Autoscale(most)
		p.increment, _ = r.ThroughputProperties.AutoscaleIncrement()
	} else if units, ok := r.ThroughputProperties.ManualThroughput(); ok {
		p.Throughput = Manual(units)
	}
	if r.MinThroughput != nil {
		p.least = *r.MinThroughput
	}
	p.pending = r.IsReplacePending
	return p
}

// changed is what azcosmos replaces the throughput by, of the same mode.
func (p provisioned) changed(want Throughput) azcosmos.ThroughputProperties {
	if p.increment != 0 {
		return azcosmos.NewAutoscaleThroughputPropertiesWithIncrement(want.units, p.increment)
	}
	return *want.properties()
}

// difference compares it with what is wanted; nil if that is given.
func (p provisioned) difference(want Throughput) *Difference {
	if want.mode == throughputAny || p.Throughput == want || !p.own() && !want.own() {
		return nil
	}
	d := &Difference{Property: "throughput", Have: p.String(), Want: want.String()}
	switch {
	case p.mode == throughputServerless:
		d.Why = "the account is serverless: want Serverless()"
	case !p.own():
		d.Why = "a container that was made without throughput of its own cannot get it: make a new container and copy the documents"
	case !want.own():
		d.Why = "a container cannot lose its own throughput: want it by Manual or Autoscale, or make a new container in a database that has throughput or in a serverless account"
	case p.mode != want.mode:
		d.Why = "azcosmos cannot switch between manual and autoscale: az cosmosdb sql container throughput migrate, or the portal, can"
	case p.pending:
		d.Why = "a change of it is under way: wait until it is done"
	case want.units < p.least:
		d.Why = fmt.Sprintf("the service does not go below %d RU/s here, because of how much is stored or was provisioned before", p.least)
	default:
		d.Fixable = true
		d.Why = "the bill changes with it"
	}
	return d
}
