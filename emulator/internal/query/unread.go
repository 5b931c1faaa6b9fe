package query

import (
	"sort"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// remainder is the part of a range that a cursor has not read, in the order of creation. It is
// usually one segment, the whole range. A range that was merged from others has a segment for
// each of them; the others that were read to their end lie below min.
type remainder struct {
	min      string    // nothing below is unread
	cut      bool      // whether the range holds documents below min
	segments []segment // not empty; they end where the range ends
}

// unread returns the part that a cursor has not read of the range in which it continues.
func unread(from cursor, r *store.RangeSnapshot) remainder {
	m := remainder{min: r.Min}
	if partition.CompareEPK(from.Min, r.Min) > 0 {
		m.min, m.cut = from.Min, true
	}
	for _, s := range beyond(from.Segments, m.min) {
		if partition.CompareEPK(s.Max, r.Max) >= 0 {
			s.Max = r.Max
			m.segments = append(m.segments, s)
			return m
		}
		m.segments = append(m.segments, s)
	}
	m.segments = append(m.segments, segment{Max: r.Max})
	return m
}

// after is the seq up to which all documents of all segments have been read.
func (m remainder) after() uint64 {
	least := m.segments[0].After
	for _, s := range m.segments {
		least = min(least, s.After)
	}
	return least
}

// find returns the segment of a document, and whether the document has been read.
func (m remainder) find(d *store.Document) (int, bool) {
	if m.cut && partition.CompareEPK(d.Key.EPK, m.min) < 0 {
		return 0, true
	}
	i := 0
	if len(m.segments) > 1 {
		i = sort.Search(len(m.segments)-1, func(i int) bool { return partition.CompareEPK(d.Key.EPK, m.segments[i].Max) < 0 })
	}
	return i, d.Seq <= m.segments[i].After
}

// advanced returns the segments after all documents up to the seq at.After have been read. If
// at names a further document, some of its rows were read, too; that document is in the
// segment current.
func (m remainder) advanced(at segment, current int) []segment {
	var list []segment
	for i, s := range m.segments {
		if s.After < at.After {
			s.After = at.After
			if s.Doc <= at.After {
				s.Doc, s.Rows = 0, 0
			}
		}
		if at.Doc != 0 && i == current {
			s.Doc, s.Rows = at.Doc, at.Rows
		}
		if n := len(list); n > 0 && list[n-1].After == s.After && list[n-1].Doc == s.Doc && list[n-1].Rows == s.Rows {
			list[n-1].Max = s.Max
			continue
		}
		list = append(list, s)
	}
	return list
}
