package report

import (
	"image/color"
	"math"
	"strconv"
)

// ink is a colour, in light and dark schemes.
type ink int

// The inks: for texts and lines, for series, and for heat from little to much.
const (
	surface ink = iota
	grid
	inkText
	soft
	bad
	accent
	series1
)

const heat0 = series1 + seriesInks

const (
	seriesInks = 6
	// heatInks is the number of colours of a heat map. The first one means zero.
	heatInks = 24
)

// inks are the names and colours of the inks before heat0, light and dark. They are the colours of
// the emulator's explorer; the series can be told apart without red and green.
var inks = [heat0]struct {
	name        string
	light, dark uint32
}{
	{"surface", 0xffffff, 0x1b1f25},
	{"grid", 0xdfe3e8, 0x2e343d},
	{"text", 0x16191d, 0xe6e9ed},
	{"soft", 0x59626e, 0x9ba5b2},
	{"bad", 0xb42318, 0xff8a80},
	{"accent", 0x2563c9, 0x7db2ff},
	{"s1", 0x2563c9, 0x7db2ff},
	{"s2", 0xd9730d, 0xffa657},
	{"s3", 0x12805c, 0x56d4a4},
	{"s4", 0x8a3ffc, 0xc9a5ff},
	{"s5", 0x0e7490, 0x67d4ee},
	{"s6", 0x6b7280, 0xb6bec9},
}

// ramps are equidistant colours of heat, light and dark.
var ramps = [2][5][3]float64{
	{{238, 241, 245}, {172, 203, 246}, {80, 141, 226}, {29, 82, 170}, {16, 42, 92}},
	{{34, 39, 46}, {31, 58, 102}, {44, 99, 182}, {97, 160, 240}, {205, 228, 255}},
}

// seriesInk returns the ink of series i.
func seriesInk(i int) ink { return series1 + ink(i%seriesInks) }

// heat returns the ink of a value up to most. It uses the square root, so that half of the inks
// show the smallest quarter.
func heat(value, most float64) ink {
	if !(value > 0) || most <= 0 {
		return heat0
	}
	return heat0 + max(1, min(heatInks-1, ink(math.Round(math.Sqrt(value/most)*(heatInks-1)))))
}

// name returns the name of an ink's custom property and class.
func (i ink) name() string {
	if i < heat0 {
		return inks[i].name
	}
	return "h" + strconv.Itoa(int(i-heat0))
}

// colours returns the colours of an ink in light and dark schemes.
func (i ink) colours() (light, dark color.RGBA) {
	if i < heat0 {
		return rgb(inks[i].light), rgb(inks[i].dark)
	}
	x := float64(i-heat0) / (heatInks - 1)
	return ramp(ramps[0], x), ramp(ramps[1], x)
}

func rgb(hex uint32) color.RGBA {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 255}
}

// ramp returns the colour at x, from 0 to 1.
func ramp(colours [5][3]float64, x float64) color.RGBA {
	x *= 4
	i := min(3, int(x))
	channel := func(k int) uint8 {
		return uint8(math.Round(colours[i][k] + (colours[i+1][k]-colours[i][k])*(x-float64(i))))
	}
	return color.RGBA{channel(0), channel(1), channel(2), 255}
}

func hex(c color.RGBA) string {
	const digits = "0123456789abcdef"
	text := []byte{'#', 0, 0, 0, 0, 0, 0}
	for i, v := range []uint8{c.R, c.G, c.B} {
		text[1+2*i], text[2+2*i] = digits[v>>4], digits[v&15]
	}
	return string(text)
}
