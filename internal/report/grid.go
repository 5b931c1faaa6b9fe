package report

// Grid shows several charts in columns, such as two candidates next to each other. A narrow picture
// has one column.
type Grid struct {
	Title, Description string
	Charts             []Chart
	Columns            int
}

func (g *Grid) about() (title, description string) { return g.Title, g.Description }

// narrowest is the minimum width of a chart in a grid.
const narrowest = 300

func (g *Grid) draw(width float64) *drawing {
	const gap = 32
	columns := max(1, min(g.Columns, len(g.Charts), int((width+gap)/(narrowest+gap))))
	each := (width - gap*float64(columns-1)) / float64(columns)
	d := &drawing{width: width}
	y, high := 0.0, 0.0
	for i, c := range g.Charts {
		if i > 0 && i%columns == 0 {
			y += high + 20
			high = 0
		}
		x := float64(i%columns) * (each + gap)
		title, _ := c.about()
		d.shapes = append(d.shapes, shape{ink: inkText, text: fit(clean(title), each, true), at: point{x, y + 13}, bold: true, key: true})
		one := c.draw(each)
		d.add(one, point{x, y + 28})
		high = max(high, one.height+28)
	}
	d.height = y + high
	return d
}

func (g *Grid) table() Table { return Table{Title: g.Title} }
