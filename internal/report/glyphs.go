package report

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

//go:embed atlas/glyphs.tsv
var glyphTable string

// glyph is a character of the atlas: its place in the pictures, and how wide it is in
// pixels in regular and bold letters.
type glyph struct {
	place         int
	regular, bold float64
}

// The sizes of letters, in pixels, of charts that are drawn as large as they are, and
// how much larger those of the atlas are.
const (
	textSize   = 12
	titleSize  = 14
	atlasScale = 2
)

// glyphs returns the characters of the atlas.
var glyphs = sync.OnceValue(func() map[rune]glyph {
	all := make(map[rune]glyph)
	for line := range strings.Lines(glyphTable) {
		fields := strings.Fields(line)
		code, _ := strconv.ParseUint(fields[0], 16, 32)
		regular, _ := strconv.Atoi(fields[1])
		bold, _ := strconv.Atoi(fields[2])
		all[rune(code)] = glyph{len(all), float64(regular) / 64 / atlasScale, float64(bold) / 64 / atlasScale}
	}
	return all
})

// wider is how much wider than those of the atlas the letters of a reader's system
// may be.
const wider = 1.28 // DejaVu Sans

// textWidth returns the width of a text in pixels, at most, in regular letters or the
// bold ones of titles.
func textWidth(text string, bold bool) float64 {
	width := 0.0
	for _, r := range text {
		g, ok := glyphs()[r]
		switch {
		case !ok:
			width += textSize // as wide as a Chinese character
		case bold:
			width += g.bold
		default:
			width += g.regular
		}
	}
	return math.Ceil(width * wider)
}

// fit cuts a text, which clean has returned, to a width in pixels.
func fit(text string, width float64, bold bool) string {
	if len(text) < 4000 && textWidth(text, bold) <= width {
		return text
	}
	runes := []rune(text[:min(len(text), 4000)])
	for n := min(len(runes)-1, int(width)); n > 0; n-- {
		if cut := string(runes[:n]) + "…"; textWidth(cut, bold) <= width {
			return cut
		}
	}
	return "…"
}

// longest is how many bytes of a label are kept: a partition key has at most 2,048.
const longest = 2048

// clean returns a text of others as a word that can be shown. What it returns, it
// leaves as it is.
func clean(text string) string {
	if text = plain.Word(text); len(text) > longest {
		text = strings.ToValidUTF8(text[:longest-len("…")], "") + "…"
	}
	return text
}
