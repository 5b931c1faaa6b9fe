package pictures

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen-data/internal/analyze"
	"github.com/cosmos-pkgen/pkgen/internal/report"
)

// spread returns the spread for charts of a single number of physical partitions: the container's
// own, or the middle one; nil if there is none.
func spread(l *analyze.Layout) *analyze.Spread {
	for _, s := range l.Partitions {
		if s.Own {
			return s
		}
	}
	if len(l.Partitions) == 0 {
		return nil
	}
	return l.Partitions[len(l.Partitions)/2]
}

// partitions describes a number of physical partitions.
func partitions(s *analyze.Spread) string {
	if s.Own {
		return fmt.Sprintf("the container's %d physical partitions", s.Physical)
	}
	return fmt.Sprintf("%d physical partitions", s.Physical)
}

// times returns the time axis of a report.
func times(t *analyze.Times) report.Axis {
	return report.Times("time", t.Start.UTC(), t.Width(), t.Intervals)
}

// byPartition returns the heat map of time by physical partition; nil without times.
func byPartition(r *analyze.Report, l *analyze.Layout) *report.HeatMap {
	s := spread(l)
	if r.Times == nil || r.Times.Intervals == 0 || s == nil || s.Series == nil {
		return nil
	}
	h := &report.HeatMap{
		Title:       l.Layout + ": writes by physical partition",
		Description: fmt.Sprintf("Documents a second, in %s. The busiest one limits all.", partitions(s)),
		Rows:        report.Numbers("partition", 0, s.Physical), Columns: times(r.Times),
		Values: rates(s.Series, s.Physical, r.Times.Width()), Unit: "documents/s", Mean: true,
	}
	if most := sustained(l); most > 0 {
		h.Limit = report.Limit{Name: "a physical partition sustains", Value: most}
	}
	return h
}

// byRange returns the heat map of time by range of effective partition keys.
func byRange(r *analyze.Report, l *analyze.Layout) *report.HeatMap {
	if r.Times == nil || r.Times.Intervals == 0 || len(l.Ring) == 0 {
		return nil
	}
	const parts = 32
	return &report.HeatMap{
		Title:       l.Layout + ": writes by key range",
		Description: fmt.Sprintf("Documents a second, by %d equal ranges of effective partition keys. Physical partitions, however many there are, divide these ranges among them.", parts),
		Rows:        report.Numbers("range", 1, parts), Columns: times(r.Times),
		Values: rates(merged(l.Ring, parts), parts, r.Times.Width()), Unit: "documents/s", Mean: true,
	}
}

// merged merges neighbours in a series, so that each interval has parts numbers.
func merged(series [][]uint32, parts int) [][]uint32 {
	all := make([][]uint32, len(series))
	for i, counts := range series {
		all[i] = make([]uint32, parts)
		for k, n := range counts {
			all[i][k*parts/len(counts)] += n
		}
	}
	return all
}

// rates converts a series, by interval, to documents per second, by row.
func rates(series [][]uint32, rows int, width time.Duration) [][]float64 {
	values := make([][]float64, rows)
	for row := range values {
		values[row] = make([]float64, len(series))
		for i, counts := range series {
			if row < len(counts) {
				values[row][i] = float64(counts[row]) / width.Seconds()
			}
		}
	}
	return values
}

// sustained returns the maximum documents per second of a physical partition; 0 if unknown.
func sustained(l *analyze.Layout) float64 {
	if l.WriteRU <= 0 {
		return 0
	}
	return analyze.ThroughputOfPartition / l.WriteRU
}

// sorted returns the sorted load curve of physical partitions.
func sorted(r *analyze.Report) *report.Curve {
	c := &report.Curve{
		Title: "Load by physical partition, the busiest first", Description: "Shares of all documents. A flat line is a good spread.",
		X: "physical partitions", Unit: "%",
	}
	for i, l := range r.Layouts {
		s := spread(l)
		if s == nil || s.Physical == 0 {
			continue
		}
		all := int64(0)
		for _, n := range s.Documents {
			all += n
		}
		values := make([]float64, len(s.Documents))
		for k, n := range s.Documents {
			values[k] = 100 * float64(n) / float64(max(1, all))
		}
		c.Series = append(c.Series, report.Series{Name: l.Layout, Values: values, Colour: i + 1})
		if len(c.Limits) == 0 {
			c.Limits = []report.Limit{{Name: "an equal share", Value: 100 / float64(s.Physical)}}
		}
	}
	if len(c.Series) == 0 {
		return nil
	}
	return c
}

// keys returns the sorted load curve of logical partitions.
func keys(r *analyze.Report) *report.Lines {
	last := int64(0)
	for _, l := range r.Layouts {
		for _, p := range l.Curve {
			last = max(last, p.Rank)
		}
	}
	if last == 0 {
		return nil
	}
	var ranks []int64
	for decade := int64(1); decade <= last; decade *= 10 {
		for _, tenth := range []int64{10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 22, 25, 28, 30, 33, 36, 40, 45, 50, 55, 60, 70, 80, 90} {
			if rank := decade * tenth / 10; rank <= last && (len(ranks) == 0 || rank > ranks[len(ranks)-1]) {
				ranks = append(ranks, rank)
			}
		}
	}
	if ranks[len(ranks)-1] < last {
		ranks = append(ranks, last)
	}
	c := &report.Lines{
		Title:       "Documents of logical partitions, the largest first",
		Description: "The number of documents under each key. A hot tenant is far above the others; the last rank is the number of keys.",
		X:           report.Ranks("rank", ranks...), Unit: "documents", Log: true,
	}
	for _, l := range r.Layouts {
		values := make([]float64, len(ranks))
		for i, rank := range ranks {
			values[i] = at(l.Curve, rank)
		}
		c.Series = append(c.Series, report.Series{Name: l.Layout, Values: values})
	}
	return c
}

// at returns the documents at a rank of a curve, interpolated between its points.
func at(curve []analyze.Point, rank int64) float64 {
	i, found := slices.BinarySearchFunc(curve, rank, func(p analyze.Point, rank int64) int { return int(p.Rank - rank) })
	switch {
	case found:
		return float64(curve[i].Documents)
	case i == 0 || i == len(curve):
		return math.NaN()
	}
	a, b := curve[i-1], curve[i]
	part := float64(rank-a.Rank) / float64(b.Rank-a.Rank)
	return float64(a.Documents) + part*float64(b.Documents-a.Documents)
}

// load returns the load over time, and what each layout sustains in each interval.
func load(r *analyze.Report) *report.Lines {
	if r.Times == nil {
		return nil
	}
	seconds := r.Times.Width().Seconds()
	written := make([]float64, len(r.Times.Documents))
	for i, n := range r.Times.Documents {
		written[i] = float64(n) / seconds
	}
	c := &report.Lines{
		Title: "Load over time, and what layouts sustain",
		X:     times(r.Times), Unit: "documents/s", Series: []report.Series{{Name: "written", Values: written, Colour: report.Plain}}, Log: true,
	}
	for i, l := range r.Layouts {
		s := spread(l)
		if s == nil || s.Series == nil {
			continue
		}
		values := usedOverTime(s)
		for k := range values {
			values[k] *= sustained(l)
		}
		c.Series = append(c.Series, report.Series{Name: "sustained by " + l.Layout, Values: values, Colour: i + 1})
		c.Description = fmt.Sprintf("Where a layout's line is below the load, requests are throttled. With %s of 10,000 RU/s. The scale is logarithmic.", partitions(s))
	}
	return c
}

// usedOverTime returns the number of used physical partitions in each interval: of merged
// intervals, or of the whole sample if no intervals have enough documents. It is NaN for intervals
// without documents.
func usedOverTime(s *analyze.Spread) []float64 {
	values := make([]float64, len(s.Series))
	if s.ByTime == nil || s.ByTime.Intervals == 0 {
		for i := range values {
			values[i] = s.Effective
		}
		return values
	}
	together := max(1, s.ByTime.Together)
	for from := 0; from < len(values); from += together {
		to := min(from+together, len(values))
		sums, busiest, sum := make([]int64, s.Physical), int64(0), int64(0)
		for _, counts := range s.Series[from:to] {
			for p, n := range counts {
				sums[p] += int64(n)
				busiest, sum = max(busiest, sums[p]), sum+int64(n)
			}
		}
		for i := from; i < to; i++ {
			if values[i] = math.NaN(); sum > 0 {
				values[i] = float64(sum) / float64(busiest)
			}
		}
	}
	return values
}
