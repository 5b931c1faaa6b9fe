package report_test

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/report"
)

// seen paints the lines of series on a grid of pixels, later ones over earlier ones, and
// counts the pixels that each class keeps.
func seen(t *testing.T, c report.Chart) map[string]int {
	t.Helper()
	canvas := map[[2]float64]string{}
	for _, p := range draw(t, c, 700).of("ls1", "ls2", "ls3") {
		if p.Wide != 2 {
			continue // a sample of the legend
		}
		var on, off float64
		if p.Dash != "" {
			if n, err := fmt.Sscan(p.Dash, &on, &off); n != 2 {
				t.Fatalf("stroke-dasharray %q: %v", p.Dash, err)
			}
		}
		points, along := p.boxes(), 0.0
		for i, b := range points[1:] {
			a := points[i]
			long := math.Hypot(b.x-a.x, b.y-a.y)
			for at := 0.0; at < long; at++ {
				if phase := math.Mod(along+at+p.From+on+off, on+off); on == 0 || phase < on {
					share := at / long
					canvas[[2]float64{math.Round(a.x + (b.x-a.x)*share), math.Round(a.y + (b.y-a.y)*share)}] = p.Class
				}
			}
			along += long
		}
	}
	counts := map[string]int{}
	for _, class := range canvas {
		counts[class]++
	}
	return counts
}

// TestEqualLines has series that are equal, everywhere and in part: each of them is seen.
func TestEqualLines(t *testing.T) {
	rising := []float64{1, 2, 3, 4, 5, 6, 7, 8}
	half := []float64{1, 2, 3, 4, 5, 4, 3, 2}
	alone := seen(t, &report.Lines{X: report.Numbers("", 0, 8), Series: []report.Series{{Name: "a", Values: rising}}})["ls1"]
	if alone < 500 {
		t.Fatalf("a line alone has %d pixels", alone)
	}
	for name, c := range map[string]report.Chart{
		"lines":   &report.Lines{X: report.Numbers("", 0, 8), Series: []report.Series{{Name: "a", Values: rising}, {Name: "b", Values: half}, {Name: "c", Values: rising}}},
		"a curve": &report.Curve{X: "partitions", Series: []report.Series{{Name: "a", Values: rising}, {Name: "b", Values: rising}, {Name: "c", Values: rising}}},
	} {
		found := seen(t, c)
		for _, class := range []string{"ls1", "ls2", "ls3"} {
			if n := found[class]; n < alone/5 {
				t.Errorf("%s: %s has %d pixels, and %d if it is alone", name, class, n, alone)
			}
		}
	}
}

// TestAxes finds the numbers of axes.
func TestAxes(t *testing.T) {
	values := make([]float64, 20)
	for i := range values {
		values[i] = float64(5 * (i + 1))
	}
	for name, tt := range map[string]struct {
		chart report.Chart
		want  []string
	}{
		"bars":                       {&report.Bars{Groups: []string{"a", "b"}, Series: []report.Series{{Name: "n", Values: []float64{21, 47}}}, Unit: "RU/s"}, []string{"0", "10", "20", "50", "RU/s"}},
		"a curve":                    {&report.Curve{X: "physical partitions", Series: []report.Series{{Name: "n", Values: values}}, Unit: "%"}, []string{"2", "10", "20", "physical partitions", "40"}},
		"a curve of several lengths": {&report.Curve{X: "partitions", Series: []report.Series{{Name: "n", Values: values}, {Name: "m", Values: values[:7]}}}, []string{"0%", "50%", "100%", "partitions"}},
		"a narrow heat map":          {heatMap(3, 8), []string{"398", "0"}},
	} {
		text := svg(t, tt.chart, 420)
		var found []string
		for _, m := range regexp.MustCompile(`<text[^>]*>([^<]*)</text>`).FindAllStringSubmatch(text, -1) {
			found = append(found, m[1])
		}
		all := "|" + strings.Join(found, "|") + "|"
		for _, want := range tt.want {
			if !strings.Contains(all, "|"+want+"|") {
				t.Errorf("%s: no text %q in %s", name, want, all)
			}
		}
	}
}
