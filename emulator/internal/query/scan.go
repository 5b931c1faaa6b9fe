package query

import (
	"slices"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// Page is one page of a query or feed.
type Page struct {
	Rows     [][]byte
	Bytes    int
	Examined int
	next     *cursor              // nil at the end
	Range    *store.RangeSnapshot // the range of the page, or nil
}

// full reports whether a page of at most size rows must end before the next row.
func (p *Page) full(size int) bool {
	return len(p.Rows) >= size || p.Bytes >= maxPageSize
}

// Continuation returns the token for the next page, or "" at the end.
func (p *Page) Continuation() string {
	if p.next == nil {
		return ""
	}
	return p.next.token()
}

func (p *Page) add(row []byte) {
	p.Rows = append(p.Rows, row)
	p.Bytes += len(row)
}

// limits bound a page by its rows, and by the documents that it examines. 0 means no bound.
type limits struct {
	rows, documents int
}

// rangeAt returns the first range that a scope touches, from a position in the key space on.
// It returns nil if there is none.
func rangeAt(c *store.Container, s *scope, from string) *store.Range {
	for _, r := range c.Ranges[max(0, c.RangeIndex(from)):] {
		if s.touches(r) {
			return r
		}
	}
	return nil
}

// scanPage reads one page in the order of creation from a single range: the gateway reads the
// ranges of a query one after another, one with each request. As in the service, a full page
// has a continuation, even if it was the last one. A nil query selects all documents.
func scanPage(s source, q *Query, from cursor, l limits) (*Page, error) {
	p := &Page{Range: s.part}
	if p.Range == nil || q.exhausted(from) {
		return p, nil
	}
	next := from
	left := unread(from, p.Range)
	at := segment{After: left.after()}
	pause := func(current int) *Page { // the next page continues in this range
		next.Min = left.min
		next.Segments = append(left.advanced(at, current), beyond(from.Segments, p.Range.Max)...)
		p.next = &next
		return p
	}
	rows := newCollector(p, q, &next, l)
	for d := range s.docs.after(at.After) {
		current, known := left.find(d)
		if known {
			continue
		}
		if p.full(l.rows) || l.documents > 0 && p.Examined >= l.documents || p.Examined > 0 && q.late() {
			return pause(current), nil
		}
		p.Examined++
		before := rows.mark()
		if err := rows.take(d, left.segments[current].known(d)); err != nil {
			if p.Examined > 1 && q.late() { // the next page begins with this document
				rows.back(before)
				return pause(current), nil
			}
			return nil, err
		}
		if q.exhausted(next) {
			return p, nil
		}
		if !rows.complete {
			at.Doc, at.Rows = d.Seq, rows.seen
			return pause(current), nil
		}
		at = segment{After: d.Seq}
	}
	if p.full(l.rows) {
		return pause(0), nil
	}
	if s.further {
		next.Min = p.Range.Max
		next.Segments = beyond(from.Segments, p.Range.Max)
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
	doc  *store.Document
}

// sortedEntries returns the documents of a range that a query with ORDER BY selects, in
// its order.
func sortedEntries(s source, q *Query, p *Page) ([]entry, error) {
	var list []entry
	for d := range s.docs.after(0) {
		p.Examined++
		ok, err := q.match(d)
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, entry{q.sortKey(d), d})
		}
	}
	slices.SortFunc(list, q.compareEntries)
	if err := q.meter.Err(); err != nil {
		return nil, badQuery(err)
	}
	return list, nil
}

// sortedPage reads one page of a query with ORDER BY from one range. The cursor stores the
// last document and not a count, so that documents that are created or deleted between two
// pages shift nothing.
func sortedPage(s source, q *Query, from cursor, l limits) (*Page, error) {
	p := &Page{Range: s.part}
	if p.Range == nil || q.exhausted(from) {
		return p, nil
	}
	var reached *place
	last := segment{}
	if from.Order != nil {
		keys, err := decodeKeys(from.Order)
		if err != nil {
			return nil, err
		}
		if len(keys) != len(q.order()) || len(from.Segments) != 1 {
			return nil, status.BadRequest("Invalid Continuation Token: it is not one of an ORDER BY with these properties.")
		}
		last = from.Segments[0]
		reached = &place{keys: keys, seq: last.Doc}
	}
	list, err := sortedEntries(s, q, p)
	if err != nil {
		return nil, err
	}
	next := from
	rows := newCollector(p, q, &next, l)
	for _, e := range list {
		if q.precedes(e, q.begin) || q.precedes(e, reached) {
			continue
		}
		if err := rows.take(e.doc, last.known(e.doc)); err != nil {
			return nil, err
		}
		if q.exhausted(next) {
			return p, nil
		}
		next.Order, next.Segments = encodeKeys(e.keys), []segment{{Max: store.MaxEPK, Doc: e.doc.Seq, Rows: rows.seen}}
		if !rows.complete {
			p.next = &next
			return p, nil
		}
	}
	// Once the time has ended, comparisons may be wrong, so rows may be missing.
	if err := q.meter.Err(); err != nil {
		return nil, badQuery(err)
	}
	return p, nil
}

// wholePage reads one page of a query whose rows depend on many documents. If the number of
// documents is bounded, or they take too much time, each page is made from a part of the
// documents. Clients of the service must expect that, and combine the pages.
func wholePage(s source, q *Query, from cursor, l limits) (*Page, error) {
	p := &Page{Range: s.part}
	at := segment{}
	if len(from.Segments) > 0 {
		at = from.Segments[0]
	}
	last, part := at.After, false // among the documents of this page
	rows, err := q.run(func(yield func(*store.Document) bool) {
		for d := range s.docs.after(at.After) {
			// A page that continues with the rows of a part is made from the same part.
			enough := l.documents > 0 && p.Examined >= l.documents || q.late()
			if at.Doc > 0 {
				enough = d.Seq > at.Doc
			}
			if part = enough && p.Examined > 0 && q.inParts(); part {
				return
			}
			p.Examined++
			last = d.Seq
			if !yield(d) {
				return
			}
		}
	})
	if err != nil {
		return nil, err
	}
	next := from
	for _, row := range rows[min(from.Taken, len(rows)):] {
		if p.full(l.rows) {
			if part {
				next.Segments = []segment{{Max: store.MaxEPK, After: at.After, Doc: last}}
			}
			p.next = &next
			return p, nil
		}
		p.add(row)
		next.Taken++
	}
	if part {
		next.Taken = 0
		next.Segments = []segment{{Max: store.MaxEPK, After: last}}
		p.next = &next
	}
	return p, nil
}
