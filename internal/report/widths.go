package report

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// widthTable has a line for each of 511 characters of Latin, Greek and Cyrillic scripts:
// its code point, its width in Go Regular at 24 pixels, and its width in Go Bold at 28
// pixels, both unhinted and in sixty-fourths of a pixel. The widths are those of the
// packages goregular and gobold of golang.org/x/image v0.38.0, whose fonts are by
// Bigelow & Holmes: see LICENSE-gofonts.
//
//go:embed widths.tsv
var widthTable string

// letterWidth is the width of a regular and a bold character, in pixels.
type letterWidth struct{ regular, bold float64 }

// textSize is the size of regular letters, in pixels. Bold ones have 14.
const textSize = 12

// tableUnits is the number of table units per pixel: the table's letters are twice as large as
// those of charts.
const tableUnits = 64 * 2

// letterWidths returns the widths of the characters of the table.
var letterWidths = sync.OnceValue(func() map[rune]letterWidth {
	all := make(map[rune]letterWidth)
	for line := range strings.Lines(widthTable) {
		fields := strings.Fields(line)
		code, _ := strconv.ParseUint(fields[0], 16, 32)
		regular, _ := strconv.Atoi(fields[1])
		bold, _ := strconv.Atoi(fields[2])
		all[rune(code)] = letterWidth{float64(regular) / tableUnits, float64(bold) / tableUnits}
	}
	return all
})

// wider is how much wider than the Go fonts the fonts of a reader's system may be.
const wider = 1.28 // DejaVu Sans

// textWidth returns the maximum width of a text in pixels, regular or in the bold letters of
// titles.
func textWidth(text string, bold bool) float64 {
	width := 0.0
	for _, r := range text {
		letter, ok := letterWidths()[r]
		switch {
		case !ok:
			width += textSize // as wide as a Chinese character
		case bold:
			width += letter.bold
		default:
			width += letter.regular
		}
	}
	return math.Ceil(width * wider)
}

// fit truncates a cleaned text to a width in pixels.
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

// longest is the maximum length of a label in bytes: a partition key has at most 2,048.
const longest = 2048

// clean returns an untrusted text as a printable word. It is idempotent.
func clean(text string) string {
	if text = plain.Word(text); len(text) > longest {
		text = strings.ToValidUTF8(text[:longest-len("…")], "") + "…"
	}
	return text
}
