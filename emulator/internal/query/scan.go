package server

import (
	"slices"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/cosmossql/value"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// page is one page of a query or feed.
type page struct {
	rows     [][]byte
	bytes    int
	examined int
	next     *cursor   // nil at the end
	held     *keyRange // the range from which it comes, or nil
}

// full reports whether a page of at most size rows ends before the next row.
func (p *page) full(size int) bool {
	return len(p.rows) >= size || p.bytes >= maxPageSize
}

// continuation returns the token with which the next page is read, or "" at the end.
func (p *page) continuation() string {
	if p.next == nil {
		return ""
	}
	return p.next.token()
}

func (p *page) add(row []byte) {
	p.rows = append(p.rows, row)
	p.bytes += len(row)
}

// limits bound the work of a page: its rows, and the documents that it examines (0
// means no bound).
type limits struct {
	rows, documents int
}

// rangeAt returns the first range, from a place in the key space on, that a scope touches.
// It returns nil if there is no such range.
func rangeAt(c *container, s *scope, from string) *keyRange {
	for _, r := range c.ranges[max(0, c.rangeIndex(from)):] {
		if s.touches(r) {
			return r
		}
	}
	return nil
}

// scanPage reads one page in the order of creation, from a single range: the gateway reads
// the ranges of a query one after another, one with each request. As in the service, a
// full page has a continuation, even if it was the last one. A nil query selects
// everything.
func scanPage(c *container, s *scope, q *query, from cursor, l limits) (*page, error) {
	p := &page{held: rangeAt(c, s, from.Min)}
	if p.held == nil || q.exhausted(from) {
		return p, nil
	}
	next := from
	segments := beyond(from.Segments, p.held.min)
	at := segment{}
	if len(segments) > 0 {
		at = segments[0]
	}
	pause := func() (*page, error) { // the next page goes on in this range
		at.Max = p.held.max
		next.Min = p.held.min
		next.Segments = append([]segment{at}, beyond(segments, p.held.max)...)
		p.next = &next
		return p, nil
	}
	rows := newCollector(p, q, &next, l)
	docs := documentsIn(c, s, p.held)
	for _, d := range docs[docs.search(at.After):] {
		if p.full(l.rows) || l.documents > 0 && p.examined >= l.documents {
			return pause()
		}
		p.examined++
		if err := rows.take(d, at.known(d)); err != nil {
			return nil, err
		}
		if q.exhausted(next) {
			return p, nil
		}
		if !rows.complete {
			at.Doc, at.Rows = d.seq, rows.seen
			return pause()
		}
		at = segment{After: d.seq}
	}
	if p.full(l.rows) {
		return pause()
	}
	if p.held.max != maxEPK && rangeAt(c, s, p.held.max) != nil {
		next.Min = p.held.max
		next.Segments = beyond(segments, p.held.max)
		p.next = &next
	}
	return p, nil
}

// beyond drops the segments that end at or before a place in the key space.
func beyond(segments []segment, end string) []segment {
	for len(segments) > 0 && partition.CompareEPK(segments[0].Max, end) <= 0 {
		segments = segments[1:]
	}
	return segments
}

// entry is a document with its ORDER BY values.
type entry struct {
	keys []value.Value
	doc  *document
}

// sortedEntries returns the documents of a range that a query with ORDER BY selects, in
// its order. Documents with equal values keep the order of creation.
func sortedEntries(c *container, s *scope, q *query, p *page) ([]entry, error) {
	var list []entry
	for _, d := range documentsIn(c, s, p.held) {
		p.examined++
		ok, err := q.match(d)
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, entry{q.sortKey(d), d})
		}
	}
	slices.SortStableFunc(list, func(a, b entry) int { return q.compareKeys(a.keys, b.keys) })
	return list, nil
}

// sortedPage reads one page of a query with ORDER BY from one range. The cursor remembers
// the last document and not a count, so that documents which are created or deleted
// between two pages shift nothing.
func sortedPage(c *container, s *scope, q *query, from cursor, l limits) (*page, error) {
	p := &page{held: rangeAt(c, s, from.Min)}
	if p.held == nil || q.exhausted(from) {
		return p, nil
	}
	isNew := func(entry) bool { return true }
	last := segment{}
	if from.Order != nil {
		keys, err := decodeKeys(from.Order)
		if err != nil {
			return nil, err
		}
		if len(keys) != len(q.order()) || len(from.Segments) != 1 {
			return nil, badRequest("Invalid Continuation Token: it is not one of an ORDER BY with these properties.")
		}
		last = from.Segments[0]
		isNew = func(e entry) bool {
			order := q.compareKeys(e.keys, keys)
			return order > 0 || order == 0 && e.doc.seq >= last.Doc
		}
	}
	list, err := sortedEntries(c, s, q, p)
	if err != nil {
		return nil, err
	}
	next := from
	rows := newCollector(p, q, &next, l)
	for _, e := range list {
		if !isNew(e) {
			continue
		}
		if err := rows.take(e.doc, last.known(e.doc)); err != nil {
			return nil, err
		}
		if q.exhausted(next) {
			return p, nil
		}
		next.Order, next.Segments = encodeKeys(e.keys), []segment{{Max: maxEPK, Doc: e.doc.seq, Rows: rows.seen}}
		if !rows.complete {
			p.next = &next
			return p, nil
		}
	}
	return p, nil
}

// wholePage reads one page of a query whose rows depend on many documents. If the number
// of documents is bounded, each page is made of a part of the documents: clients of the
// service must expect that, and combine the pages.
func wholePage(c *container, s *scope, q *query, from cursor, l limits) (*page, error) {
	p := &page{held: rangeAt(c, s, from.Min)}
	var docs docList
	if p.held != nil {
		docs = documentsIn(c, s, p.held)
	}
	if len(from.Segments) > 0 {
		docs = docs[docs.search(from.Segments[0].After):]
	}
	part := l.documents > 0 && len(docs) > l.documents && q.inParts()
	if part {
		docs = docs[:l.documents]
	}
	p.examined = len(docs)
	rows, err := q.run(docs)
	if err != nil {
		return nil, err
	}
	next := from
	for _, row := range rows[min(from.Taken, len(rows)):] {
		if p.full(l.rows) {
			p.next = &next
			return p, nil
		}
		p.add(row)
		next.Taken++
	}
	if part {
		next.Taken = 0
		next.Segments = []segment{{Max: maxEPK, After: docs[len(docs)-1].seq}}
		p.next = &next
	}
	return p, nil
}
