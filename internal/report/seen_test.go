package report_test

import (
	"bytes"
	"image/color"
	"image/png"
	"regexp"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/report"
)

// coloured counts pixels of colours in the lower three quarters of a chart, below its
// legend.
func coloured(t *testing.T, c report.Chart, colours ...color.RGBA) []int {
	t.Helper()
	var b bytes.Buffer
	if err := report.PNG(&b, c, 700); err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	counts := make([]int, len(colours))
	for y := picture.Bounds().Dy() / 4; y < picture.Bounds().Dy(); y++ {
		for x := range picture.Bounds().Dx() {
			for i, c := range colours {
				if picture.At(x, y) == c {
					counts[i]++
				}
			}
		}
	}
	return counts
}

// TestEqualLines has series that are equal, everywhere and in part: each of them is seen.
func TestEqualLines(t *testing.T) {
	blue, orange, green := color.RGBA{0x25, 0x63, 0xc9, 255}, color.RGBA{0xd9, 0x73, 0x0d, 255}, color.RGBA{0x12, 0x80, 0x5c, 255}
	rising := []float64{1, 2, 3, 4, 5, 6, 7, 8}
	half := []float64{1, 2, 3, 4, 5, 4, 3, 2}
	alone := coloured(t, &report.Lines{X: report.Numbers("", 0, 8), Series: []report.Series{{Name: "a", Values: rising}}}, blue)[0]
	for name, c := range map[string]report.Chart{
		"lines":   &report.Lines{X: report.Numbers("", 0, 8), Series: []report.Series{{Name: "a", Values: rising}, {Name: "b", Values: half}, {Name: "c", Values: rising}}},
		"a curve": &report.Curve{X: "partitions", Series: []report.Series{{Name: "a", Values: rising}, {Name: "b", Values: rising}, {Name: "c", Values: rising}}},
	} {
		for i, n := range coloured(t, c, blue, orange, green) {
			if n < alone/5 {
				t.Errorf("%s: series %d has %d pixels, and %d if it is alone", name, i, n, alone)
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
