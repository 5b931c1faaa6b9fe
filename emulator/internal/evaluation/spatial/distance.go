package spatial

import (
	"math"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/work"
)

// approach is a position of one shape, and the nearest edge of the other. The edge is nil if
// the other shape is a point.
type approach struct {
	from, to vec
	edge     *edge
	along    float64
	chord    float64 // the distance through the Earth
	metres   float64
}

// Distance returns the distance between two shapes: in metres on the Earth, in units of the
// coordinates on a plane, and 0 if they have a position in common. It returns false if a shape
// is empty, or if the meter has ended the work.
//
// It assumes that one of the nearest positions of lines and areas is an end of an edge. On an
// ellipsoid this is inexact for edges that run side by side for thousands of kilometres.
func (s *Shape) Distance(other *Shape, m *work.Meter) (float64, bool) {
	if s.Intersects(other, m) {
		return 0, m.Err() == nil
	}
	near := math.Inf(1)
	for a := range approaches(s, other, near, m) {
		near = min(near, a.chord)
	}
	if math.IsInf(near, 1) || m.Err() != nil {
		return 0, false
	}
	if s.flat {
		return near, true
	}
	// The radius of the Earth varies by a third of a percent. So does the ratio of a distance
	// on the ellipsoid to the distance between unit vectors, to which the curvature adds.
	const spread = 1.01
	// On the ellipsoid, the nearest position of an edge is next to the nearest one on the
	// sphere, and hardly nearer.
	const hardly = 1.0001
	var few []approach
	least := math.Inf(1)
	for a := range approaches(s, other, near*spread, m) {
		m.Spend(100)
		a.metres = geodesic(a.from, a.to)
		least = min(least, a.metres)
		if a.edge != nil && a.metres <= least*hardly {
			few = append(few, a)
		}
	}
	for _, a := range few {
		if a.metres <= least*hardly {
			m.Spend(10_000)
			reach := a.chord / 50
			from, to := max(a.along-reach, 0), min(a.along+reach, a.edge.span)
			least = min(least, lowest(from, to, func(along float64) float64 { return geodesic(a.from, a.edge.at(along)) }))
		}
	}
	return least, m.Err() == nil
}

// approaches yields how the ends of the edges of each shape approach the other, for distances
// up to most.
func approaches(s, other *Shape, most float64, m *work.Meter) func(yield func(approach) bool) {
	return func(yield func(approach) bool) {
		for _, pair := range [2][2]*Shape{{s, other}, {other, s}} {
			if pair[1].point && !pair[0].point {
				continue // the other pair covers it
			}
			for p := range pair[0].ends() {
				if !pair[1].approached(p, most, m, yield) {
					return
				}
			}
		}
	}
}

// approached yields how a position approaches a shape.
func (s *Shape) approached(p vec, most float64, m *work.Meter, yield func(approach) bool) bool {
	if s.point {
		return yield(approach{from: p, to: s.at, chord: p.apart(s.at)})
	}
	for path := range s.paths() {
		if !m.Spend(len(path)) {
			return false
		}
		for i := range path {
			e := &path[i]
			if p.apart(e.middle)-e.farthest > most {
				continue
			}
			if along, chord := e.nearest(p); chord <= most && !yield(approach{from: p, to: e.at(along), edge: e, along: along, chord: chord}) {
				return false
			}
		}
	}
	return true
}

// ends yields the ends of the edges of a shape, or its position.
func (s *Shape) ends() func(yield func(vec) bool) {
	return func(yield func(vec) bool) {
		if s.point {
			yield(s.at)
			return
		}
		for path := range s.paths() {
			for i := range path {
				if !yield(path[i].a) {
					return
				}
			}
			if !yield(path[len(path)-1].b) {
				return
			}
		}
	}
}
