package templates

import "strings"

// commentWidth is the number of columns that a comment fills.
const commentWidth = 80

// comment wraps text to lines of a comment.
func comment(text string) []string {
	var lines []string
	line := "//"
	for word := range strings.FieldsSeq(text) {
		if line != "//" && len(line)+len(" ")+len(word) > commentWidth {
			lines = append(lines, line)
			line = "//"
		}
		line += " " + word
	}
	return append(lines, line)
}

// sentences joins those that are not empty.
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
