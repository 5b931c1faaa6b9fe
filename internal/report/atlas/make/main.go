// Command make writes the glyphs with which pictures are lettered: regular.png,
// bold.png and glyphs.tsv of the folder above. It is a module of its own, so that
// nobody who uses pkgen gets a reader of fonts.
//
//	cd internal/report/atlas/make && go run .
//
// The font is Go, by Bigelow & Holmes, of golang.org/x/image; see ../LICENSE.
package main

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"log"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// The grid of a picture of glyphs.
const columns = 32

// ranges are the characters that pictures have: of Latin, Greek and Cyrillic
// scripts, and the signs of axes and legends.
var ranges = [][2]rune{
	{0x20, 0x7e}, {0xa1, 0xac}, {0xae, 0x17f}, {0x384, 0x3ce}, {0x400, 0x45f},
	{0x2010, 0x2015}, {0x2018, 0x201e}, {0x2020, 0x2022}, {0x2026, 0x2026}, {0x20ac, 0x20ac},
	{0x2190, 0x2193}, {0x2212, 0x2212}, {0x2248, 0x2248}, {0x2260, 0x2260}, {0x2264, 0x2265}, {0x25a1, 0x25a1}, {0xfffd, 0xfffd},
}

func main() {
	regular, bold := face(goregular.TTF, 24), face(gobold.TTF, 28)
	var runes []rune
	for _, r := range ranges {
		for c := r[0]; c <= r[1]; c++ {
			if _, ok := regular.GlyphAdvance(c); ok {
				runes = append(runes, c)
			}
		}
	}
	var table strings.Builder
	for _, c := range runes {
		a, _ := regular.GlyphAdvance(c)
		b, _ := bold.GlyphAdvance(c)
		fmt.Fprintf(&table, "%04X\t%d\t%d\n", c, a, b)
	}
	write("glyphs.tsv", []byte(table.String()))
	draw("regular.png", regular, runes, 32)
	draw("bold.png", bold, runes, 36)
}

// face returns a font at a size in pixels, with the shapes unhinted.
func face(ttf []byte, size float64) font.Face {
	f, err := opentype.Parse(ttf)
	check(err)
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
	check(err)
	return face
}

// draw writes the picture of a font: cells of one size, in the order of runes. The
// base line is at three quarters of the height of a cell, and a glyph begins four
// pixels from its left.
func draw(name string, face font.Face, runes []rune, cell int) {
	rows := (len(runes) + columns - 1) / columns
	picture := image.NewGray(image.Rect(0, 0, columns*cell, rows*cell))
	d := font.Drawer{Dst: picture, Src: image.NewUniform(color.White), Face: face}
	for i, c := range runes {
		d.Dot = fixed.P(i%columns*cell+4, i/columns*cell+cell*3/4)
		d.DrawString(string(c))
	}
	for i, gray := range picture.Pix {
		picture.Pix[i] = uint8((int(gray) + 8) / 17 * 17) // 16 shades do, and take half the room
	}
	file, err := os.Create(filepath.Join("..", name))
	check(err)
	check((&png.Encoder{CompressionLevel: png.BestCompression}).Encode(file, picture))
	check(file.Close())
}

func write(name string, text []byte) { check(os.WriteFile(filepath.Join("..", name), text, 0o644)) }

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
