package templates

import (
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// commentWidth is the number of columns that a comment fills.
const commentWidth = 80

// comment wraps text to the lines of a comment.
func comment(text string) string {
	const sign = "//"
	var b strings.Builder
	b.Grow(len(text) + len(text)/16)
	b.WriteString(sign)
	column := len(sign)
	for word := range strings.FieldsSeq(plain.Text(text)) {
		if column != len(sign) && column+len(" ")+len(word) > commentWidth {
			b.WriteString("\n" + sign)
			column = len(sign)
		}
		b.WriteByte(' ')
		b.WriteString(word)
		column += len(" ") + len(word)
	}
	return b.String()
}

// sentences joins the sentences that are not empty.
func sentences(all ...string) string {
	var kept []string
	for _, s := range all {
		if s != "" {
			kept = append(kept, s)
		}
	}
	return strings.Join(kept, " ")
}

// enumerate joins items as English does: "a and b", "a, b, and c".
func enumerate(items []string) string {
	switch n := len(items); n {
	case 0, 1:
		return strings.Join(items, "")
	case 2:
		return items[0] + " and " + items[1]
	default:
		return strings.Join(items[:n-1], ", ") + ", and " + items[n-1]
	}
}
