package report

import "math"

// Bars is a chart of values by group: a bar for each series in each group, next to
// each other, with its value.
type Bars struct {
	Title, Description string
	Groups             []string
	Series             []Series // a value for each group
	Limits             []Limit
	Unit               string
}

func (b *Bars) about() (title, description string) { return b.Title, b.Description }

const (
	barHigh  = 14.0
	groupGap = 12.0
)

func (b *Bars) draw(width float64) *drawing {
	d := &drawing{width: width}
	y := 0.0
	if len(b.Series) > 1 || len(b.Limits) > 0 {
		var entries []entry
		for i, s := range b.Series {
			if len(b.Series) > 1 {
				entries = append(entries, entry{name: clean(s.Name), ink: seriesInk(i), area: true})
			}
		}
		for _, l := range b.Limits {
			entries = append(entries, entry{name: withUnit(clean(l.Name)+": "+Number(l.Value), b.Unit), ink: bad, dash: true})
		}
		y = d.legend(0, entries)
	}
	labels, above := 0.0, false
	for _, g := range b.Groups {
		labels = max(labels, textWidth(clean(g), false)+10)
	}
	if labels > width*0.4 {
		labels, above = 0, true // labels get a line of their own
	}
	largest := most(b.Series, b.Limits...)
	values := 0.0
	for _, s := range b.Series {
		for _, v := range s.Values {
			values = max(values, textWidth(withUnit(Number(v), b.Unit), false)+10)
		}
	}
	long := max(20, width-labels-values)
	d.probe = &probe{Kind: "boxes", Unit: b.Unit}
	start := y
	for g, name := range b.Groups {
		name = clean(name)
		if above {
			d.key(inkText, point{0, y + 12}, 0, name, width)
			y += 18
		} else {
			high := barHigh * float64(len(b.Series))
			d.key(inkText, point{labels - 10, y + high/2 + 4}, 1, name, labels)
		}
		boxes, row := [][4]float64{}, []float64{}
		for i, s := range b.Series {
			v := math.NaN()
			if g < len(s.Values) {
				v = s.Values[g]
			}
			box := rect{labels, y, 0, barHigh - 2}
			if largest > 0 && v > 0 {
				box.w = max(1, long*max(0, finite(v))/largest)
			}
			if box.w > 0 {
				d.box(seriesInk(i), box)
			}
			d.words(soft, point{box.x + box.w + 6, y + 10.5}, 0, withUnit(Number(v), b.Unit))
			boxes, row = append(boxes, [4]float64{box.x, box.y, box.w, box.h}), append(row, v)
			y += barHigh
		}
		y += groupGap
		d.probe.Rows, d.probe.Boxes = append(d.probe.Rows, name), append(d.probe.Boxes, boxes)
		d.probe.setValues([][]float64{row})
	}
	for _, s := range b.Series {
		d.probe.Columns = append(d.probe.Columns, clean(s.Name))
	}
	for _, l := range b.Limits {
		at := labels + long*finite(l.Value)/max(largest, 1e-300)
		d.stroke(bad, 1.5, true, point{at, start - 2}, point{at, y - groupGap + 2})
	}
	d.probe.Plot = [4]float64{0, start, width, y - start}
	d.height = y
	return d
}

func (b *Bars) table() Table {
	t := Table{Title: b.Title, Columns: []string{""}}
	for _, s := range b.Series {
		t.Columns = append(t.Columns, withUnit(clean(s.Name)+",", b.Unit))
	}
	for g, name := range b.Groups {
		row := []string{clean(name)}
		for _, s := range b.Series {
			if g < len(s.Values) {
				row = append(row, Number(s.Values[g]))
			} else {
				row = append(row, "–")
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
