package spatial

import (
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
)

// decode reads JSON in which names and texts may be in single quotes.
func decode(t testing.TB, text string) value.Value {
	t.Helper()
	v, err := value.Decode([]byte(strings.ReplaceAll(text, "'", `"`)))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

const (
	square    = `{'type':'Polygon','coordinates':[[[0,0],[10,0],[10,10],[0,10],[0,0]]]}`
	clockwise = `{'type':'Polygon','coordinates':[[[0,0],[0,10],[10,10],[10,0],[0,0]]]}`
	holed     = `{'type':'Polygon','coordinates':[[[0,0],[10,0],[10,10],[0,10],[0,0]],[[2,2],[2,8],[8,8],[8,2],[2,2]]]}`
)

func TestValid(t *testing.T) {
	tests := []struct {
		text    string
		invalid string // what the reason on the Earth has; empty if the shape is valid
		plane   string // and on a plane, if it is another one; "valid" if it is valid
	}{
		{text: `{'type':'Point','coordinates':[31.9,-4.8]}`},
		{text: `{'type':'Point','coordinates':[31.9,-4.8,100],'bbox':[1],'other':{}}`},
		{text: `{'type':'Point','coordinates':[180,-90]}`},
		{`{'type':'Point','coordinates':[31.9,-132.8]}`, "Latitude values must be between -90 and 90 degrees.", "valid"},
		{`{'type':'Point','coordinates':[-180.5,2]}`, "Longitude values must be between -180 and 180 degrees.", "valid"},
		{text: `{'type':'Point','coordinates':[1]}`, invalid: "two or three numbers"},
		{text: `{'type':'Point','coordinates':[1,2,3,4]}`, invalid: "two or three numbers"},
		{text: `{'type':'Point','coordinates':['1',2]}`, invalid: "two or three numbers"},
		{text: `{'type':'Point','coordinates':[null,2]}`, invalid: "two or three numbers"},
		{text: `{'type':'Point','coordinates':[[1,2]]}`, invalid: "two or three numbers"},
		{text: `{'type':'Point'}`, invalid: "no array of coordinates"},
		{text: `{'type':'Point','coordinates':null}`, invalid: "no array of coordinates"},
		{text: `{'type':'point','coordinates':[1,2]}`, invalid: "its type is one of"},
		{text: `{'type':'MultiPoint','coordinates':[[1,2]]}`, invalid: "its type is one of"},
		{text: `{'type':'GeometryCollection','geometries':[]}`, invalid: "its type is one of"},
		{text: `{'type':7,'coordinates':[1,2]}`, invalid: "its type is one of"},
		{text: `{'coordinates':[1,2]}`, invalid: "its type is one of"},
		{text: `[1,2]`, invalid: "its type is one of"},
		{text: `'Point'`, invalid: "its type is one of"},
		{text: `null`, invalid: "its type is one of"},
		{text: `{'type':'LineString','coordinates':[[31.8,-5],[31.8,-4.7]]}`},
		{text: `{'type':'LineString','coordinates':[[0,0],[0,0],[1,1],[0,1],[1,0],[0,0]]}`},
		{text: `{'type':'LineString','coordinates':[[0,0]]}`, invalid: "at least two points"},
		{text: `{'type':'LineString','coordinates':[[0,0],[0,0]]}`, invalid: "at least two points"},
		{text: `{'type':'LineString','coordinates':[]}`, invalid: "at least two points"},
		{text: `{'type':'LineString','coordinates':[[0,0],7]}`, invalid: "two or three numbers"},
		{`{'type':'LineString','coordinates':[[0,0],[180,0]]}`, "antipodal points", "valid"},
		{`{'type':'LineString','coordinates':[[0,90],[77,-90]]}`, "antipodal points", "valid"},
		{text: square},
		{text: clockwise},
		{text: holed},
		{`{'type':'Polygon','coordinates':[[[0,0],[10,0],[10,10],[0,10],[0,0]],[[2,2],[8,2],[8,8],[2,8],[2,2]]]}`, "holes run clockwise", "valid"},
		{text: `{'type':'Polygon','coordinates':[[[31.8,-5],[31.8,-4.7],[32,-4.7],[32,-5]]]}`,
			invalid: "The Polygon input is not valid because the start and end points of the ring number 1 are not the same. Each ring of a polygon must have the same start and end points."},
		{text: `{'type':'Polygon','coordinates':[[[0,0],[10,0],[0,0]]]}`, invalid: "ring number 1 does not have enough points"},
		{text: `{'type':'Polygon','coordinates':[[[0,0],[10,0],[10,0],[0,0],[0,0]]]}`, invalid: "fewer than three different points"},
		{text: `{'type':'Polygon','coordinates':[[[0,0],[10,0],[5,0],[0,0]]]}`, invalid: "ring number 1 meets itself"},
		{text: `{'type':'Polygon','coordinates':[[[0,0],[10,10],[10,0],[0,10],[0,0]]]}`, invalid: "ring number 1 meets itself"},
		{text: `{'type':'Polygon','coordinates':[[[0,0],[10,0],[10,5],[12,5],[10,5],[10,10],[0,0]]]}`, invalid: "ring number 1 meets itself"},
		{text: `{'type':'Polygon','coordinates':[[[0,0],[4,0],[4,4],[2,0],[0,4],[0,0]]]}`, invalid: "ring number 1 meets itself"},
		{text: `{'type':'Polygon','coordinates':[]}`, invalid: "it has no ring"},
		{text: `{'type':'Polygon','coordinates':[7]}`, invalid: "does not have enough points"},
		{text: `{'type':'Polygon','coordinates':[[[0,0],[10,0],[10,10],[0,10],[0,0]],[[8,8],[8,12],[12,12],[12,8],[8,8]]]}`, invalid: "the rings number 1 and 2 cross"},
		{text: `{'type':'Polygon','coordinates':[[[0,0],[10,0],[10,10],[0,10],[0,0]],[[20,20],[20,22],[22,22],[22,20],[20,20]]]}`, invalid: "the rings number 2 and 1 cross"},
		{text: `{'type':'Polygon','coordinates':[[[0,0],[10,0],[10,10],[0,10],[0,0]],[[0,0],[2,8],[8,8],[8,2],[0,0]]]}`},
		{text: `{'type':'Polygon','coordinates':[[[0,0],[10,0],[10,10],[0,10],[0,0]],[[2,0],[2,8],[8,8],[8,0],[2,0]]]}`, invalid: "the rings number"},
		{text: `{'type':'MultiPolygon','coordinates':[]}`},
		{text: `{'type':'MultiPolygon','coordinates':[[[[52,12],[53,12],[53,13],[52,13],[52,12]]],[[[50,0],[51,0],[51,5],[50,5],[50,0]]]]}`},
		{text: `{'type':'MultiPolygon','coordinates':[[[[0,0],[2,0],[2,2],[0,2],[0,0]]],[[[2,2],[4,2],[4,4],[2,4],[2,2]]]]}`},
		{text: `{'type':'MultiPolygon','coordinates':[[[[0,0],[2,0],[2,2],[0,2],[0,0]]],[[[1,1],[4,1],[4,4],[1,4],[1,1]]]]}`, invalid: "polygons number 1 and 2 overlap"},
		{text: `{'type':'MultiPolygon','coordinates':[[[[0,0],[9,0],[9,9],[0,9],[0,0]]],[[[1,1],[4,1],[4,4],[1,4],[1,1]]]]}`, invalid: "overlap"},
		{text: `{'type':'MultiPolygon','coordinates':[[[[0,0],[2,0],[2,2],[0,2],[0,0]]],[[[2,0],[4,0],[4,2],[2,2],[2,0]]]]}`, invalid: "overlap"},
		{text: `{'type':'MultiPolygon','coordinates':[[[0,0],[2,0],[2,2],[0,0]]]}`, invalid: "not have enough points"},
		{`{'type':'Polygon','coordinates':[[[-170,0],[0,0],[170,0],[0,80],[-170,0]]]}`, "", "valid"},
		{`{'type':'Polygon','coordinates':[[[0,80],[120,80],[-120,80],[0,80]]]}`, "", "meets itself"},
	}
	for _, test := range tests {
		for name, system := range map[string]System{"Geography": Geography, "Geometry": Geometry} {
			want := test.invalid
			if system == Geometry && test.plane != "" {
				want = strings.TrimPrefix(test.plane, "valid")
			}
			shape, invalid, err := system.Read(decode(t, test.text), nil)
			if err != nil || (shape == nil) != (want != "") || !strings.Contains(string(invalid), want) || want == "" && invalid != "" {
				t.Errorf("%s, %s: %v, %q, %v, want %q", name, test.text, shape != nil, invalid, err, want)
			}
		}
	}
}

// TestForeignCoordinates does not guess what coordinates of other systems mean.
func TestForeignCoordinates(t *testing.T) {
	shape, invalid, err := Geography.Read(decode(t, `{'type':'Point','coordinates':[1,2],'crs':{'type':'name','properties':{'name':'EPSG:3857'}}}`), nil)
	if shape != nil || invalid != "" || err == nil || !strings.Contains(err.Error(), "crs") {
		t.Errorf("%v, %q, %v", shape, invalid, err)
	}
}

// TestDirection tries areas on the left of rings that run either way.
func TestDirection(t *testing.T) {
	in, far := `{'type':'Point','coordinates':[5,5]}`, `{'type':'Point','coordinates':[-150,-60]}`
	tests := []struct {
		area              string
		system            System
		holdsIn, holdsFar bool
	}{
		{square, Geography, true, false},
		{clockwise, Geography, false, true},
		{holed, Geography, false, false},
		{square, Geometry, true, false},
		{clockwise, Geometry, true, false},
		{holed, Geometry, false, false},
	}
	for _, test := range tests {
		shape := func(text string) *Shape {
			s, invalid, err := test.system.Read(decode(t, text), nil)
			if s == nil {
				t.Fatalf("%s: %s, %v", text, invalid, err)
			}
			return s
		}
		area := shape(test.area)
		if got := shape(in).Within(area, nil); got != test.holdsIn {
			t.Errorf("%s has %s: %t", test.area, in, got)
		}
		if got := shape(far).Within(area, nil); got != test.holdsFar {
			t.Errorf("%s has %s: %t", test.area, far, got)
		}
	}
	all, _, _ := Geography.Read(decode(t, clockwise), nil)
	one, _, _ := Geography.Read(decode(t, square), nil)
	if all.Within(one, nil) || one.Within(all, nil) || !one.Intersects(all, nil) {
		t.Error("an area and the rest of the Earth have their edge in common, and nothing else")
	}
	if d, ok := all.Distance(one, nil); d != 0 || !ok {
		t.Errorf("they are %g apart", d)
	}
	empty, _, _ := Geography.Read(decode(t, `{'type':'MultiPolygon','coordinates':[]}`), nil)
	if _, ok := empty.Distance(one, nil); ok || empty.Within(one, nil) || one.Within(empty, nil) || empty.Intersects(one, nil) {
		t.Error("an empty shape is somewhere")
	}
}
