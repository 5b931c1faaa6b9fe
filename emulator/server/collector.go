package server

// collector adds the rows that a query makes of documents to a page, and counts
// them in a cursor. It is made once a page, so that a document costs no allocation.
type collector struct {
	page  *page
	query *query
	next  *cursor
	size  int // how many rows the page may have

	known    int // rows of the present document that were returned before
	seen     int // rows of it that are dealt with
	complete bool
	yield    func(row []byte) bool // the method row
}

func newCollector(p *page, q *query, next *cursor, l limits) *collector {
	c := &collector{page: p, query: q, next: next, size: l.rows}
	c.yield = c.row
	return c
}

// take adds the rows of a document, without those that were returned before and
// those that OFFSET leaves out. Afterwards seen is the number of its rows that are
// dealt with, and complete says whether these are all: the page may be full
// before, or TOP or LIMIT reached.
func (c *collector) take(d *document, known int) error {
	c.known, c.seen, c.complete = known, 0, true
	return c.query.rows(d, c.yield)
}

// row takes one row, and reports whether there may be more.
func (c *collector) row(row []byte) bool {
	switch {
	case c.seen < c.known:
	case c.page.full(c.size) || c.query.exhausted(*c.next):
		c.complete = false
		return false
	case c.next.Skipped < c.query.skip():
		c.next.Skipped++
	default:
		c.page.add(row)
		c.next.Taken++
	}
	c.seen++
	return true
}
