package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// margin is the space around a chart in its own file, in pixels.
const margin = 20

// SVG writes a chart as a file with a width in pixels, at least 240. It follows the reader's light
// or dark scheme, and is light on paper.
func SVG(w io.Writer, c Chart, width int) error {
	d := picture(c, float64(max(240, width)))
	title, description := c.about()
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]s" height="%[2]s" viewBox="0 0 %[1]s %[2]s" role="img" aria-labelledby="title desc">`+"\n", num(d.width), num(d.height))
	fmt.Fprintf(&b, "<title id=\"title\">%s</title>\n<desc id=\"desc\">%s</desc>\n", escape(clean(title)), escape(clean(description)))
	b.WriteString("<style>\n" + schemes(d) + svgRules + "</style>\n")
	writeShapes(&b, d)
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// picture returns a chart with its title and background.
func picture(c Chart, width float64) *drawing {
	inner := c.draw(width - 2*margin)
	title, _ := c.about()
	d := &drawing{width: width}
	top := float64(margin)
	if title != "" {
		top += 30
	}
	d.height = math.Ceil(top + inner.height + margin - 4)
	d.box(surface, rect{0, 0, d.width, d.height})
	if title != "" {
		d.shapes = append(d.shapes, shape{ink: inkText, text: fit(clean(title), width-2*margin, true), at: point{margin, margin + 13}, bold: true, key: true})
	}
	d.add(inner, point{margin, top})
	return d
}

// svgRules are the styles of shapes in all schemes.
const svgRules = `text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","DejaVu Sans",sans-serif;font-variant-numeric:tabular-nums}
text.b{font-size:14px;font-weight:600}
.k{unicode-bidi:isolate}
`

// schemes returns the custom properties of a drawing's inks: light by default and on paper, dark
// for readers who prefer it.
func schemes(d *drawing) string {
	var light, dark, rules strings.Builder
	for _, i := range used(d) {
		l, k := i.colours()
		fmt.Fprintf(&light, "--%s:%s;", i.name(), hex(l))
		fmt.Fprintf(&dark, "--%s:%s;", i.name(), hex(k))
		rules.WriteString(rule(i))
	}
	return fmt.Sprintf(":root{%[1]s}\n@media (prefers-color-scheme:dark){:root{%[2]s}}\n@media print{:root{%[1]s}}\n%[3]s", light.String(), dark.String(), rules.String())
}

// rule returns the rules of an ink: f for areas, l for lines.
func rule(i ink) string {
	return fmt.Sprintf(".f%[1]s{fill:var(--%[1]s)}.l%[1]s{stroke:var(--%[1]s)}\n", i.name())
}

// used returns the inks of a drawing in order.
func used(d *drawing) []ink {
	var found [heat0 + heatInks]bool
	for _, s := range d.shapes {
		found[s.ink] = true
	}
	var all []ink
	for i, yes := range found {
		if yes {
			all = append(all, ink(i))
		}
	}
	return all
}

// writeShapes writes the shapes of a drawing. Colours are attributes as well, for programs without
// custom properties.
func writeShapes(b *strings.Builder, d *drawing) {
	for _, s := range d.shapes {
		light, _ := s.ink.colours()
		switch {
		case s.rects != nil:
			writeRects(b, s, hex(light))
		case s.line != nil:
			fmt.Fprintf(b, `<path class="l%s" stroke="%s" fill="none" stroke-width="%s" stroke-linejoin="round"`, s.ink.name(), hex(light), num(s.wide))
			if s.dash.on > 0 {
				fmt.Fprintf(b, ` stroke-dasharray="%s %s"`, num(s.dash.on), num(s.dash.off))
			}
			if s.dash.from > 0 {
				fmt.Fprintf(b, ` stroke-dashoffset="%s"`, num(-s.dash.from))
			}
			fmt.Fprintf(b, ` d="M%s %s`, num(s.line[0].x), num(s.line[0].y))
			for _, p := range s.line[1:] {
				fmt.Fprintf(b, "L%s %s", num(p.x), num(p.y))
			}
			b.WriteString("\"/>\n")
		default:
			writeText(b, s, hex(light))
		}
	}
}

// writeRects writes rectangles. Many of one height, such as the cells of a heat map, become thick
// lines, which take half as much text.
func writeRects(b *strings.Builder, s shape, light string) {
	first := s.rects[0]
	even := len(s.rects) > 3 && !slices.ContainsFunc(s.rects, func(r rect) bool { return r.h != first.h })
	if even {
		fmt.Fprintf(b, `<path class="l%s" stroke="%s" stroke-width="%s" d="`, s.ink.name(), light, num(first.h))
	} else {
		fmt.Fprintf(b, `<path class="f%s" fill="%s"`, s.ink.name(), light)
		if s.fade > 0 {
			fmt.Fprintf(b, ` opacity="%.2g"`, 1-s.fade)
		}
		b.WriteString(` d="`)
	}
	for _, r := range s.rects {
		if even {
			fmt.Fprintf(b, "M%s %sh%s", num(r.x), num(r.y+r.h/2), num(r.w))
		} else {
			fmt.Fprintf(b, "M%s %sh%sv%sh-%sz", num(r.x), num(r.y), num(r.w), num(r.h), num(r.w))
		}
	}
	b.WriteString("\"/>\n")
}

func writeText(b *strings.Builder, s shape, light string) {
	classes := "f" + s.ink.name()
	if s.bold {
		classes += " b"
	}
	if s.key {
		classes += " k"
	}
	fmt.Fprintf(b, `<text class="%s" fill="%s" x="%s" y="%s"`, classes, light, num(s.at.x), num(s.at.y))
	switch s.anchor {
	case 0.5:
		b.WriteString(` text-anchor="middle"`)
	case 1:
		b.WriteString(` text-anchor="end"`)
	}
	b.WriteString(">" + escape(clean(s.text)) + "</text>\n")
}

// num formats a number of pixels, to a tenth.
func num(v float64) string {
	v = math.Round(v*10) / 10
	if v == 0 {
		return "0" // not -0
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// escapes are the characters that are markup in HTML and XML, in text and in
// attributes between double quotes.
var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

// escape escapes a text for HTML and XML.
func escape(text string) string { return escapes.Replace(text) }
