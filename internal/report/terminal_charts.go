package report

import (
	"math"
	"slices"
	"strings"
)

// text draws a row of a heat map as a line, with the sums of columns above and a bar
// for its own sum at the right.
func (h *HeatMap) text(t *terminal) {
	if h.Rows.Len() == 0 || h.Columns.Len() == 0 {
		t.line("There are no values.")
		return
	}
	const numbers, bars = 7, 8
	rows := h.merge(24, h.Columns.Len())
	labels := columnsOf(t.shown(h.Rows.Name))
	for _, label := range rows.Rows.labels {
		labels = max(labels, columnsOf(t.shown(label)))
	}
	labels = min(labels, t.width/4)
	cells := t.width - labels - 1 - numbers - bars - 2
	small := rows.merge(24, cells)
	sums, columns := small.totals()
	t.rise(stretch(columns, cells), riseScale{0, max(slices.Max(columns), 1e-300)}, 2, labels, 0)
	blocks, most, widest := t.blocks(heatBlocks, heatASCII), small.largest(), max(slices.Max(sums), 1e-300)
	for r, label := range small.Rows.labels {
		var b strings.Builder
		b.WriteString(t.pad(label, labels, true) + " ")
		for _, v := range stretch(small.Values[r], cells) {
			i := 0
			if v > 0 && most > 0 {
				i = max(1, min(len(blocks)-1, int(math.Ceil(v/most*float64(len(blocks)-1)))))
			}
			b.WriteRune(blocks[i])
		}
		b.WriteString(" " + t.pad(short(sums[r]), numbers, true) + " " + t.bar(sums[r]/widest, bars))
		t.line(b.String())
	}
	t.steps(small.Columns, labels+1, cells)
	t.line(strings.Repeat(" ", labels+1) + "0 " + string(blocks) + " " + withUnit(short(most), h.Unit))
}

// text draws each series of lines as columns of four lines.
func (l *Lines) text(t *terminal) {
	labels := 7
	limit := 0.0
	for _, o := range l.Limits {
		limit = max(limit, finite(o.Value))
		t.line(withUnit(clean(o.Name)+": "+Number(o.Value), l.Unit))
	}
	cells := t.width - labels - 1
	small := l.merge(cells)
	scale := riseScale{0, max(most(small.Series, l.Limits...), 1e-300)}
	if l.Log {
		all := small.marks()
		scale = riseScale{all[0], all[len(all)-1]}
	}
	high := 4
	if len(small.Series) == 1 {
		high = 8
	}
	for _, s := range small.Series {
		t.line(withUnit(s.Name+", "+"at most "+Number(most([]Series{s})), l.Unit))
		t.rise(stretch(s.Values, cells), scale, high, labels, limit)
	}
	t.steps(small.X, labels+1, cells)
}

// stretch repeats values, so that there are n of them.
func stretch(values []float64, n int) []float64 {
	var all []float64
	for i := range n {
		if len(values) > 0 {
			all = append(all, values[i*len(values)/n])
		}
	}
	return all
}

// text draws a line for each bar.
func (b *Bars) text(t *terminal) {
	largest := max(most(b.Series, b.Limits...), 1e-300)
	labels, values := 0, 0
	for _, s := range b.Series {
		labels = max(labels, columnsOf(t.shown(clean(s.Name))))
		for _, v := range s.Values {
			values = max(values, columnsOf(t.shown(withUnit(Number(v), b.Unit))))
		}
	}
	if len(b.Series) == 1 {
		labels = 0
		for _, g := range b.Groups {
			labels = max(labels, columnsOf(t.shown(clean(g))))
		}
	}
	labels = min(labels, t.width/3)
	long := max(8, t.width-labels-values-4)
	for g, group := range b.Groups {
		if len(b.Series) > 1 {
			t.line(clean(group))
		}
		for _, s := range b.Series {
			v := math.NaN()
			if g < len(s.Values) {
				v = s.Values[g]
			}
			name := s.Name
			if len(b.Series) == 1 {
				name = group
			}
			t.line(t.pad(clean(name), labels, false) + "  " + t.bar(v/largest, long) + " " + withUnit(Number(v), b.Unit))
		}
	}
	for _, l := range b.Limits {
		t.line(withUnit(clean(l.Name)+": "+Number(l.Value), b.Unit))
	}
}

// text draws each series in falling order as columns of four lines.
func (c *Curve) text(t *terminal) {
	series := c.falling(t.width - 8)
	l := &Lines{Series: series, Limits: c.Limits, Unit: c.Unit, X: Names("", make([]string, max(1, longestSeries(series)))...)}
	l.text(t)
}
