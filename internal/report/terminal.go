package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// Text returns a chart for a terminal that has so many columns, at least 40, and that
// shows UTF-8, or ASCII alone. Lines end in line feeds, and none is wider.
func Text(c Chart, columns int, ascii bool) string {
	t := &terminal{width: max(40, columns), ascii: ascii}
	if title, _ := c.about(); title != "" {
		t.line(clean(title))
	}
	c.text(t)
	return t.b.String()
}

// terminal collects lines of text.
type terminal struct {
	b     strings.Builder
	width int
	ascii bool
}

// line writes a line, cut to the width.
func (t *terminal) line(text string) {
	t.b.WriteString(strings.TrimRight(t.cut(text, t.width), " ") + "\n")
}

// shown returns a text in the characters that the terminal has.
func (t *terminal) shown(text string) string {
	text = clean(text)
	if !t.ascii {
		return text
	}
	text = signs.Replace(text)
	quoted := strconv.QuoteToASCII(text)
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(quoted[1 : len(quoted)-1])
}

// signs are our own characters beyond ASCII.
var signs = strings.NewReplacer("–", "-", "−", "-", "…", "~", "×", "x")

// cut returns a text in at most so many columns.
func (t *terminal) cut(text string, columns int) string {
	text = t.shown(text)
	if columnsOf(text) <= columns {
		return text
	}
	used, end := 0, "…"
	if t.ascii {
		end = "~"
	}
	for i, r := range text {
		if used += columnsOf(string(r)); used > columns-1 {
			return text[:i] + end
		}
	}
	return text
}

// pad returns a text in exactly so many columns, flush left or right.
func (t *terminal) pad(text string, columns int, right bool) string {
	text = t.cut(text, columns)
	space := strings.Repeat(" ", max(0, columns-columnsOf(text)))
	if right {
		return space + text
	}
	return text + space
}

// columnsOf returns how many columns a text has on a terminal.
func columnsOf(text string) int {
	n := 0
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me):
		case unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana), r >= 0x1f300 && r < 0x20000, r >= 0xff01 && r <= 0xff60:
			n += 2
		default:
			n++
		}
	}
	return n
}

// The characters of heat, of columns that rise, and of bars that grow.
const (
	heatBlocks, heatASCII = " ░▒▓█", " .:-=+*#%@"
	riseBlocks, riseASCII = " ▁▂▃▄▅▆▇█", " .:|"
	growBlocks            = " ▏▎▍▌▋▊▉█"
)

// blocks returns the characters of a scale.
func (t *terminal) blocks(unicode, ascii string) []rune {
	if t.ascii {
		return []rune(ascii)
	}
	return []rune(unicode)
}

// bar returns a bar of a share of so many columns.
func (t *terminal) bar(share float64, columns int) string {
	share = max(0, min(1, finite(share)))
	if t.ascii {
		return strings.Repeat("#", int(math.Round(share*float64(columns))))
	}
	eighths := int(math.Round(share * float64(columns) * 8))
	if share > 0 {
		eighths = max(1, eighths)
	}
	text := strings.Repeat("█", eighths/8)
	if eighths%8 > 0 {
		text += string([]rune(growBlocks)[eighths%8])
	}
	return text
}

// riseScale is the values at the bottom and the top; a bottom above 0 is that of a
// logarithmic scale.
type riseScale struct{ bottom, top float64 }

// rise draws values as columns of so many lines, after labels of a width: the value
// at the top above that at the bottom. A limit is a line across columns that are lower.
func (t *terminal) rise(values []float64, scale riseScale, high, labels int, limit float64) {
	blocks := t.blocks(riseBlocks, riseASCII)
	for line := high - 1; line >= 0; line-- {
		label := ""
		switch line {
		case high - 1:
			label = short(scale.top)
		case 0:
			label = short(scale.bottom)
		}
		var b strings.Builder
		fmt.Fprintf(&b, "%s ", t.pad(label, labels, true))
		across := limit > 0 && int(share(limit, scale.bottom, scale.top)*float64(high)*(1-1e-9)) == line
		for _, v := range values {
			part := share(v, scale.bottom, scale.top)*float64(high) - float64(line)
			i := int(math.Round(max(0, min(1, part)) * float64(len(blocks)-1)))
			if line == 0 && v > 0 {
				i = max(1, i)
			}
			switch {
			case i > 0 || !across:
				b.WriteRune(blocks[i])
			case t.ascii:
				b.WriteByte('-')
			default:
				b.WriteString("╌")
			}
		}
		t.line(b.String())
	}
}

// steps writes the labels of an axis below columns.
func (t *terminal) steps(a Axis, left, columns int) {
	line := strings.Repeat(" ", left)
	for _, tick := range a.ticks(float64(columns) * 9) { // a character is less than 9 pixels wide
		at := left + int(tick.at*float64(columns)/float64(max(1, a.Len())))
		label := t.shown(tick.label)
		if has := columnsOf(line); has <= at && at+columnsOf(label) <= t.width {
			line += strings.Repeat(" ", at-has) + label
		}
		line += " "
	}
	t.line(line)
}
