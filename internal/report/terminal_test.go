package report_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/internal/report"
)

func TestTextGolden(t *testing.T) {
	for name, c := range map[string]report.Chart{"heatmap": heatMap(5, 600), "lines": lines(), "bars": bars(), "curve": curve()} {
		golden(t, name+"-100.txt", report.Text(c, 100, false))
		golden(t, name+"-60.txt", report.Text(c, 60, true))
	}
}

// TestTextFits draws charts at many widths: no line is wider, and without UTF-8 there
// is ASCII alone.
func TestTextFits(t *testing.T) {
	charts := hostileCharts()
	for name, c := range small() {
		charts["small "+name] = c
	}
	charts["many"] = heatMap(400, 1440)
	for name, c := range charts {
		for _, ascii := range []bool{false, true} {
			for _, width := range []int{40, 60, 79, 100, 203} {
				text := report.Text(c, width, ascii)
				if lines := strings.Count(text, "\n"); lines < 2 || lines > 60 {
					t.Errorf("%s has %d lines", name, lines)
				}
				for line := range strings.Lines(text) {
					if n := utf8.RuneCountInString(line) - 1; n > width {
						t.Errorf("%s: a line of %d in %d columns: %q", name, n, width, line)
					}
					for _, r := range line {
						if r < ' ' && r != '\n' || r == '\u202e' || ascii && r > '~' {
							t.Errorf("%s: the character %q in %q", name, r, line)
						}
					}
				}
			}
		}
	}
}

// TestTextShows compares what a terminal shows with numbers: a row that has twice as
// much has a bar of twice the length.
func TestTextShows(t *testing.T) {
	c := &report.Bars{Groups: []string{"a", "b", "c"}, Series: []report.Series{{Name: "n", Values: []float64{4, 2, 1}}}, Unit: "RU"}
	want := "a  ############################### 4 RU\nb  ################ 2 RU\nc  ######## 1 RU\n"
	if got := report.Text(c, 40, true); got != want {
		t.Errorf("got\n%s", got)
	}
	h := &report.HeatMap{Rows: report.Names("", "x", "y"), Columns: report.Numbers("", 0, 2), Values: [][]float64{{0, 4}, {1, 2}}}
	for _, want := range []string{
		"x " + strings.Repeat(" ", 12) + strings.Repeat("█", 11),
		"y " + strings.Repeat("░", 12) + strings.Repeat("▒", 11),
	} {
		if got := report.Text(h, 42, false); !strings.Contains(got, want) {
			t.Errorf("there is no line with %q in\n%s", want, got)
		}
	}
}
