package usage

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
)

// Minimum cost of a container ("Azure Cosmos DB pricing", "Autoscale throughput"): manual
// throughput has at least 400 RU/s, and autoscale 1,000 RU/s, of which a tenth is charged when
// idle.
const (
	leastManual = 400
	leastCharge = 100
)

// The thresholds of findings. docs/analyze.md has them, too.
const (
	noisyShare     = 0.2               // of the container's request units
	throttledShare = 0.1               // the same, if neighbors are throttled
	noisyPeak      = leastCharge       // below it, a tenant does not affect others
	fullPeak       = leastManual       // a tenant with this peak uses a container of its own
	idlePeak       = leastCharge / 10. // below this peak, an own container is idle
)

// mostTenants is the maximum number of listed tenants, besides those with findings.
const mostTenants = 100

// key identifies a tenant in a container.
type key struct{ tenant, container string }

// sum is a tenant's usage of a container in all records.
type sum struct {
	analyze.UsedTenant
	last  time.Time // the end of its last record
	left  bool      // its last usage is of other containers
	spans []span
}

// span is the busiest minute of a record.
type span struct {
	from, to time.Time
	peak     float64
}

// report adds up records, and judges tenants.
func report(records []record) *analyze.Used {
	r := &analyze.Used{Records: len(records), Findings: []analyze.Finding{}, Tenants: []analyze.UsedTenant{}}
	tenants, last := map[key]*sum{}, map[string]time.Time{}
	for _, one := range records {
		if r.From.IsZero() || one.From.Before(r.From) {
			r.From = one.From
		}
		if one.To.After(r.To) {
			r.To = one.To
		}
		r.RequestUnits += one.RequestUnits
		r.Unscoped += one.Unscoped
		r.Forgotten += one.Forgotten
		for _, t := range one.Tenants {
			at := key{t.Tenant, t.Container}
			if tenants[at] == nil {
				tenants[at] = &sum{UsedTenant: analyze.UsedTenant{Tenant: t.Tenant, Container: t.Container}}
			}
			tenants[at].add(one, t)
			if one.To.After(last[t.Tenant]) {
				last[t.Tenant] = one.To
			}
		}
	}
	seconds := max(r.To.Sub(r.From), time.Minute).Seconds()
	all := slices.SortedFunc(maps.Values(tenants), func(a, b *sum) int {
		return cmp.Or(cmp.Compare(b.RequestUnits, a.RequestUnits), cmp.Compare(a.Tenant, b.Tenant), cmp.Compare(a.Container, b.Container))
	})
	containers := map[string]*container{}
	for _, t := range all {
		t.left = last[t.Tenant].After(t.last)
		t.RUs, t.PeakRUs = t.RequestUnits/seconds, peak(t.spans)
		c := containers[t.Container]
		if c == nil {
			c = &container{}
			containers[t.Container] = c
		}
		c.add(t)
	}
	r.Known = len(last)
	for i, t := range all {
		c := containers[t.Container]
		t.Neighbors = c.tenants - 1
		if c.units > 0 {
			t.Share = t.RequestUnits / c.units
		}
		finding, found := c.judge(t, len(last))
		if found {
			r.Findings = append(r.Findings, finding)
		}
		if found || i < mostTenants {
			r.Tenants = append(r.Tenants, t.UsedTenant)
		}
	}
	return r
}

// add adds what a record says.
func (s *sum) add(r record, t tenant) {
	s.RequestUnits += t.RequestUnits
	s.Error += t.Error
	s.Requests += t.Requests
	s.Throttled += t.Throttled
	s.spans = append(s.spans, span{r.From, r.To, t.Peak})
	if r.To.After(s.last) {
		s.last = r.To
	}
}

// peak returns the highest sum of the busiest minutes of overlapping spans.
func peak(spans []span) float64 {
	slices.SortFunc(spans, func(a, b span) int { return a.from.Compare(b.from) })
	most := 0.0
	var open []span
	for _, s := range spans {
		open = slices.DeleteFunc(open, func(o span) bool { return !o.to.After(s.from) })
		open = append(open, s)
		together := 0.0
		for _, o := range open {
			together += o.peak
		}
		most = max(most, together)
	}
	return most
}

// container is the total usage of a container's tenants.
type container struct {
	tenants   int
	units     float64
	throttled int64
}

func (c *container) add(t *sum) {
	c.tenants++
	c.units += t.RequestUnits
	c.throttled += t.Throttled
}

// judge decides whether one of a number of tenants should move.
func (c *container) judge(t *sum, of int) (analyze.Finding, bool) {
	found := func(name string, severity analyze.Severity, format string, args ...any) (analyze.Finding, bool) {
		return analyze.Finding{Name: name, Severity: severity, Message: fmt.Sprintf(format, args...)}, true
	}
	certain := t.RequestUnits - t.Error
	share := 0.0
	if c.units > 0 {
		share = certain / c.units
	}
	others := c.throttled - t.Throttled // throttled requests of neighbors
	switch {
	case t.left: // it has moved
	case c.tenants > 1 && t.PeakRUs >= noisyPeak && share >= throttledShare && others > 0:
		return found(analyze.NoisyTenant, analyze.Warning, "tenant %s used %.0f%% of the request units of container %s, %.0f RU/s in its busiest minute, and %d requests of its %d neighbors were throttled: give it its own container",
			t.Tenant, 100*t.Share, t.Container, t.PeakRUs, others, t.Neighbors)
	case c.tenants > 1 && t.PeakRUs >= noisyPeak && share >= noisyShare && t.Neighbors > 1:
		return found(analyze.NoisyTenant, analyze.Warning, "tenant %s used %.0f%% of the request units of container %s, %.0f RU/s in its busiest minute, next to %d others: give it its own container before it throttles them",
			t.Tenant, 100*t.Share, t.Container, t.PeakRUs, t.Neighbors)
	case c.tenants > 1 && t.RUs >= leastCharge && t.PeakRUs >= fullPeak:
		return found(analyze.LargeTenant, analyze.Note, "tenant %s used %.0f RU/s on average and %.0f RU/s in its busiest minute: its own container would cost no more: at least %d RU/s, or %d RU/s with autoscale",
			t.Tenant, t.RUs, t.PeakRUs, leastManual, leastCharge)
	case c.tenants == 1 && of > 1 && t.Error == 0 && t.PeakRUs < idlePeak:
		return found(analyze.IdleContainer, analyze.Note, "tenant %s alone used container %s, %.1f RU/s in its busiest minute, and a container costs %d RU/s at least, or %d RU/s with autoscale: it can share one",
			t.Tenant, t.Container, t.PeakRUs, leastManual, leastCharge)
	}
	return analyze.Finding{}, false
}
