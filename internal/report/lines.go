package report

import (
	"math"
	"slices"
)

// Lines is a chart of values over steps: a line for each series, and a dashed one for each limit.
// NaN interrupts a line. If there are more steps than pixels, steps are merged by their largest
// value.
type Lines struct {
	Title, Description string
	X                  Axis
	Series             []Series
	Limits             []Limit
	Unit               string // of the values
	// Log selects a logarithmic scale, for values and limits that differ by orders of magnitude. 0
	// is at its bottom.
	Log bool
}

func (l *Lines) about() (title, description string) { return l.Title, l.Description }

// mergeMost returns the maximum of each k values.
func mergeMost(values []float64, k int) []float64 {
	if k <= 1 {
		return values
	}
	var merged []float64
	for from := 0; from < len(values); from += k {
		best := math.NaN()
		for _, v := range values[from:min(from+k, len(values))] {
			if math.IsNaN(best) || v > best {
				best = v
			}
		}
		merged = append(merged, best)
	}
	return merged
}

// merge returns the chart with at most n steps.
func (l *Lines) merge(n int) *Lines {
	k := (l.X.Len() + n - 1) / max(1, n)
	merged := *l
	merged.X = l.X.merge(k)
	merged.Series = nil
	for _, s := range l.Series {
		merged.Series = append(merged.Series, Series{clean(s.Name), mergeMost(s.Values, k), s.Colour})
	}
	return &merged
}

// marks returns the marks of the scale.
func (l *Lines) marks() []float64 {
	top := most(l.Series, l.Limits...)
	if !l.Log {
		return marks(top, 5)
	}
	low := top
	for _, s := range append(slices.Clone(l.Series), Series{Values: limitValues(l.Limits)}) {
		for _, v := range s.Values {
			if v = finite(v); v > 0 {
				low = min(low, v)
			}
		}
	}
	return powers(low, top)
}

func limitValues(limits []Limit) []float64 {
	var all []float64
	for _, l := range limits {
		all = append(all, l.Value)
	}
	return all
}

func (l *Lines) draw(width float64) *drawing {
	l = l.merge(max(16, int(width/2)))
	d := &drawing{width: width}
	var entries []entry
	for i, s := range l.Series {
		of, dash := s.ink(i)
		entries = append(entries, entry{name: s.Name, ink: of, dash: dash})
	}
	for _, limit := range l.Limits {
		entries = append(entries, entry{name: withUnit(clean(limit.Name)+": "+Number(limit.Value), l.Unit), ink: bad, dash: true})
	}
	y := d.legend(0, entries) + 18
	f := d.scale(y, max(120, min(240, width*0.4)), l.marks(), l.Unit)
	n := float64(max(1, l.X.Len()))
	all := make([]polyline, len(l.Series))
	for i, s := range l.Series {
		all[i].ink, all[i].dash = s.ink(i)
		var run []point
		for k, v := range s.Values {
			if math.IsNaN(v) {
				all[i].add(run)
				run = nil
				continue
			}
			run = append(run, point{f.x + (float64(k)+0.5)/n*f.w, f.at(v)})
		}
		all[i].add(run)
	}
	d.lines(all)
	for _, limit := range l.Limits {
		d.stroke(bad, 1.5, true, point{f.x, f.at(limit.Value)}, point{f.x + f.w, f.at(limit.Value)})
	}
	d.height = d.steps(l.X, f.x, f.y+f.h, f.w)
	d.probe = &probe{Kind: "points", Plot: [4]float64{f.x, f.y, f.w, f.h}, Top: f.top, Bottom: f.bottom, Columns: l.X.labels, Unit: l.Unit}
	for _, s := range l.Series {
		d.probe.Rows = append(d.probe.Rows, s.Name)
		d.probe.setValues([][]float64{s.Values})
	}
	return d
}

// mostRows is the maximum number of rows of a chart's table.
const mostRows = 240

func (l *Lines) table() Table {
	l = l.merge(mostRows)
	return seriesTable(l.Title, l.X.Name, l.X.labels, l.Series, l.Unit)
}
