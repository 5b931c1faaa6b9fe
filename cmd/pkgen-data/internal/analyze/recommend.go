package analyze

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/charge"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
)

// recommend returns the cheapest sound layout.
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

// better reports whether a layout is better than another one. Of equal layouts, the first one
// stays. All figures come from [Layout.decisive].
func (l *Layout) better(than *Layout) bool {
	for _, compare := range []func(*Layout) float64{
		func(l *Layout) float64 { return truth(l.Has(Colliding)) },
		func(l *Layout) float64 { return float64(-l.Documents) }, // the other documents have no key
		func(l *Layout) float64 { return truth(!l.sound()) },
		func(l *Layout) float64 {
			switch {
			case l.sound():
				return 0
			case l.loaded():
				return -math.Round(100 * l.headroom(l.decisive()))
			}
			return -math.Round(10 * l.decisive().writes())
		},
		(*Layout).cost,
		func(l *Layout) float64 { return truth(l.Reads == nil && l.Unique != nil && *l.Unique) }, // no query finds documents together
		func(l *Layout) float64 { return -math.Round(10 * l.decisive().writes()) },
		func(l *Layout) float64 { return -math.Round(10 * l.divided(l.decisive())) },
	} {
		if x, y := compare(l), compare(than); x != y {
			return x < y
		}
	}
	return false
}

// truth returns 1 for true, and 0 for false.
func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// cost returns the cost of reading with a layout: request units of the known calls, or else the
// logical partitions of one base.
func (l *Layout) cost() float64 {
	if l.Reads != nil {
		return math.Round(100 * l.Reads.RequestUnits)
	}
	return float64(l.Fan)
}

// reason returns why the layout is recommended.
func (l *Layout) reason(r *Report) string {
	var b strings.Builder
	as := l.rivals(r)
	switch {
	case !l.sound():
		l.unsound(&b, r, as)
	case l.loaded():
		fmt.Fprintf(&b, "%s is the cheapest of the layouts%s that sustain twice the load of the calls: %.0f RU/s. ", l.Layout, as, l.Reads.RequestUnits)
	default:
		fmt.Fprintf(&b, "%s has no serious finding, and no such layout%s spreads one base over fewer logical partitions. ", l.Layout, as)
	}
	b.WriteString(l.sustains())
	next := l.next(r)
	switch {
	case next != nil && l.loaded():
		fmt.Fprintf(&b, " The next one, %s, costs %.0f RU/s and sustains %s.", next.Layout, next.Reads.RequestUnits, next.capacity())
	case next != nil:
		fmt.Fprintf(&b, " The next one, %s, spreads one base over %s and sustains %s.", next.Layout, count(int64(next.Fan), "logical partition"), next.capacity())
	case l.loaded():
		b.WriteString(" No other layout sustains more.")
	}
	var others []string
	for _, other := range r.Layouts {
		if other != l && other != next {
			others = append(others, other.compared(l.Documents, r.Documents))
		}
	}
	switch len(others) {
	case 0:
	case 1:
		b.WriteString(" The other: " + others[0] + ".")
	default:
		b.WriteString(" The others: " + strings.Join(others, "; ") + ".")
	}
	if l.Documents < r.Documents {
		fmt.Fprintf(&b, " It has a key for %d of %s.", l.Documents, count(r.Documents, "document"))
	}
	return b.String()
}

// unsound writes that no layout is sound, and why this one is recommended.
func (l *Layout) unsound(b *strings.Builder, r *Report, as string) {
	problems := strings.Join(l.problems(), ", ")
	switch most := !slices.ContainsFunc(r.Layouts, func(other *Layout) bool { return other.decisive().writes() > l.decisive().writes() }); {
	case l.loaded():
		fmt.Fprintf(b, "No layout%s sustains twice the load of the calls with %d physical partitions", as, l.decisive().Physical)
		if problems != "" {
			fmt.Fprintf(b, " without a serious finding. %s has %s, and its", l.Layout, problems)
		} else {
			fmt.Fprintf(b, ". %s comes closest: its", l.Layout)
		}
		fmt.Fprintf(b, " calls cost %.0f RU/s. ", l.Reads.RequestUnits)
	case most:
		fmt.Fprintf(b, "No layout%s is without a serious finding. %s has %s, and sustains the most writes. ", as, l.Layout, problems)
	default:
		fmt.Fprintf(b, "No layout%s is without a serious finding. %s has %s. ", as, l.Layout, problems)
	}
}

// rivals describes the compared layouts: the ones with a key for as many documents, if a sound one
// has fewer.
func (l *Layout) rivals(r *Report) string {
	for _, other := range r.Layouts {
		if other.Documents > 0 && other.Documents < l.Documents && other.sound() {
			return " with a key for as many documents"
		}
	}
	return ""
}

// next returns the best sound layout that sustains more than the recommended one, or nil.
func (l *Layout) next(r *Report) (next *Layout) {
	for _, other := range r.Layouts {
		more := other.decisive().writes() > l.decisive().writes()
		if l.loaded() {
			more = other.headroom(other.decisive()) > l.headroom(l.decisive())
		}
		if other != l && more && other.sound() && other.Documents >= l.Documents && (next == nil || other.better(next)) {
			next = other
		}
	}
	return next
}

// compared describes a layout that is not recommended: what it sustains, its serious findings, and,
// if the recommended one has more, how many documents have a key.
func (l *Layout) compared(best, all int64) string {
	if l.Documents == 0 {
		return l.Layout + " has no key for any document"
	}
	remarks := l.problems()
	if l.Documents < best {
		remarks = append(remarks, fmt.Sprintf("a key for %d of %s", l.Documents, count(all, "document")))
	}
	text := l.Layout
	if l.loaded() {
		text += fmt.Sprintf(" %.0f RU/s,", l.Reads.RequestUnits)
	}
	text += " " + l.capacity()
	if len(remarks) > 0 {
		text += " (" + strings.Join(remarks, ", ") + ")"
	}
	return text
}

// readsText describes the cost of reads with the layout.
func (l *Layout) readsText() string {
	if l.Reads != nil {
		return fmt.Sprintf("%.0f RU/s and %.0f requests a second for the calls with %d physical partitions; %s of them query all.",
			l.Reads.RequestUnits, l.Reads.Requests, l.Reads.Partitions, percent(l.Reads.All))
	}
	if l.Fan <= 1 {
		prefix := ""
		if l.hierarchical() {
			prefix = "one that gives only the first level reads the physical partitions that hold it, usually one; "
		}
		alone := ""
		if l.Unique != nil && *l.Unique {
			alone = " Each document of the sample has its own key, so the layout suits only point reads."
		}
		return fmt.Sprintf("A query that gives the whole key reads one logical partition, for at least %.1f RU; %sall other queries read every physical partition.%s", charge.QueryFloor, prefix, alone)
	}
	fewest, most := l.decisive().Physical, l.mostPartitions()
	asked := func(partitions int) float64 {
		return charge.QueryFloor * layout.ExpectedRanges(float64(l.Fan), partitions)
	}
	text := fmt.Sprintf("A query over one base reads its %d buckets, for at least about %.1f RU with %d physical partitions", l.Fan, asked(fewest), fewest)
	if most > fewest {
		text += fmt.Sprintf(", %.1f with %d", asked(most), most)
	}
	return text + "."
}
