package report

// seriesTable returns a table with a column for each series, and a row for each name. Missing
// values are dashes.
func seriesTable(title, first string, names []string, all []Series, unit string) Table {
	t := Table{Title: title, Columns: []string{first}}
	for _, s := range all {
		t.Columns = append(t.Columns, withUnit(clean(s.Name)+",", unit))
	}
	for k, name := range names {
		row := []string{name}
		for _, s := range all {
			if k < len(s.Values) {
				row = append(row, Number(s.Values[k]))
			} else {
				row = append(row, "–")
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
