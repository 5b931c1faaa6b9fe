package emulator

import (
	"slices"

	"github.com/cosmos-pkgen/pkgen/partition"
)

// page is one page of a query or feed.
type page struct {
	rows     [][]byte
	bytes    int
	examined int
	next     *cursor   // nil at the end
	held     *keyRange // the range it comes from, nil if there is none
}

// full reports whether a page of at most size rows is to end before another row.
func (p *page) full(size int) bool {
	return len(p.rows) >= size || p.bytes >= maxPageSize
}

func (p *page) add(row []byte) {
	p.rows = append(p.rows, row)
	p.bytes += len(row)
}

// limits bound the work of a page: rows, and documents looked at (0: no bound).
type limits struct {
	rows, documents int
}

// at returns the first range from a place in the key space on that a scope
// touches, or nil.
func (c *container) at(s *scope, min string) *keyRange {
	for _, r := range c.ranges[max(0, c.rangeIndex(min)):] {
		if s.touches(r) {
			return r
		}
	}
	return nil
}

// scan reads one page in the order of creation, from a single range: the
// gateway walks the ranges of a query one after another, a request each. A page
// that is full is followed by another one, even when nothing is left, as the
// service does it. A nil query selects everything.
func (c *container) scan(s *scope, q *query, from cursor, l limits) (*page, error) {
	p := &page{held: c.at(s, from.Min)}
	if p.held == nil || q.exhausted(from) {
		return p, nil
	}
	next := from
	segments := beyond(from.Segments, p.held.min)
	var after uint64
	if len(segments) > 0 {
		after = segments[0].After
	}
	pause := func() (*page, error) { // the next page goes on in this range
		next.Min = p.held.min
		next.Segments = append([]segment{{p.held.max, after}}, beyond(segments, p.held.max)...)
		p.next = &next
		return p, nil
	}
	docs := c.documents(s, p.held)
	for _, d := range docs[docs.search(after):] {
		if p.full(l.rows) || l.documents > 0 && p.examined >= l.documents {
			return pause()
		}
		after = d.seq
		p.examined++
		row, ok := q.row(d)
		if !ok {
			continue
		}
		if next.Skipped < q.skip() {
			next.Skipped++
			continue
		}
		p.add(row)
		next.Taken++
		if q.exhausted(next) {
			return p, nil
		}
	}
	if p.full(l.rows) {
		return pause()
	}
	if p.held.max != maxEPK && c.at(s, p.held.max) != nil {
		next.Min = p.held.max
		next.Segments = beyond(segments, p.held.max)
		p.next = &next
	}
	return p, nil
}

// beyond drops the segments that end at or before max.
func beyond(segments []segment, max string) []segment {
	for len(segments) > 0 && partition.CompareEPK(segments[0].Max, max) <= 0 {
		segments = segments[1:]
	}
	return segments
}

// sorted reads one page of a query with ORDER BY, all of it from one part of the
// container. Rows of equal keys stand in the order of creation. The cursor
// remembers the last row and not a count, so that documents which come and go
// between two pages shift nothing.
func (c *container) sorted(s *scope, q *query, from cursor, l limits) (*page, error) {
	p := &page{held: c.at(s, from.Min)}
	if p.held == nil || q.exhausted(from) {
		return p, nil
	}
	var last []value
	if from.Order != nil {
		var err error
		if last, err = decodeKeys(from.Order); err != nil {
			return nil, err
		}
		if len(last) != len(q.order()) || len(from.Segments) != 1 {
			return nil, badRequest("Invalid Continuation Token: it is not one of an ORDER BY with these properties.")
		}
	}
	type entry struct {
		keys []value
		doc  *document
		row  []byte
	}
	var entries []entry
	for _, d := range c.documents(s, p.held) {
		p.examined++
		row, ok := q.row(d)
		if !ok {
			continue
		}
		keys := q.sortKey(d)
		if last != nil {
			if order := q.compareKeys(keys, last); order < 0 || order == 0 && d.seq <= from.Segments[0].After {
				continue
			}
		}
		entries = append(entries, entry{keys, d, row})
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return q.compareKeys(a.keys, b.keys) })
	next := from
	for _, e := range entries {
		if p.full(l.rows) {
			p.next = &next
			return p, nil
		}
		if next.Skipped < q.skip() {
			next.Skipped++
			continue
		}
		p.add(e.row)
		next.Taken++
		next.Order, next.Segments = encodeKeys(e.keys), []segment{{maxEPK, e.doc.seq}}
		if q.exhausted(next) {
			break
		}
	}
	return p, nil
}

// aggregate reads one page of a query that makes its rows of many documents. When the
// number of documents is bounded, each page is the aggregate of a part of them:
// clients of the service must expect that, and add the pages up.
func (c *container) aggregate(s *scope, q *query, from cursor, l limits) (*page, error) {
	p := &page{held: c.at(s, from.Min)}
	var docs docList
	if p.held != nil {
		docs = c.documents(s, p.held)
	}
	if len(from.Segments) > 0 {
		docs = docs[docs.search(from.Segments[0].After):]
	}
	if l.documents > 0 && len(docs) > l.documents {
		docs = docs[:l.documents]
		next := from
		next.Segments = []segment{{maxEPK, docs[len(docs)-1].seq}}
		p.next = &next
	}
	p.examined = len(docs)
	for _, row := range q.run(docs) {
		p.add(row)
	}
	return p, nil
}
