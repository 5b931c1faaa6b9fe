package report

import "math"

// drawing is a chart at one size: shapes, later ones in front, and the positions of its values. SVG
// files and pages are made from it.
type drawing struct {
	width, height float64
	shapes        []shape
	probe         *probe
}

// shape is rectangles of one ink, a line, or a text.
type shape struct {
	ink   ink
	rects []rect
	fade  float64 // how far rectangles fade into the ground, from 0 to 1
	line  []point
	wide  float64 // of a line
	dash  dashes

	text   string
	at     point   // of a text: the start, middle or end of its base line
	anchor float64 // of a text: 0, 0.5 or 1
	bold   bool
	key    bool // an untrusted text, with a direction of its own
}

type point struct{ x, y float64 }

type rect struct{ x, y, w, h float64 }

// dashes describe a line: from a distance from its start, on pixels are drawn, then off pixels are
// not, and so on. The zero value is a solid line.
type dashes struct{ on, off, from float64 }

// dashed distinguishes a line by gaps.
var dashed = dashes{5, 4, 0}

// probe has the positions of a chart's values, for tooltips and the keyboard. page.js reads its
// JSON.
type probe struct {
	// Kind is cells: equal boxes in Plot; points: Top is the value at the top of Plot; or boxes:
	// the ones in Boxes, by row and column.
	Kind    string         `json:"kind"`
	Plot    [4]float64     `json:"plot"`
	Top     float64        `json:"top,omitempty"`
	Bottom  float64        `json:"bottom,omitempty"` // of a logarithmic scale
	Boxes   [][][4]float64 `json:"boxes,omitempty"`
	Rows    []string       `json:"rows"`
	Columns []string       `json:"columns"`
	Values  [][]*float64   `json:"values"` // by row and column; nil is a missing value
	Unit    string         `json:"unit"`
	Sums    bool           `json:"sums,omitempty"` // shares of rows and columns are meaningful
	Limit   *Limit         `json:"limit,omitempty"`
}

// cleaned returns the probe with all texts cleaned.
func (p *probe) cleaned() *probe {
	p.Unit = clean(p.Unit)
	for _, labels := range []*[]string{&p.Rows, &p.Columns} {
		all := []string{}
		for _, label := range *labels {
			all = append(all, clean(label))
		}
		*labels = all
	}
	if p.Values == nil {
		p.Values = [][]*float64{}
	}
	return p
}

func (p *probe) setValues(rows [][]float64) {
	for _, row := range rows {
		values := make([]*float64, len(row))
		for i, v := range row {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				rounded := round(v)
				values[i] = &rounded
			}
		}
		p.Values = append(p.Values, values)
	}
}

// round rounds a number to five digits.
func round(v float64) float64 {
	if v == 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(v)))-4)
	if unit >= 1 {
		return math.Round(v)
	}
	return math.Round(v/unit) / math.Round(1/unit)
}

// box draws rectangles.
func (d *drawing) box(i ink, rects ...rect) {
	if len(rects) > 0 {
		d.shapes = append(d.shapes, shape{ink: i, rects: rects})
	}
}

// pale draws faded rectangles.
func (d *drawing) pale(i ink, fade float64, rects ...rect) {
	d.shapes = append(d.shapes, shape{ink: i, rects: rects, fade: fade})
}

// stroke draws a line.
func (d *drawing) stroke(i ink, wide float64, dash bool, points ...point) {
	style := dashes{}
	if dash {
		style = dashed
	}
	d.strokeBy(i, wide, style, points)
}

func (d *drawing) strokeBy(i ink, wide float64, dash dashes, points []point) {
	if len(points) > 1 {
		d.shapes = append(d.shapes, shape{ink: i, line: points, wide: wide, dash: dash})
	}
}

// words writes a text of our own, in a soft ink.
func (d *drawing) words(at point, anchor float64, text string) {
	if text != "" {
		d.shapes = append(d.shapes, shape{ink: soft, text: text, at: at, anchor: anchor})
	}
}

// key writes an untrusted text, truncated to a width.
func (d *drawing) key(i ink, at point, anchor float64, text string, width float64) {
	if text != "" {
		d.shapes = append(d.shapes, shape{ink: i, text: fit(text, width, false), at: at, anchor: anchor, key: true})
	}
}

// add adds another drawing at a position.
func (d *drawing) add(other *drawing, at point) {
	for _, s := range other.shapes {
		moved := s
		moved.at = point{s.at.x + at.x, s.at.y + at.y}
		moved.rects, moved.line = nil, nil
		for _, r := range s.rects {
			moved.rects = append(moved.rects, rect{r.x + at.x, r.y + at.y, r.w, r.h})
		}
		for _, p := range s.line {
			moved.line = append(moved.line, point{p.x + at.x, p.y + at.y})
		}
		d.shapes = append(d.shapes, moved)
	}
}

// entry is a line of a legend.
type entry struct {
	name string
	ink  ink
	dash bool
	area bool // a box rather than a line
	fade float64
}

// legend writes a legend from y on, in as many lines as needed, and returns its end.
func (d *drawing) legend(y float64, entries []entry) float64 {
	const sample, lead, space = 16.0, 6.0, 18.0
	x := 0.0
	for _, e := range entries {
		name := fit(e.name, d.width-sample-lead, false)
		wide := sample + lead + textWidth(name, false)
		if x > 0 && x+wide > d.width {
			x = 0
			y += 18
		}
		if e.area {
			d.pale(e.ink, e.fade, rect{x + 2, y + 2, 11, 11})
		} else {
			d.stroke(e.ink, 2.5, e.dash, point{x, y + 7.5}, point{x + sample, y + 7.5})
		}
		d.key(soft, point{x + sample + lead, y + 12}, 0, name, d.width)
		x += wide + space
	}
	return y + 24
}

// frame is the plot of a chart with a scale on the left, and steps below.
type frame struct {
	x, y, w, h float64
	top        float64 // the value at the top
	bottom     float64 // the value at the bottom of a logarithmic scale, otherwise 0
}

// scale draws marks and lines for a plot of a height from y on, and returns the plot.
func (d *drawing) scale(y, height float64, all []float64, unit string) frame {
	left := 0.0
	for _, m := range all {
		left = max(left, textWidth(short(m), false))
	}
	left += 8
	f := frame{x: left, y: y, w: d.width - left - 6, h: height, top: all[len(all)-1], bottom: all[0]}
	if unit != "" {
		d.words(point{0, y - 14}, 0, unit)
	}
	for _, m := range all {
		at := math.Round(f.at(m)) + 0.5
		d.stroke(grid, 1, false, point{f.x, at}, point{f.x + f.w, at})
		d.words(point{left - 8, at + 4}, 1, short(m))
	}
	return f
}

// at returns the position of a value.
func (f frame) at(v float64) float64 { return f.y + f.h*(1-share(v, f.bottom, f.top)) }

// share returns the position of a value on a scale from bottom, 0, to top, 1. A scale with a bottom
// above 0 is logarithmic.
func share(v, bottom, top float64) float64 {
	if bottom > 0 {
		return max(0, math.Log(max(finite(v), bottom)/bottom)/math.Log(top/bottom))
	}
	return finite(v) / top
}

// steps writes the labels of an axis below a plot, and returns their end.
func (d *drawing) steps(a Axis, x, y, width float64) float64 {
	n := float64(a.Len())
	for _, t := range a.ticks(width) {
		at := x + t.at/n*width
		label := fit(t.label, width, false)
		half := textWidth(label, false) / 2
		d.stroke(grid, 1, false, point{math.Round(at) + 0.5, y}, point{math.Round(at) + 0.5, y + 4})
		d.key(soft, point{max(half, min(at, d.width-half)), y + 17}, 0.5, label, width)
	}
	if a.Name != "" && a.kind != timeAxis {
		d.words(point{x + width, y + 33}, 1, a.Name)
		return y + 40
	}
	return y + 24
}
