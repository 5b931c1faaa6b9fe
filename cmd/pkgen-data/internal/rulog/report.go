package rulog

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
)

// Limits of the report.
const (
	toldKeys   = 10
	toldRanges = 50
)

// The thresholds of findings.
const (
	hotKeyShare   = 0.5 // of a physical partition's throughput, in the busiest minute
	hotRangeShare = 0.8 // of the same
	unevenRange   = 2.0 // times the mean of the physical partitions
)

// Report returns the figures of the log, except for other layouts: see [Others].
func (l *Log) Report() *analyze.Logged {
	r := &analyze.Logged{Records: l.records, Invalid: l.invalid, From: l.from, To: l.to, RequestUnits: l.units, Findings: []analyze.Finding{}}
	for _, key := range l.busiest() {
		if len(r.Keys) == toldKeys {
			break
		}
		u := l.keys[key]
		k := analyze.LoggedKey{Key: shown(key), RequestUnits: u.units, Share: share(u.units, l.units), PeakRUs: u.peak()}
		if u.last >= 0 {
			k.Range = l.rangeName(l.places[u.last])
		}
		for _, m := range u.minutes {
			k.Peak = max(k.Peak, share(m.units, l.minutes[m.number]))
		}
		r.Keys = append(r.Keys, k)
	}
	for _, where := range descending(l.ranges, comparePlaces) {
		if len(r.Ranges) == toldRanges {
			break
		}
		u := l.ranges[where]
		r.Ranges = append(r.Ranges, analyze.LoggedRange{Range: l.rangeName(where), RequestUnits: u.units, Share: share(u.units, l.units), PeakRUs: u.peak()})
	}
	for _, operation := range slices.Sorted(maps.Keys(l.operations)) {
		r.Operations = append(r.Operations, analyze.LoggedOperation{Operation: operation, RequestUnits: l.operations[operation]})
	}
	slices.SortStableFunc(r.Operations, func(a, b analyze.LoggedOperation) int { return cmp.Compare(b.RequestUnits, a.RequestUnits) })
	l.judge(r)
	return r
}

// share returns part / whole, and 0 for a whole of 0.
func share(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}

// descending returns the elements by descending request units.
func descending[K comparable](all map[K]*used, compare func(a, b K) int) []K {
	type one struct {
		what  K
		units float64
	}
	list := make([]one, 0, len(all))
	for what, u := range all {
		list = append(list, one{what, u.units})
	}
	slices.SortFunc(list, func(a, b one) int { return cmp.Or(cmp.Compare(b.units, a.units), compare(a.what, b.what)) })
	order := make([]K, len(list))
	for i := range list {
		order[i] = list[i].what
	}
	return order
}

// busiest returns the keys by descending request units.
func (l *Log) busiest() []string {
	if l.order == nil {
		l.order = descending(l.keys, strings.Compare)
	}
	return l.order
}

// comparePlaces orders physical partitions.
func comparePlaces(a, b place) int {
	return cmp.Or(strings.Compare(a.region, b.region), cmp.Compare(len(a.id), len(b.id)), strings.Compare(a.id, b.id))
}

// peak returns the RU/s of the busiest minute in a single region: each region has its own
// throughput.
func (u *used) peak() float64 {
	most := 0.0
	for _, m := range u.minutes {
		most = max(most, m.units)
	}
	return most / 60
}

// rangeName names a physical partition, with its region if there are several.
func (l *Log) rangeName(p place) string {
	for other := range l.ranges {
		if other.region != p.region {
			return p.id + " in " + p.region
		}
	}
	return p.id
}

// judge finds hot keys and physical partitions.
func (l *Log) judge(r *analyze.Logged) {
	found := func(name string, severity analyze.Severity, format string, args ...any) {
		r.Findings = append(r.Findings, analyze.Finding{Name: name, Severity: severity, Message: fmt.Sprintf(format, args...)})
	}
	for _, k := range r.Keys {
		if k.PeakRUs >= hotKeyShare*analyze.ThroughputOfPartition {
			found(analyze.HotKeyFound, analyze.Bad, "key %s used %.0f RU/s in its busiest minute, and cannot use more than the %d RU/s of its physical partition: divide it by buckets, or by another component",
				k.Key, k.PeakRUs, analyze.ThroughputOfPartition)
		}
	}
	for i, where := range descending(l.ranges, comparePlaces)[:len(r.Ranges)] {
		p := r.Ranges[i]
		inRegion, units := l.inRegion(where.region)
		uneven := share(p.RequestUnits, units) * float64(inRegion)
		switch {
		case p.PeakRUs >= hotRangeShare*analyze.ThroughputOfPartition:
			found(analyze.HotRange, analyze.Bad, "physical partition %s used %.0f RU/s in its busiest minute, of at most %d RU/s: check which keys are on it", p.Range, p.PeakRUs, analyze.ThroughputOfPartition)
		case uneven >= unevenRange && inRegion > 1:
			found(analyze.HotRange, analyze.Warning, "physical partition %s used %.1f times the mean of %d physical partitions, and throughput is divided evenly among them: check which keys are on it", p.Range, uneven, inRegion)
		}
	}
}

// inRegion returns the number of logged physical partitions of a region, and their request units.
func (l *Log) inRegion(region string) (n int, units float64) {
	for _, p := range l.places { // in a fixed order, because sums depend on it
		if p.region == region {
			n++
			units += l.ranges[p].units
		}
	}
	return n, units
}
