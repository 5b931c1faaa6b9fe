package analyze

import (
	"slices"
	"strings"
	"testing"
)

// layoutOf returns a layout that has no finding, with figures of 5 and of 20 physical
// partitions, changed.
func layoutOf(name string, change func(l *Layout)) *Layout {
	_, l := sound()
	l.Layout = name
	change(l)
	return l
}

// called returns what calls cost on 5 physical partitions, and on 20.
func called(five, twenty float64) *Reads {
	return &Reads{RequestUnits: five, Calls: 300, Partitions: 5, Others: []*Reads{{RequestUnits: twenty, Calls: 300, Partitions: 20}}}
}

// TestRecommendationForLoad has calls: the cheapest layout that sustains them is
// recommended, though others sustain more.
func TestRecommendationForLoad(t *testing.T) {
	const hot = "{tenant}"
	tenant := func(load float64) *Layout {
		return layoutOf(hot, func(l *Layout) { // 40% of all writes are of one tenant
			l.Largest[0].Share, l.Reads = 0.4, called(load, load)
			l.Partitions[0].Effective, l.Partitions[0].SustainableWrites = 2, 4000
			l.Partitions[1].Effective, l.Partitions[1].SustainableWrites = 2.4, 4800
		})
	}
	buckets := func(load float64) *Layout {
		return layoutOf("{tenant}.{id%40}", func(l *Layout) { l.Fan, l.Reads = 40, called(load, 2*load) })
	}
	limits := Limits{}
	for _, tt := range []struct {
		name          string
		layouts       []*Layout
		limits        Limits
		want, reasons string
	}{
		{"sustained by far", []*Layout{tenant(2374), buckets(3874)}, limits, hot, hot + " is the cheapest of the layouts that sustain twice the load of the calls: 2374 RU/s. " +
			"With 5 physical partitions it sustains 8.4 times the load, with 20 10 times. " +
			"The next one, {tenant}.{id%40}, costs 3874 RU/s and sustains 12 times the load."},
		{"with the margin", []*Layout{tenant(10_000), buckets(20_000)}, limits, hot, "it sustains 2.0 times the load"},
		{"without it", []*Layout{tenant(10_100), buckets(20_000)}, limits, "{tenant}.{id%40}", "{tenant}.{id%40} is the cheapest of the layouts that sustain twice the load of the calls: 20000 RU/s. With 5 physical partitions it sustains 2.2 times the load, with 20 3.8 times. " +
			"No other layout sustains more. The other: {tenant} 10100 RU/s, 2.0 times the load."},
		{"not sustained", []*Layout{tenant(15_000), buckets(30_000)}, limits, "{tenant}.{id%40}", "No layout sustains twice the load of the calls with 5 physical partitions. {tenant}.{id%40} comes closest: " +
			"its calls cost 30000 RU/s. With 5 physical partitions it sustains 1.5 times the load, with 20 2.5 times."},
		{"a bound of the team", []*Layout{tenant(2374), buckets(3874)}, Limits{MaxShare: 0.1}, "{tenant}.{id%40}", "{tenant} 2374 RU/s, 8.4 times the load (hot-key)"},
		{"a key that is full", []*Layout{layoutOf("{a}", func(l *Layout) { l.Reads, l.Biggest.Bytes = called(10, 10), 19e9 }), buckets(3874)}, limits, "{tenant}.{id%40}", "{a} 10 RU/s, 4500 times the load (near-20-GB)"},
		{"no call at all", []*Layout{tenant(0), buckets(0)}, limits, "{tenant}.{id%40}", ""},
	} {
		for range 2 {
			r, _ := sound()
			r.Layouts = tt.layouts
			r.Judge(tt.limits)
			if got := r.Recommendation; got.Layout != tt.want || !strings.Contains(got.Reason, tt.reasons) {
				t.Errorf("%s: %s, want %s: %s\n%s", tt.name, got.Layout, tt.want, tt.reasons, got.Reason)
			}
			slices.Reverse(tt.layouts)
		}
	}
}

// TestRecommendationOfFewest has a layout that spreads over 5 physical partitions, but not
// over 20: the same one is recommended for 5,20 and for 5.
func TestRecommendationOfFewest(t *testing.T) {
	for _, reads := range []*Reads{nil, called(100, 200)} {
		var got []string
		for _, fewer := range []int{0, 1} {
			r, _ := sound()
			r.Layouts = []*Layout{
				layoutOf("{a%10}", func(l *Layout) { l.Fan, l.Partitions[1].Effective, l.Partitions[1].SustainableWrites = 10, 8, 16_000 }),
				layoutOf("{a%400}", func(l *Layout) { l.Fan = 400 }),
			}
			for _, l := range r.Layouts {
				l.Partitions, l.Reads = l.Partitions[:2-fewer], reads
			}
			r.Judge(Limits{})
			got = append(got, r.Recommendation.Layout)
		}
		if got[0] != "{a%10}" || got[1] != got[0] {
			t.Errorf("calls %+v: recommended for 5 and 20: %s, for 5: %s", reads, got[0], got[1])
		}
	}
}

// TestRecommendationOfLevels has hierarchical keys. One first level takes most writes of its
// physical partition. The service may divide this level if it lasts.
func TestRecommendationOfLevels(t *testing.T) {
	levels := func(change func(l *Layout)) *Layout {
		return layoutOf("{tenant},{id}", func(l *Layout) {
			s := l.Partitions[0]
			s.Effective, s.SustainableWrites, s.ByTime = 2, 4000, &SpreadByTime{Intervals: 9, Median: 1.9, SustainableWrites: 3800}
			change(l)
		})
	}
	other := func() *Layout { return layoutOf("{tenant}.{id%40}", func(l *Layout) { l.Fan = 40 }) }
	rho := 0.9
	for _, tt := range []struct {
		name   string
		levels *Layout
		want   string
		reason string
	}{
		{"a tenant", levels(func(*Layout) {}), "{tenant},{id}", "With 5 physical partitions it sustains 3800 writes a second until the service divides its first levels, and then 10000 at most"},
		{"a date, another one each day", levels(func(l *Layout) { l.Partitions[0].ByTime.Median = 1 }), "{tenant}.{id%40}", "(hot-range)"},
		{"one date", levels(func(l *Layout) { l.Partitions[0].Effective, l.Partitions[0].ByTime.Median = 1, 1 }), "{tenant}.{id%40}", "(hot-range)"},
		{"keys that follow time", levels(func(l *Layout) { l.Monotonicity = &rho }), "{tenant}.{id%40}", "(hot-range)"},
		{"no times", levels(func(l *Layout) { l.Partitions[0].ByTime = nil }), "{tenant}.{id%40}", "(hot-range)"},
		{"of equal ones, the one that can be divided", levels(func(l *Layout) { l.Reads = called(100, 100) }), "{tenant},{id}", "With 5 physical partitions it sustains 190 times the load until the service divides its first levels, and then 500 times at most, with 20 1500 times."},
		{"one key", levels(func(l *Layout) { l.Largest[0].Share = 0.5 }), "{tenant}.{id%40}", "hot-key"},
	} {
		r, _ := sound()
		r.Layouts = []*Layout{other(), tt.levels}
		if tt.levels.Reads != nil {
			same := levels(func(l *Layout) { l.Layout, l.Reads = "{tenant}", tt.levels.Reads })
			r.Layouts = []*Layout{same, tt.levels}
		}
		r.Judge(Limits{})
		if got := r.Recommendation; got.Layout != tt.want || !strings.Contains(got.Reason, tt.reason) {
			t.Errorf("%s: %s, want %s: %s\n%s", tt.name, got.Layout, tt.want, tt.reason, got.Reason)
		}
	}
}
