package doctor

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// Text returns the report as Markdown that is readable on a terminal: a table, and below it what to
// do.
func (r *Report) Text() string {
	rows := [][]string{{"", "check", "found"}}
	for _, c := range r.Checks {
		state := string(c.State)
		if c.State == Wrong {
			state = "WRONG"
		}
		rows = append(rows, []string{state, cell(c.What), cell(c.Found)})
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, text := range row {
			if n := utf8.RuneCountInString(text); i < len(row)-1 || n <= widest {
				widths[i] = max(widths[i], n)
			}
		}
	}
	var b strings.Builder
	for i, row := range rows {
		b.WriteByte('|')
		for j, text := range row {
			fmt.Fprintf(&b, " %-*s |", widths[j], text)
		}
		b.WriteByte('\n')
		if i == 0 {
			b.WriteByte('|')
			for _, width := range widths {
				b.WriteString(strings.Repeat("-", width+2) + "|")
			}
			b.WriteByte('\n')
		}
	}
	b.WriteByte('\n')
	for _, w := range r.waysOut() {
		fmt.Fprintf(&b, "- %s: %s\n", cell(strings.Join(w.what, ", ")), cell(w.wayOut))
	}
	if len(r.waysOut()) > 0 {
		b.WriteByte('\n')
	}
	b.WriteString(r.sum() + "\n")
	return b.String()
}

// wayOut is a remedy, and its checks.
type wayOut struct {
	wayOut string
	what   []string
}

// waysOut returns the remedies, each once.
func (r *Report) waysOut() []wayOut {
	var all []wayOut
	for _, c := range r.Checks {
		i := slices.IndexFunc(all, func(w wayOut) bool { return w.wayOut == c.WayOut })
		switch {
		case c.WayOut == "":
		case i < 0:
			all = append(all, wayOut{c.WayOut, []string{c.What}})
		default:
			all[i].what = append(all[i].what, c.What)
		}
	}
	return all
}

// sum returns the last line.
func (r *Report) sum() string {
	unknown := 0
	for _, c := range r.Checks {
		if c.State == Unknown {
			unknown++
		}
	}
	text := "Nothing is wrong"
	switch n := r.Wrong(); {
	case n == 1:
		text = "1 thing is wrong"
	case n > 1:
		text = fmt.Sprintf("%d things are wrong", n)
	case r.Examined == 0:
		text = "No container was examined"
	}
	switch {
	case unknown == 1:
		text += ", and 1 check is unknown"
	case unknown > 1:
		text += fmt.Sprintf(", and %d checks are unknown", unknown)
	}
	return fmt.Sprintf("%s. The checks took %.0f RU.", text, r.RequestUnits)
}

// widest is the maximum width to which the last column is padded.
const widest = 60

// cell returns a text as a table cell on one line.
func cell(text string) string {
	lines := strings.Fields(strings.ReplaceAll(text, "\n", " "))
	return strings.NewReplacer("|", `\|`, "<", `\<`, "`", "\\`").Replace(plain.Word(strings.Join(lines, " ")))
}
