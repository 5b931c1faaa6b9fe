package report_test

import (
	"encoding/xml"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cosmos-pkgen/pkgen/internal/report"
)

var update = flag.Bool("update", false, "record the golden files anew")

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s is not what was recorded (-), look at it and use -update:\n%s", name, diff)
	}
}

func svg(t *testing.T, c report.Chart, width int) string {
	t.Helper()
	var b strings.Builder
	if err := report.SVG(&b, c, width); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// small are charts with few values, for golden files.
func small() map[string]report.Chart {
	l, b := lines(), bars()
	l.X = report.Numbers("second", 0, 12)
	for i := range l.Series {
		l.Series[i].Values = l.Series[i].Values[44:56]
	}
	return map[string]report.Chart{
		"heatmap": heatMap(3, 8), "lines": l, "bars": b, "curve": curve(),
		"grid": &report.Grid{Title: "Two candidates", Charts: []report.Chart{heatMap(2, 3), heatMap(2, 3)}, Columns: 2},
	}
}

func TestSVGGolden(t *testing.T) {
	for name, c := range small() {
		text := svg(t, c, 720)
		golden(t, name+".svg", text)
		wellFormed(t, text)
	}
}

// wellFormed reads a text as XML, and returns its character data.
func wellFormed(t *testing.T, text string) string {
	t.Helper()
	var data strings.Builder
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return data.String()
		}
		if err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		if s, ok := token.(xml.CharData); ok {
			data.Write(s)
		}
	}
}

func TestSVGSaysWhatItIs(t *testing.T) {
	text := svg(t, heatMap(3, 8), 720)
	for _, want := range []string{
		`role="img"`, `<title id="title">Writes by physical partition</title>`, `<desc id="desc">How many documents`,
		`@media (prefers-color-scheme:dark)`, `@media print`, "--h23:",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %s", want)
		}
	}
}

// TestSVGHostile draws charts whose texts are all markup, control characters and
// letters that turn the direction of writing.
func TestSVGHostile(t *testing.T) {
	for name, c := range hostileCharts() {
		text := svg(t, c, 600)
		data := wellFormed(t, text)
		if strings.Contains(text, "<img") || strings.Contains(text, "onerror=alert(1)>") || strings.ContainsAny(data, "\u202e\x1b") || !strings.Contains(data, "<img") {
			t.Errorf("%s: the text is not harmless, or not there:\n%s", name, text)
		}
		if len(text) > 200_000 {
			t.Errorf("%s: %d bytes for a long text", name, len(text))
		}
	}
}

// TestSVGOdd draws what is empty, has one value, or none that is a number.
func TestSVGOdd(t *testing.T) {
	for name, c := range odd() {
		for _, width := range []int{0, 240, 1040} {
			text := svg(t, c, width)
			wellFormed(t, text)
			if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
				t.Errorf("%s: no number:\n%s", name, text)
			}
		}
	}
}
