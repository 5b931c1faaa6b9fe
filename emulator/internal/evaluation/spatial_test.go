package evaluation

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/work"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// shapesDoc has the square between (0, 0) and (2, 2), and no shapes.
var shapesDoc = strings.ReplaceAll(`{
	"square": {"type": "Polygon", "coordinates": [[[0, 0], [2, 0], [2, 2], [0, 2], [0, 0]]]},
	"clockwise": {"type": "Polygon", "coordinates": [[[0, 0], [0, 2], [2, 2], [2, 0], [0, 0]]]},
	"open": {"type": "Polygon", "coordinates": [[[0, 0], [2, 0], [2, 2], [0, 2]]]},
	"one": {"type": "Point", "coordinates": [1, 1]}, "corner": {"type": "Point", "coordinates": [2, 2]},
	"five": {"type": "Point", "coordinates": [5, 6]},
	"office": {"type": "Point", "coordinates": [-122.11758113953535, 47.66901087006131]},
	"far": {"type": "Point", "coordinates": [181, 0]}, "n": 1, "z": null}`, "\n", " ")

func TestShapes(t *testing.T) {
	for _, tt := range []struct{ expr, want string }{
		// Arguments of documents, constants, and both.
		{`ST_WITHIN(c.one, c.square)`, `true`}, {`ST_WITHIN(c.corner, c.square)`, `false`}, {`ST_WITHIN(c.five, c.clockwise)`, `true`},
		{`ST_WITHIN({type: "Point", coordinates: [1, 1]}, c.square)`, `true`}, {`st_within(c.square, c.one)`, `false`},
		{`ST_WITHIN(c.one, {type: "Polygon", coordinates: [[[0, 0], [2, 0], [2, 2], [0, 2], [0, 0]]]})`, `true`},
		{`ST_INTERSECTS(c.corner, c.square)`, `true`}, {`ST_INTERSECTS(c.five, c.square)`, `false`},
		{`ST_INTERSECTS(c.square, {type: "LineString", coordinates: [[-1, 1], [3, 1]]})`, `true`},
		{`ST_DISTANCE(c.one, c.square)`, `0`}, {`NOT (ST_DISTANCE(c.five, c.square) < 400000) AND ST_DISTANCE(c.five, c.square) < 600000`, `true`},

		// No shape makes the result undefined.
		{`ST_WITHIN(c.one, c.open)`, `undefined`}, {`ST_WITHIN(c.far, c.square)`, `undefined`}, {`ST_WITHIN(c.none, c.square)`, `undefined`},
		{`ST_INTERSECTS(c.n, c.square)`, `undefined`}, {`ST_INTERSECTS(c.square, c.z)`, `undefined`},
		{`ST_DISTANCE(c.one, "POINT(1 1)")`, `undefined`}, {`ST_DISTANCE(c.far, c.one)`, `undefined`}, {`ST_DISTANCE({}, [])`, `undefined`},

		// Validity.
		{`ST_ISVALID(c.square)`, `true`}, {`ST_ISVALID(c.clockwise)`, `true`}, {`ST_ISVALID(c.open)`, `false`}, {`ST_ISVALID(c.n)`, `false`},
		{`ST_ISVALID(c.z)`, `false`}, {`ST_ISVALID(c.none)`, `undefined`}, {`ST_ISVALIDDETAILED(c.none)`, `undefined`},
		{`ST_ISVALIDDETAILED(c.square)`, `{"valid":true}`}, {`ST_ISVALIDDETAILED(c.far).reason`, `"Longitude values must be between -180 and 180 degrees."`},
		{`ST_ISVALIDDETAILED(c.open)`, // Microsoft's page of the name of the function
			`{"valid":false,"reason":"The Polygon input is not valid because the start and end points of the ring number 1 are not the same. Each ring of a polygon must have the same start and end points."}`},
	} {
		checkExpression(t, shapesDoc, tt.expr, tt.want)
	}
}

// TestPublishedDistance checks the example of Microsoft's page ST_DISTANCE.
func TestPublishedDistance(t *testing.T) {
	for name, expr := range map[string]string{
		"constant": `ST_DISTANCE(c.office, {type: "Point", coordinates: [-122.12826822304672, 47.63980239335718]})`,
		"reversed": `ST_DISTANCE({type: "Point", coordinates: [-122.12826822304672, 47.63980239335718]}, c.office)`,
	} {
		rows := mustRun(t, mustBind(t, "SELECT VALUE "+expr+" FROM c", nil), mustDocs(t, shapesDoc))
		got, err := strconv.ParseFloat(strings.Join(rows, " "), 64)
		if want := 3345.269817267368; err != nil || math.Abs(got/want-1) > 1e-7 {
			t.Errorf("%s: %s (%v), want %g", name, rows, err, want)
		}
	}
}

// TestShapesOnPlane checks that a plan reads documents and constants as the container says.
func TestShapesOnPlane(t *testing.T) {
	const query = `SELECT VALUE [ST_DISTANCE(c.five, c.corner), ST_ISVALID(c.far), ST_WITHIN(c.five, c.clockwise),
		ST_DISTANCE(c.far, {type: "Point", coordinates: [184, 4]})] FROM c`
	docs := mustDocs(t, shapesDoc)
	p := mustBind(t, query, nil)
	if err := p.OnPlane(); err != nil {
		t.Fatal(err)
	}
	if rows := mustRun(t, p, docs); len(rows) != 1 || rows[0] != "[5,true,false,5]" {
		t.Errorf("on a plane: %s", rows)
	}
}

func TestForeignCoordinatesAreRefused(t *testing.T) {
	const foreign = `{"type": "Point", "coordinates": [1, 1], "crs": {"type": "name"}}`
	docs := mustDocs(t, `{"at": `+foreign+`, "one": {"type": "Point", "coordinates": [1, 1]}}`)
	for _, expr := range []string{`ST_ISVALID(c.at)`, `ST_DISTANCE(c.one, c.at)`, `ST_WITHIN(c.at, c.one)`, `ST_DISTANCE(c.one, ` + foreign + `)`} {
		q, err := cosmossql.Parse("SELECT VALUE " + expr + " FROM c")
		if err != nil {
			t.Fatal(err)
		}
		p, err := Bind(nil, q, nil)
		if err == nil {
			_, err = p.Run(slices.Values(docs))
		}
		var e *cosmossql.Error
		if !errors.As(err, &e) || !strings.HasPrefix(e.Word, "ST_") || !strings.Contains(err.Error(), `"crs" is not supported`) {
			t.Errorf("%s: error %v", expr, err)
		}
	}
}

// TestShapesEndWithTheWork checks that shapes of many edges cost what they take.
func TestShapesEndWithTheWork(t *testing.T) {
	var line strings.Builder
	for i := range 20_000 {
		line.WriteString(",[" + strconv.Itoa(i%179) + "," + strconv.Itoa(i/300) + "]")
	}
	docs := mustDocs(t, `{"line": {"type": "LineString", "coordinates": [`+line.String()[1:]+`]}}`)
	q, err := cosmossql.Parse("SELECT VALUE ST_INTERSECTS(c.line, {type: 'LineString', coordinates: [[-1, -1], [-2, -2]]}) FROM c")
	if err != nil {
		t.Fatal(err)
	}
	p, err := Bind(work.NewMeter(t.Context(), work.Limits{Steps: 100_000}), q, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(slices.Values(docs)); !errors.Is(err, work.ErrTooMuch) {
		t.Errorf("error %v", err)
	}
}
