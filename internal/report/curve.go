package report

import (
	"math"
	"slices"
)

// Curve is a chart of values in descending order. Series with different numbers of values are
// stretched to one width.
type Curve struct {
	Title, Description string
	X                  string // the things with values, in the plural: physical partitions
	Series             []Series
	Limits             []Limit // such as the value of each if all were equal
	Unit               string
}

func (c *Curve) about() (title, description string) { return c.Title, c.Description }

const curveHigh = 220

// curveSteps is the number of values shown per series.
const curveSteps = 200

// falling returns the series sorted, with at most n values each.
func (c *Curve) falling(n int) []Series {
	var all []Series
	for _, s := range c.Series {
		sorted := slices.DeleteFunc(slices.Clone(s.Values), math.IsNaN)
		slices.SortFunc(sorted, func(a, b float64) int {
			switch {
			case a > b:
				return -1
			case a < b:
				return 1
			}
			return 0
		})
		all = append(all, Series{clean(s.Name), mergeMost(sorted, (len(sorted)+n-1)/max(1, n)), s.Colour})
	}
	return all
}

// longestSeries returns the length of the longest series.
func longestSeries(all []Series) int {
	n := 0
	for _, s := range all {
		n = max(n, len(s.Values))
	}
	return n
}

func (c *Curve) draw(width float64) *drawing {
	d := &drawing{width: width}
	series := c.falling(curveSteps)
	var entries []entry
	for i, s := range series {
		of, dash := s.ink(i)
		entries = append(entries, entry{name: s.Name, ink: of, dash: dash})
	}
	for _, l := range c.Limits {
		entries = append(entries, entry{name: withUnit(clean(l.Name)+": "+Number(l.Value), c.Unit), ink: bad, dash: true})
	}
	y := d.legend(0, entries) + 18
	f := d.scale(y, curveHigh, marks(most(series, c.Limits...), 5), c.Unit)
	all := make([]polyline, len(series))
	for i, s := range series {
		var line []point
		each := f.w / float64(max(1, len(s.Values)))
		for k, v := range s.Values {
			line = append(line, point{f.x + float64(k)*each, f.at(v)}, point{f.x + float64(k+1)*each, f.at(v)})
		}
		all[i].ink, all[i].dash = s.ink(i)
		all[i].add(line)
	}
	d.lines(all)
	for _, l := range c.Limits {
		d.stroke(bad, 1.5, true, point{f.x, f.at(l.Value)}, point{f.x + f.w, f.at(l.Value)})
	}
	d.height = d.steps(c.places(), f.x, f.y+f.h, f.w)
	d.probe = &probe{Kind: "points", Plot: [4]float64{f.x, f.y, f.w, f.h}, Top: f.top, Unit: c.Unit}
	n := longestSeries(series)
	d.probe.Columns = ranks(n)
	for _, s := range series {
		d.probe.Rows = append(d.probe.Rows, s.Name)
		stretched := make([]float64, n)
		for k := range stretched {
			if stretched[k] = math.NaN(); len(s.Values) > 0 {
				stretched[k] = s.Values[k*len(s.Values)/n]
			}
		}
		d.probe.setValues([][]float64{stretched})
	}
	return d
}

// places returns the axis of the values: their ranks, or percentages if the series have different
// lengths.
func (c *Curve) places() Axis {
	n := longestSeries(c.Series)
	for _, s := range c.Series {
		if len(s.Values) != n {
			return percentages(clean(c.X))
		}
	}
	return Numbers(clean(c.X), 1, n).merge((n + curveSteps - 1) / curveSteps)
}

// ranks returns the names of n ranks.
func ranks(n int) []string {
	all := []string{}
	for i := range n {
		switch i {
		case 0:
			all = append(all, "the busiest")
		default:
			all = append(all, "number "+Number(float64(i+1))+" of "+Number(float64(n)))
		}
	}
	return all
}

func (c *Curve) table() Table {
	series := c.falling(60)
	return seriesTable(c.Title, c.X, ranks(longestSeries(series)), series, c.Unit)
}
