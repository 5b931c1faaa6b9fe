package report

// Chart is a HeatMap, Lines, Bars, Curve or Grid.
type Chart interface {
	// about returns the title, and a sentence that says what is to be seen.
	about() (title, description string)
	// draw draws the chart without its title at a width in pixels.
	draw(width float64) *drawing
	// table returns the numbers of the chart.
	table() Table
}

// Table is a table of a page. Cells of Rows that are no longer than those of Columns
// are shown; the first cell of a row is its name.
type Table struct {
	Title   string
	Columns []string
	Rows    [][]string
	// Text is how many columns at the left have texts. Those after them have numbers,
	// which are flush right. 0 is 1.
	Text int
}

// Series is a sequence of numbers with a name. A number that is NaN is missing.
type Series struct {
	Name   string
	Values []float64
	// Colour is the number of a colour, from 1, so that what a series shows has the same
	// one in all charts, or Plain; 0 is the colour of the series' place.
	Colour int
}

// Plain is the colour of texts, for a series that others are compared with.
const Plain = -1

// ink returns the ink of series i, and whether its line is dashed since others before it
// have the same ink.
func (s Series) ink(i int) (of ink, dash bool) {
	switch {
	case s.Colour == Plain:
		return inkText, i > 0
	case s.Colour > 0:
		i = s.Colour - 1
	}
	return seriesInk(i), i >= seriesInks
}

// Limit is a value that others are compared with, such as what a container sustains.
type Limit struct {
	Name  string
	Value float64
}
