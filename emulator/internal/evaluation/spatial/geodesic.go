package spatial

import "math"

// The ellipsoid of WGS 84 (NIMA TR8350.2, table 3.1).
const (
	equatorial = 6378137.0 // radius in metres
	flattening = 1 / 298.257223563
	polar      = equatorial * (1 - flattening)
)

// geodesic returns the length in metres of the shortest path on the ellipsoid between two
// positions.
//
// It is the inverse formula of T. Vincenty ("Direct and Inverse Solutions of Geodesics on the
// Ellipsoid with Application of Nested Equations", Survey Review 23, 1975), which is accurate
// to half a millimetre. Its iteration does not converge for positions that are nearly
// antipodal.
func geodesic(p, q vec) float64 {
	if d, ok := vincenty(p, q); ok {
		return d
	}
	return opposite(p, q)
}

// vincenty returns false if the iteration does not converge.
func vincenty(p, q vec) (metres float64, ok bool) {
	sinU1, cosU1 := reduced(p)
	sinU2, cosU2 := reduced(q)
	longitude := math.Atan2(p.x*q.y-p.y*q.x, p.x*q.x+p.y*q.y)
	lambda := longitude
	for range 100 {
		sinL, cosL := math.Sincos(lambda)
		a, b := cosU2*sinL, cosU1*sinU2-sinU1*cosU2*cosL
		sinS, cosS := math.Sqrt(a*a+b*b), sinU1*sinU2+cosU1*cosU2*cosL
		if sinS == 0 {
			return 0, cosS > 0
		}
		sigma := math.Atan2(sinS, cosS)
		sinA := cosU1 * cosU2 * sinL / sinS
		cos2A := 1 - sinA*sinA
		cos2M := 0.0 // of a path along the equator
		if cos2A > 0 {
			cos2M = cosS - 2*sinU1*sinU2/cos2A
		}
		c := flattening / 16 * cos2A * (4 + flattening*(4-3*cos2A))
		before := lambda
		lambda = longitude + (1-c)*flattening*sinA*(sigma+c*sinS*(cos2M+c*cosS*(2*cos2M*cos2M-1)))
		if math.Abs(lambda) > math.Pi {
			return 0, false
		}
		if math.Abs(lambda-before) < 1e-13 {
			u2 := cos2A * (equatorial*equatorial - polar*polar) / (polar * polar)
			bigA := 1 + u2/16384*(4096+u2*(-768+u2*(320-175*u2)))
			bigB := u2 / 1024 * (256 + u2*(-128+u2*(74-47*u2)))
			delta := bigB * sinS * (cos2M + bigB/4*(cosS*(2*cos2M*cos2M-1)-bigB/6*cos2M*(4*sinS*sinS-3)*(4*cos2M*cos2M-3)))
			return polar * bigA * (sigma - delta), true
		}
	}
	return 0, false
}

// reduced returns the sine and the cosine of the reduced latitude of a position. The tangent
// of the reduced latitude is the tangent of the geocentric one times the ratio of the radii.
func reduced(p vec) (sin, cos float64) {
	z, rho := p.z/(1-flattening), math.Hypot(p.x, p.y)
	r := math.Hypot(z, rho)
	return z / r, rho / r
}

// opposite is geodesic for positions that are nearly antipodal. Each path from one to the
// other crosses the circle halfway between them, so the shortest path is the shortest one
// through a position on that circle.
func opposite(p, q vec) float64 {
	u := p.across(vec{z: 1})
	if u.length() < 0.5 {
		u = p.across(vec{x: 1})
	}
	u = u.unit()
	v := p.across(u)
	by := func(angle float64) float64 {
		sin, cos := math.Sincos(angle)
		half := u.times(cos).plus(v.times(sin))
		first, _ := vincenty(p, half)
		second, _ := vincenty(half, q)
		return first + second
	}
	const parts = 72
	best, at := math.Inf(1), 0.0
	for i := range parts {
		angle := 2 * math.Pi / parts * float64(i)
		if d := by(angle); d < best {
			best, at = d, angle
		}
	}
	return min(best, lowest(at-2*math.Pi/parts, at+2*math.Pi/parts, by))
}

// lowest returns the least value of a function that has one minimum between two arguments. It
// uses golden-section search.
func lowest(from, to float64, f func(float64) float64) float64 {
	const ratio = 1 / math.Phi
	a, b := to-ratio*(to-from), from+ratio*(to-from)
	fa, fb := f(a), f(b)
	for range 50 { // the interval is then 10^-10 of what it was
		if fa < fb {
			to, b, fb = b, a, fa
			a = to - ratio*(to-from)
			fa = f(a)
		} else {
			from, a, fa = a, b, fb
			b = from + ratio*(to-from)
			fb = f(b)
		}
	}
	return min(fa, fb)
}
