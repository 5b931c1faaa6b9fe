package spatial

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/work"
)

// System is the meaning of coordinates. The zero value is longitude and latitude on the Earth.
type System struct{ flat bool }

// The geospatial configurations of containers.
var (
	Geography = System{}
	Geometry  = System{flat: true}
)

// Types are the types of GeoJSON that the service knows.
var Types = []string{"Point", "LineString", "Polygon", "MultiPolygon"}

// Shape is a valid shape. It is immutable.
type Shape struct {
	space
	point bool
	at    vec // of a point
	// line is a path; loop is whether it ends where it begins, so that it has no ends.
	line  []edge
	loop  bool
	areas []area // of a polygon or several
}

// area is the area on the left of all its rings.
type area struct{ rings []ring }

// ring is a closed path that does not cross or touch itself.
type ring []edge

// Invalid is the reason why a value is not a valid shape, as ST_ISVALIDDETAILED returns it.
// Reasons that Microsoft's pages do not show are in the words of SQL Server, or our own.
type Invalid string

// errCRS is the error for GeoJSON that defines the meaning of its coordinates.
var errCRS = errors.New(`GeoJSON with "crs" is not supported: coordinates are those of WGS 84, or of a plane`)

// Read reads a value as GeoJSON. It returns the reason if the value is not a valid shape, and
// an error if the service does not document how it treats the value. If the meter ends the
// work, the shape is nil and there is no reason.
func (s System) Read(v value.Value, m *work.Meter) (*Shape, Invalid, error) {
	r := reader{system: s, meter: m}
	shape := r.shape(v)
	return shape, r.invalid, r.err
}

// reader reads a shape. After a failure it returns no more shapes.
type reader struct {
	system  System
	space   space
	meter   *work.Meter
	invalid Invalid
	err     error
}

func (r *reader) fail(format string, args ...any) {
	if r.invalid == "" {
		r.invalid = Invalid(fmt.Sprintf(format, args...))
	}
}

func (r *reader) failed() bool { return r.invalid != "" || r.err != nil || r.meter.Err() != nil }

func (r *reader) shape(v value.Value) *Shape {
	kind, coordinates := v.Get("type"), v.Get("coordinates")
	if !slices.Contains(Types, kind.Text()) {
		r.fail("The input is not valid: its type is one of Point, LineString, Polygon and MultiPolygon.")
		return nil
	}
	if crs := v.Get("crs"); crs.Kind() != value.Undefined {
		r.err = errCRS
		return nil
	}
	if coordinates.Kind() != value.Array {
		r.fail("The %s input is not valid because it has no array of coordinates.", kind.Text())
		return nil
	}
	r.space = earth
	if r.system.flat {
		r.space = space{flat: true, tolerance: 1e-12 * greatest(coordinates)}
	}
	shape := &Shape{space: r.space}
	switch kind.Text() {
	case "Point":
		shape.point = true
		shape.at = r.position(coordinates)
	case "LineString":
		shape.line, shape.loop = r.path(coordinates)
	case "Polygon":
		shape.areas = []area{r.polygon(coordinates)}
	case "MultiPolygon":
		for _, polygon := range coordinates.Items() {
			shape.areas = append(shape.areas, r.polygon(polygon))
		}
		r.disjoint(shape.areas)
	}
	if r.failed() {
		return nil
	}
	return shape
}

// greatest returns the greatest absolute value of the numbers in arrays.
func greatest(v value.Value) float64 {
	most := math.Abs(v.Float())
	for _, item := range v.Items() {
		most = max(most, greatest(item))
	}
	return most
}

// position reads a position. An altitude has no effect.
func (r *reader) position(v value.Value) vec {
	items := v.Items()
	if len(items) < 2 || len(items) > 3 || slices.ContainsFunc(items, func(item value.Value) bool { return item.Kind() != value.Number }) {
		r.fail("The input is not valid because a position is not an array of two or three numbers.")
		return vec{}
	}
	x, y := items[0].Float(), items[1].Float()
	switch {
	case r.system.flat && !(max(math.Abs(x), math.Abs(y)) <= 1e100):
		r.fail("The input is not valid because a coordinate is greater than 1e100.") // the square of a greater one may be infinite
		return vec{}
	case r.system.flat:
		return vec{x: x, y: y}
	case !(math.Abs(y) <= 90):
		r.fail("Latitude values must be between -90 and 90 degrees.")
		return vec{}
	case !(math.Abs(x) <= 180):
		r.fail("Longitude values must be between -180 and 180 degrees.")
		return vec{}
	}
	return onEarth(x, y)
}

// positions reads positions, and drops consecutive duplicates.
func (r *reader) positions(v value.Value) (list []vec) {
	for _, item := range v.Items() {
		p := r.position(item)
		if r.failed() || !r.meter.Spend(20) {
			return nil
		}
		if len(list) == 0 || list[len(list)-1].apart(p) > r.space.tolerance {
			list = append(list, p)
		}
	}
	return list
}

// edges joins positions.
func (r *reader) edges(list []vec) []edge {
	edges := make([]edge, 0, max(len(list)-1, 0))
	for i := 1; i < len(list); i++ {
		if !r.space.flat && list[i-1].plus(list[i]).length() < 1e-9 {
			r.fail("The specified input cannot be accepted because it contains an edge with antipodal points.")
			return nil
		}
		edges = append(edges, r.space.edge(list[i-1], list[i]))
	}
	return edges
}

func (r *reader) path(v value.Value) (line []edge, loop bool) {
	list := r.positions(v)
	if r.failed() {
		return nil, false
	}
	if len(list) < 2 {
		r.fail("The LineString input is not valid because it does not have enough points. A LineString must have at least two points.")
		return nil, false
	}
	return r.edges(list), list[0].apart(list[len(list)-1]) <= r.space.tolerance
}

func (r *reader) polygon(v value.Value) area {
	rings := v.Items()
	if len(rings) == 0 {
		r.fail("The Polygon input is not valid because it has no ring.")
	}
	var a area
	for i, item := range rings {
		a.rings = append(a.rings, r.ring(item, i+1))
		if r.failed() {
			return a
		}
	}
	if r.system.flat {
		a.turn()
	}
	r.nested(a)
	return a
}

// ring reads a ring. number is for messages.
func (r *reader) ring(v value.Value, number int) ring {
	items := v.Items()
	if len(items) < 4 {
		r.fail("The Polygon input is not valid because the ring number %d does not have enough points. Each ring of a polygon must contain at least four points.", number)
		return nil
	}
	if !samePosition(items[0], items[len(items)-1]) {
		r.fail("The Polygon input is not valid because the start and end points of the ring number %d are not the same. Each ring of a polygon must have the same start and end points.", number)
		return nil
	}
	list := r.positions(v)
	if r.failed() {
		return nil
	}
	if list[0] != list[len(list)-1] { // the last one was dropped as a duplicate
		list = append(list[:len(list)-1], list[0])
	}
	if len(list) < 4 {
		r.fail("The Polygon input is not valid because the ring number %d has fewer than three different points.", number)
		return nil
	}
	edges := ring(r.edges(list))
	if !r.failed() && r.meets(edges) {
		r.fail("The Polygon input is not valid because the ring number %d meets itself.", number)
	}
	return edges
}

// samePosition reports whether two positions have the same numbers.
func samePosition(a, b value.Value) bool {
	for i := range 2 {
		x, y := a.At(i), b.At(i)
		if x.Kind() != value.Number || y.Kind() != value.Number || x.Float() != y.Float() {
			return false
		}
	}
	return true
}

// meets reports whether two edges of a ring meet anywhere but where one follows the other.
func (r *reader) meets(edges ring) (met bool) {
	// Each edge is compared only with the edges that overlap it in one coordinate.
	order := make([]int, len(edges))
	for i := range order {
		order[i] = i
	}
	least := func(i int) float64 { return edges[i].middle.x - edges[i].farthest }
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(least(i), least(j)) })
	for at, i := range order {
		e := &edges[i]
		most := e.middle.x + e.farthest + 2*e.tolerance
		for _, j := range order[at+1:] {
			if least(j) > most {
				break
			}
			if !r.meter.Spend(2) {
				return false
			}
			f := &edges[j]
			switch {
			case (i+1)%len(edges) == j:
				met = e.has(f.b) || f.has(e.a)
			case (j+1)%len(edges) == i:
				met = f.has(e.b) || e.has(f.a)
			default:
				e.meetings(f, func(float64) { met = true })
			}
			if met {
				return true
			}
		}
	}
	return false
}

// turn makes the first ring of an area on a plane run counterclockwise, and the others
// clockwise.
func (a area) turn() {
	for i, r := range a.rings {
		twice := 0.0
		for j := range r { // relative to the first position, because large coordinates lose digits
			twice += r[j].a.minus(r[0].a).across(r[j].b.minus(r[0].a)).z
		}
		if twice < 0 == (i == 0) {
			turned := make(ring, 0, len(r))
			for _, e := range slices.Backward(r) {
				turned = append(turned, e.edge(e.b, e.a))
			}
			a.rings[i] = turned
		}
	}
}

// nested checks that each ring is on the left of every other ring. Rings may touch.
func (r *reader) nested(a area) {
	for i, one := range a.rings {
		for j, other := range a.rings {
			if i == j {
				continue
			}
			for at := range r.pieces(one, other) {
				if at != inside {
					r.fail("The Polygon input is not valid because the rings number %d and %d cross, overlap, or do not enclose an area between them: the outer ring runs counterclockwise, and holes run clockwise.", i+1, j+1)
					return
				}
			}
		}
	}
}

// disjoint checks that areas have no position in common, except where their edges touch.
func (r *reader) disjoint(areas []area) {
	for i := range areas {
		for j := range areas {
			if i == j || r.failed() {
				continue
			}
			for _, one := range areas[i].rings {
				for p := range pieces(one, areas[j:j+1], r.meter) {
					if p.place != outside {
						r.fail("The MultiPolygon input is not valid because the polygons number %d and %d overlap.", i+1, j+1)
						return
					}
				}
			}
		}
	}
}
