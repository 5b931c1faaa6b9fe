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

// mostTenants is how many tenants a Meter keeps unless its field says otherwise: about 2 MB.
const mostTenants = 10_000

// Meter adds up which tenants use how many request units. Give its method Observe
// to the repositories of types with the tag tenant:
//
//	meter := new(tenancy.Meter)
//	orders := NewOrderRepository(container, repository.WithObserver(meter.Observe))
//	…
//	err := json.NewEncoder(file).Encode(meter.Take()) // once an hour
//
// The command "pkgen-data analyze -usage FILE" reads such a file, and says which tenants
// should get a container of their own. The zero value is ready, and a Meter is
// safe for concurrent use. A request costs less than a microsecond.
type Meter struct {
	// Tenants is how many tenants are known at once, 10,000 if it is 0, at about 200
	// bytes each; one that uses several containers counts for each. If there are more, those that use least are forgotten, and the
	// figures of the others are exact within [TenantUsage.Error]. It is set before the
	// first use.
	Tenants int

	mu     sync.Mutex
	from   time.Time
	units  float64
	others float64 // request units of no tenant
	totals *usage.Totals
}

// Usage says what the tenants used from one time to another.
type Usage struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`

	// RequestUnits is the sum of all requests.
	RequestUnits float64 `json:"requestUnits"`

	// Unscoped is the part of it of requests that were not sent for one tenant.
	Unscoped float64 `json:"unscoped"`

	// Forgotten is the most that a tenant may have used that is not among Tenants: 0
	// if all tenants are.
	Forgotten float64 `json:"forgotten,omitempty"`

	// Tenants has those that used most first.
	Tenants []TenantUsage `json:"tenants"`
}

// TenantUsage says what a tenant used in a container. A tenant that was in several has
// one for each.
type TenantUsage struct {
	Tenant    string `json:"tenant"`
	Container string `json:"container"`

	// RequestUnits is the sum of its charges, as [repository.Event] has them.
	RequestUnits float64 `json:"requestUnits"`

	// Error is by how much RequestUnits may be too high, never too low: 0 unless there
	// were more tenants than [Meter.Tenants].
	Error float64 `json:"error,omitempty"`

	// Requests is how many requests the tenant sent, and Throttled how many of them
	// failed with status 429 in the end. With an Error, both are those since the tenant
	// was known again.
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

// begin begins to count, unless the meter does already.
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

// Usage returns what tenants have used since the first request, or since the last Take.
func (m *Meter) Usage() Usage { return m.usage(false) }

// Take returns what Usage returns, and begins again: what one call returns, no other call
// does. Several processes may write what it returns into one file, a line each.
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
