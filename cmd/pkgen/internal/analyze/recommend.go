package analyze

import (
	"fmt"
	"math"
	"strings"
)

// recommend returns the layout that the figures speak for: of those without a serious
// finding, the one that is cheapest to read, or else the one that sustains most writes.
func (r *Report) recommend() *Recommendation {
	if len(r.Layouts) < 2 {
		return nil
	}
	var best *Layout
	for _, l := range r.Layouts {
		if l.Documents > 0 && (best == nil || l.better(best)) {
			best = l
		}
	}
	if best == nil {
		return nil
	}
	return &Recommendation{Layout: best.Layout, Reason: best.reason(r), Reads: best.readsText()}
}

// serious are the findings with which a layout is not recommended before others.
var serious = []string{Colliding, HotKeyFound, HotRange, MonotonicKey, LowCardinality, Near20GB}

// problems returns the serious findings.
func (l *Layout) problems() []string {
	names := []string{}
	for _, name := range serious {
		if l.Has(name) {
			names = append(names, name)
		}
	}
	return names
}

// better reports whether a layout is better than another one. Of equal ones, the first
// one remains.
func (l *Layout) better(than *Layout) bool {
	for _, compare := range []func(*Layout) float64{
		func(l *Layout) float64 { return truth(l.Has(Colliding)) },
		func(l *Layout) float64 { return float64(-l.Documents) }, // others have no key
		func(l *Layout) float64 { return truth(len(l.problems()) > 0) },
		func(l *Layout) float64 {
			if len(l.problems()) > 0 {
				return -math.Round(10 * l.writes())
			}
			return 0
		},
		(*Layout).cost,
		func(l *Layout) float64 { return -math.Round(10 * l.writes()) },
	} {
		if x, y := compare(l), compare(than); x != y {
			return x < y
		}
	}
	return false
}

// truth is 1 for true.
func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// cost is what a layout costs to read: request units of the calls that are known, or else
// the logical partitions of one base.
func (l *Layout) cost() float64 {
	if l.Reads != nil {
		return math.Round(100 * l.Reads.RequestUnits)
	}
	return float64(l.Fan)
}

// writes is how many writes a second the layout sustains with the most physical
// partitions.
func (l *Layout) writes() float64 {
	s := l.most()
	if s == nil {
		return 0
	}
	if s.ByTime != nil && s.ByTime.Intervals > 0 {
		return min(s.SustainableWrites, s.ByTime.SustainableWrites)
	}
	return s.SustainableWrites
}

// most returns the spread over the most physical partitions; nil if there is none.
func (l *Layout) most() (most *Spread) {
	for _, s := range l.Partitions {
		if most == nil || s.Physical > most.Physical {
			most = s
		}
	}
	return most
}

// reason says why the layout is recommended.
func (l *Layout) reason(r *Report) string {
	var b strings.Builder
	problems := l.problems()
	switch {
	case len(problems) > 0:
		fmt.Fprintf(&b, "No layout is without a serious finding. %s has %s, and sustains the most writes", l.Layout, strings.Join(problems, ", "))
	case l.Reads != nil:
		fmt.Fprintf(&b, "%s is the cheapest to read of the layouts without a serious finding: %.0f RU/s", l.Layout, l.Reads.RequestUnits)
	default:
		fmt.Fprintf(&b, "%s has no serious finding, and no such layout spreads one base over fewer logical partitions", l.Layout)
	}
	if s := l.most(); s != nil {
		fmt.Fprintf(&b, ". With %d physical partitions it sustains %.0f writes a second", s.Physical, l.writes())
	}
	for _, other := range r.Layouts {
		if other != l && other.Documents > 0 {
			fmt.Fprintf(&b, "; %s %.0f", other.Layout, other.writes())
			if problems := other.problems(); len(problems) > 0 {
				fmt.Fprintf(&b, " (%s)", strings.Join(problems, ", "))
			}
		}
	}
	return b.String() + "."
}

// readsText says what the layout costs to read.
func (l *Layout) readsText() string {
	if l.Reads != nil {
		return fmt.Sprintf("%.0f RU/s and %.0f requests a second for the calls with %d physical partitions; %s of them ask all.",
			l.Reads.RequestUnits, l.Reads.Requests, l.Reads.Partitions, percent(l.Reads.All))
	}
	if l.Fan <= 1 {
		return fmt.Sprintf("A query that gives the whole key asks one logical partition, for %.1f RU and more; all other queries ask every physical partition.", queryFloor)
	}
	fewest, most := l.fewestPartitions()
	asked := func(partitions int) float64 { return queryFloor * float64(min(l.Fan, partitions)) }
	return fmt.Sprintf("A query over one base asks its %d buckets: %.1f RU and more with %d physical partitions, %.1f with %d.", l.Fan, asked(fewest), fewest, asked(most), most)
}
