package spatial

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestPublishedDistances compares with distances that others have published, in metres.
func TestPublishedDistances(t *testing.T) {
	tests := []struct {
		from, to [2]float64 // longitude, latitude
		metres   float64
		relative float64 // how exact it is
		source   string
	}{
		{[2]float64{-122.11758113953535, 47.66901087006131}, [2]float64{-122.12826822304672, 47.63980239335718}, 3345.269817267368, 1e-7, "Microsoft's page ST_DISTANCE"},
		{[2]float64{-122.11758113953535, 47.66901087006131}, [2]float64{-96.84368664765994, 46.81297794314663}, 1907438.421299902, 1e-7, "Microsoft's page ST_DISTANCE"},
		{[2]float64{-73.8, 40.6}, [2]float64{-0.5, 51.6}, 5551759.400, 1e-10, "GeographicLib, GeodSolve: JFK to LHR"},
		{[2]float64{0, 0}, [2]float64{0, 90}, 10001965.7293, 1e-10, "GeographicLib: a quarter of a meridian"},
		{[2]float64{0, 0}, [2]float64{179.5, 0.5}, 19936288.579, 1e-10, "GeographicLib: nearly opposite"},
		{[2]float64{174.81, -41.32}, [2]float64{-5.50, 40.96}, 19959679.267, 1e-10, "GeographicLib, Python: Wellington to Salamanca"},
		{[2]float64{0, 0}, [2]float64{180, 0}, 20003931.4586, 1e-10, "GeographicLib: half a meridian, between opposite positions"},
		{[2]float64{10, 0}, [2]float64{100, 0}, math.Pi / 2 * equatorial, 1e-10, "a quarter of the equator"},
		{[2]float64{7, 30}, [2]float64{7, 30}, 0, 0, "the same position"},
		{[2]float64{-180, 10}, [2]float64{180, 10}, 0, 0, "the same meridian"},
		{[2]float64{3, 90}, [2]float64{-100, 90}, 0, 0, "the same pole"},
	}
	for _, test := range tests {
		p, q := onEarth(test.from[0], test.from[1]), onEarth(test.to[0], test.to[1])
		for _, got := range []float64{geodesic(p, q), geodesic(q, p)} {
			if !(math.Abs(got-test.metres) <= test.relative*test.metres) {
				t.Errorf("%s: from %v to %v are %.9g m, want %.9g", test.source, test.from, test.to, got, test.metres)
			}
		}
	}
}

// TestGeodesicIsShortest compares geodesics with paths by a third position, which are not
// shorter, and with the length of arcs, which is about the same.
func TestGeodesicIsShortest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	anywhere := func() vec {
		return onEarth(random.Float64()*360-180, math.Asin(random.Float64()*2-1)*180/math.Pi)
	}
	for range 3000 {
		p, q := anywhere(), anywhere()
		switch random.IntN(4) {
		case 0:
			q = p.times(-1).plus(anywhere().times(math.Pow(10, -6*random.Float64()))).unit() // nearly opposite
		case 1:
			q = p.plus(anywhere().times(math.Pow(10, -12*random.Float64()))).unit() // near
		}
		d := geodesic(p, q)
		if back := geodesic(q, p); math.Abs(back-d) > 1e-9*d+1e-8 {
			t.Fatalf("%v to %v: %.12g there, %.12g back", p, q, d, back)
		}
		by := anywhere()
		if around := geodesic(p, by) + geodesic(by, q); around < d*(1-1e-9) {
			t.Fatalf("%v to %v: %.12g, and %.12g by %v", p, q, d, around, by)
		}
		angle := 2 * math.Asin(min(p.apart(q)/2, 1))
		if d < polar*angle*0.994 || d > equatorial*angle*1.006 {
			t.Fatalf("%v to %v: %.9g m for an angle of %g", p, q, d, angle)
		}
	}
}

func TestExactAngles(t *testing.T) {
	for _, degrees := range []float64{-360, -270, -180, -90, 0, 90, 180, 270, 360, 450} {
		sin, cos := sincos(degrees)
		if math.Abs(sin)+math.Abs(cos) != 1 || fmt.Sprintf("%.0f %.0f", sin+0, cos+0) != fmt.Sprintf("%.0f %.0f", math.Round(math.Sin(degrees*math.Pi/180))+0, math.Round(math.Cos(degrees*math.Pi/180))+0) {
			t.Errorf("%v degrees: %v, %v", degrees, sin, cos)
		}
	}
	if onEarth(180, 33) != onEarth(-180, 33) {
		t.Errorf("the meridians 180 and -180 are %v and %v", onEarth(180, 33), onEarth(-180, 33))
	}
}
