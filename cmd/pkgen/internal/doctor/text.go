package doctor

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// Text is the report as Markdown that a terminal shows well too: a table, and below it
// what to do.
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
	for _, c := range r.Checks {
		if c.WayOut != "" {
			fmt.Fprintf(&b, "- %s: %s\n", cell(c.What), cell(c.WayOut))
		}
	}
	switch n := r.Wrong(); n {
	case 0:
		b.WriteString("\nNothing is wrong.\n")
	case 1:
		b.WriteString("\n1 thing is wrong.\n")
	default:
		fmt.Fprintf(&b, "\n%d things are wrong.\n", n)
	}
	return b.String()
}

// widest is how many columns the last column is filled up to.
const widest = 60

// cell returns a text as a cell of a table in one line.
func cell(text string) string {
	lines := strings.Fields(strings.ReplaceAll(text, "\n", " "))
	return strings.NewReplacer("|", `\|`, "<", `\<`, "`", "\\`").Replace(plain.Word(strings.Join(lines, " ")))
}
