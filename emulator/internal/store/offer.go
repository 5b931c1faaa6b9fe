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

// Limits on changes of throughput in an account ("Azure Cosmos DB service quotas", metadata
// request limits).
const (
	maxUpdates  = 25
	updatesTime = 5 * time.Minute
)

// offer is the provisioned throughput of a container, or of a database whose
// containers share it. The lock of the account guards it, except for throughput.
type offer struct {
	id       string
	order    int    // of the creation in the account
	owner    string // resource id of the container or database
	resource string // its link
	settings Throughput
	highest  int // the highest throughput that it has ever had
	etag     string
	ts       time.Time
	// throughput is the highest throughput of settings. Requests read it without the lock.
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

// most returns the highest throughput that is provided.
func (p Throughput) most() int {
	if p.Autoscale != nil {
		return p.Autoscale.Max
	}
	return p.Manual
}

// least returns the lowest throughput to which an offer can be changed, for a number of stored
// bytes ("Azure Cosmos DB service quotas", minimum throughput limits). The service also counts
// the bytes of the index, which the emulator does not have.
func (o *offer) least(stored int) int {
	if o.settings.Autoscale != nil {
		return leastAutoscale(o.highest, stored)
	}
	return leastManual(o.highest, stored)
}

// leastManual returns the lowest manual throughput: the maximum of a hundredth of the highest
// throughput ever, 1 RU/s for each GB, and the minimum of any offer.
func leastManual(highest, stored int) int {
	return max(MinManual, roundUp(highest, 100, 100), roundUp(gigabytes(stored), 1, 100))
}

// leastAutoscale returns the lowest maximum of autoscale throughput: the maximum of a tenth of
// the highest throughput ever, 10 RU/s for each GB, and the minimum of any offer.
func leastAutoscale(highest, stored int) int {
	return max(minAutoscale, roundUp(highest, 10, 1000), roundUp(10*gigabytes(stored), 1, 1000))
}

// gigabytes converts bytes to gigabytes, and rounds up.
func gigabytes(n int) int { return int((int64(n) + 1<<30 - 1) >> 30) }

// roundUp returns a fraction of n as the next multiple of step.
func roundUp(n, fraction, step int) int {
	return (n + fraction*step - 1) / (fraction * step) * step
}

// partitions is how many physical partitions a throughput needs.
func (p Throughput) partitions() int {
	return (p.most() + throughputPerPartition - 1) / throughputPerPartition
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
	// Least is the lowest throughput to which the offer can be changed.
	Least int
}

// json is an offer as the service shows it.
func (o *offer) json() []byte {
	return MustJSON(map[string]any{
		"id": o.id, "_rid": o.id, "_self": "offers/" + o.id + "/", "_etag": o.etag, "_ts": o.ts.Unix(),
		"resource": o.resource, "offerResourceId": o.owner, "offerType": "Invalid", "offerVersion": "V2",
		"content": o.content(),
	})
}

// content returns the throughput as the service shows it, with the lowest throughput to which
// it can be changed.
func (o *offer) content() any {
	type minimum struct {
		MaxThroughput int `json:"maxThroughputEverProvisioned"`
		MaxStorage    int `json:"maxConsumedStorageEverInKB"`
	}
	return struct {
		Throughput
		RUPMEnabled bool    `json:"offerIsRUPerMinuteThroughputEnabled"`
		Minimum     minimum `json:"offerMinimumThroughputParameters"`
		LastReplace int64   `json:"offerLastReplaceTimestamp"`
	}{o.settings, false, minimum{MaxThroughput: o.highest}, o.ts.Unix()}
}
