package spatial

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
)

// The reference knows shapes on a grid: areas are sets of cells, and lines go from one corner
// of cells to the next. What is within what can be counted there.

const gridSize = 4

// corner is a corner of cells, or the cell above and right of it.
type corner struct{ x, y int }

type cells map[corner]bool

// grown returns a random connected set of cells.
func grown(random *rand.Rand, most int) cells {
	list := []corner{{random.IntN(gridSize), random.IntN(gridSize)}}
	for range random.IntN(most) {
		if next := list[random.IntN(len(list))].next(random); next.x < gridSize && next.y < gridSize {
			list = append(list, next)
		}
	}
	c := cells{}
	for _, at := range list {
		c[at] = true
	}
	return c
}

// next returns a neighbour in the grid.
func (at corner) next(random *rand.Rand) corner {
	d := [4]corner{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}[random.IntN(4)]
	if next := (corner{at.x + d.x, at.y + d.y}); min(next.x, next.y) >= 0 && max(next.x, next.y) <= gridSize {
		return next
	}
	return at.next(random)
}

// outline returns the rings around the cells, which are on their left. It returns false if a
// ring touches itself or another.
func (c cells) outline() (rings [][]corner, ok bool) {
	next := map[corner]corner{}
	add := func(from, to corner) {
		if _, twice := next[from]; twice {
			ok = false
		}
		next[from] = to
	}
	ok = true
	for at := range c {
		x, y := at.x, at.y
		if !c[corner{x, y - 1}] {
			add(corner{x, y}, corner{x + 1, y})
		}
		if !c[corner{x + 1, y}] {
			add(corner{x + 1, y}, corner{x + 1, y + 1})
		}
		if !c[corner{x, y + 1}] {
			add(corner{x + 1, y + 1}, corner{x, y + 1})
		}
		if !c[corner{x - 1, y}] {
			add(corner{x, y + 1}, corner{x, y})
		}
	}
	for ok && len(next) > 0 {
		// The outer ring comes first: it has the corner that is the lowest on the left.
		first := corner{gridSize + 1, 0}
		for at := range next {
			if at.x < first.x || at.x == first.x && at.y < first.y {
				first = at
			}
		}
		ring := []corner{first}
		for at := next[first]; ; at = next[ring[len(ring)-1]] {
			ring = append(ring, at)
			if at == first {
				break
			}
		}
		for _, at := range ring {
			delete(next, at)
		}
		rings = append(rings, ring)
	}
	return rings, ok
}

// around are the cells that have a corner.
func (at corner) around() [4]corner {
	return [4]corner{at, {at.x - 1, at.y}, {at.x, at.y - 1}, {at.x - 1, at.y - 1}}
}

// has counts the cells of a set that have a corner.
func (c cells) has(at corner) (n int) {
	for _, cell := range at.around() {
		if c[cell] {
			n++
		}
	}
	return n
}

// along counts the cells of a set that have an edge.
func (c cells) along(a, b corner) (n int) {
	for _, one := range a.around() {
		for _, other := range b.around() {
			if one == other && c[one] {
				n++
			}
		}
	}
	return n
}

// sample is a shape with what the reference knows of it.
type sample struct {
	kind    string
	cells   cells
	walk    []corner // of a line, or a point
	geoJSON map[string]any
}

// randomSample returns a random shape of the grid, whose corners place puts on the map.
func randomSample(random *rand.Rand, place func(corner) []float64) sample {
	positions := func(list []corner) (out [][]float64) {
		for _, at := range list {
			out = append(out, place(at))
		}
		return out
	}
	polygon := func(rings [][]corner) (out [][][]float64) {
		for _, r := range rings {
			out = append(out, positions(r))
		}
		return out
	}
	s := sample{}
	var coordinates any
	switch random.IntN(5) {
	case 0:
		s.kind, s.walk = "Point", []corner{{random.IntN(gridSize), random.IntN(gridSize)}}
		coordinates = place(s.walk[0])
	case 1:
		s.kind, s.walk = "LineString", []corner{{random.IntN(gridSize), random.IntN(gridSize)}}
		for range 1 + random.IntN(7) {
			s.walk = append(s.walk, s.walk[len(s.walk)-1].next(random))
		}
		coordinates = positions(s.walk)
	case 2, 3:
		s.kind, s.cells = "Polygon", grown(random, 14)
		rings, ok := s.cells.outline()
		if !ok {
			return randomSample(random, place)
		}
		coordinates = polygon(rings)
	default:
		s.kind, s.cells = "MultiPolygon", cells{}
		var polygons [][][][]float64
		for range 3 {
			one := grown(random, 6)
			rings, ok := one.outline()
			for at := range one { // parts share no edge
				for _, along := range [5]corner{at, {at.x + 1, at.y}, {at.x - 1, at.y}, {at.x, at.y + 1}, {at.x, at.y - 1}} {
					ok = ok && !s.cells[along]
				}
			}
			if ok {
				polygons = append(polygons, polygon(rings))
				for at := range one {
					s.cells[at] = true
				}
			}
		}
		if len(polygons) == 0 {
			return randomSample(random, place)
		}
		coordinates = polygons
	}
	s.geoJSON = map[string]any{"type": s.kind, "coordinates": coordinates}
	return s
}

// steps are the edges of a line, in one direction.
func (s sample) steps() map[[2]corner]bool {
	steps := map[[2]corner]bool{}
	for i := 1; i < len(s.walk); i++ {
		a, b := s.walk[i-1], s.walk[i]
		if b.x < a.x || b.y < a.y {
			a, b = b, a
		}
		steps[[2]corner{a, b}] = true
	}
	return steps
}

func (s sample) corners() map[corner]bool {
	all := map[corner]bool{}
	for _, at := range s.walk {
		all[at] = true
	}
	for at := range s.cells {
		for _, up := range [4]corner{at, {at.x + 1, at.y}, {at.x, at.y + 1}, {at.x + 1, at.y + 1}} {
			all[up] = true
		}
	}
	return all
}

// intersects is the reference: shapes on a grid meet in a corner.
func (s sample) intersects(other sample) bool {
	theirs := other.corners()
	for at := range s.corners() {
		if theirs[at] {
			return true
		}
	}
	return false
}

// within is the reference.
func (s sample) within(other sample) bool {
	switch {
	case s.kind == "Point" && other.kind == "Point":
		return s.walk[0] == other.walk[0]
	case s.kind == "Point" && other.kind == "LineString":
		first, last := other.walk[0], other.walk[len(other.walk)-1]
		return other.corners()[s.walk[0]] && (first == last || s.walk[0] != first && s.walk[0] != last)
	case s.kind == "Point":
		return other.cells.has(s.walk[0]) == 4
	case s.kind == "LineString" && other.kind == "LineString":
		theirs := other.steps()
		for step := range s.steps() {
			if !theirs[step] {
				return false
			}
		}
		return true
	case s.kind == "LineString" && other.cells != nil:
		within := false
		for step := range s.steps() {
			n := other.cells.along(step[0], step[1])
			if n == 0 {
				return false
			}
			within = within || n == 2
		}
		return within
	case other.cells == nil:
		return false
	}
	for at := range s.cells {
		if !other.cells[at] {
			return false
		}
	}
	return true
}

// apart is the reference for distances on a plane of cells of a size.
func (s sample) apart(other sample) float64 {
	boxes := func(s sample) (list [][4]float64) {
		for at := range s.cells {
			list = append(list, [4]float64{float64(at.x), float64(at.y), float64(at.x + 1), float64(at.y + 1)})
		}
		for step := range s.steps() {
			list = append(list, [4]float64{float64(step[0].x), float64(step[0].y), float64(step[1].x), float64(step[1].y)})
		}
		if s.kind == "Point" {
			x, y := float64(s.walk[0].x), float64(s.walk[0].y)
			list = append(list, [4]float64{x, y, x, y})
		}
		return list
	}
	least := math.Inf(1)
	for _, a := range boxes(s) {
		for _, b := range boxes(other) {
			x := max(a[0]-b[2], b[0]-a[2], 0)
			y := max(a[1]-b[3], b[1]-a[3], 0)
			least = min(least, math.Hypot(x, y))
		}
	}
	return least
}

// read reads a valid shape.
func read(t testing.TB, s System, geoJSON any) *Shape {
	t.Helper()
	text, err := json.Marshal(geoJSON)
	if err != nil {
		t.Fatal(err)
	}
	v, err := value.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	shape, invalid, err := s.Read(v, nil)
	if shape == nil {
		t.Fatalf("%s is not valid: %s, %v", text, invalid, err)
	}
	return shape
}

// TestAgainstGrid compares random shapes with the reference: on a plane, and at several
// places of the Earth and sizes, down to a centimetre.
func TestAgainstGrid(t *testing.T) {
	places := []struct {
		name   string
		system System
		place  func(corner) []float64
		size   float64 // of a cell on a plane
	}{
		{"plane", Geometry, func(at corner) []float64 { return []float64{float64(at.x), float64(at.y)} }, 1},
		{"plane of large numbers", Geometry, func(at corner) []float64 { return []float64{1e9 + 64*float64(at.x), -1e9 + 64*float64(at.y)} }, 64},
		{"turned plane", Geometry, func(at corner) []float64 {
			return []float64{0.6*float64(at.x) - 0.8*float64(at.y), 0.8*float64(at.x) + 0.6*float64(at.y)}
		}, 1},
		{"Redmond", Geography, func(at corner) []float64 { return []float64{-122.1 + 0.01*float64(at.x), 47.6 + 0.01*float64(at.y)} }, 0},
		{"the date line and the equator", Geography, func(at corner) []float64 {
			longitude := 178.5 + float64(at.x)
			if longitude > 180 {
				longitude -= 360
			}
			return []float64{longitude, float64(at.y) - 1.5}
		}, 0},
		{"centimetres", Geography, func(at corner) []float64 { return []float64{10 + 1e-7*float64(at.x), 50 + 1e-7*float64(at.y)} }, 0},
		{"near a pole", Geography, func(at corner) []float64 { return []float64{20 * float64(at.x), 85 + 0.5*float64(at.y)} }, 0},
		{"a third of the Earth", Geography, func(at corner) []float64 { return []float64{20 * float64(at.x), 20*float64(at.y) - 40} }, 0},
	}
	for seed, p := range places {
		t.Run(p.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(uint64(seed), 3))
			kinds := map[string]int{}
			for range seeds.Rows(t, 6000, 2000) {
				a, b := randomSample(random, p.place), randomSample(random, p.place)
				one, two := read(t, p.system, a.geoJSON), read(t, p.system, b.geoJSON)
				told := func() string {
					text, _ := json.Marshal([]any{a.geoJSON, b.geoJSON})
					return string(text)
				}
				if got, want := one.Within(two, nil), a.within(b); got != want {
					t.Fatalf("within: %t, want %t: %s", got, want, told())
				}
				if got, want := one.Intersects(two, nil), a.intersects(b); got != want || got != two.Intersects(one, nil) {
					t.Fatalf("intersects: %t, want %t: %s", got, want, told())
				}
				kinds[fmt.Sprintf("%s in %s: %t", a.kind, b.kind, a.within(b))]++
				distance, ok := one.Distance(two, nil)
				back, _ := two.Distance(one, nil)
				if !ok || math.Abs(distance-back) > 1e-9*distance {
					t.Fatalf("%g there, %g back: %s", distance, back, told())
				}
				if want := a.apart(b) * p.size; p.size > 0 && math.Abs(distance-want) > 1e-6*p.size {
					t.Fatalf("distance %g, want %g: %s", distance, want, told())
				} else if p.size == 0 && (distance == 0) != a.intersects(b) {
					t.Fatalf("distance %g: %s", distance, told())
				}
			}
			if len(kinds) < 22 {
				t.Errorf("only %v", kinds)
			}
		})
	}
}

// TestDistancesOnEarth compares distances to lines and areas with those to many positions
// of their edges.
func TestDistancesOnEarth(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	for range 300 {
		size := math.Pow(10, 1-4*random.Float64()) // degrees
		at := [2]float64{random.Float64()*300 - 150, random.Float64()*120 - 60}
		near := func() []float64 {
			return []float64{at[0] + size*random.Float64(), at[1] + size*random.Float64()}
		}
		line := [][]float64{near(), near(), near()}
		point := near()
		shape := read(t, Geography, map[string]any{"type": "LineString", "coordinates": line})
		got, ok := read(t, Geography, map[string]any{"type": "Point", "coordinates": point}).Distance(shape, nil)
		p := onEarth(point[0], point[1])
		want, step := math.Inf(1), 0.0
		for i := range shape.line {
			e := &shape.line[i]
			const parts = 500
			for j := range parts + 1 {
				want = min(want, geodesic(p, e.at(e.span*float64(j)/parts)))
			}
			step = max(step, e.span/parts*equatorial)
		}
		if !ok || got > want*(1+1e-9) || got < want-step {
			t.Fatalf("%v to %v: %.9g, want %.9g, or up to %g less", point, line, got, want, step)
		}
	}
}
