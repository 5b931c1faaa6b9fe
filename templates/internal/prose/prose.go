// Package prose writes English: comments of a width, sentences, lists.
package prose

import (
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// Width is the number of columns that a comment fills.
const Width = 96

// Comment wraps text to the lines of a Go comment.
func Comment(text string) string {
	const sign = "//"
	var b strings.Builder
	b.Grow(len(text) + len(text)/16)
	b.WriteString(sign)
	column := len(sign)
	for word := range strings.FieldsSeq(plain.Text(text)) {
		if column != len(sign) && column+len(" ")+len(word) > Width {
			b.WriteString("\n" + sign)
			column = len(sign)
		}
		b.WriteByte(' ')
		b.WriteString(word)
		column += len(" ") + len(word)
	}
	return b.String()
}

// Sentences joins the sentences that are not empty.
func Sentences(all ...string) string {
	var kept []string
	for _, s := range all {
		if s != "" {
			kept = append(kept, s)
		}
	}
	return strings.Join(kept, " ")
}

// Enumerate joins items as English does: "a and b", "a, b, and c".
func Enumerate(items []string) string { return join(items, "and") }

// Alternatives joins items: "a or b", "a, b, or c".
func Alternatives(items []string) string { return join(items, "or") }

func join(items []string, last string) string {
	switch n := len(items); n {
	case 0, 1:
		return strings.Join(items, "")
	case 2:
		return items[0] + " " + last + " " + items[1]
	default:
		return strings.Join(items[:n-1], ", ") + ", " + last + " " + items[n-1]
	}
}
