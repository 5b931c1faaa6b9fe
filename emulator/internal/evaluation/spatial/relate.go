package spatial

import (
	"iter"
	"math"
	"slices"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/work"
)

// place is the position of a point in relation to an area.
type place uint8

const (
	outside place = iota
	onEdge
	inside
)

// locate returns the place of p in relation to the area on the left of r, and the edge that is
// nearest to p. The straight line from p to the nearest position of the ring crosses no edge,
// so the side on which it arrives is the side of p.
func (r ring) locate(p vec, m *work.Meter) (place, *edge) {
	m.Spend(len(r))
	best, at, along := math.Inf(1), 0, 0.0
	for i := range r {
		e := &r[i]
		if p.apart(e.middle)-e.farthest > best {
			continue
		}
		if from, d := e.nearest(p); d < best {
			best, at, along = d, i, from
		}
	}
	e := &r[at]
	if best <= e.tolerance {
		return onEdge, e
	}
	left := e.side(p) > 0
	if along > 0 && along < e.span {
		return placeOf(left), e
	}
	// The nearest position is a corner, so both of its edges count. If they disagree, p lies
	// outside where the ring turns left.
	before, after := e, &r[(at+1)%len(r)]
	if along == 0 {
		before, after = &r[(at+len(r)-1)%len(r)], e
	}
	if before.side(p) > 0 == (after.side(p) > 0) {
		return placeOf(left), e
	}
	return placeOf(before.side(after.b) < 0), e
}

func placeOf(isInside bool) place {
	if isInside {
		return inside
	}
	return outside
}

// locate returns the place of p in relation to areas, and the nearest edge of an area that has
// p on its edge.
func locate(areas []area, p vec, m *work.Meter) (place, *edge) {
	all, on := outside, (*edge)(nil)
	for _, a := range areas {
		here := inside
		for _, r := range a.rings {
			at, e := r.locate(p, m)
			if at == onEdge {
				on = e
			}
			here = min(here, at)
		}
		all = max(all, here)
	}
	return all, on
}

// piece is a part of an edge that meets no edge of some areas, or lies on one of their edges.
type piece struct {
	place

	// with says, for a piece on an edge of the areas, that both run in the same direction.
	with bool
}

// pieces returns the parts into which the edges of areas cut the edges of a path.
func pieces(path []edge, areas []area, m *work.Meter) iter.Seq[piece] {
	return func(yield func(piece) bool) {
		var cuts []float64
		for i := range path {
			e := &path[i]
			cuts = append(cuts[:0], 0, e.span)
			for _, a := range areas {
				for _, r := range a.rings {
					cuts = e.cut(r, cuts, m)
				}
			}
			for middle := range e.between(cuts) {
				at, on := locate(areas, middle, m)
				if m.Err() != nil || !yield(piece{at, on != nil && on.left.dot(e.left) > 0}) {
					return
				}
			}
		}
	}
}

// pieces returns the places of the parts into which the ring other cuts the ring one.
func (r *reader) pieces(one, other ring) iter.Seq[place] {
	return func(yield func(place) bool) {
		for p := range pieces(one, []area{{[]ring{other}}}, r.meter) {
			if !yield(p.place) {
				return
			}
		}
	}
}

// cut appends the distances from the beginning of e at which it meets a path.
func (e *edge) cut(path []edge, cuts []float64, m *work.Meter) []float64 {
	m.Spend(len(path))
	for i := range path {
		e.meetings(&path[i], func(along float64) { cuts = append(cuts, along) })
	}
	return cuts
}

// between returns the middle of each part of e that is longer than the tolerance.
func (e *edge) between(cuts []float64) iter.Seq[vec] {
	return func(yield func(vec) bool) {
		slices.Sort(cuts)
		for i := 1; i < len(cuts); i++ {
			if cuts[i]-cuts[i-1] > 4*e.tolerance && !yield(e.at((cuts[i]+cuts[i-1])/2)) {
				return
			}
		}
	}
}

// on reports whether p is on a path.
func on(path []edge, p vec, m *work.Meter) bool {
	m.Spend(len(path))
	return slices.ContainsFunc(path, func(e edge) bool { return e.has(p) })
}

// paths returns the line or the rings of a shape.
func (s *Shape) paths() iter.Seq[[]edge] {
	return func(yield func([]edge) bool) {
		if s.line != nil && !yield(s.line) {
			return
		}
		for _, a := range s.areas {
			for _, r := range a.rings {
				if !yield(r) {
					return
				}
			}
		}
	}
}

// has reports whether p is in s, edges included.
func (s *Shape) has(p vec, m *work.Meter) bool {
	switch {
	case s.point:
		return s.at.apart(p) <= s.tolerance
	case s.line != nil:
		return on(s.line, p, m)
	}
	at, _ := locate(s.areas, p, m)
	return at != outside
}

// Intersects reports whether two shapes have a position in common. Edges, and the ends of
// lines, belong to a shape. If the meter has ended the work, the result is meaningless.
func (s *Shape) Intersects(other *Shape, m *work.Meter) bool {
	switch {
	case s.point:
		return other.has(s.at, m)
	case other.point:
		return s.has(other.at, m)
	}
	for one := range s.paths() {
		// If no edges meet, a shape that contains one position of the other's line or ring
		// contains all of it.
		if other.has(one[0].a, m) {
			return true
		}
		for two := range other.paths() {
			if s.has(two[0].a, m) {
				return true
			}
			for i := range one {
				if len(one[i].cut(two, nil, m)) > 0 {
					return true
				}
				if m.Err() != nil {
					return false
				}
			}
		}
	}
	return false
}

// Within reports whether all of s is in the other shape, and not only on its edge, as the Open
// Geospatial Consortium defines it (Simple Feature Access, 06-103r4, 6.1.15.3). The edge of a
// line is its ends. If the meter has ended the work, the result is meaningless.
func (s *Shape) Within(other *Shape, m *work.Meter) bool {
	switch {
	case s.point && other.line != nil:
		first, last := other.line[0].a, other.line[len(other.line)-1].b
		atEnd := s.at.apart(first) <= s.tolerance || s.at.apart(last) <= s.tolerance
		return on(other.line, s.at, m) && (other.loop || !atEnd)
	case s.point && !other.point:
		at, _ := locate(other.areas, s.at, m)
		return at == inside
	case s.point:
		return other.has(s.at, m)
	case s.line != nil && other.line != nil:
		return s.along(other.line, m)
	case s.line != nil:
		within := false
		for p := range pieces(s.line, other.areas, m) {
			if p.place == outside {
				return false
			}
			within = within || p.place == inside
		}
		return within
	}
	for _, a := range s.areas {
		if !a.within(other.areas, m) {
			return false
		}
	}
	return len(s.areas) > 0
}

// along reports whether all of a line is on another one.
func (s *Shape) along(line []edge, m *work.Meter) bool {
	for i := range s.line {
		e := &s.line[i]
		for middle := range e.between(e.cut(line, []float64{0, e.span}, m)) {
			if !on(line, middle, m) {
				return false
			}
		}
	}
	return true
}

// within reports whether all of an area is in others.
func (a area) within(others []area, m *work.Meter) bool {
	within := false
	for _, r := range a.rings {
		for p := range pieces(r, others, m) {
			// Next to an edge that runs against an edge of the others, a is outside of them.
			if p.place == outside || p.place == onEdge && !p.with {
				return false
			}
			within = true
		}
	}
	for _, other := range others {
		for _, r := range other.rings {
			for p := range pieces(r, []area{a}, m) {
				if p.place == inside {
					return false
				}
			}
		}
	}
	return within
}
