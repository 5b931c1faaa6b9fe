package report

// Chart is a HeatMap, Lines, Bars, Curve or Grid.
type Chart interface {
	// about returns the title, and a sentence that says what is to be seen.
	about() (title, description string)
	// draw draws the chart without its title at a width in pixels.
	draw(width float64) *drawing
	// text draws the chart without its title for a terminal.
	text(t *terminal)
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
}

// Limit is a value that others are compared with, such as what a container sustains.
type Limit struct {
	Name  string
	Value float64
}
