package spatial

import (
	"context"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/work"
)

// FuzzShapes reads any JSON as two shapes. Nothing panics, and the answers fit each other.
func FuzzShapes(f *testing.F) {
	for _, text := range []string{
		square, clockwise, holed,
		`{'type':'Point','coordinates':[5,5]}`, `{'type':'Point','coordinates':[0,90,1]}`,
		`{'type':'LineString','coordinates':[[0,0],[5,5],[170,-80]]}`,
		`{'type':'MultiPolygon','coordinates':[[[[0,0],[2,0],[2,2],[0,2],[0,0]]],[[[2,2],[4,2],[4,4],[2,4],[2,2]]]]}`,
		`{'type':'MultiPolygon','coordinates':[]}`, `{'type':'Polygon','coordinates':[[[1e300,0],[0,1e-300],[-1e300,0],[1e300,0]]]}`,
		`{'type':'Polygon','coordinates':[[[0,0],[1e-9,0],[1e-9,1e-9],[0,0]]]}`, `[[[[[[[[[]]]]]]]]]`, `{'type':'Point','coordinates':[1,2],'crs':null}`,
	} {
		f.Add(strings.ReplaceAll(text, "'", `"`), strings.ReplaceAll(square, "'", `"`))
	}
	f.Fuzz(func(t *testing.T, one, two string) {
		v, err := value.Decode([]byte(one))
		if err != nil {
			return
		}
		w, err := value.Decode([]byte(two))
		if err != nil {
			return
		}
		for _, s := range []System{Geography, Geometry} {
			m := work.NewMeter(context.Background(), work.Limits{Time: time.Second})
			defer m.Close()
			a, reason, unknown := s.Read(v, m)
			b, _, _ := s.Read(w, m)
			if m.Err() != nil {
				return
			}
			if reasons := len(reason) > 0 || unknown != nil; reasons == (a != nil) {
				t.Fatalf("%s: %v, %q, %v", one, a != nil, reason, unknown)
			}
			if a == nil || b == nil {
				continue
			}
			distance, ok := a.Distance(b, m)
			meet, back := a.Intersects(b, m), b.Intersects(a, m)
			within := a.Within(b, m)
			if m.Err() != nil {
				return
			}
			empty := !a.point && a.line == nil && len(a.areas) == 0 || !b.point && b.line == nil && len(b.areas) == 0
			switch {
			case ok == empty, meet && empty, within && !meet:
				t.Fatalf("distance %g %t, intersect %t, within %t: %s and %s", distance, ok, meet, within, one, two)
			case ok && (distance < 0 || math.IsNaN(distance) || s == Geography && distance > 20_003_932):
				t.Fatalf("distance %g: %s and %s", distance, one, two)
			case meet != back || ok && meet != (distance == 0):
				t.Fatalf("distance %g, intersect %t, %t: %s and %s", distance, meet, back, one, two)
			}
		}
	})
}

// TestWorkEnds stops work on large shapes soon after its time.
func TestWorkEnds(t *testing.T) {
	const corners = 30_000
	var b strings.Builder
	b.WriteString(`{"type":"Polygon","coordinates":[[`)
	for i := range corners {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		b.WriteString(strings.Join([]string{"[", number(40 * cos), ",", number(40 * sin), "],"}, ""))
	}
	b.WriteString("[40,0]]]}")
	v := decode(t, b.String())
	shape, invalid, err := Geography.Read(v, nil) // in a second or so
	if shape == nil {
		t.Fatal(invalid, err)
	}
	for name, run := range map[string]func(m *work.Meter){
		"intersects": func(m *work.Meter) { shape.Intersects(shape, m) },
		"within":     func(m *work.Meter) { shape.Within(shape, m) },
		"distance":   func(m *work.Meter) { shape.Distance(shape, m) },
		"read":       func(m *work.Meter) { Geography.Read(v, m) },
	} {
		const most = 50 * time.Millisecond
		m := work.NewMeter(t.Context(), work.Limits{Time: most})
		begin := time.Now()
		run(m)
		if took := time.Since(begin); took > 40*most {
			t.Errorf("%s took %v", name, took)
		}
		m.Close()
	}
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
