package report

import "math"

// Bars is a chart of values by group: in each group a bar for each series, side by side, with its
// value.
type Bars struct {
	Title, Description string
	Groups             []string
	Series             []Series // a value for each group
	Limits             []Limit
	Unit               string
	// ByGroup gives each group the colour of the series at its place in other charts, and each
	// series another strength.
	ByGroup bool
}

func (b *Bars) about() (title, description string) { return b.Title, b.Description }

const (
	barHigh  = 14.0
	groupGap = 12.0

	groupName = 18.0 // on a line of its own
)

// barPlan is the geometry of a chart.
type barPlan struct {
	left    float64 // the start of bars
	long    float64 // the length of the scale
	largest float64 // the value at its end
	marks   []float64
	above   bool // the names of groups have lines of their own
}

// plan lays out names and values.
func (b *Bars) plan(width float64) barPlan {
	p := barPlan{}
	for _, g := range b.Groups {
		p.left = max(p.left, textWidth(clean(g), false)+10)
	}
	if p.left > width*0.4 {
		p.left, p.above = 0, true
	}
	values := 0.0
	for _, s := range b.Series {
		for _, v := range s.Values {
			values = max(values, textWidth(withUnit(Number(v), b.Unit), false)+10)
		}
	}
	p.long = max(20, width-p.left-values)
	p.marks = marks(most(b.Series, b.Limits...), max(1, min(5, int(p.long/50))))
	p.largest = p.marks[len(p.marks)-1]
	return p
}

// at returns the position of a value.
func (p barPlan) at(v float64) float64 { return p.left + p.long*v/p.largest }

// axis writes the scale below bars between two heights, and returns its end.
func (p barPlan) axis(d *drawing, from, to float64, unit string) float64 {
	for _, m := range p.marks {
		at := math.Round(p.at(m)) + 0.5
		d.stroke(grid, 1, false, point{at, from}, point{at, to + 4})
		half := textWidth(short(m), false) / 2
		d.words(point{max(half, at), to + 17}, 0.5, short(m))
	}
	d.words(point{d.width, to + 17}, 1, unit)
	return to + 24
}

// length returns the length of the bar of a value.
func (p barPlan) length(v float64) float64 {
	if v = finite(v); v <= 0 {
		return 0
	}
	return max(1, p.long*v/p.largest)
}

// entries returns the lines of the legend: none for one series without limits.
func (b *Bars) entries() []entry {
	var all []entry
	for i, s := range b.Series {
		if len(b.Series) > 1 {
			of, fade := b.ink(0, i)
			if b.ByGroup {
				of = soft
			}
			all = append(all, entry{name: clean(s.Name), ink: of, area: true, fade: fade})
		}
	}
	for _, l := range b.Limits {
		all = append(all, entry{name: withUnit(clean(l.Name)+": "+Number(l.Value), b.Unit), ink: bad, dash: true})
	}
	return all
}

// ink returns the ink of a bar, and how far it fades into the ground.
func (b *Bars) ink(group, series int) (of ink, fade float64) {
	if !b.ByGroup {
		of, _ = b.Series[series].ink(series)
		return of, 0
	}
	return seriesInk(group), 0.7 * float64(series) / float64(max(1, len(b.Series)-1))
}

// height returns the height of a group.
func (b *Bars) height(p barPlan) float64 {
	high := barHigh * float64(len(b.Series))
	if p.above {
		high += groupName
	}
	return high + groupGap
}

func (b *Bars) draw(width float64) *drawing {
	d := &drawing{width: width, probe: &probe{Kind: "boxes", Unit: b.Unit}}
	y := 0.0
	if entries := b.entries(); len(entries) > 0 {
		y = d.legend(0, entries)
	}
	p, start := b.plan(width), y
	end := start + b.height(p)*float64(len(b.Groups)) - groupGap + 4
	d.height = p.axis(d, start-2, max(start, end), clean(b.Unit))
	for g := range b.Groups {
		y = b.drawGroup(d, p, g, y) + groupGap
	}
	for _, s := range b.Series {
		d.probe.Columns = append(d.probe.Columns, clean(s.Name))
	}
	for _, l := range b.Limits {
		at := p.at(finite(l.Value))
		d.stroke(bad, 1.5, true, point{at, start - 2}, point{at, y - groupGap + 2})
	}
	d.probe.Plot = [4]float64{0, start, width, y - start}
	return d
}

// drawGroup draws the bars of a group from y on, and returns their end.
func (b *Bars) drawGroup(d *drawing, p barPlan, g int, y float64) float64 {
	name := clean(b.Groups[g])
	if p.above {
		d.key(inkText, point{0, y + 12}, 0, name, d.width)
		y += groupName
	} else {
		high := barHigh * float64(len(b.Series))
		d.key(inkText, point{p.left - 10, y + high/2 + 4}, 1, name, p.left)
	}
	boxes, values := [][4]float64{}, []float64{}
	for i, s := range b.Series {
		v := math.NaN()
		if g < len(s.Values) {
			v = s.Values[g]
		}
		box := rect{p.left, y, p.length(v), barHigh - 2}
		if box.w > 0 {
			of, fade := b.ink(g, i)
			d.pale(of, fade, box)
		}
		d.words(point{box.x + box.w + 6, y + 10.5}, 0, withUnit(Number(v), b.Unit))
		boxes, values = append(boxes, [4]float64{box.x, box.y, box.w, box.h}), append(values, v)
		y += barHigh
	}
	d.probe.Rows, d.probe.Boxes = append(d.probe.Rows, name), append(d.probe.Boxes, boxes)
	d.probe.setValues([][]float64{values})
	return y
}

func (b *Bars) table() Table {
	var groups []string
	for _, name := range b.Groups {
		groups = append(groups, clean(name))
	}
	return seriesTable(b.Title, "", groups, b.Series, b.Unit)
}
