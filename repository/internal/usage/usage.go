package usage

import (
	"cmp"
	"container/heap"
	"slices"
	"time"
)

// Totals sums the usage of a limited number of tenants. A new tenant beyond the limit
// replaces the one with the least usage and inherits its request units: the algorithm is
// Space-Saving (Metwally, Agrawal and El Abbadi, "Efficient Computation of Frequent and
// Top-k Elements in Data Streams", 2005). So a tenant's request units are too high by at
// most its Error, and never too low. A tenant that is missing has used no more than the
// least of the others.
type Totals struct {
	most    int
	tenants map[Key]*Tenant
	order   byUnits
}

// Key is a tenant in a container.
type Key struct{ Tenant, Container string }

// Tenant is the usage of a tenant in a container.
type Tenant struct {
	Key

	Units     float64
	Error     float64 // the most by which Units may be too high
	Requests  int64   // since the tenant was last added
	Throttled int64   // of Requests

	peak   float64 // request units of the busiest minute
	minute int64   // the minute of the last request, since 1970
	within float64 // request units of that minute

	index int // in the order
}

// New returns Totals of at most most tenants.
func New(most int) *Totals {
	return &Totals{most: most, tenants: map[Key]*Tenant{}}
}

// Add adds a request of a tenant.
func (t *Totals) Add(of Key, units float64, throttled bool, at time.Time) {
	tenant := t.tenants[of]
	if tenant == nil {
		tenant = t.enter(of)
	}
	tenant.Units += units
	tenant.Requests++
	if throttled {
		tenant.Throttled++
	}
	if minute := at.Unix() / 60; minute != tenant.minute {
		tenant.minute, tenant.within = minute, 0
	}
	tenant.within += units
	tenant.peak = max(tenant.peak, tenant.within)
	heap.Fix(&t.order, tenant.index)
}

// enter adds a tenant, and replaces another one if necessary.
func (t *Totals) enter(of Key) *Tenant {
	tenant := &Tenant{Key: of}
	if len(t.order) >= t.most {
		least := t.order[0]
		delete(t.tenants, least.Key)
		tenant.Units, tenant.Error = least.Units, least.Units
		t.order[0] = tenant
	} else {
		heap.Push(&t.order, tenant)
	}
	t.tenants[of] = tenant
	return tenant
}

// Tenants returns a copy of all usages, the highest first.
func (t *Totals) Tenants() []Tenant {
	list := make([]Tenant, 0, len(t.order))
	for _, tenant := range t.order {
		list = append(list, *tenant)
	}
	slices.SortFunc(list, func(a, b Tenant) int {
		return cmp.Or(cmp.Compare(b.Units, a.Units), cmp.Compare(a.Tenant, b.Tenant), cmp.Compare(a.Container, b.Container))
	})
	return list
}

// Forgotten returns an upper bound of the usage of a tenant that is not among Tenants.
func (t *Totals) Forgotten() float64 {
	if len(t.order) < t.most {
		return 0
	}
	return t.order[0].Units
}

// Peak returns the request units a second of the busiest minute.
func (t Tenant) Peak() float64 { return t.peak / 60 }

// byUnits is a heap of tenants, with the lowest usage on top.
type byUnits []*Tenant

func (h byUnits) Len() int           { return len(h) }
func (h byUnits) Less(i, j int) bool { return h[i].Units < h[j].Units }
func (h byUnits) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

// Push implements heap.Interface.
func (h *byUnits) Push(x any) {
	tenant := x.(*Tenant)
	tenant.index = len(*h)
	*h = append(*h, tenant)
}

// Pop implements heap.Interface. It is never called.
func (h *byUnits) Pop() any {
	last := len(*h) - 1
	tenant := (*h)[last]
	*h = (*h)[:last]
	return tenant
}
