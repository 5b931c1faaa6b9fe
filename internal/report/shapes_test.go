package report_test

import (
	"encoding/xml"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/cosmos-pkgen/pkgen/internal/report"
)

// drawn is an SVG as a test reads it.
type drawn struct {
	Width  float64     `xml:"width,attr"`
	Height float64     `xml:"height,attr"`
	Paths  []drawnPath `xml:"path"`
	Texts  []drawnText `xml:"text"`
}

type drawnPath struct {
	Class string  `xml:"class,attr"`
	Wide  float64 `xml:"stroke-width,attr"`
	Dash  string  `xml:"stroke-dasharray,attr"`
	From  float64 `xml:"stroke-dashoffset,attr"`
	D     string  `xml:"d,attr"`
}

type drawnText struct {
	Class string  `xml:"class,attr"`
	X     float64 `xml:"x,attr"`
	Y     float64 `xml:"y,attr"`
	Text  string  `xml:",chardata"`
}

// box is a rectangle, or a point, which has no size.
type box struct{ x, y, w, h float64 }

// draw draws a chart and reads its SVG.
func draw(t *testing.T, c report.Chart, width int) drawn {
	t.Helper()
	var d drawn
	if err := xml.Unmarshal([]byte(svg(t, c, width)), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// of returns the paths of some classes.
func (d drawn) of(classes ...string) (all []drawnPath) {
	for _, p := range d.Paths {
		for _, class := range classes {
			if p.Class == class {
				all = append(all, p)
			}
		}
	}
	return all
}

// at returns where a text is.
func (d drawn) at(t *testing.T, text string) drawnText {
	t.Helper()
	for _, found := range d.Texts {
		if found.Text == text {
			return found
		}
	}
	t.Fatalf("there is no text %q in %v", text, d.Texts)
	return drawnText{}
}

var steps = regexp.MustCompile(`[ML](-?[\d.]+) (-?[\d.]+)(?:h([\d.]+)(?:v([\d.]+)h-[\d.]+z)?)?`)

// boxes returns the rectangles of a path, or the points of a line.
func (p drawnPath) boxes() (all []box) {
	for _, m := range steps.FindAllStringSubmatch(p.D, -1) {
		var n [4]float64
		for i := range n {
			n[i], _ = strconv.ParseFloat(m[i+1], 64)
		}
		b := box{n[0], n[1], n[2], n[3]}
		if m[3] != "" && m[4] == "" { // rectangles of one height are thick lines
			b.y, b.h = b.y-p.Wide/2, p.Wide
		}
		all = append(all, b)
	}
	return all
}

// near compares numbers of pixels, which an SVG has to a tenth.
func near(a, b float64) bool { return math.Abs(a-b) <= 0.2 }

// TestBars measures a picture: its size, its ground, its title, and bars at their
// places. A value that is twice as large has a bar of twice the length.
func TestBars(t *testing.T) {
	d := draw(t, &report.Bars{Title: "Title", Groups: []string{"a", "b", "c"}, Series: []report.Series{{Name: "n", Values: []float64{4, 2, 1}}}, Unit: "RU"}, 400)
	// 20 above, 30 of the title, three bars of 14 with 12 between them, 28 of the axis, 16 below.
	if d.Width != 400 || d.Height != 20+30+3*14+2*12+28+16 {
		t.Errorf("the size is %v by %v", d.Width, d.Height)
	}
	if ground := d.Paths[0]; ground.Class != "fsurface" || ground.boxes()[0] != (box{0, 0, d.Width, d.Height}) {
		t.Errorf("the ground is %v", ground)
	}
	if title := d.at(t, "Title"); title.X != 20 || title.Y != 33 || !strings.Contains(title.Class, " b") {
		t.Errorf("the title is at %v", title)
	}
	bars := d.of("fs1")
	if len(bars) != 3 {
		t.Fatalf("%d bars", len(bars))
	}
	first := bars[0].boxes()[0]
	for i, name := range []string{"a", "b", "c"} {
		b, share := bars[i].boxes()[0], math.Pow(2, -float64(i))
		if b.x != first.x || b.y != 50+26*float64(i) || b.h != 12 || first.w < 280 || !near(b.w, first.w*share) {
			t.Errorf("bar %s is %v, and the first is %v", name, b, first)
		}
		label, value := d.at(t, name), d.at(t, strconv.Itoa(4>>i)+" RU")
		if label.X >= b.x || label.Y < b.y || label.Y > b.y+b.h || value.X <= b.x+b.w || value.Y != b.y+10.5 {
			t.Errorf("bar %s is %v, its name is at %v and its value at %v", name, b, label, value)
		}
	}
}

// TestCells finds each cell of a heat map at its place, in the ink of its value: by the
// square root, of 23 inks above that of nothing.
func TestCells(t *testing.T) {
	d := draw(t, &report.HeatMap{Rows: report.Names("", "x", "y"), Columns: report.Numbers("", 0, 2), Values: [][]float64{{0, 4}, {1, 2}}}, 420)
	cell := func(class string) box {
		var found []box
		for _, p := range d.of(class) {
			for _, b := range p.boxes() {
				if b.w > 50 { // those of the legend are small
					found = append(found, b)
				}
			}
		}
		if len(found) != 1 {
			t.Fatalf("%d cells have the ink %s", len(found), class)
		}
		return found[0]
	}
	zero, four, one, two := cell("fh0"), cell("fh23"), cell("fh12"), cell("fh16")
	if zero.x != one.x || four.x != two.x || zero.y != four.y || one.y != two.y || zero.x+zero.w > four.x || zero.y+zero.h > one.y {
		t.Errorf("the cells are %v, %v, %v, %v", zero, four, one, two)
	}
	if x, y := d.at(t, "x"), d.at(t, "y"); x.Y < zero.y || x.Y > zero.y+zero.h || y.Y < one.y || y.Y > one.y+one.h {
		t.Errorf("the rows' names are at %v and %v", x, y)
	}
}

// TestFits draws charts at several widths, also hostile ones and one with many values: no
// shape is outside the picture, and no text has a character that moves a cursor or
// turns the direction of writing.
func TestFits(t *testing.T) {
	charts := hostileCharts()
	for name, c := range small() {
		charts["small "+name] = c
	}
	charts["many"] = heatMap(400, 1440)
	for name, c := range charts {
		for _, width := range []int{100, 240, 700} {
			d := draw(t, c, width)
			if d.Width != float64(max(240, width)) || d.Height < 100 || d.Height > 500 {
				t.Errorf("%s at %d is %v by %v", name, width, d.Width, d.Height)
			}
			for _, p := range d.Paths {
				for _, b := range p.boxes() {
					if b.x < 0 || b.y < 0 || b.x+b.w > d.Width || b.y+b.h > d.Height {
						t.Errorf("%s at %d: %v of %s is outside", name, width, b, p.Class)
					}
				}
			}
			for _, text := range d.Texts {
				if text.X < 0 || text.Y < 0 || text.X > d.Width || text.Y > d.Height {
					t.Errorf("%s at %d: %v is outside", name, width, text)
				}
				if strings.ContainsFunc(text.Text, func(r rune) bool { return unicode.IsControl(r) || r == '\u202e' }) {
					t.Errorf("%s at %d: the text %q", name, width, text.Text)
				}
			}
		}
	}
}
