package report

func (t Prose) write(w *pageWriter) { w.printf("<p>%s</p>\n", own(string(t))) }

func (all Notices) write(w *pageWriter) {
	w.raw("<ul class=\"notices\">\n")
	for _, n := range all {
		level := "note"
		switch n.Level {
		case "error", "warning", "good":
			level = n.Level
		}
		w.printf("<li class=\"%s\">", level)
		if n.Name != "" {
			w.printf("<b>%s</b>", own(n.Name))
		}
		if level != "good" {
			w.printf("<small>%s</small>", level)
		}
		w.raw(own(n.Text) + "</li>\n")
	}
	w.raw("</ul>\n")
}

func (t Table) write(w *pageWriter) {
	w.printf("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s\"><table>\n", escape(clean("Table: "+t.Title)))
	if t.Title != "" {
		w.printf("<caption>%s</caption>\n", own(t.Title))
	}
	w.raw("<thead><tr>")
	for i, c := range t.Columns {
		w.printf("<th scope=\"col\"%s>%s</th>", t.class(i), own(c))
	}
	w.raw("</tr></thead>\n<tbody>\n")
	for _, row := range t.Rows {
		w.raw("<tr>")
		for i, cell := range row[:min(len(row), len(t.Columns))] {
			if i == 0 {
				w.printf("<th scope=\"row\">%s</th>", own(cell))
			} else {
				w.printf("<td%s>%s</td>", t.class(i), own(cell))
			}
		}
		w.raw("</tr>\n")
	}
	w.raw("</tbody></table></div>\n")
}

// class returns the class attribute for cells of a column.
func (t Table) class(column int) string {
	if column >= max(1, t.Text) {
		return ` class="n"`
	}
	return ""
}

// write writes a chart in two widths, one of which a window shows, and its numbers.
func (s Shown) write(w *pageWriter) {
	title, description := s.about()
	w.printf("<figure>\n<figcaption><h3>%s</h3>", own(title))
	if description != "" {
		w.printf("<p>%s</p>", own(description))
	}
	w.raw("</figcaption>\n")
	w.view(s.Chart, "wide", wideChart)
	w.view(s.Chart, "narrow", narrowChart)
	w.controls(s.Chart)
	t := s.table()
	t.Title = ""
	if len(t.Rows) > 0 {
		w.printf("<details><summary>Numbers<span class=\"unseen\"> of %s</span></summary>\n", own(title))
		t.Title = title
		t.write(w)
		w.raw("</details>\n")
	}
	w.raw("</figure>\n")
}

// controls writes the controls that the script handles. Grids have none.
func (w *pageWriter) controls(c Chart) {
	if _, ok := c.(*Grid); ok {
		return
	}
	w.raw("<div class=\"controls needs\" hidden=\"\">")
	if _, ok := c.(*HeatMap); ok {
		w.printf("<label>Brightness <input type=\"range\" min=\"-1\" max=\"1\" step=\"0.1\" value=\"0\" data-inks=\"%d\"/></label>", heatInks)
	}
	w.raw("<span class=\"keys\"><kbd>arrows</kbd> move, <kbd>Enter</kbd> or a click keeps the tooltip, <kbd>Esc</kbd> lets go</span></div>\n")
}

// view writes a chart at a width.
func (w *pageWriter) view(c Chart, name string, width float64) {
	title, description := c.about()
	d := c.draw(width)
	w.printf("<div class=\"view %s\"", name)
	if d.probe != nil {
		w.printf(" tabindex=\"0\" role=\"application\" aria-roledescription=\"chart\" aria-describedby=\"keys\" data-probe=\"%d\"", len(w.probes))
		w.probes = append(w.probes, d.probe.cleaned())
	} else {
		w.raw(" role=\"group\"")
	}
	w.printf(" aria-label=\"%s\">\n", escape(clean(title)))
	w.printf("<svg viewBox=\"0 0 %s %s\" role=\"img\" aria-label=\"%s\">\n", num(d.width), num(d.height), escape(clean(description)))
	writeShapes(&w.text, d)
	w.raw("</svg>\n</div>\n")
}
