package pictures

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/internal/report"
)

// effective returns the number of physical partitions that a layout uses: in the median interval,
// or over the whole sample if documents have no time.
func effective(s *analyze.Spread) float64 {
	if s.ByTime != nil && s.ByTime.Intervals > 0 {
		return s.ByTime.Median
	}
	return s.Effective
}

// writes returns the sustained writes of a layout, for the same intervals.
func writes(s *analyze.Spread) float64 {
	if s.ByTime != nil && s.ByTime.Intervals > 0 {
		return s.ByTime.SustainableWrites
	}
	return s.SustainableWrites
}

// candidates returns bars of a figure of each layout, for each number of physical partitions.
func candidates(r *analyze.Report, title, description, unit string, value func(*analyze.Spread) float64) *report.Bars {
	b := &report.Bars{Title: title, Description: description, Unit: unit, ByGroup: true}
	for _, l := range r.Layouts {
		b.Groups = append(b.Groups, l.Layout)
		for i, s := range l.Partitions {
			if i == len(b.Series) {
				b.Series = append(b.Series, report.Series{Name: partitions(s)})
			}
			b.Series[i].Values = append(b.Series[i].Values, value(s))
		}
	}
	if len(b.Series) == 0 {
		return nil
	}
	return b
}

// sustainable compares the writes that layouts sustain.
func sustainable(r *analyze.Report) *report.Bars {
	return candidates(r, "Writes that a layout sustains", "Documents a second, "+when(r)+", at 10,000 RU/s for each physical partition.", "documents/s", writes)
}

// used compares how many physical partitions layouts use.
func used(r *analyze.Report) *report.Bars {
	return candidates(r, "Physical partitions that a layout uses", "The load of all physical partitions divided by that of the busiest one, which limits writes, "+when(r)+".", "", effective)
}

// when names the writes that figures cover.
func when(r *analyze.Report) string {
	if r.Times == nil {
		return "if all of the sample is written at once"
	}
	together := 1
	for _, l := range r.Layouts {
		for _, s := range l.Partitions {
			if s.ByTime != nil {
				together = max(together, s.ByTime.Together)
			}
			if s.ByTime == nil || s.ByTime.Intervals == 0 {
				return "over the whole sample if intervals of time have too few documents"
			}
		}
	}
	if together > 1 {
		return "in the median of times with enough documents"
	}
	return "in the median " + width(r.Times)
}

// width names an interval: "minute", "interval of 5 minutes".
func width(t *analyze.Times) string {
	for _, unit := range []struct {
		seconds int64
		name    string
	}{{86400, "day"}, {3600, "hour"}, {60, "minute"}} {
		if n := t.Seconds / unit.seconds; n > 0 && t.Seconds%unit.seconds == 0 {
			if n == 1 {
				return unit.name
			}
			return "interval of " + plural(n, unit.name)
		}
	}
	return "interval of " + plural(t.Seconds, "second")
}

// plural returns a number with its noun.
func plural(n int64, name string) string {
	text := report.Number(float64(n)) + " " + name
	if n != 1 {
		text += "s"
	}
	return text
}

// readCosts compares the cost of reads under the layouts; nil if no calls are known.
func readCosts(r *analyze.Report) *report.Bars {
	b := &report.Bars{
		Title: "What reads cost", Description: "Request units a second of all calls together.", Unit: "RU/s", ByGroup: true,
	}
	for _, l := range r.Layouts {
		if l.Reads == nil {
			continue
		}
		b.Groups = append(b.Groups, l.Layout)
		all := append([]*analyze.Reads{l.Reads}, l.Reads.Others...)
		slices.SortStableFunc(all, func(a, b *analyze.Reads) int { return cmp.Compare(a.Partitions, b.Partitions) })
		for i, reads := range all {
			if i == len(b.Series) {
				b.Series = append(b.Series, report.Series{Name: fmt.Sprintf("%d physical partitions", reads.Partitions)})
			}
			b.Series[i].Values = append(b.Series[i].Values, reads.RequestUnits)
		}
	}
	if len(b.Groups) == 0 {
		return nil
	}
	return b
}

// touched compares how many physical partitions calls touch.
func touched(r *analyze.Report) *report.Bars {
	b := &report.Bars{
		Title: "Physical partitions that calls touch", Description: "Shares of the calls. The cost of a call that touches all grows with the number of partitions.", Unit: "%",
		Series: []report.Series{{Name: "one"}, {Name: "several"}, {Name: "all"}}, ByGroup: true,
	}
	for _, l := range r.Layouts {
		if l.Reads != nil {
			b.Groups = append(b.Groups, l.Layout)
			for i, share := range []float64{l.Reads.One, l.Reads.Several, l.Reads.All} {
				b.Series[i].Values = append(b.Series[i].Values, 100*share)
			}
		}
	}
	if len(b.Groups) == 0 {
		return nil
	}
	return b
}

// readsByBuckets plots the cost of reads by buckets: more buckets spread writes, and make reads of
// all documents of a base more expensive. It is nil unless layouts differ in their buckets.
func readsByBuckets(r *analyze.Report) *report.Lines {
	var known []*analyze.Layout
	for _, l := range r.Layouts {
		if l.Reads != nil && !slices.ContainsFunc(known, func(k *analyze.Layout) bool { return k.Fan == l.Fan }) {
			known = append(known, l)
		}
	}
	if len(known) < 2 {
		return nil
	}
	slices.SortStableFunc(known, func(a, b *analyze.Layout) int { return cmp.Compare(a.Fan, b.Fan) })
	var names []string
	reads := report.Series{Name: "reads", Colour: report.Plain}
	written := report.Series{Name: "sustained writes", Colour: report.Plain}
	for _, l := range known {
		names = append(names, report.Number(float64(l.Fan)))
		reads.Values = append(reads.Values, l.Reads.RequestUnits)
		if s := spread(l); s != nil {
			written.Values = append(written.Values, writes(s)*l.WriteRU)
		}
	}
	return &report.Lines{
		Title: "Reads against buckets", Description: "Request units a second that reads use, and that writes can use.",
		X: report.Names("buckets", names...), Series: []report.Series{reads, written}, Unit: "RU/s", Log: true,
	}
}
