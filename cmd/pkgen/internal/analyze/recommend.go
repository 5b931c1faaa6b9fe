package analyze

import (
	"fmt"
	"math"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/charge"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
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
		func(l *Layout) float64 { return truth(l.Reads == nil && l.Unique != nil && *l.Unique) }, // no query finds documents together
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
	as, most := l.rivals(r)
	switch {
	case len(problems) > 0:
		fmt.Fprintf(&b, "No layout%s is without a serious finding. %s has %s", as, l.Layout, strings.Join(problems, ", "))
		if most {
			b.WriteString(", and sustains the most writes")
		}
	case l.Reads != nil:
		fmt.Fprintf(&b, "%s is the cheapest to read of the layouts%s without a serious finding: %.0f RU/s", l.Layout, as, l.Reads.RequestUnits)
	default:
		fmt.Fprintf(&b, "%s has no serious finding, and no such layout%s spreads one base over fewer logical partitions", l.Layout, as)
	}
	if s := l.most(); s != nil {
		fmt.Fprintf(&b, ". With %d physical partitions it sustains %.0f writes a second", s.Physical, l.writes())
	}
	for _, other := range r.Layouts {
		if other != l {
			b.WriteString("; " + other.compared(l.Documents, r.Documents))
		}
	}
	if l.Documents < r.Documents {
		fmt.Fprintf(&b, ". It has a key for %d of %s", l.Documents, count(r.Documents, "document"))
	}
	return b.String() + "."
}

// rivals says of which layouts the recommended one is the best: of those with a key for as
// many documents, if a sound one has fewer; and whether it sustains the most writes of all.
func (l *Layout) rivals(r *Report) (as string, most bool) {
	most = true
	for _, other := range r.Layouts {
		if other.Documents == 0 {
			continue
		}
		if other.Documents < l.Documents && len(other.problems()) == 0 {
			as = " with a key for as many documents"
		}
		most = most && other.writes() <= l.writes()
	}
	return as, most
}

// compared describes a layout that is not the recommended one: its writes a second, its
// serious findings, and how many of all documents have a key, if more have that one's.
func (l *Layout) compared(best, all int64) string {
	if l.Documents == 0 {
		return l.Layout + " has no key for any document"
	}
	remarks := l.problems()
	if l.Documents < best {
		remarks = append(remarks, fmt.Sprintf("a key for %d of %s", l.Documents, count(all, "document")))
	}
	text := fmt.Sprintf("%s %.0f", l.Layout, l.writes())
	if len(remarks) > 0 {
		text += " (" + strings.Join(remarks, ", ") + ")"
	}
	return text
}

// readsText says what the layout costs to read.
func (l *Layout) readsText() string {
	if l.Reads != nil {
		return fmt.Sprintf("%.0f RU/s and %.0f requests a second for the calls with %d physical partitions; %s of them ask all.",
			l.Reads.RequestUnits, l.Reads.Requests, l.Reads.Partitions, percent(l.Reads.All))
	}
	if l.Fan <= 1 {
		prefix := ""
		if l.hierarchical() {
			prefix = "one that gives its first level alone asks the physical partitions that hold that level, mostly one; "
		}
		alone := ""
		if l.Unique != nil && *l.Unique {
			alone = " Each document of the sample has a key of its own, so the layout suits point reads alone."
		}
		return fmt.Sprintf("A query that gives the whole key asks one logical partition, for %.1f RU and more; %sall other queries ask every physical partition.%s", charge.QueryFloor, prefix, alone)
	}
	fewest, most := l.fewestPartitions()
	asked := func(partitions int) float64 {
		return charge.QueryFloor * layout.ExpectedRanges(float64(l.Fan), partitions)
	}
	return fmt.Sprintf("A query over one base asks its %d buckets: about %.1f RU and more with %d physical partitions, %.1f with %d.", l.Fan, asked(fewest), fewest, asked(most), most)
}
