package tenancy

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/usage"
)

// mostTenants is the default of Meter.Tenants: about 2 MB.
const mostTenants = 10_000

// Meter adds up the request units of each tenant. Pass its method Observe to the repositories
// of types with the tag tenant:
//
//	meter := new(tenancy.Meter)
//	orders := NewOrderRepository(container, repository.WithObserver(meter.Observe))
//	…
//	err := json.NewEncoder(file).Encode(meter.Take()) // once an hour
//
// The command "pkgen-data analyze -usage FILE" reads such a file, and reports which tenants
// should get their own container. The zero value is ready, and a Meter is safe for concurrent
// use. A request costs less than a microsecond.
type Meter struct {
	// Tenants is the number of tenants counted at once, 10,000 if it is 0, at about 200 bytes
	// each; one that uses several containers counts for each. If there are more, the Meter
	// drops tenants that use least, and the figures of the others are exact within
	// [TenantUsage.Error]. Set it before the first use.
	Tenants int

	mu     sync.Mutex
	from   time.Time
	units  float64
	others float64 // request units of no tenant
	totals *usage.Totals
}

// Usage is the usage of tenants in an interval.
type Usage struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`

	// RequestUnits is the sum of all requests.
	RequestUnits float64 `json:"requestUnits"`

	// Unscoped is the part of RequestUnits from requests that belong to no tenant.
	Unscoped float64 `json:"unscoped"`

	// Forgotten is the most that a tenant missing from Tenants may have used: 0 if no tenant is
	// missing.
	Forgotten float64 `json:"forgotten,omitempty"`

	// Tenants are sorted by RequestUnits, the highest first.
	Tenants []TenantUsage `json:"tenants"`
}

// TenantUsage is the usage of a tenant in one container. A tenant in several containers has one
// for each.
type TenantUsage struct {
	Tenant    string `json:"tenant"`
	Container string `json:"container"`

	// RequestUnits is the sum of its charges, from [repository.Event].
	RequestUnits float64 `json:"requestUnits"`

	// Error is the most by which RequestUnits may be too high; it is never too low. Error is 0
	// unless there were more tenants than [Meter.Tenants].
	Error float64 `json:"error,omitempty"`

	// Requests is the number of requests of the tenant, and Throttled the number that finally
	// failed with status 429. If Error is not 0, both count only since the tenant was last
	// added.
	Requests  int64 `json:"requests"`
	Throttled int64 `json:"throttled,omitempty"`

	// Peak is the rate of its busiest minute, in request units a second.
	Peak float64 `json:"peakRequestUnitsPerSecond"`
}

// Observe adds a request. It is a function for [repository.WithObserver].
func (m *Meter) Observe(_ context.Context, e repository.Event) {
	now := time.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.begin(now)
	m.units += e.RequestUnits
	if e.Tenant == "" {
		m.others += e.RequestUnits
		return
	}
	m.totals.Add(usage.Key{Tenant: e.Tenant, Container: e.Container}, e.RequestUnits, isThrottled(e.Err), now)
}

// isThrottled reports whether a request ended with status 429.
func isThrottled(err error) bool {
	var refused *azcore.ResponseError
	return errors.As(err, &refused) && refused.StatusCode == http.StatusTooManyRequests
}

// begin starts to count, unless the meter already counts.
func (m *Meter) begin(now time.Time) {
	if m.totals != nil {
		return
	}
	most := m.Tenants
	if most <= 0 {
		most = mostTenants
	}
	m.from, m.units, m.others, m.totals = now, 0, 0, usage.New(most)
}

// Usage returns the usage of tenants since the first request, or since the last Take.
func (m *Meter) Usage() Usage { return m.usage(false) }

// Take returns the usage and resets it, so each request is in the result of one call. Several
// processes may append the results to one file, a line each.
func (m *Meter) Take() Usage { return m.usage(true) }

func (m *Meter) usage(again bool) Usage {
	now := time.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.begin(now)
	u := Usage{
		From: m.from.UTC(), To: now.UTC(), RequestUnits: m.units, Unscoped: m.others,
		Forgotten: m.totals.Forgotten(), Tenants: []TenantUsage{},
	}
	for _, t := range m.totals.Tenants() {
		u.Tenants = append(u.Tenants, TenantUsage{
			Tenant: t.Tenant, Container: t.Container, RequestUnits: t.Units, Error: t.Error,
			Requests: t.Requests, Throttled: t.Throttled, Peak: t.Peak(),
		})
	}
	if again {
		m.totals = nil
		m.begin(now)
	}
	return u
}
