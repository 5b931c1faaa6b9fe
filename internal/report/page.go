package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Page is a page of text, tables and charts.
type Page struct {
	Title string
	// By is the program that made the page: "pkgen-data analyze".
	By       string
	Lead     string // sentences
	Facts    []Fact // the most important numbers
	Sections []Section
	Foot     string
}

// Fact is a named number.
type Fact struct{ Name, Value string }

// Section is a part of a page with a heading.
type Section struct {
	Title  string
	Blocks []Block
}

// Block is a Prose, Notices, a Table, or a Shown chart.
type Block interface{ write(p *pageWriter) }

// Prose is a paragraph.
type Prose string

// Notices are messages, one per line.
type Notices []Notice

// Notice is a message. Level is "error", "warning", "note" or "good".
type Notice struct{ Level, Name, Text string }

// Shown is a chart on a page.
type Shown struct{ Chart }

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

// The widths of charts on a page, for windows and for telephones.
const (
	wideChart   = 1000
	narrowChart = 336
)

// pageWriter writes a page.
type pageWriter struct {
	text   strings.Builder
	probes []*probe
}

// raw writes markup.
func (w *pageWriter) raw(markup string) { w.text.WriteString(markup) }

// printf writes markup with texts returned by own or escape.
func (w *pageWriter) printf(format string, args ...any) { fmt.Fprintf(&w.text, format, args...) }

// Write writes a page as one HTML file.
func (p *Page) Write(w io.Writer) error {
	body := &pageWriter{}
	body.sections(p)
	probes, err := json.Marshal(map[string]any{"probes": body.probes, "ramps": ramps})
	if err != nil {
		return err
	}
	css := inkProperties() + pageCSS
	var b strings.Builder
	b.WriteString("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
	fmt.Fprintf(&b, `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '%s'; style-src '%s'; img-src data:; base-uri 'none'; form-action 'none'">`+"\n", hash(pageJS), hash(css))
	b.WriteString("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n<link rel=\"icon\" href=\"data:,\">\n")
	fmt.Fprintf(&b, "<title>%s</title>\n<style>%s</style>\n</head>\n<body>\n", escape(clean(p.Title)), css)
	b.WriteString("<a class=\"skip\" href=\"#main\">Skip to the report</a>\n")
	fmt.Fprintf(&b, "<header class=\"top\"><span class=\"brand\">%s</span><button id=\"theme\" class=\"needs\" type=\"button\" hidden>Light or dark</button></header>\n", escape(clean(p.By)))
	b.WriteString(body.text.String())
	fmt.Fprintf(&b, "<footer>%s</footer>\n<p id=\"told\" class=\"unseen\" aria-live=\"polite\"></p>\n<p id=\"keys\" hidden=\"\">Arrow keys move from value to value, Enter keeps the tooltip, Escape lets go.</p>\n", escape(clean(p.Foot)))
	// encoding/json escapes <, > and &, so no text can end the element.
	fmt.Fprintf(&b, "<script type=\"application/json\" id=\"data\">%s</script>\n<script>%s</script>\n</body>\n</html>\n", probes, pageJS)
	_, err = io.WriteString(w, b.String())
	return err
}

// hash returns the hash of a script or a style for a content security policy.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// inkProperties returns the colours and rules of all inks.
func inkProperties() string {
	var b, rules strings.Builder
	b.WriteString(":root{")
	for i := range heat0 + heatInks {
		light, dark := i.colours()
		fmt.Fprintf(&b, "--%s:light-dark(%s,%s);", i.name(), hex(light), hex(dark))
		rules.WriteString(rule(i))
	}
	return b.String() + "}\n" + rules.String()
}

// sections writes the page between header and footer.
func (w *pageWriter) sections(p *Page) {
	w.raw("<div class=\"body\">\n<nav aria-label=\"Contents\"><ul>\n")
	for i, s := range p.Sections {
		w.printf("<li><a href=\"#s%d\">%s</a></li>\n", i+1, own(s.Title))
	}
	w.printf("</ul></nav>\n<main id=\"main\" tabindex=\"-1\">\n<h1>%s</h1>\n", own(p.Title))
	if p.Lead != "" {
		w.printf("<p class=\"lead\">%s</p>\n", own(p.Lead))
	}
	if len(p.Facts) > 0 {
		w.raw("<dl class=\"facts\">\n")
		for _, f := range p.Facts {
			w.printf("<div><dt>%s</dt><dd>%s</dd></div>\n", own(f.Name), own(f.Value))
		}
		w.raw("</dl>\n")
	}
	for i, s := range p.Sections {
		w.printf("<section aria-labelledby=\"s%[1]d\">\n<h2 id=\"s%[1]d\">%[2]s</h2>\n", i+1, own(s.Title))
		for _, b := range s.Blocks {
			b.write(w)
		}
		w.raw("</section>\n")
	}
	w.raw("</main>\n</div>\n")
}

// own returns an untrusted text as HTML, with a direction of its own.
func own(text string) string { return "<bdi>" + escape(clean(text)) + "</bdi>" }
