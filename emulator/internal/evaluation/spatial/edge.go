package spatial

import "math"

// vec is a position or a direction. Positions on the Earth are unit vectors from its centre;
// positions on a plane have no z.
type vec struct{ x, y, z float64 }

func (p vec) plus(q vec) vec      { return vec{p.x + q.x, p.y + q.y, p.z + q.z} }
func (p vec) minus(q vec) vec     { return vec{p.x - q.x, p.y - q.y, p.z - q.z} }
func (p vec) times(f float64) vec { return vec{p.x * f, p.y * f, p.z * f} }
func (p vec) dot(q vec) float64   { return p.x*q.x + p.y*q.y + p.z*q.z }
func (p vec) length() float64     { return math.Sqrt(p.dot(p)) }
func (p vec) unit() vec           { return p.times(1 / p.length()) }
func (p vec) apart(q vec) float64 { return p.minus(q).length() }
func (p vec) across(q vec) vec {
	return vec{p.y*q.z - p.z*q.y, p.z*q.x - p.x*q.z, p.x*q.y - p.y*q.x}
}

// onEarth returns the position at a geodetic longitude and latitude in degrees.
func onEarth(longitude, latitude float64) vec {
	sin, cos := sincos(latitude)
	sin *= (1 - flattening) * (1 - flattening) // of the geocentric latitude
	r := math.Hypot(sin, cos)
	east, out := sincos(longitude)
	return vec{out * cos / r, east * cos / r, sin / r}
}

// sincos is exact for multiples of 90 degrees, so that 180 and -180 are one meridian.
func sincos(degrees float64) (sin, cos float64) {
	rest := math.Remainder(degrees, 90)
	sin, cos = math.Sincos(rest * math.Pi / 180)
	switch int(math.Round((degrees-rest)/90)) & 3 {
	case 1:
		return cos, 0 - sin
	case 2:
		return 0 - sin, 0 - cos
	case 3:
		return 0 - cos, sin
	}
	return sin, cos
}

// edge leads from a to b, on the Earth along the shorter arc. On the Earth, distances are
// lengths of chords, which have the same order as lengths of arcs.
type edge struct {
	space
	a, b     vec
	ahead    vec     // at a, of length 1
	left     vec     // of length 1
	span     float64 // the length: an angle on the Earth
	middle   vec
	farthest float64 // the maximum distance of its positions from the middle
}

// space is the Earth or a plane.
type space struct {
	flat      bool
	tolerance float64 // positions that are no farther apart are equal
}

// earth has a tolerance of a micrometre.
var earth = space{tolerance: 1e-6 / equatorial}

// edge returns the edge between two positions. On the Earth they must not be antipodal.
func (s space) edge(a, b vec) edge {
	e := edge{space: s, a: a, b: b, span: a.apart(b), middle: a.plus(b).times(0.5), farthest: a.apart(b) / 2}
	if s.flat {
		e.ahead = b.minus(a).times(1 / e.span)
		e.left = vec{-e.ahead.y, e.ahead.x, 0}
		return e
	}
	normal := a.minus(b).across(a.plus(b)) // twice the cross product, precise for short edges
	e.left = normal.unit()
	e.ahead = e.left.across(a)
	e.span = math.Atan2(normal.length()/2, a.dot(b))
	e.middle = a.plus(b).unit()
	e.farthest = e.middle.apart(a)
	return e
}

// side returns how far p is to the left of the line through e. On the Earth it is the sine of
// the angle.
func (e *edge) side(p vec) float64 { return p.minus(e.a).dot(e.left) }

// along returns how far p is from a in the direction of e.
func (e *edge) along(p vec) float64 {
	forward := p.minus(e.a).dot(e.ahead)
	if e.flat {
		return forward
	}
	return math.Atan2(forward, p.dot(e.a))
}

// at returns the position at a distance from a along e.
func (e *edge) at(along float64) vec {
	if e.flat {
		return e.a.plus(e.ahead.times(along))
	}
	sin, cos := math.Sincos(along)
	return e.a.times(cos).plus(e.ahead.times(sin))
}

// nearest returns, for the position of e that is nearest to p, its distances from a and from
// p.
func (e *edge) nearest(p vec) (along, distance float64) {
	along = e.along(p)
	if along <= 0 || along >= e.span {
		toA, toB := p.apart(e.a), p.apart(e.b)
		if toA <= toB {
			return 0, toA
		}
		return e.span, toB
	}
	side := math.Abs(e.side(p))
	if e.flat {
		return along, side
	}
	return along, 2 * math.Sin(math.Asin(min(side, 1))/2)
}

// has reports whether p is on e.
func (e *edge) has(p vec) bool {
	if p.apart(e.middle) > e.farthest+2*e.tolerance {
		return false
	}
	_, distance := e.nearest(p)
	return distance <= e.tolerance
}

// meetings calls visit with the distance from a of each position in which e meets f: one, or
// the two ends of a common part. It may name a position several times.
func (e *edge) meetings(f *edge, visit func(along float64)) {
	if e.middle.apart(f.middle) > e.farthest+f.farthest+2*e.tolerance {
		return
	}
	touch := false
	for _, end := range [2]vec{f.a, f.b} {
		if e.has(end) {
			touch = true
			visit(min(max(e.along(end), 0), e.span))
		}
	}
	if f.has(e.a) {
		touch = true
		visit(0)
	}
	if f.has(e.b) {
		touch = true
		visit(e.span)
	}
	if touch {
		return
	}
	fromA, fromB, fA, fB := f.side(e.a), f.side(e.b), e.side(f.a), e.side(f.b)
	// The last term excludes arcs that would cross on the far side of the Earth.
	if fromA*fromB >= 0 || fA*fB >= 0 || fromA*fA >= 0 {
		return
	}
	if e.flat {
		visit(e.span * fromA / (fromA - fromB))
		return
	}
	crossing := e.left.across(f.left)
	if crossing.dot(e.middle) < 0 {
		crossing = crossing.times(-1)
	}
	visit(e.along(crossing.unit()))
}
