package report_test

import (
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/report"
)

var label = regexp.MustCompile(`text-anchor="middle">([^<]*)<`)

// TestAxis reads the labels below charts: round times and numbers, as many as fit.
func TestAxis(t *testing.T) {
	zone := time.FixedZone("", 2*3600)
	for _, test := range []struct {
		name  string
		axis  report.Axis
		width int
		want  string
	}{
		{"minutes", report.Times("", day, time.Minute, 40), 600, "Aug 9 06:00, 06:10, 06:20, 06:30"},
		{"seconds", report.Times("", day.Add(7*time.Second), time.Second, 30), 400, "Aug 9 06:00:10, 06:00:20, 06:00:30"},
		{"over midnight", report.Times("", day.Add(16*time.Hour), 10*time.Minute, 30), 600, "Aug 9 22:00, 23:00, Aug 10, 01:00, 02:00"},
		{"another zone", report.Times("", day.In(zone), time.Hour, 24), 600, "Aug 9 12:00, 18:00, Aug 10, 06:00"},
		{"days: Mondays", report.Times("", day.Truncate(24*time.Hour), 24*time.Hour, 30), 600, "Aug 13, Aug 20, Aug 27, Sep 3"},
		{"one interval", report.Times("", day.Add(13*time.Second), time.Second, 1), 400, "Aug 9 06:00:13"},
		{"numbers", report.Numbers("", 0, 100), 400, "0, 10, 20, 30, 40, 50, 60, 70, 80, 90"},
		{"numbers from one", report.Numbers("", 1, 32), 300, "5, 10, 15, 20, 25, 30"},
		{"names", report.Names("", "a", "b", "c"), 300, "a, b, c"},
		{"ranks", report.Ranks("", 1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 100, 1234), 600, "1, 2, 5, 10, 20, 50, 100"},
		{"nothing", report.Numbers("", 0, 0), 300, ""},
	} {
		values := make([]float64, test.axis.Len())
		text := svg(t, &report.Lines{X: test.axis, Series: []report.Series{{Name: "n", Values: values}}}, test.width)
		var got []string
		for _, m := range label.FindAllStringSubmatch(text, -1) {
			got = append(got, m[1])
		}
		if all := strings.Join(got, ", "); all != test.want {
			t.Errorf("%s: the labels are\n\t%s, want\n\t%s", test.name, all, test.want)
		}
	}
}

// TestMerge draws more steps than there is room for: a heat map shows sums or means of
// them, lines the largest.
func TestMerge(t *testing.T) {
	h := &report.HeatMap{Rows: report.Names("", "a", "b"), Columns: report.Numbers("", 0, 1000), Values: [][]float64{make([]float64, 1000), make([]float64, 1000)}}
	for i := range 1000 {
		h.Values[0][i], h.Values[1][i] = 1, 2
	}
	for _, test := range []struct {
		mean                      bool
		name, first, second, most string
	}{
		{false, "sum", "1,000", "2,000", "16"}, // 8 columns are one
		{true, "mean", "1", "2", "2"},
	} {
		h.Mean = test.mean
		d := draw(t, h, 700)
		top := d.at(t, test.name)
		first, second := d.at(t, test.first), d.at(t, test.second)
		all := d.of("faccent")[0].boxes()
		bars := all[len(all)-2:]
		d.at(t, test.most)
		if top.Y >= first.Y || first.Y >= second.Y || !near(bars[1].w, 2*bars[0].w) || first.Y < bars[0].y || second.Y < bars[1].y {
			t.Errorf("the %s: the numbers are %v and %v, the bars %v", test.name, first, second, bars)
		}
	}
	l := &report.Lines{X: report.Numbers("", 0, 1000), Series: []report.Series{{Name: "n", Values: make([]float64, 1000)}}}
	l.Series[0].Values[537] = 100
	l.Series[0].Values[100] = math.NaN()
	d := draw(t, l, 300)
	line := d.of("ls1")[1:] // after the sample of the legend
	if len(line) != 1 || len(line[0].boxes()) != 125 {
		t.Fatalf("the line is %v", line)
	}
	bottom, peak, peaks := 0.0, d.Height, 0
	for _, p := range line[0].boxes() {
		bottom, peak = max(bottom, p.y), min(peak, p.y)
	}
	for _, p := range line[0].boxes() {
		if p.y == peak {
			peaks++
		}
	}
	// The text of a mark is 4 pixels below it.
	if peaks != 1 || math.Abs(d.at(t, "100").Y-4-peak) > 1 || math.Abs(d.at(t, "0").Y-4-bottom) > 1 {
		t.Errorf("the peak is not shown: the line is from %v to %v, with %d peaks, and the marks are at %v and %v", bottom, peak, peaks, d.at(t, "100"), d.at(t, "0"))
	}
}
