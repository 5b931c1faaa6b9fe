package report

// Chart is a HeatMap, Lines, Bars, Curve or Grid.
type Chart interface {
	// about returns the title, and a sentence that describes the chart.
	about() (title, description string)
	// draw draws the chart without its title at a width in pixels.
	draw(width float64) *drawing
	// table returns the numbers of the chart.
	table() Table
}

// Table is a table of a page. The first cell of a row is its name. A row may be shorter than
// Columns; longer rows are cut.
type Table struct {
	Title   string
	Columns []string
	Rows    [][]string
	// Text is the number of leading columns with texts; 0 means 1. The others have numbers, aligned
	// right.
	Text int
}

// Series is a named sequence of numbers. NaN is a missing number.
type Series struct {
	Name   string
	Values []float64
	// Colour is the number of a colour, from 1, so that the same thing has one colour in all
	// charts, or Plain; 0 is the colour of the series' place.
	Colour int
}

// Plain is the colour of texts, for a series to compare others with.
const Plain = -1

// ink returns the ink of series i, and whether its line is dashed because an earlier series has the
// same ink.
func (s Series) ink(i int) (of ink, dash bool) {
	switch {
	case s.Colour == Plain:
		return inkText, i > 0
	case s.Colour > 0:
		i = s.Colour - 1
	}
	return seriesInk(i), i >= seriesInks
}

// Limit is a value to compare others with, such as the throughput of a container.
type Limit struct {
	Name  string
	Value float64
}
