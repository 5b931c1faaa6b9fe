package query

import "github.com/cosmos-pkgen/pkgen/emulator/internal/store"

// collector adds the rows of documents to a page, and counts them in a cursor. There
// is one for each page, so that a document costs no allocation.
type collector struct {
	page  *Page
	query *Query
	next  *cursor
	size  int // the maximum number of rows of the page

	known    int // rows of the current document that earlier pages returned
	seen     int // rows of the current document that are returned or skipped
	complete bool
	yield    func(row []byte) bool // the method row
}

func newCollector(p *Page, q *Query, next *cursor, l limits) *collector {
	c := &collector{page: p, query: q, next: next, size: l.rows}
	c.yield = c.row
	return c
}

// take adds the rows of a document. It leaves out the first known rows, which earlier pages
// returned, and the rows that OFFSET skips. Afterwards seen is the number of rows returned or
// skipped. complete is false if the page became full, or TOP or LIMIT was reached, before the
// last row of the document.
func (c *collector) take(d *store.Document, known int) error {
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

// mark is a position in a page, to which back returns.
type mark struct{ rows, bytes, taken, skipped int }

func (c *collector) mark() mark {
	return mark{len(c.page.Rows), c.page.Bytes, c.next.Taken, c.next.Skipped}
}

// back removes the rows after a mark from the page.
func (c *collector) back(m mark) {
	clear(c.page.Rows[m.rows:])
	c.page.Rows, c.page.Bytes = c.page.Rows[:m.rows], m.bytes
	c.next.Taken, c.next.Skipped = m.taken, m.skipped
}
