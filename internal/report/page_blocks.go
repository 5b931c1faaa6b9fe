package report

import "fmt"

func (t Prose) write(w *pageWriter) { fmt.Fprintf(w, "<p>%s</p>\n", own(string(t))) }

func (all Notices) write(w *pageWriter) {
	w.WriteString("<ul class=\"notices\">\n")
	for _, n := range all {
		level := "note"
		switch n.Level {
		case "error", "warning", "good":
			level = n.Level
		}
		fmt.Fprintf(w, "<li class=\"%s\">", level)
		if n.Name != "" {
			fmt.Fprintf(w, "<b>%s</b>", own(n.Name))
		}
		if level != "good" {
			fmt.Fprintf(w, "<small>%s</small>", level)
		}
		w.WriteString(own(n.Text) + "</li>\n")
	}
	w.WriteString("</ul>\n")
}

func (t Table) write(w *pageWriter) {
	fmt.Fprintf(w, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s\"><table>\n", escape(clean("Table: "+t.Title)))
	if t.Title != "" {
		fmt.Fprintf(w, "<caption>%s</caption>\n", own(t.Title))
	}
	w.WriteString("<thead><tr>")
	for i, c := range t.Columns {
		fmt.Fprintf(w, "<th scope=\"col\"%s>%s</th>", t.class(i), own(c))
	}
	w.WriteString("</tr></thead>\n<tbody>\n")
	for _, row := range t.Rows {
		w.WriteString("<tr>")
		for i, cell := range row[:min(len(row), len(t.Columns))] {
			if i == 0 {
				fmt.Fprintf(w, "<th scope=\"row\">%s</th>", own(cell))
			} else {
				fmt.Fprintf(w, "<td%s>%s</td>", t.class(i), own(cell))
			}
		}
		w.WriteString("</tr>\n")
	}
	w.WriteString("</tbody></table></div>\n")
}

// class returns the attribute of cells of a column.
func (t Table) class(column int) string {
	if column >= max(1, t.Text) {
		return ` class="n"`
	}
	return ""
}

// write writes a chart in two widths, of which a window shows one, and its numbers.
func (s Shown) write(w *pageWriter) {
	w.charts++
	title, description := s.about()
	fmt.Fprintf(w, "<figure>\n<figcaption><h3>%s</h3>", own(title))
	if description != "" {
		fmt.Fprintf(w, "<p>%s</p>", own(description))
	}
	w.WriteString("</figcaption>\n")
	w.view(s.Chart, "wide", wideChart)
	w.view(s.Chart, "narrow", narrowChart)
	w.controls(s.Chart)
	t := s.table()
	t.Title = ""
	if len(t.Rows) > 0 {
		fmt.Fprintf(w, "<details><summary>Numbers<span class=\"unseen\"> of %s</span></summary>\n", own(title))
		t.Title = title
		t.write(w)
		w.WriteString("</details>\n")
	}
	w.WriteString("</figure>\n")
}

// controls writes what the script does with a chart. Charts of several have none.
func (w *pageWriter) controls(c Chart) {
	if _, ok := c.(*Grid); ok {
		return
	}
	w.WriteString("<div class=\"controls needs\" hidden=\"\">")
	if _, ok := c.(*HeatMap); ok {
		fmt.Fprintf(w, "<label>Brightness <input type=\"range\" min=\"-1\" max=\"1\" step=\"0.1\" value=\"0\" data-inks=\"%d\"/></label>", heatInks)
	}
	w.WriteString("<span class=\"keys\"><kbd>arrows</kbd> move, <kbd>Enter</kbd> or a click keeps the tooltip, <kbd>Esc</kbd> lets go</span></div>\n")
}

// view writes a chart at a width.
func (w *pageWriter) view(c Chart, name string, width float64) {
	title, description := c.about()
	d := c.draw(width)
	fmt.Fprintf(w, "<div class=\"view %s\"", name)
	if d.probe != nil {
		fmt.Fprintf(w, " tabindex=\"0\" role=\"application\" aria-roledescription=\"chart\" data-probe=\"%d\"", len(w.probes))
		w.probes = append(w.probes, d.probe.cleaned())
	} else {
		w.WriteString(" role=\"group\"")
	}
	fmt.Fprintf(w, " aria-label=\"%s\">\n", escape(clean(title)))
	fmt.Fprintf(w, "<svg viewBox=\"0 0 %s %s\" role=\"img\" aria-label=\"%s\">\n", num(d.width), num(d.height), escape(clean(description)))
	writeShapes(&w.Builder, d)
	w.WriteString("</svg>\n</div>\n")
}
