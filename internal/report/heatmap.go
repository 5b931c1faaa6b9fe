package report

import (
	"math"
	"slices"
)

// HeatMap is a chart of values by row and column: the darker a cell, the greater its value. Bars at
// its edges show the sums of columns and rows. Columns that do not fit, and rows beyond 50, are
// merged by their sum or their mean.
type HeatMap struct {
	Title, Description string
	Rows, Columns      Axis
	Values             [][]float64 // by row and column
	Unit               string
	// Mean is set if values are rates: columns are merged by their mean.
	Mean bool
	// Top is the value of the strongest colour, for comparing heat maps; 0 is the largest value.
	Top float64
	// Limit, if it has a name, marks cells above it in red. A merged cell has the sum of the limits
	// of its rows and, without Mean, of its columns.
	Limit Limit
}

// mostHeatRows is the maximum number of rows.
const mostHeatRows = 50

func (h *HeatMap) about() (title, description string) { return h.Title, h.Description }

// merge returns the heat map with a maximum number of rows and columns.
func (h *HeatMap) merge(rows, columns int) *HeatMap {
	down := max(1, (h.Rows.Len()+rows-1)/max(1, rows))
	along := max(1, (h.Columns.Len()+columns-1)/max(1, columns))
	merged := *h
	merged.Rows, merged.Columns = h.Rows.merge(down), h.Columns.merge(along)
	merged.Limit.Name = clean(h.Limit.Name)
	merged.Limit.Value *= float64(down)
	if !h.Mean {
		merged.Limit.Value *= float64(along)
	}
	merged.Values = make([][]float64, merged.Rows.Len())
	for r := range merged.Values {
		merged.Values[r] = make([]float64, merged.Columns.Len())
		for c := range merged.Values[r] {
			merged.Values[r][c] = h.sum(r*down, down, c*along, along)
		}
	}
	return &merged
}

// sum returns the sum of a block of cells, or, with Mean, the mean over its columns of the sum over
// its rows.
func (h *HeatMap) sum(row, rows, column, columns int) float64 {
	sum := 0.0
	for _, values := range h.Values[min(row, len(h.Values)):min(row+rows, len(h.Values))] {
		for _, v := range values[min(column, len(values)):min(column+columns, len(values))] {
			sum += finite(v)
		}
	}
	if h.Mean {
		sum /= float64(max(1, min(columns, h.Columns.Len()-column)))
	}
	return sum
}

// totals returns the total of each row and of each column.
func (h *HeatMap) totals() (rows, columns []float64) {
	columns = make([]float64, h.Columns.Len())
	for r := range h.Rows.Len() {
		rows = append(rows, h.sum(r, 1, 0, h.Columns.Len()))
		for c := range columns {
			columns[c] += h.sum(r, 1, c, 1)
		}
	}
	return rows, columns
}

// largest returns the largest value, at least 0 and Top.
func (h *HeatMap) largest() float64 {
	m := finite(h.Top)
	for _, row := range h.Values {
		for _, v := range row {
			m = max(m, finite(v))
		}
	}
	return m
}

// plan is the geometry of a heat map.
type plan struct {
	x, y, w    float64 // of all cells
	wide, high float64 // of one cell
	gap        float64
	sums       float64 // the width of the bars of rows
}

const columnBars = 36.0

func (h *HeatMap) draw(width float64) *drawing {
	d := &drawing{width: width}
	p := plan{sums: 52}
	if width > 600 {
		p.sums = 110
	}
	p.x = textWidth(h.Rows.Name, false) + 10
	for _, label := range h.Rows.merge((h.Rows.Len() + mostHeatRows - 1) / mostHeatRows).labels {
		p.x = max(p.x, textWidth(label[:min(len(label), 200)], false)+10)
	}
	p.x = math.Round(min(p.x, width*0.26))
	p.w = width - p.x - p.sums
	h = h.merge(mostHeatRows, max(8, int(p.w/4)))
	if h.Rows.Len() == 0 || h.Columns.Len() == 0 {
		d.words(point{0, 14}, 0, "There are no values.")
		d.height = 24
		d.probe = &probe{Kind: "cells", Rows: []string{}, Columns: []string{}, Values: [][]*float64{}}
		return d
	}
	p.y = columnBars + 8
	p.wide = p.w / float64(h.Columns.Len())
	p.high = max(6, min(26, math.Floor(300/float64(h.Rows.Len()))))
	if p.gap = 1; p.wide < 5.5 {
		p.gap = 0
	}
	h.drawCells(d, p)
	h.drawSums(d, p)
	y := p.y + p.high*float64(h.Rows.Len())
	y = d.steps(h.Columns, p.x, y, p.w)
	d.height = h.drawLegend(d, p, y+6)
	d.probe = &probe{
		Kind: "cells", Plot: [4]float64{p.x, p.y, p.w, p.high * float64(h.Rows.Len())},
		Rows: named(h.Rows), Columns: h.Columns.labels, Unit: h.Unit, Sums: true,
	}
	if h.Limit.Name != "" {
		d.probe.Limit = &Limit{h.Limit.Name, round(h.Limit.Value)}
	}
	d.probe.setValues(h.Values)
	return d
}

// named returns the labels of an axis, each after its name.
func named(a Axis) []string {
	if a.Name == "" {
		return a.labels
	}
	var all []string
	for _, label := range a.labels {
		all = append(all, a.Name+" "+label)
	}
	return all
}

// cell returns the rectangle of a cell.
func (p plan) cell(row, column int) rect {
	left, right := math.Round(p.x+float64(column)*p.wide), math.Round(p.x+float64(column+1)*p.wide)
	return rect{left, p.y + float64(row)*p.high, max(1, right-left-p.gap), p.high - 1}
}

// drawCells draws the cells, grouped by ink, and the labels of rows.
func (h *HeatMap) drawCells(d *drawing, p plan) {
	most := h.largest()
	var boxes [heatInks][]rect
	var marked []rect
	for r, row := range h.Values {
		for c, v := range row {
			box := p.cell(r, c)
			i := heat(finite(v), most) - heat0
			boxes[i] = joined(boxes[i], box)
			if h.Limit.Name != "" && v > h.Limit.Value {
				mark := max(2, math.Round(p.high/5))
				marked = joined(marked, rect{box.x, box.y + box.h - mark, box.w, mark})
			}
		}
	}
	for i, same := range boxes {
		d.box(heat0+ink(i), same...)
	}
	d.box(bad, marked...)
	every := max(1, int(math.Ceil(13/p.high)))
	d.words(point{p.x - 8, p.y - 6}, 1, fit(h.Rows.Name, p.x-8, false))
	for r, label := range h.Rows.labels {
		if r%every == 0 {
			d.key(inkText, point{p.x - 8, p.y + (float64(r)+0.5)*p.high + 3.5}, 1, label, p.x-8)
		}
	}
}

// joined appends a rectangle, or widens the last one if the two touch: cells of one ink in a row
// become one.
func joined(all []rect, r rect) []rect {
	if n := len(all); n > 0 {
		if last := &all[n-1]; last.y == r.y && last.h == r.h && last.x+last.w == r.x {
			last.w += r.w
			return all
		}
	}
	return append(all, r)
}

// drawSums draws the bars at the edges.
func (h *HeatMap) drawSums(d *drawing, p plan) {
	rows, columns := h.totals()
	tallest, longest := slices.Max(columns), slices.Max(rows)
	var bars []rect
	for c, v := range columns {
		if tallest > 0 && v > 0 {
			box, high := p.cell(0, c), max(1, math.Round(v/tallest*columnBars))
			bars = joined(bars, rect{box.x, columnBars - high, box.w, high})
		}
	}
	start, numbers := p.x+p.w+8, 0.0
	if p.sums > 60 {
		numbers = 48
	}
	for r, v := range rows {
		box := rect{start, p.y + float64(r)*p.high, 0, p.high - 1}
		if longest > 0 && v > 0 {
			box.w = max(1, (p.sums-8-numbers)*v/longest)
			bars = append(bars, box)
		}
		if numbers > 0 && p.high >= 12 {
			d.words(point{start + p.sums - 8, p.y + (float64(r)+0.5)*p.high + 3.5}, 1, short(v))
		}
	}
	d.box(accent, bars...)
	name := columnBars
	if numbers == 0 || p.high < 12 { // the bars have no numbers, so the scale needs one
		end := start + p.sums - 8 - numbers
		d.stroke(grid, 1, false, point{math.Round(end) + 0.5, p.y - 3}, point{math.Round(end) + 0.5, p.y + p.high*float64(len(rows))})
		d.words(point{end, p.y - 6}, 1, short(longest))
		name -= 11
	}
	d.words(point{start, name}, 0, h.totalName())
	largest := short(tallest)
	if numbers > 0 {
		largest = "max " + largest
	}
	d.words(point{start, columnBars - 24}, 0, largest)
}

// totalName returns the title of the bars of rows.
func (h *HeatMap) totalName() string {
	if h.Mean {
		return "mean"
	}
	return "sum"
}

// drawLegend draws the legend, and returns its end.
func (h *HeatMap) drawLegend(d *drawing, p plan, y float64) float64 {
	const block = 6
	x := p.x
	if d.width < 600 {
		x = 0
	}
	d.words(point{x, y + 10}, 0, "0")
	x += 12
	for i := range heatInks {
		d.box(heat0+ink(i), rect{x, y, block, 12})
		x += block
	}
	name := withUnit(short(h.largest()), h.Unit)
	d.words(point{x + 8, y + 10}, 0, name)
	x += 8 + textWidth(name, false) + 18
	if h.exceeded() {
		name := "above " + withUnit(short(h.Limit.Value), h.Unit) + ", " + h.Limit.Name
		if x+16+textWidth(name, false) > d.width {
			x, y = 0, y+20
		}
		d.box(bad, rect{x, y + 8, 10, 3})
		d.key(soft, point{x + 16, y + 10}, 0, name, d.width-x-16)
	}
	return y + 20
}

// exceeded reports whether a cell is above the limit.
func (h *HeatMap) exceeded() bool {
	return h.Limit.Name != "" && slices.ContainsFunc(h.Values, func(row []float64) bool { return slices.Max(row) > h.Limit.Value })
}
