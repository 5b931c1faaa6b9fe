package analyze

import (
	"bytes"
	"math"
	"strconv"
	"time"
)

// mostIntervals is the maximum number of intervals: the minutes of a day.
const mostIntervals = 1440

// widths are the widths of intervals in seconds, each a multiple of the previous one; beyond the
// last they double.
var widths = []int64{60, 5 * 60, 15 * 60, 30 * 60, 3600, 2 * 3600, 6 * 3600, 12 * 3600, 24 * 3600}

// clock divides the times of a sample into intervals, and widens them if there are too many.
type clock struct {
	width    int64 // seconds
	origin   int64 // interval 0 begins at origin × width
	from, to int64 // the first and the last time; from is above to if there is none
	grids    []*grid
}

func newClock() *clock { return &clock{width: widths[0], from: math.MaxInt64, to: math.MinInt64} }

// grid has a row of counts for each interval.
type grid struct {
	columns int
	cells   []uint32
}

// grid returns a new grid of the clock.
func (c *clock) grid(columns int) *grid {
	g := &grid{columns: columns}
	c.grids = append(c.grids, g)
	return g
}

// at returns the interval of a time. It may move or widen the intervals.
func (c *clock) at(seconds int64) int {
	if c.from > c.to {
		c.from, c.to = seconds, seconds
		c.origin = seconds/c.width - mostIntervals/4
		for _, g := range c.grids {
			g.cells = make([]uint32, mostIntervals*g.columns)
		}
	}
	c.from, c.to = min(c.from, seconds), max(c.to, seconds)
	if row := seconds/c.width - c.origin; row >= 0 && row < mostIntervals {
		return int(row)
	}
	width := c.width
	for c.to/width-c.from/width >= mostIntervals {
		width = wider(width)
	}
	// Centre the known times.
	origin := (c.from/width + c.to/width + 1 - mostIntervals) / 2
	c.move(width, origin)
	return int(seconds/c.width - c.origin)
}

// wider returns the next width.
func wider(width int64) int64 {
	for _, w := range widths {
		if w > width {
			return w
		}
	}
	return 2 * width
}

// move changes the division of time.
func (c *clock) move(width, origin int64) {
	for _, g := range c.grids {
		cells := make([]uint32, len(g.cells))
		for i, n := range g.cells {
			if n > 0 {
				row := (c.origin+int64(i/g.columns))*c.width/width - origin
				cells[int(row)*g.columns+i%g.columns] += n
			}
		}
		g.cells = cells
	}
	c.width, c.origin = width, origin
}

// rows returns the rows from the first to the last time.
func (c *clock) rows(g *grid) [][]uint32 {
	if c.from > c.to {
		return nil
	}
	first := c.from/c.width - c.origin
	all := make([][]uint32, c.to/c.width-c.from/c.width+1)
	for i := range all {
		at := (int(first) + i) * g.columns
		all[i] = g.cells[at : at+g.columns : at+g.columns]
	}
	return all
}

// parseTime returns the time of a JSON value in seconds since 1970, until 2106: a number of
// seconds, milliseconds, microseconds or nanoseconds, or a text in RFC 3339 or of a date.
func parseTime(value []byte) (seconds int64, ok bool) {
	if len(value) == 0 {
		return 0, false
	}
	if value[0] != '"' {
		f, err := strconv.ParseFloat(string(value), 64)
		if err != nil || f >= 1e20 {
			return 0, false
		}
		for f >= 1e11 { // above seconds until 5138, below milliseconds since 1973
			f /= 1000
		}
		return int64(f), f >= 0 && f < math.MaxUint32
	}
	text := string(bytes.Trim(value, `"`))
	for _, format := range []string{time.RFC3339, time.DateOnly, "2006-01-02T15:04:05", time.DateTime} {
		if t, err := time.Parse(format, text); err == nil {
			return t.Unix(), t.Unix() >= 0 && t.Unix() < math.MaxUint32
		}
	}
	return 0, false
}
