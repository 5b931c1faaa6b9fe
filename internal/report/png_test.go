package report_test

import (
	"bytes"
	"image/color"
	"image/png"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/report"
)

// TestPNG looks at pixels: the ground, the bars at their right place, the letters.
func TestPNG(t *testing.T) {
	chart := &report.Bars{Title: "Title", Groups: []string{"a", "b"}, Series: []report.Series{{Name: "n", Values: []float64{2, 1}}}}
	var b bytes.Buffer
	if err := report.PNG(&b, chart, 400); err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	// 20 above, 30 of the title, two bars of 14 with 12 between them, 28 of the axis, 16 below.
	if size := picture.Bounds().Size(); size.X != 800 || size.Y != 2*(20+30+2*14+12+28+16) {
		t.Fatalf("the size is %v", size)
	}
	white, blue := color.RGBA{255, 255, 255, 255}, color.RGBA{0x25, 0x63, 0xc9, 255}
	wide := func(y int) (n int) {
		for x := range 800 {
			if picture.At(x, y) == blue {
				n++
			}
		}
		return n
	}
	first, second := wide(2*(50+6)), wide(2*(50+26+6))
	if first < 600 || second < first/2-1 || second > first/2+1 {
		t.Errorf("bars of 2 and 1 are %d and %d pixels wide", first, second)
	}
	if got := picture.At(3, 3); got != white {
		t.Errorf("the ground is %v", got)
	}
	dark := 0
	for y := 40; y < 70; y++ {
		for x := 40; x < 120; x++ {
			if r, _, _, _ := picture.At(x, y).RGBA(); r < 0x5000 {
				dark++
			}
		}
	}
	if dark < 150 || dark > 800 {
		t.Errorf("the title has %d dark pixels", dark)
	}
}

// TestPNGWidths draws each chart at several widths, and hostile ones.
func TestPNGWidths(t *testing.T) {
	charts := hostileCharts()
	for name, c := range small() {
		charts["small "+name] = c
	}
	for name, c := range charts {
		for _, width := range []int{240, 700} {
			var b bytes.Buffer
			if err := report.PNG(&b, c, width); err != nil {
				t.Fatal(err)
			}
			config, err := png.DecodeConfig(&b)
			if err != nil || config.Width != 2*width || config.Height < 100 || config.Height > 4000 {
				t.Errorf("%s at %d: %+v, %v", name, width, config, err)
			}
		}
	}
}
