package report

// mostCells is the maximum number of cells of a table. A larger heat map has a table of its rows.
const mostCells = 1200

func (h *HeatMap) table() Table {
	t := Table{Title: h.Title}
	small := h.merge(mostHeatRows, 24)
	if n := h.Columns.Len() * h.Rows.Len(); n <= mostCells && h.Columns.Len() <= 48 {
		small = h.merge(h.Rows.Len(), h.Columns.Len())
	}
	rows, columns := small.totals()
	t.Columns = append([]string{small.Rows.Name}, small.Columns.labels...)
	t.Columns = append(t.Columns, withUnit(h.totalName()+",", h.Unit))
	all := 0.0
	for r, label := range small.Rows.labels {
		row := []string{label}
		for _, v := range small.Values[r] {
			row = append(row, Number(v))
		}
		t.Rows = append(t.Rows, append(row, Number(rows[r])))
		all += rows[r]
	}
	last := []string{"all"}
	for _, v := range columns {
		last = append(last, Number(v))
	}
	t.Rows = append(t.Rows, append(last, Number(all)))
	return t
}
